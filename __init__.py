"""azx: AlphaZero-style Keras checkpoints to where people play, each artifact proved equal.

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
    from .system.workers import Workers

__all__ = [
    "AzxError",
    "BundledNetwork",
    "Checkpoint",
    "ExportResult",
    "Inspection",
    "NotEqual",
    "Report",
    "Settings",
    "ValidateResult",
    "Workers",
    "__version__",
    "export_checkpoint",
    "inspect_checkpoint",
    "load",
    "read_checkpoint",
    "report_bundle",
    "validate_bundle",
]
_HOMES = {
    "bundle.case.checkpoint": ("Checkpoint",),
    "bundle.case.settings": ("Settings",),
    "bundle.export": ("ExportResult", "export_checkpoint"),
    "bundle.inspect": ("Inspection", "inspect_checkpoint"),
    "bundle.loaded": ("BundledNetwork", "load"),
    "bundle.report": ("Report", "report_bundle"),
    "bundle.validate": ("ValidateResult", "validate_bundle"),
    "errors": ("AzxError", "NotEqual"),
    "export.checkpoint.read": ("read_checkpoint",),
    "system.workers": ("Workers",),
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first used."""
    from importlib import import_module

    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'azx' has no attribute '{name}'")
    return getattr(import_module(f"azx.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
