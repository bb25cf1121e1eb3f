"""azx: AlphaZero-style networks to where people play, each artifact proved equal.

The functions are found when they are first asked for, so that `import azx` loads nothing heavy.
"""

from __future__ import annotations

from .version import __version__

TYPE_CHECKING = False  # the module typing takes longer to import than all of this, and Ctrl-C waits for it
if TYPE_CHECKING:
    from typing import Any

    from .bundle.case.checkpoint import Checkpoint
    from .bundle.case.settings import Settings
    from .bundle.export import ExportResult, export_checkpoint
    from .bundle.inspect import Inspection, inspect_checkpoint
    from .bundle.loaded import BundledNetwork, load
    from .bundle.report import Report, report_bundle
    from .bundle.validate import ValidateResult, validate_bundle
    from .errors import AzxError, NotEqual
    from .export.checkpoint.read import read_checkpoint
    from .games.known.recognition import list_games
    from .mobile_assets.install import install as install_bundle
    from .mobile_assets.install import list_installed
    from .mobile_assets.install import remove as remove_bundle
    from .system.workers import Workers
    from .validate.runtimes import statuses as list_runtimes
    from .verbs.game import play_game
    from .verbs.looking import bench_bundles, explain_bundle
    from .verbs.matches import MatchResult, Tuned, match_engine, match_networks, tune_search
    from .verbs.playing import Player, describe_network, open_player, run_engine
    from .verbs.publishing import Serving, serve_networks, write_apk, write_page
    from .verbs.sweeping import sweep_checkpoints, watch_folder
    from .verbs.training import Trained, train_network

__all__ = [
    "AzxError",
    "BundledNetwork",
    "Checkpoint",
    "ExportResult",
    "Inspection",
    "MatchResult",
    "NotEqual",
    "Player",
    "Report",
    "Serving",
    "Settings",
    "Trained",
    "Tuned",
    "ValidateResult",
    "Workers",
    "__version__",
    "bench_bundles",
    "describe_network",
    "explain_bundle",
    "export_checkpoint",
    "inspect_checkpoint",
    "install_bundle",
    "list_games",
    "list_installed",
    "list_runtimes",
    "load",
    "match_engine",
    "match_networks",
    "open_player",
    "play_game",
    "read_checkpoint",
    "remove_bundle",
    "report_bundle",
    "run_engine",
    "serve_networks",
    "sweep_checkpoints",
    "train_network",
    "tune_search",
    "validate_bundle",
    "watch_folder",
    "write_apk",
    "write_page",
]
_HOMES = {
    "bundle.case.checkpoint": ("Checkpoint",),
    "bundle.case.settings": ("Settings",),
    "bundle.export": (
        "ExportResult",
        "export_checkpoint",
    ),
    "bundle.inspect": (
        "Inspection",
        "inspect_checkpoint",
    ),
    "bundle.loaded": (
        "BundledNetwork",
        "load",
    ),
    "bundle.report": (
        "Report",
        "report_bundle",
    ),
    "bundle.validate": (
        "ValidateResult",
        "validate_bundle",
    ),
    "errors": (
        "AzxError",
        "NotEqual",
    ),
    "export.checkpoint.read": ("read_checkpoint",),
    "games.known.recognition": ("list_games",),
    "mobile_assets.install": (
        "install_bundle",
        "list_installed",
        "remove_bundle",
    ),
    "system.workers": ("Workers",),
    "validate.runtimes": ("list_runtimes",),
    "verbs.game": ("play_game",),
    "verbs.looking": (
        "bench_bundles",
        "explain_bundle",
    ),
    "verbs.matches": (
        "MatchResult",
        "Tuned",
        "match_engine",
        "match_networks",
        "tune_search",
    ),
    "verbs.playing": (
        "Player",
        "describe_network",
        "open_player",
        "run_engine",
    ),
    "verbs.publishing": (
        "Serving",
        "serve_networks",
        "write_apk",
        "write_page",
    ),
    "verbs.sweeping": (
        "sweep_checkpoints",
        "watch_folder",
    ),
    "verbs.training": (
        "Trained",
        "train_network",
    ),
}
# Public names that differ from those in the modules, where similar names surround them.
_NAMED = {"install_bundle": "install", "remove_bundle": "remove", "list_runtimes": "statuses"}


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first used."""
    from importlib import import_module

    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'azx' has no attribute '{name}'")
    return getattr(import_module(f"azx.{home}"), _NAMED.get(name, name))


def __dir__() -> list[str]:
    return sorted(__all__)
