"""A .tflite's tensors: LiteRT can keep all of them, but then calculates without XNNPACK's fusions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import Refused, first_line
from .tap import Feeds, Tap, depend_on, in_batches

# Operators that change no value; then those that multiply by a kernel, which is their second input.
_MOVES = frozenset({"TRANSPOSE", "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "QUANTIZE", "DEQUANTIZE", "CAST"})
_PRODUCTS = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL"})


def taps(path: Path, feeds: Feeds) -> tuple[str, list[Tap]]:
    """The runtime, and every operator's result; 8-bit tensors become the real numbers that they represent.

    Raises Refused if LiteRT does not run the file.
    """
    from importlib.metadata import version

    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    try:
        interpreter = Interpreter(
            str(path),
            experimental_preserve_all_tensors=True,
            experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
        )
        interpreter.allocate_tensors()
    except (ValueError, RuntimeError) as error:
        raise Refused(f"LiteRT does not run '{path.name}' ({first_line(error)}): export it again.") from error
    batch = int(interpreter.get_input_details()[0]["shape_signature"][0])
    inputs = [port["index"] for port in interpreter.get_input_details()]
    details = interpreter._get_ops_details()
    operators = depend_on(inputs, details, lambda each: each["inputs"], lambda each: each["outputs"])
    made = [int(index) for operator in operators for index in operator["outputs"]]
    values = in_batches(feeds, batch if batch > 0 else None, lambda part: _answer(interpreter, part, made))
    names = {detail["index"]: str(detail["name"]) for detail in interpreter.get_tensor_details()}
    makers = {int(index): operator for operator in operators for index in operator["outputs"]}
    result = [
        Tap(names[index], _hints(names, makers[index], index), rows, makers[index]["op_name"] in _MOVES)
        for index, rows in zip(made, values, strict=True)
    ]
    return f"ai-edge-litert {version('ai-edge-litert')}, reference kernels", result


def _answer(interpreter: Any, feeds: Feeds, made: list[int]) -> list[NDArray[np.float32]]:
    ports = interpreter.get_input_details()
    rows = len(next(iter(feeds.values())))
    if any(port["shape"][0] != rows for port in ports):
        for port in ports:
            interpreter.resize_tensor_input(port["index"], feeds[port["name"]].shape)
        interpreter.allocate_tensors()
    for port in ports:
        interpreter.set_tensor(port["index"], feeds[port["name"]])
    interpreter.invoke()
    details = {detail["index"]: detail for detail in interpreter.get_tensor_details()}
    return [_real(interpreter.get_tensor(index), details[index]["quantization_parameters"]) for index in made]


def _real(values: NDArray[Any], stored: dict[str, Any]) -> NDArray[np.float32]:
    scales = stored["scales"]
    if not len(scales):
        return np.asarray(values, np.float32)
    return np.asarray((values.astype(np.float32) - stored["zero_points"][0]) * scales[0], np.float32)


def _hints(names: dict[int, str], operator: dict[str, Any], index: int) -> tuple[str, ...]:
    """The tensor's own name, the first of the names that fusion joined, and its kernel's name."""
    own = names[index].split(";")[0]
    if operator["op_name"] not in _PRODUCTS:
        return (own,)
    return own, names.get(int(operator["inputs"][1]), "").split(";")[0]
