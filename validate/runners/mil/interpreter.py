"""A NumPy interpreter of Core ML's MIL programs: what a saved package computes, on any system.

It works in float32 and rounds to float16 after each operation whose result the program declares
as fp16. It knows the operations of board networks; another one is a BundleError that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import BundleError
from . import kernels, shapes, windows

Array = NDArray[Any]
Kernel = Callable[..., Any]

KERNELS: dict[str, Kernel] = {**kernels.KERNELS, **shapes.KERNELS, **windows.KERNELS}
# Done once, when a program is opened, on the inputs that are constants.
PREPARE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"conv": windows.prepare_conv}


@dataclass(frozen=True)
class Variable:
    """A function's input or output: `shape` has None where it is free, `dtype` is NumPy's name."""

    name: str
    shape: tuple[int | None, ...]
    dtype: str


@dataclass(frozen=True)
class _Step:
    """One operation: `tensors` are looked up by key (a tuple for a list of tensors), the rest is bound."""

    kernel: Kernel
    tensors: Mapping[str, int | tuple[int, ...]]
    outputs: tuple[int, ...]
    halves: tuple[bool, ...]


class Interpreter:
    """One MIL function, ready to run.

    `function` is a coremltools `Function` (its program's "main"). Raises BundleError for an
    operation that is not known here.
    """

    def __init__(self, function: Any) -> None:
        self.inputs = tuple(_variable(name, var) for name, var in function.inputs.items())
        self.outputs = tuple(_variable(var.name, var) for var in function.outputs)
        # Keys are identities: the loader gives constants that it adds names which others may have.
        self._function = function
        self._one_thread = _one_blas_thread()
        self._constants: dict[int, Any] = {}
        self._steps: list[_Step] = []
        for operation in function.operations:
            self._add(operation)

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Evaluate {input: array} of the program's own shapes; answers have the program's dtypes."""
        entries = zip(self.inputs, self._function.inputs.values(), strict=True)
        values = self._constants | {id(var): _entering(feeds[port.name], port) for port, var in entries}
        # As Core ML does: inf and nan without a signal.
        with self._one_thread(), np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            for step in self._steps:
                _evaluate(step, values)
        exits = zip(self.outputs, self._function.outputs, strict=True)
        return {port.name: np.asarray(values[id(var)], dtype=port.dtype) for port, var in exits}

    def _add(self, operation: Any) -> None:
        if operation.op_type == "const" or operation.op_type.startswith("constexpr_"):
            value = operation.outputs[0].val if operation.op_type == "const" else operation.materialized_val_inference()
            self._constants[id(operation.outputs[0])] = _widened(value)
            return
        if operation.op_type not in KERNELS:
            raise BundleError(
                f"the Core ML program uses the operation '{operation.op_type}', which azx's NumPy interpreter "
                "does not know: validate on macOS, where Core ML itself runs it"
            )
        self._steps.append(self._step(operation))

    def _step(self, operation: Any) -> _Step:
        """Bind the constant inputs to the kernel and keep the keys of the others."""
        given = {name: value for name, value in operation.inputs.items() if value is not None}
        bound = {name: self._constants[id(value)] for name, value in given.items() if id(value) in self._constants}
        return _Step(
            kernel=partial(KERNELS[operation.op_type], **PREPARE.get(operation.op_type, dict)(bound)),
            tensors={name: _keys(value) for name, value in given.items() if name not in bound},
            outputs=tuple(id(var) for var in operation.outputs),
            halves=tuple(_dtype(var) == "float16" for var in operation.outputs),
        )


def _one_blas_thread() -> Callable[[], AbstractContextManager[Any]]:
    """Make contexts in which BLAS has one thread.

    The matrices are small, and OpenBLAS' threads wait for each other by spinning: on two cores
    that something else uses too, two threads took 12 ms for a product that one does in 0.15 ms.
    """
    try:
        controller = import_module("threadpoolctl").ThreadpoolController()
    except ImportError:  # the answers are the same without it
        return nullcontext
    return partial(controller.limit, limits=1, user_api="blas")


def _keys(value: Any) -> int | tuple[int, ...]:
    """Key of a variable, or of each of a list of them."""
    return tuple(id(var) for var in value) if isinstance(value, (list, tuple)) else id(value)


def _evaluate(step: _Step, values: dict[int, Any]) -> None:
    arguments = {
        name: [values[each] for each in key] if isinstance(key, tuple) else values[key]
        for name, key in step.tensors.items()
    }
    answer = step.kernel(**arguments)
    results: Iterable[Any] = answer if isinstance(answer, (list, tuple)) else (answer,)
    for key, result, half in zip(step.outputs, results, step.halves, strict=True):
        values[key] = _rounded(result) if half else result


def _rounded(value: Array) -> Array:
    return np.asarray(value).astype(np.float16).astype(np.float32)


def _widened(value: Any) -> Any:
    """Constants as float32 where they are fp16; strings and integers as they are."""
    is_half = isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float16
    return value.astype(np.float32) if is_half else value


def _entering(feed: Array, port: Variable) -> Array:
    """Round a feed to its input's dtype, then widen it."""
    return np.asarray(_widened(np.asarray(feed).astype(port.dtype)))


def _variable(name: str, var: Any) -> Variable:
    shape = tuple(int(size) if isinstance(size, (int, np.integer)) else None for size in var.shape or ())
    return Variable(name, shape, _dtype(var))


def _dtype(var: Any) -> str:
    from coremltools.converters.mil.mil import types

    try:
        return str(np.dtype(types.nptype_from_builtin(var.dtype)))
    except TypeError:  # a string or a state: no array
        return "object"
