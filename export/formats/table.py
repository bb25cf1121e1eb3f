"""The formats that azx writes: one table, which export, validate, doctor and the docs go by."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ...errors import AzxError
from ..graph.frozen import FrozenGraph


@dataclass(frozen=True)
class Format:
    """A format: where it is written and which runtime proves it.

    `suffix` follows the bundle's stem. `runner` is "module:callable", which takes the artifact's
    path and returns a validate.runners.runner.Runner; `needs_tensorflow` says in which process.
    `platform` is where the artifact is the recommended one.
    """

    name: str
    title: str
    suffix: str
    writer: str
    runner: str
    needs_tensorflow: bool
    platform: str

    def path(self, stem: str) -> str:
        """The artifact's name in a bundle (a folder for Core ML and TF.js)."""
        return f"{stem}{self.suffix}"

    def unavailable(self) -> str | None:
        """None where this format can be written here, else the reason."""
        reason: str | None = import_module(self.writer).available()
        return reason

    def write(self, frozen: FrozenGraph, target: Path, **options: Any) -> None:
        """Write the artifact at `target`; ConversionError where the converter refuses the graph."""
        write: Callable[..., None] = import_module(self.writer).write
        write(frozen, target, **options)


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            "pb",
            "frozen .pb",
            ".pb",
            "azx.export.formats.to_pb",
            "azx.validate.runners.tf_graph:TensorFlowRunner",
            True,
            "server",
        ),
        Format(
            "tflite",
            "TFLite",
            ".tflite",
            "azx.export.formats.to_tflite",
            "azx.validate.runners.litert:LiteRTRunner",
            False,
            "android",
        ),
        Format(
            "onnx",
            "ONNX",
            ".onnx",
            "azx.export.formats.to_onnx",
            "azx.validate.runners.onnx_runtime:OnnxRuntimeRunner",
            False,
            "desktop",
        ),
        Format(
            "tfjs", "TF.js", "_tfjs", "azx.export.formats.to_tfjs", "azx.validate.runners.tfjs:open_tfjs", False, "web"
        ),
        Format(
            "coreml",
            "Core ML",
            ".mlpackage",
            "azx.export.formats.to_coreml",
            "azx.validate.runners.coreml:CoreMLRunner",
            True,
            "ios",
        ),
    )
}
ALL = "all"


def choose(names: tuple[str, ...] | list[str]) -> tuple[list[Format], dict[str, str]]:
    """The formats to write, and the reason for each of `all` that this installation cannot.

    A format asked for by name that cannot be written is an error (AzxError), as is an unknown one.
    """
    for name in names:
        check_name(name)
    wanted = list(FORMATS.values()) if ALL in names or not names else [FORMATS[n] for n in dict.fromkeys(names)]
    reasons = {entry.name: reason for entry in wanted if (reason := entry.unavailable())}
    named = [name for name in names if name in reasons]
    if named:
        raise AzxError(f"The format '{named[0]}' cannot be written here: {reasons[named[0]]}.")
    return [entry for entry in wanted if entry.name not in reasons], reasons


def check_name(name: str) -> None:
    """Raise AzxError, with the nearest name, for a format that there is not."""
    if name not in FORMATS and name != ALL:
        raise AzxError(unknown(name))


def unknown(name: str) -> str:
    """The sentence about a format that there is not."""
    near = difflib.get_close_matches(name.lower(), [*FORMATS, ALL], n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"There is no format '{name}': {hint}azx writes {', '.join(FORMATS)} and all."
