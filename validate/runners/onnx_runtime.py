"""An .onnx in ONNX Runtime on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from ...errors import BundleError, NotRunHere, Refused, first_line
from .runner import Port, Runner, Signature, Tensors, in_words

_DTYPES = {"tensor(float)": "float32", "tensor(float16)": "float16", "tensor(double)": "float64"}
_DTYPES |= {f"tensor({name})": name for name in ("bool", "int8", "uint8", "int32", "int64")}


class OnnxRuntimeRunner(Runner):
    """One InferenceSession."""

    format = "onnx"

    @property
    def runtime(self) -> str:
        """ONNX Runtime's version."""
        import onnxruntime

        return f"onnxruntime {onnxruntime.__version__}, CPU, {in_words(self.threads)}"

    def open(self) -> None:
        """Load the file; BundleError if ONNX Runtime cannot, NotRunHere if it lacks an operation."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = self.threads  # two threads spin and take three times the processor time
        try:
            self._session = onnxruntime.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's exceptions have no common base
            if type(error).__name__ == "NotImplemented":
                # "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for Erf(13) ..."
                lacks = first_line(error).rpartition(" : ")[2]
                raise NotRunHere(
                    f"ONNX Runtime {onnxruntime.__version__} on the CPU lacks an operation of it ({lacks}): "
                    "azx validate with an onnxruntime that has it proves it"
                ) from error
            try:  # a sound protobuf is an ONNX file, even with an unsound graph
                import onnx

                sound = bool(onnx.load(self.path).graph.node)
            except Exception:  # protobuf's DecodeError has no public base, and onnx may not be installed
                sound = False
            if sound:
                raise Refused(f"ONNX Runtime does not load it ({first_line(error)})") from error
            raise BundleError(
                f"'{self.path.name}' is not an ONNX file that ONNX Runtime loads: export it again."
            ) from error

    def signature(self) -> Signature:
        """The graph's inputs and outputs in file order."""
        return Signature(tuple(map(_port, self._session.get_inputs())), tuple(map(_port, self._session.get_outputs())))

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """One run: feeds (batch, ...) give (batch, ...) by output."""
        names = [output.name for output in self._session.get_outputs()]
        return dict(zip(names, self._session.run(names, dict(feeds)), strict=True))


def _port(port: Any) -> Port:
    shape = tuple(size if isinstance(size, int) else None for size in port.shape)
    return Port(port.name, shape, _DTYPES.get(port.type, port.type))
