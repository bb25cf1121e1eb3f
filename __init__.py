"""azx: AlphaZero-style Keras checkpoints to where people play, each artifact proved equal.

The functions are found when they are first asked for, so that `import azx` loads nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
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
    "AzxError": "azx.errors:AzxError",
    "BundledNetwork": "azx.bundle.loaded:BundledNetwork",
    "Checkpoint": "azx.bundle.case.checkpoint:Checkpoint",
    "ExportResult": "azx.bundle.export:ExportResult",
    "Inspection": "azx.bundle.inspect:Inspection",
    "NotEqual": "azx.errors:NotEqual",
    "Report": "azx.bundle.report:Report",
    "Settings": "azx.bundle.case.settings:Settings",
    "ValidateResult": "azx.bundle.validate:ValidateResult",
    "Workers": "azx.system.workers:Workers",
    "export_checkpoint": "azx.bundle.export:export_checkpoint",
    "inspect_checkpoint": "azx.bundle.inspect:inspect_checkpoint",
    "load": "azx.bundle.loaded:load",
    "read_checkpoint": "azx.export.checkpoint.read:read_checkpoint",
    "report_bundle": "azx.bundle.report:report_bundle",
    "validate_bundle": "azx.bundle.validate:validate_bundle",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its module when it is first used."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'azx' has no attribute '{name}'")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
