"""Arrays, dicts, lists and numbers in a Python pickle, read from its opcodes; nothing is imported or called.

A pickle is a program that may name and call any function. Here each name must be one of the few with which PyTorch and
NumPy write arrays, and azx does the work itself (`pickled_values`). Every other name stops the reading. The opcodes are
those of `pickletools` in Python's library.
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from ..door.limits import PICKLED
from .pickled_values import MADE, Name, NotPlain, NumPyArray, NumPyType, Storage, array_of, dict_of, named

# The most bytes of a line; protocol 0 writes texts as lines, those of an array too.
LINE = 64 << 20


_MARK = object()


def _operations(file: Any) -> Iterator[tuple[pickletools.OpcodeInfo, Any, int | None]]:
    return pickletools.genops(file)


def read_pickle(file: IO[bytes], persistent: Callable[[Any], Any] | None = None) -> Any:
    """The value of a pickle at the file's position: dicts, lists, tuples, texts, numbers, arrays and `Tensor`s.

    `persistent` turns a reference to data outside the pickle into a value. Raises NotPlain for anything else, and for
    data that is not a pickle.
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
    """A file that limits reads to its size: a pickle may claim any length, and Python would reserve that memory."""

    def __init__(self, file: IO[bytes]) -> None:
        start = file.tell()
        self._file, self._end = file, file.seek(0, io.SEEK_END)
        file.seek(start)
        self.tell = file.tell

    def read(self, size: int) -> bytes:
        """Up to `size` bytes."""
        return self._file.read(max(0, min(size, self._end - self._file.tell())))

    def readline(self) -> bytes:
        """A line; if it is too long for a name or number, only its beginning."""
        return self._file.readline(LINE)


@dataclass(eq=False)
class _Machine:
    """The stack and the memo of a pickle."""

    persistent: Callable[[Any], Any] | None
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    done: bool = False

    def run(self, name: str, argument: Any) -> None:
        """Execute one opcode."""
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
            self.stack.append(named(argument.replace(" ", ".")))
        elif name in _ACTIONS:
            _ACTIONS[name](self)
        elif name not in ("PROTO", "FRAME"):
            raise NotPlain(f"it uses {name}, which no file of arrays needs")

    def finish(self) -> Any:
        """The one value left at the end."""
        if not self.done or len(self.stack) != 1 or self.stack[0] is _MARK:
            raise NotPlain("it is cut off or damaged")
        return self.stack[0]

    def pop(self) -> Any:
        """Remove and return the top value, which must not be a mark."""
        value = self.stack.pop()
        if value is _MARK:
            raise NotPlain("it is cut off or damaged")
        return value

    def marked(self) -> list[Any]:
        """Remove and return the values above the last mark."""
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
        target.update(dict_of(values))

    def append(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, list):
            raise NotPlain("it is cut off or damaged")
        target.extend(values)

    def call(self) -> None:
        """Replace a call of the pickle by azx's own code."""
        arguments, function = self.pop(), self.pop()
        if not isinstance(function, Name) or not isinstance(arguments, tuple):
            raise NotPlain("it calls an object that is not a function")
        self.stack.append(MADE[function.full](*arguments))

    def build(self) -> None:
        """Set the state of an array or a dtype; PyTorch gives dicts a state about versions, which is ignored."""
        state, target = self.pop(), self.stack[-1]
        if isinstance(target, NumPyArray):
            _, shape, kind, by_column, data = state
            target.array = array_of(data, kind, shape, "F" if by_column else "C")
        elif isinstance(target, NumPyType):
            target.order = str(state[1])[:1]
        elif not isinstance(target, dict):
            raise NotPlain("it gives a state to an object that has none")

    def look_elsewhere(self) -> None:
        if self.persistent is None:
            raise NotPlain("it refers to data outside the file")
        self.stack.append(self.persistent(self.pop()))

    def name(self) -> None:
        module, name = self.several(2)
        self.stack.append(named(f"{module}.{name}"))

    def stop(self) -> None:
        self.done = True


def _plain(value: Any, converted: dict[int, Any]) -> Any:
    """The value with NumPy's arrays filled in; NotPlain for a name that was never called.

    Each value is visited once: a pickle may contain one list a million times.
    """
    if isinstance(value, Name | NumPyType | Storage):
        raise NotPlain("it holds an object that is not a value")
    if isinstance(value, NumPyArray):
        if value.array is None:
            raise NotPlain("it holds an array without values")
        return value.array
    if not isinstance(value, dict | list | tuple):
        return value
    if id(value) not in converted:
        if len(converted) >= PICKLED:
            raise NotPlain("it holds itself")
        made: Any = {} if isinstance(value, dict) else []
        converted[id(value)] = made
        if isinstance(value, dict):
            made.update((key, _plain(item, converted)) for key, item in value.items())
        else:
            made.extend(_plain(item, converted) for item in value)
    return converted[id(value)]


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
    "DICT": lambda machine: machine.stack.append(dict_of(machine.marked())),
    "APPEND": lambda machine: machine.append([machine.pop()]),
    "APPENDS": lambda machine: machine.append(machine.marked()),
    "SETITEM": lambda machine: machine.add_items(list(machine.several(2))),
    "SETITEMS": lambda machine: machine.add_items(machine.marked()),
    "REDUCE": _Machine.call,
    "BUILD": _Machine.build,
    "BINPERSID": _Machine.look_elsewhere,
    "STACK_GLOBAL": _Machine.name,
}
