"""The formats that azx writes, in one table for export, validate, play, doctor and the docs."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

from ...errors import AzxError, FormatUnavailable
from ...system.installed import missing, not_run_here
from ...system.memory import kept_small
from ..graph.frozen import FrozenGraph
from .precisions.precision import FP16, FP32, INT8, INT8_DYNAMIC, INT8_WEIGHTS, mark


@dataclass(frozen=True)
class FurtherRuntime:
    """A further runtime for a format's artifacts, which some app uses; `runner` has the form of `Format`'s."""

    name: str
    title: str
    runner: str


@dataclass(frozen=True)
class Format:
    """A format: its writer, its runtimes, and the platform for which it is recommended.

    `suffix` follows the bundle's stem. The writer is the module to_NAME of this folder, with these functions:

        write(frozen, target)    write the artifact, the same bytes each time; further parameters are its options
        metadata(path)           the metadata in the artifact, text to text
        about(path)              the manifest's members that only this format has, as the artifact states them; may be
                                 missing
        unavailable()            None if the installed `packages` can write it, else the reason; may be missing

    `packages` are the modules that write it; the artifact's bytes depend on their versions. `runner` is
    "module:callable", which takes the artifact's path and returns a Runner. It is a name, so that a runtime is imported
    only when it is used, and code that writes files does not depend on code that proves them.

    If `needs_tensorflow`, it runs in the worker process with TensorFlow. `needs` is the package that runs it.
    `platform` is where the artifact is recommended. `speed` orders the formats for play, the quickest runtime first, as
    measured with one position at a time. `also` are further runtimes, which prove an artifact on request. An
    `experimental` format is written only if its name is given, and is recommended to no app.

    `precisions` are those in which it can be written, the slowest first. In the `mixed` ones, which have 8 bits, some
    layers may stay in float; the writer then also has these functions:

        stored_weights(path)     the large weights, each with its layer, and whether it is in 8 bits
        write_ways(frozen, ways) instead of `write`: artifacts with different layers in float, by a single conversion
    """

    name: str
    title: str
    suffix: str
    packages: tuple[str, ...]
    runner: str
    needs: str
    platform: str
    speed: int
    needs_tensorflow: bool = False
    experimental: bool = False
    precisions: tuple[str, ...] = (FP32,)
    mixed: tuple[str, ...] = ()
    also: tuple[FurtherRuntime, ...] = ()

    def path(self, stem: str, precision: str = FP32, *, failing: bool = False) -> str:
        """The artifact's name in a bundle (a folder for Core ML, Core AI and TF.js): net.tflite, net.int8.tflite."""
        return f"{stem}{mark(precision, failing=failing)}{self.suffix}"

    def precision_of(self, path: str, stem: str) -> tuple[str, bool] | None:
        """The precision in an artifact's name, and whether it is marked as failing; None for any other name."""
        names = {
            self.path(stem, precision, failing=failing): (precision, failing)
            for failing in (True, False)
            for precision in self.precisions
        }
        return names.get(path)

    @property
    def no_other(self) -> str:
        """The reason why it has no other precisions, as a clause."""
        return f"8 bits of it are {' or '.join(self.mixed)}" if self.mixed else "it is written only in float32"

    def unavailable(self) -> str | None:
        """None if this format can be written here, else the reason."""
        lacking = next(filter(None, map(missing, self.packages)), None)
        return lacking or getattr(self._writer(), "unavailable", lambda: None)()

    def write(self, frozen: FrozenGraph, target: Path, in_float: Collection[str] = (), **options: Any) -> None:
        """Write the artifact at `target`, with those of the options that this format has.

        FormatUnavailable if a package is missing, ConversionError if the converter refuses the graph.
        """
        if self.mixed:
            self.write_ways(frozen, {target: in_float}, **options)
        else:
            self._write(self._writer().write, frozen, target, options)

    def write_ways(self, frozen: FrozenGraph, ways: Mapping[Path, Collection[str]], **options: Any) -> None:
        """Write an artifact at each path of `ways`, with the given layers in float, in a precision of `mixed`."""
        self._write(self._writer().write_ways, frozen, ways, options)

    def _write(self, write: Any, frozen: FrozenGraph, where: Any, options: Mapping[str, Any]) -> None:
        if reason := self.unavailable():
            raise FormatUnavailable(f"{self.title} cannot be written: {reason}.")
        known = {name: value for name, value in options.items() if name in signature(write).parameters}
        with kept_small(len(frozen.graph_def)):
            write(frozen, where, **known)

    def layers(self, path: Path) -> dict[str, int]:
        """The layers of an artifact that are in 8 bits, with their number of weights."""
        from .precisions.weights import layers_in_eight

        return layers_in_eight(self._writer().stored_weights(path))

    def metadata(self, path: Path) -> Mapping[str, str]:
        """The metadata that azx wrote into the artifact; empty if it cannot be read."""
        try:
            return {str(key): str(value) for key, value in self._writer().metadata(path).items()}
        except Exception:  # another writer's file may hold anything, and each parser has its own errors
            return {}

    def about(self, path: Path) -> dict[str, Any]:
        """The members of the manifest's entry that only this format has, such as ONNX's opset.

        In 8 bits also `float_layers`, the layers whose weights are in float.
        """
        from .precisions.weights import about_floats

        writer = self._writer()
        own = dict(writer.about(path)) if hasattr(writer, "about") else {}
        return own | (about_floats(writer.stored_weights(path)) if self.mixed else {})

    def runs_here(self) -> bool:
        """Whether the package that runs it is installed."""
        return find_spec(self.needs) is not None

    def open(self, path: Path, runner: str | None = None) -> Any:
        """The Runner of the artifact at `path`, not yet entered; NotRunHere if its runtime is not installed.

        A runner imports its runtime when it is entered, which raises NotRunHere too. `runner` names a further runtime's
        runner.
        """
        module, _, name = (runner or self.runner).partition(":")
        try:
            return getattr(import_module(module), name)(path)
        except ImportError as error:
            raise not_run_here(error) from error

    def _writer(self) -> Any:
        return import_module(f".to_{self.name}", __package__)


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            name="pb",
            title="frozen .pb",
            suffix=".pb",
            packages=("tensorflow",),
            runner="azx.validate.runners.tf_graph:TensorFlowRunner",
            needs="tensorflow",
            platform="server",
            speed=3,
            needs_tensorflow=True,
        ),
        Format(
            name="tflite",
            title="TFLite",
            suffix=".tflite",
            packages=("tensorflow", "ai_edge_litert"),
            runner="azx.validate.runners.litert:LiteRTRunner",
            needs="ai_edge_litert",
            platform="android",
            speed=2,
            precisions=(FP32, FP16, INT8, INT8_DYNAMIC),
            mixed=(INT8_DYNAMIC, INT8),
            also=(FurtherRuntime("litert.js", "LiteRT.js", "azx.validate.runners.litertjs:LiteRTJSRunner"),),
        ),
        Format(
            name="onnx",
            title="ONNX",
            suffix=".onnx",
            packages=("tensorflow", "tf2onnx", "onnx"),
            runner="azx.validate.runners.onnx_runtime:OnnxRuntimeRunner",
            needs="onnxruntime",
            platform="desktop",
            speed=1,
            precisions=(FP32, FP16, INT8_WEIGHTS),
            mixed=(INT8_WEIGHTS,),
        ),
        Format(
            name="tfjs",
            title="TF.js",
            suffix="_tfjs",
            packages=("tensorflow",),
            runner="azx.validate.runners.tfjs:open_tfjs",
            needs="tensorflow",
            platform="web",
            speed=4,
            precisions=(FP32, FP16, INT8_WEIGHTS),
            mixed=(INT8_WEIGHTS,),
        ),
        Format(
            name="coreml",
            title="Core ML",
            suffix=".mlpackage",
            packages=("tensorflow", "coremltools"),
            runner="azx.validate.runners.coreml:CoreMLRunner",
            needs="coremltools",
            platform="ios",
            speed=5,
            needs_tensorflow=True,
            precisions=(FP32, INT8_WEIGHTS, FP16),
            mixed=(INT8_WEIGHTS,),
        ),
        Format(
            name="coreai",
            title="Core AI",
            suffix=".aimodel",
            packages=("tensorflow", "coreai"),
            runner="azx.validate.runners.coreai:CoreAIRunner",
            needs="coreai",
            platform="ios",
            speed=6,
            experimental=True,
        ),
    )
}
ALL = "all"
# The names of all further runtimes.
ALSO = tuple(further.name for entry in FORMATS.values() for further in entry.also)


def choose(names: Sequence[str], without: Sequence[str] = ()) -> tuple[list[Format], dict[str, str]]:
    """The formats to write, and the reason for each format of `all` that this installation cannot write.

    Formats in `without` are left out of `all`. Raises AzxError if a format asked for by name is unknown, cannot be
    written or is also left out, or if no format remains.
    """
    for name in (*names, *without):
        check_name(name)
    asked = formats_by_name(names)
    both = next((name for name in asked if name in without), None)
    if both:
        raise AzxError(f"The format '{both}' is asked for and left out: give it with --format or with --without.")
    everything = ALL in names or not names
    of_all = [entry.name for entry in FORMATS.values() if everything and not entry.experimental]
    wanted = [FORMATS[name] for name in FORMATS if (name in of_all and name not in without) or name in asked]
    if not wanted or ALL in without:
        raise AzxError("Every format is left out: give fewer of them with --without.")
    reasons = {entry.name: reason for entry in wanted if (reason := entry.unavailable())}
    missing_one = next((name for name in asked if name in reasons), None)
    if missing_one:
        raise AzxError(f"The format '{missing_one}' cannot be written here: {reasons[missing_one]}.")
    if len(reasons) == len(wanted):
        raise AzxError(f"No format can be written here: {list_reasons(reasons)}.")
    return [entry for entry in wanted if entry.name not in reasons], reasons


def as_names(names: str | Sequence[str]) -> tuple[str, ...]:
    """One format or several, as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def formats_by_name(names: Sequence[str]) -> list[str]:
    """The formats asked for by name, each once; `all` itself is left out."""
    return [name for name in dict.fromkeys(names) if name != ALL]


def list_reasons(reasons: Mapping[str, str]) -> str:
    """The reasons why formats are not written, as one clause: "pb, onnx (...); tfjs (...)"."""
    alike: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        alike.setdefault(reason, []).append(name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in alike.items())


def check_name(name: str) -> None:
    """Raise AzxError, with the nearest name, for an unknown format."""
    if name not in FORMATS and name != ALL:
        raise AzxError(unknown(name))


def unknown(name: str) -> str:
    """The sentence about an unknown format."""
    near = difflib.get_close_matches(name.lower(), [*FORMATS, ALL], n=1, cutoff=0.4)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"There is no format '{name}': {hint}azx writes {', '.join(FORMATS)} and all."


def check_also(names: Sequence[str], formats: Iterable[Format]) -> None:
    """Raise AzxError for a further runtime that is unknown, or that runs none of `formats`."""
    formats = list(formats)
    for name in names:
        if name not in ALSO:
            raise AzxError(f"There is no further runtime '{name}': azx knows {', '.join(ALSO)}.")
        if not any(name == further.name for entry in formats for further in entry.also):
            runs = next(entry for entry in FORMATS.values() if name in [further.name for further in entry.also])
            raise AzxError(f"'{name}' runs {runs.title} and there is none here: export with --format {runs.name} too.")
