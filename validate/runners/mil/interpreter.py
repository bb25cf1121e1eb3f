"""A NumPy interpreter of Core ML's MIL programs, for any system.

It works in float32, and rounds to float16 after each operation whose result the program declares as fp16. A program
with an operation that has no kernel here can be read but not run: NotRunHere names the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import NotRunHere, first_line
from ....export.graph.frozen import Port
from . import choosing, kernels, resizing, windows
from .rows import keeps_rows

Array = NDArray[Any]
Kernel = Callable[..., Any]

KERNELS: dict[str, Kernel] = {**kernels.KERNELS, **windows.KERNELS, **resizing.KERNELS, **choosing.KERNELS}
# Done once when a program is opened, on the inputs that are constants.
PREPARE: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"conv": windows.prepare_conv}


@dataclass(frozen=True)
class _Step:
    """One operation: `tensors` are looked up by key (a tuple for a list of tensors), other inputs are bound."""

    kernel: Kernel
    tensors: Mapping[str, int | tuple[int, ...]]
    outputs: tuple[int, ...]
    kind: str
    name: str
    names: tuple[str, ...]
    halves: tuple[bool, ...]


class Interpreter:
    """One MIL function; `missing` names its operations without a kernel, and `prepare` makes it ready to run.

    `function` is a coremltools `Function` (its program's "main").
    """

    def __init__(self, function: Any) -> None:
        self.inputs = tuple(_port(name, var) for name, var in function.inputs.items())
        self.outputs = tuple(_port(var.name, var) for var in function.outputs)
        self._function = function
        self._one_thread = _one_blas_thread()
        # Keys are identities, because the loader may give a constant that it adds the name of another value.
        self._constants: dict[int, Any] = {}
        self._steps: list[_Step] = []
        self.missing = tuple(
            sorted({operation.op_type for operation in function.operations if not _is_known(operation)})
        )

    def prepare(self) -> None:
        """Bind every operation to its kernel; NotRunHere if one has no kernel, since the answers are then unknown."""
        if self._steps:
            return
        if self.missing:
            listed = ", ".join(f"'{kind}'" for kind in self.missing)
            raise windows.lacking(f"uses {listed}")
        for operation in self._function.operations:
            kind, made = operation.op_type, id(operation.outputs[0])
            if kind == "const":
                self._constants[made] = _widen(operation.outputs[0].val)
            elif kind.startswith("constexpr_"):
                self._constants[made] = _widen(operation.materialized_val_inference())
            else:
                self._steps.append(_step(operation, self._constants))

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Evaluate {input: array} with the program's own shapes; answers have the program's dtypes."""
        return self._run(feeds, self._steps)

    def _run(self, feeds: Mapping[str, Array], steps: Sequence[_Step]) -> dict[str, Array]:
        values = self._values(feeds, steps)
        exits = zip(self.outputs, self._function.outputs, strict=True)
        return {port.name: np.asarray(values[id(var)], dtype=port.dtype) for port, var in exits}

    def can_run_together(self) -> bool:
        """Whether `run_together` answers as `run` does: no operation may mix positions.

        False for fp16: another order of sums may round a number the other way, which is more than rounding in fp16.
        """
        return keeps_rows(self._function) and not any(any(step.halves) for step in self._steps)

    def run_together(self, feeds: Mapping[str, Array], step: int) -> dict[str, Array]:
        """Evaluate {input: (N, ...)} for a program with a batch of one, `step` positions at a time."""
        total = len(next(iter(feeds.values())))
        parts = [
            self._run({name: feed[at : at + step] for name, feed in feeds.items()}, self._for_many)
            for at in range(0, total, step)
        ]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def inner(self, feeds: Mapping[str, Array]) -> Iterator[tuple[str, str, str, Any]]:
        """For each operation in order: its kind, the value's name, its own name, and its value for the feeds."""
        self.prepare()
        values = self._values(feeds, self._steps)
        for step in self._steps:
            for key, name in zip(step.outputs, step.names, strict=True):
                yield step.kind, name, step.name, values[key]

    @cached_property
    def _for_many(self) -> list[_Step]:
        """The steps, with each reshape keeping the number of rows instead of the program's single row."""
        return [
            replace(step, kernel=_reshape_rows(step.kernel)) if step.kind == "reshape" else step for step in self._steps
        ]

    def _values(self, feeds: Mapping[str, Array], steps: Sequence[_Step]) -> dict[int, Any]:
        """Every value of the program for the feeds, by its key; NotRunHere for a setting that a kernel lacks."""
        entries = zip(self.inputs, self._function.inputs.values(), strict=True)
        entering = {id(var): _widen(np.asarray(feeds[port.name]).astype(port.dtype)) for port, var in entries}
        values = self._constants | entering
        # As in Core ML: inf and nan give no signal.
        with self._one_thread(), np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            for step in steps:
                arguments = {
                    name: [values[each] for each in key] if isinstance(key, tuple) else values[key]
                    for name, key in step.tensors.items()
                }
                answer = _call(step, arguments)
                results = answer if isinstance(answer, (list, tuple)) else (answer,)
                for key, result, half in zip(step.outputs, results, step.halves, strict=True):
                    # fp16 is stored between two operations; an operation itself does not calculate in it.
                    values[key] = np.asarray(result).astype(np.float16).astype(np.float32) if half else result
        return values


def _is_known(operation: Any) -> bool:
    """Whether an operation is a constant, or has a kernel."""
    kind: str = operation.op_type
    return kind == "const" or kind.startswith("constexpr_") or kind in KERNELS


def _call(step: _Step, arguments: Mapping[str, Any]) -> Any:
    """The result of a kernel; NotRunHere if it lacks a setting of its operation."""
    try:
        return step.kernel(**arguments)
    except (TypeError, KeyError, NotImplementedError) as error:
        raise NotRunHere(
            f"the Core ML program uses '{step.kind}' in a way that azx's NumPy interpreter of Core ML lacks "
            f"({first_line(error)[:120]}): azx validate on macOS, where Core ML itself runs it, proves it"
        ) from error


def _step(operation: Any, constants: Mapping[int, Any]) -> _Step:
    """Bind the constant inputs to the kernel and record the keys of the others."""
    given = {name: value for name, value in operation.inputs.items() if value is not None}
    bound = {name: constants[id(value)] for name, value in given.items() if id(value) in constants}
    return _Step(
        kernel=partial(KERNELS[operation.op_type], **PREPARE.get(operation.op_type, dict)(bound)),
        tensors={
            name: tuple(map(id, value)) if isinstance(value, (list, tuple)) else id(value)
            for name, value in given.items()
            if name not in bound
        },
        outputs=tuple(map(id, operation.outputs)),
        kind=operation.op_type,
        name=operation.name,
        names=tuple(var.name for var in operation.outputs),
        halves=tuple(_dtype(var) == "float16" for var in operation.outputs),
    )


def _reshape_rows(kernel: Kernel) -> Kernel:
    """The kernel of a reshape to (1, ...), changed to reshape N rows to (N, ...)."""
    bound: dict[str, Any] = dict(kernel.keywords) if isinstance(kernel, partial) else {}
    shape = [int(size) for size in bound.pop("shape")]
    return lambda x: kernels.reshape(x, [len(x), *shape[1:]])


def _one_blas_thread() -> Callable[[], AbstractContextManager[Any]]:
    """A function that makes contexts in which BLAS has one thread.

    The matrices are small, and OpenBLAS' threads wait for each other by spinning. On two busy cores, two threads took
    12 ms for a product that one thread does in 0.15 ms.
    """
    try:
        controller = import_module("threadpoolctl").ThreadpoolController()
    except ImportError:  # the answers do not depend on it
        return nullcontext
    return partial(controller.limit, limits=1, user_api="blas")


def _widen(value: Any) -> Any:
    """fp16 constants as float32; strings, integers and others unchanged."""
    is_half = isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float16
    return value.astype(np.float32) if is_half else value


def _port(name: str, var: Any) -> Port:
    """A function's input or output: `shape` has None for a free axis, `dtype` is NumPy's name."""
    shape = tuple(int(size) if isinstance(size, (int, np.integer)) else None for size in var.shape or ())
    return Port(name, shape, _dtype(var))


def _dtype(var: Any) -> str:
    from coremltools.converters.mil.mil import types

    try:
        return str(np.dtype(types.nptype_from_builtin(var.dtype)))
    except TypeError:  # a string or a state, not an array
        return "object"
