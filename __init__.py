"""azx: AlphaZero-style Keras checkpoints to where people play, each artifact proved equal.

The functions are found when they are first asked for, so that `import azx` loads nothing heavy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from azx.export.checkpoint import read as read_checkpoint
    from azx.export.errors import AzxError, NotEqual
    from azx.export.inspection import inspect_checkpoint
    from azx.export.pipeline import ExportResult, export_checkpoint
    from azx.validate.pipeline import ValidateResult, validate_bundle

__version__ = "0.1.0"
__all__ = [
    "AzxError",
    "ExportResult",
    "NotEqual",
    "ValidateResult",
    "__version__",
    "export_checkpoint",
    "inspect_checkpoint",
    "read_checkpoint",
    "validate_bundle",
]
_HOMES = {
    "AzxError": "azx.export.errors:AzxError",
    "ExportResult": "azx.export.pipeline:ExportResult",
    "NotEqual": "azx.export.errors:NotEqual",
    "ValidateResult": "azx.validate.pipeline:ValidateResult",
    "export_checkpoint": "azx.export.pipeline:export_checkpoint",
    "inspect_checkpoint": "azx.export.inspection:inspect_checkpoint",
    "read_checkpoint": "azx.export.checkpoint:read",
    "validate_bundle": "azx.validate.pipeline:validate_bundle",
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
