"""Core ML: `predict` on macOS; on other systems a NumPy interpreter of the package's MIL program."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, NotRunHere, Refused, first_line
from ...export.formats.to_coreml import quiet
from ..door.package import open_package
from .runner import Answer, Port, Runner, Signature, Tensors

if TYPE_CHECKING:
    from .mil.interpreter import Interpreter

# The number of positions per call of the interpreter; their tensors fit into a processor's cache.
_TOGETHER = 64
_DTYPES = {"FLOAT16": "float16", "FLOAT32": "float32", "DOUBLE": "float64", "INT32": "int32", "INT8": "int8"}


class CoreMLRunner(Runner):
    """One .mlpackage; needs coremltools and TensorFlow in the process, because its loader imports TensorFlow."""

    format = "coreml"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._spec: Any = None
        self._interpreter: Interpreter | None = None
        self._model: Any = None

    @property
    def runtime(self) -> str:
        """Core ML and its system, or the interpreter, with the version of coremltools."""
        version = _coremltools().__version__
        if _on_macos():
            return f"Core ML, macOS {platform.mac_ver()[0]}, coremltools {version}"
        return f"NumPy MIL interpreter (Core ML's predict needs macOS), coremltools {version}"

    def open(self) -> None:
        """Load the package; BundleError if it is damaged, NotRunHere if the interpreter lacks an operation."""
        self._spec = self._guard(_load_spec)
        self._interpreter = self._guard(lambda path: _load_program(path, self._spec), Refused)
        self.stands_in = not _on_macos()
        if not _on_macos():
            self._guard(lambda _: self.program().prepare(), Refused)
        else:
            self._model = self._load_model()

    def _load_model(self) -> Any:
        """The package in Core ML itself, on the CPU only, because other units calculate fp32 differently by device."""
        package, units = _coremltools(), _coremltools().ComputeUnit.CPU_ONLY
        return self._guard(lambda path: package.models.MLModel(str(path), compute_units=units))

    def close(self) -> None:
        """Release the program and its weights."""
        self._spec = self._interpreter = self._model = None

    def signature(self) -> Signature:
        """Features as the package describes them.

        If the program has another name, place, shape or dtype for a port, the port gets a name with both, so that it
        never matches the contract: Core ML would not load the package.
        """
        description = self._spec.description
        program = self.program()
        return Signature(_ports(description.input, program.inputs), _ports(description.output, program.outputs))

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer one batch, {input: (N, ...)} -> {output: (N, ...)}, under the package's names."""
        if self._model is None:
            return self.program().run(feeds)
        wanted = {port.name: np.asarray(feeds[port.name], port.dtype) for port in self.program().inputs}
        answer = self._model.predict(wanted)
        return {port.name: np.asarray(answer[port.name]) for port in self.program().outputs}

    def together(self) -> Answer | None:
        """The interpreter's answers to many positions per product, in a third of the time; None for `predict`."""
        if self._model is not None or not self.program().can_run_together():
            return None
        return lambda feeds: self.program().run_together(feeds, _TOGETHER)

    def program(self) -> Interpreter:
        """The program in the NumPy interpreter, even if Core ML answers; BundleError if the package is not open."""
        if self._interpreter is None:
            raise BundleError(f"{self.path} is not open: use it in a with statement")
        return self._interpreter

    def _guard(self, load: Any, kind: type[BundleError] = BundleError) -> Any:
        """The result of `load` on the package; any error becomes one sentence that names the package."""
        try:
            with quiet():
                return load(self.path)
        except BundleError as error:
            raise BundleError(f"{self.path}: {error}") from error
        except (ImportError, NotRunHere):
            raise  # the package was not tested
        except Exception as error:
            reason = first_line(error)
            if isinstance(error, OSError) and error.strerror:
                reason = error.strerror.lower() + (f": {Path(error.filename).name}" if error.filename else "")
            raise kind(f"{self.path} is no readable Core ML package ({reason}): export it again") from error


def _on_macos() -> bool:
    return platform.system() == "Darwin"


def _coremltools() -> Any:
    with quiet():
        import coremltools

    return coremltools


def _load_spec(path: Path) -> Any:
    """Read the Model proto, whose place the package's own index gives."""
    spec = _coremltools().utils.load_spec(str(open_package(path).model))
    if spec.WhichOneof("Type") != "mlProgram":
        raise BundleError("it holds no ML program, export it again")
    return spec


def _load_program(path: Path, spec: Any) -> Interpreter:
    """The program with its weights, which are beside the model in the package."""
    from coremltools.converters.mil.frontend.milproto.load import load

    from .mil.interpreter import Interpreter

    weights = open_package(path).weights
    program = load(spec, specification_version=spec.specificationVersion, file_weights_dir=str(weights))
    return Interpreter(program.functions["main"])


def _ports(features: Sequence[Any], program: Sequence[Port]) -> tuple[Port, ...]:
    """The ports of the description and of the program at each place, joined if they agree."""
    ports = []
    for feature, defined in zip_longest(features, program):
        stated = None if feature is None else _port(feature)
        if stated is None or defined is None:
            known = stated or defined
            where = "description" if stated else "program"
            ports.append(replace(known, name=f"{known.name} (only in the {where})"))
            continue
        shape = stated.shape or defined.shape  # coremltools describes no shape for outputs with a free batch
        agreed = (stated.name, shape, stated.dtype) == (defined.name, defined.shape, defined.dtype)
        name = f"{stated.name} (in the program: {defined.name} {defined.dtype}{list(defined.shape)})"
        ports.append(replace(stated, shape=shape) if agreed else replace(stated, name=name))
    return tuple(ports)


def _port(feature: Any) -> Port:
    array = feature.type.multiArrayType
    dtype = _DTYPES.get(array.DESCRIPTOR.enum_types_by_name["ArrayDataType"].values_by_number[array.dataType].name)
    ranges = list(array.shapeRange.sizeRanges) or [None] * len(array.shape)
    shape = tuple(
        None if span is not None and span.lowerBound != span.upperBound else int(size)
        for size, span in zip(array.shape, ranges, strict=True)
    )
    return Port(feature.name, shape, dtype or "other")
