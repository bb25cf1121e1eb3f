"""Arrays, dicts, lists and numbers in a Python pickle, read from its opcodes: nothing in it is imported or called.

A pickle is a program that may name any function and call it. Here each name has to be one of the few with which PyTorch
and NumPy write arrays, and stands for what azx itself does then. Every other name ends the reading. (The opcodes:
`pickletools` of Python's library. What PyTorch writes: torch/serialization.py; NumPy: numpy/core/src/multiarray.)
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import IO, Any

import numpy as np

from .door.limits import NAME_LENGTH, PICKLED, WEIGHT_BYTES
from .layer_graph import Array

# The numbers of PyTorch's storages; a bfloat16 is the upper half of a float32.
BFLOAT16 = "bfloat16"
STORAGES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "BFloat16Storage": BFLOAT16,
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "i1",
    "ByteStorage": "u1",
    "BoolStorage": "?",
}
_KINDS = "fiub"
# Bytes of a line, in which protocol 0 writes its texts: those of an array too.
LINE = 64 << 20


@dataclass(frozen=True)
class Storage:
    """A run of numbers that lies outside the pickle, under a key."""

    key: str
    dtype: str
    count: int


@dataclass(frozen=True)
class Tensor:
    """A view of a storage, as PyTorch keeps a tensor; all in numbers, not bytes."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class NotPlain(ValueError):  # noqa: N818 - what it is, and the caller makes a sentence of it
    """A pickle that holds something else than arrays, dicts, lists and numbers; says what, as a clause."""


@dataclass(frozen=True)
class _Name:
    """A function or class that a pickle names; it is looked up nowhere."""

    full: str


@dataclass(eq=False)
class _NumPy:
    """An array of NumPy on its way: the BUILD that follows brings its shape, its type and its bytes."""

    array: Array | None = None


@dataclass(eq=False)
class _Type:
    """A dtype of NumPy; its BUILD brings the order of bytes."""

    code: str
    order: str = "<"

    @property
    def dtype(self) -> np.dtype[Any]:
        if self.code[:1] not in _KINDS or len(self.code) > 3:
            raise NotPlain(f"it holds an array of '{self.code[:20]}', which is none of numbers")
        return np.dtype(f"{self.order}{self.code}")


_MARK = object()


def _operations(file: Any) -> Iterator[tuple[pickletools.OpcodeInfo, Any, int | None]]:
    return pickletools.genops(file)


def read_pickle(file: IO[bytes], persistent: Callable[[Any], Any] | None = None) -> Any:
    """What a pickle from the file's position on holds: dicts, lists, tuples, texts, numbers, arrays and `Tensor`s.

    `persistent` makes something of what the file keeps elsewhere. Raises NotPlain for anything else, and for what is no
    pickle.
    """
    machine = _Machine(persistent)
    try:
        for count, (opcode, argument, _) in enumerate(_operations(_Bounded(file))):
            if count > PICKLED:
                raise NotPlain(f"it has over {PICKLED:,} operations")
            machine.run(opcode.name, argument)
        return _plain(machine.finish(), {})
    except NotPlain:
        raise
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        raise NotPlain("it is cut off or damaged") from error


class _Bounded:
    """A file of which nobody asks for more than it has: a pickle may claim any length, and Python makes room for it."""

    def __init__(self, file: IO[bytes]) -> None:
        start = file.tell()
        self._file, self._end = file, file.seek(0, io.SEEK_END)
        file.seek(start)
        self.tell = file.tell

    def read(self, size: int) -> bytes:
        """Up to `size` bytes."""
        return self._file.read(max(0, min(size, self._end - self._file.tell())))

    def readline(self) -> bytes:
        """A line; only the beginning of one that no name or number fills."""
        return self._file.readline(LINE)


@dataclass(eq=False)
class _Machine:
    """The stack and the memo of a pickle."""

    persistent: Callable[[Any], Any] | None
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    done: bool = False

    def run(self, name: str, argument: Any) -> None:
        """One opcode."""
        if name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _WITH_VALUE:
            if isinstance(argument, int) and abs(argument) >> 80:
                raise NotPlain("it holds a number of over 80 bits")
            self.stack.append(argument)
        elif name in _BYTES:
            self.stack.append(argument.encode("latin1") if isinstance(argument, str) else bytes(argument))
        elif name.endswith("PUT") or name == "MEMOIZE":
            self.memo[len(self.memo) if argument is None else argument] = self.stack[-1]
        elif name.endswith("GET"):
            self.stack.append(self.memo[argument])
        elif name == "GLOBAL":
            self.stack.append(_named(argument.replace(" ", ".")))
        elif name in _ACTIONS:
            _ACTIONS[name](self)
        elif name not in ("PROTO", "FRAME"):
            raise NotPlain(f"it uses {name}, which no file of arrays needs")

    def finish(self) -> Any:
        """What is left at the end: one value."""
        if not self.done or len(self.stack) != 1 or self.stack[0] is _MARK:
            raise NotPlain("it is cut off or damaged")
        return self.stack[0]

    def pop(self) -> Any:
        """The value on top; no mark."""
        value = self.stack.pop()
        if value is _MARK:
            raise NotPlain("it is cut off or damaged")
        return value

    def marked(self) -> list[Any]:
        """The values down to the last mark, which go."""
        values = []
        while (value := self.stack.pop()) is not _MARK:
            values.append(value)
        return values[::-1]

    def drop(self) -> None:
        self.stack.pop()

    def drop_marked(self) -> None:
        self.marked()

    def several(self, count: int) -> tuple[Any, ...]:
        return tuple([self.pop() for _ in range(count)][::-1])

    def add_items(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, dict):
            raise NotPlain("it is cut off or damaged")
        target.update(_pairs(values))

    def append(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, list):
            raise NotPlain("it is cut off or damaged")
        target.extend(values)

    def call(self) -> None:
        """What a pickle would call, made by azx."""
        arguments, function = self.pop(), self.pop()
        if not isinstance(function, _Name) or not isinstance(arguments, tuple):
            raise NotPlain("it calls what is no function")
        self.stack.append(_MADE[function.full](*arguments))

    def build(self) -> None:
        """The state of an array or a dtype; that of a dict is a note of PyTorch's on versions."""
        state, target = self.pop(), self.stack[-1]
        if isinstance(target, _NumPy):
            _, shape, kind, by_column, data = state
            target.array = _array(data, kind, shape, "F" if by_column else "C")
        elif isinstance(target, _Type):
            target.order = str(state[1])[:1]
        elif not isinstance(target, dict):
            raise NotPlain("it gives a state to what has none")

    def look_elsewhere(self) -> None:
        if self.persistent is None:
            raise NotPlain("it refers to what lies elsewhere")
        self.stack.append(self.persistent(self.pop()))

    def name(self) -> None:
        module, name = self.several(2)
        self.stack.append(_named(f"{module}.{name}"))

    def stop(self) -> None:
        self.done = True


def _named(full: str) -> _Name:
    """A name; NotPlain if it is none of those with which arrays are written."""
    full = full.replace("numpy._core.", "numpy.core.")
    if full not in _MADE and full not in _PLAIN_NAMES:
        raise NotPlain(f"it names '{full[:NAME_LENGTH]}', code of Python that azx does not run")
    return _Name(full)


def _array(data: Any, kind: Any, shape: Any, order: Any) -> Array:
    """An array of NumPy from its bytes."""
    if not isinstance(kind, _Type) or not isinstance(data, bytes | str):
        raise NotPlain("it holds an array that is none of numbers")
    raw = data.encode("latin1") if isinstance(data, str) else data
    sizes = tuple(int(size) for size in shape)
    if any(size < 0 for size in sizes) or prod(sizes) * kind.dtype.itemsize != len(raw) or order not in ("C", "F"):
        raise NotPlain("it holds an array that is cut off")
    return np.frombuffer(raw, kind.dtype).reshape(sizes, order=order)


def _scalar(kind: Any, data: Any) -> Any:
    return _array(data, kind, (), "C").item()


def _reconstruct(kind: Any, shape: Any = (0,), _: Any = b"b") -> _NumPy:
    if kind != _Name("numpy.ndarray"):
        raise NotPlain("it makes an array of another class")
    return _NumPy()


def _type(code: Any, *_: Any) -> _Type:
    return _Type(code.decode("latin1") if isinstance(code, bytes) else str(code))


def _encode(text: Any, coding: Any = "latin1") -> bytes:
    if coding not in ("latin1", "latin-1") or not isinstance(text, str):
        raise NotPlain("it holds a text in another coding")
    return text.encode("latin1")


def _tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> Tensor:
    sizes, steps = (tuple(int(size) for size in value) for value in (shape, strides))
    if (
        not isinstance(storage, Storage)
        or min((*sizes, *steps, int(offset)), default=0) < 0
        or len(sizes) != len(steps)
    ):
        raise NotPlain("it holds a tensor that is none")
    return Tensor(storage, int(offset), sizes, steps)


def _parameter(data: Any, *_: Any) -> Any:
    return data


def _ordered(pairs: Any = ()) -> dict[Any, Any]:
    return _pairs([each for pair in pairs for each in pair])


def view(tensor: Tensor, numbers: Array) -> Array:
    """A tensor's values, a copy; `numbers` (count,) are its storage's. NotPlain if it reaches beyond them."""
    last = tensor.offset + sum((size - 1) * step for size, step in zip(tensor.shape, tensor.strides, strict=True))
    if 0 in tensor.shape:
        return np.zeros(tensor.shape, numbers.dtype)
    if last >= len(numbers) or prod(tensor.shape) * numbers.itemsize > WEIGHT_BYTES:
        raise NotPlain("it holds a tensor that is larger than its numbers")
    steps = [step * numbers.itemsize for step in tensor.strides]
    return np.lib.stride_tricks.as_strided(numbers[tensor.offset :], tensor.shape, steps).copy()


def as_numbers(data: bytes, dtype: str) -> Array:
    """A storage's bytes as numbers (count,)."""
    if dtype == BFLOAT16:
        return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
    return np.frombuffer(data, dtype)


def _plain(value: Any, seen: dict[int, Any]) -> Any:
    """What was read with the arrays of NumPy in their places; NotPlain for a name that was never called.

    Each value is looked at once: a pickle may hold one list a million times.
    """
    if isinstance(value, _Name | _Type | Storage):
        raise NotPlain("it holds what is no value")
    if isinstance(value, _NumPy):
        if value.array is None:
            raise NotPlain("it holds an array without values")
        return value.array
    if not isinstance(value, dict | list | tuple):
        return value
    if id(value) not in seen:
        if len(seen) >= PICKLED:
            raise NotPlain("it holds itself")
        made: Any = {} if isinstance(value, dict) else []
        seen[id(value)] = made
        if isinstance(value, dict):
            made.update((key, _plain(item, seen)) for key, item in value.items())
        else:
            made.extend(_plain(item, seen) for item in value)
    return seen[id(value)]


_MADE: dict[str, Callable[..., Any]] = {
    "collections.OrderedDict": _ordered,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_tensor": _tensor,
    "torch._utils._rebuild_parameter": _parameter,
    "torch.Size": lambda sizes=(): tuple(sizes),
    "numpy.core.multiarray._reconstruct": _reconstruct,
    "numpy.core.multiarray.scalar": _scalar,
    "numpy.core.numeric._frombuffer": lambda data, kind, shape, order: _NumPy(_array(data, kind, shape, order)),
    "numpy.dtype": _type,
    "_codecs.encode": _encode,
}
_PLAIN_NAMES = frozenset({"numpy.ndarray", *(f"torch.{name}" for name in STORAGES)})
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "MARK": lambda: _MARK,
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    "EMPTY_LIST": list,
    "EMPTY_TUPLE": tuple,
    "EMPTY_DICT": dict,
}
_WITH_VALUE = frozenset(
    {"INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"}
    | {"UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "STRING", "BINSTRING", "SHORT_BINSTRING"}
)
_BYTES = frozenset({"BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"})
_ACTIONS: dict[str, Callable[[_Machine], None]] = {
    "STOP": _Machine.stop,
    "POP": _Machine.drop,
    "POP_MARK": _Machine.drop_marked,
    "DUP": lambda machine: machine.stack.append(machine.stack[-1]),
    "TUPLE": lambda machine: machine.stack.append(tuple(machine.marked())),
    "TUPLE1": lambda machine: machine.stack.append(machine.several(1)),
    "TUPLE2": lambda machine: machine.stack.append(machine.several(2)),
    "TUPLE3": lambda machine: machine.stack.append(machine.several(3)),
    "LIST": lambda machine: machine.stack.append(machine.marked()),
    "DICT": lambda machine: machine.stack.append(_pairs(machine.marked())),
    "APPEND": lambda machine: machine.append([machine.pop()]),
    "APPENDS": lambda machine: machine.append(machine.marked()),
    "SETITEM": lambda machine: machine.add_items(list(machine.several(2))),
    "SETITEMS": lambda machine: machine.add_items(machine.marked()),
    "REDUCE": _Machine.call,
    "BUILD": _Machine.build,
    "BINPERSID": _Machine.look_elsewhere,
    "STACK_GLOBAL": _Machine.name,
}


def _pairs(values: list[Any]) -> dict[Any, Any]:
    """Keys and values in turn as a dict. The hash of a tuple of tuples can take for ever."""
    if not all(isinstance(key, str | int) for key in values[::2]):
        raise NotPlain("it has a dict with keys that are no names")
    return dict(zip(values[::2], values[1::2], strict=True))
