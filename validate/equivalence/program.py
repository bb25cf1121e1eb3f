"""An artifact as a program: constants and nodes by the names of their tensors; and its conversion to the normal form.

Each format's reader makes a `Program` from the bytes and has a rule per operation. Everything in a file counts: if the
outputs do not use a node, a constant or an attribute, an error names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .linear import affine, ones
from .lower import CodedConstant
from .moves import crop, reshape, transpose
from .normal import MisfitError, NoRuleError, View, make_input
from .pointwise import combine, with_constant
from .weights import Weights, stored

Constant = NDArray[Any]
Value = View | Constant | CodedConstant


class LeftOverError(Exception):
    """A part of the file that no output uses; `what` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the file has {what}, which no output uses")
        self.what = what


@dataclass(frozen=True, eq=False)
class FileNode:
    """One operation of a file: the names of the tensors that it reads and makes, and its attributes."""

    operation: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Program:
    """A file's whole calculation.

    `inputs` has each input's shape with the batch; `outputs` maps the file's name of each output to its tensor. `names`
    has the file's names of inputs whose tensors have other names.
    """

    inputs: Mapping[str, tuple[int, ...]]
    constants: Mapping[str, Constant | CodedConstant]
    nodes: Sequence[FileNode]
    outputs: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(eq=False)
class Step:
    """A node with its inputs: the argument of every rule of a format.

    All nodes of a file have the same `shared`, which holds results that several of them need. `is_free` is true if the
    file accepts any number of boards; it is read as if for one board, so no node may mix boards.
    """

    node: FileNode
    values: Sequence[Value | None]
    taken: set[str] = field(default_factory=set)
    read: set[int] = field(default_factory=set)
    shared: dict[Any, View] = field(default_factory=dict)
    is_free: bool = False

    @property
    def name(self) -> str:
        """The node's name, or that of its first result."""
        return self.node.name or self.node.outputs[0]

    def value(self, at: int) -> Value | None:
        """Input `at`, which then counts as used; None if it is omitted."""
        self.read.add(at)
        return self.values[at]

    def view(self, at: int = 0) -> View:
        """Input `at` as a tensor that depends on the board."""
        value = self.value(at)
        if not isinstance(value, View):
            raise self.refusal(f"its input {at} is a constant")
        return value

    def constant(self, at: int) -> Constant:
        """Input `at` as a constant in the file."""
        value = self.value(at)
        if isinstance(value, View) or value is None:
            raise self.refusal(f"its input {at} is not a constant")
        return value.values if isinstance(value, CodedConstant) else value

    def weights(self, at: int) -> Weights:
        """Input `at` as weights in the file, float32 or of a lower precision that is read as float32."""
        value = self.value(at)
        if isinstance(value, CodedConstant) and not value.is_plain:
            return value.weights()
        return self.weights_of(self.constant(at))

    def weights_of(self, value: Constant) -> Weights:
        """A constant in the file as weights, which must be float32 and finite."""
        if value.dtype != np.float32 or not np.isfinite(value).all():
            raise self.refusal(f"a weight of {value.dtype} that is not finite float32")
        return stored(value, is_rounded=True)

    def whole(self, at: int) -> list[int]:
        """Input `at` as whole numbers."""
        return [int(value) for value in self.constant(at).ravel()]

    def has(self, at: int) -> bool:
        """Whether input `at` is given."""
        return at < len(self.values) and self.values[at] is not None

    def take(self, name: str, default: Any = None) -> Any:
        """An attribute, which then counts as used."""
        self.taken.add(name)
        return self.node.attributes.get(name, default)

    def reshaped(self, view: View, shape: Sequence[int]) -> View:
        """`view` in a shape that the file states, with the same number of boards: -1, or 1 for one board."""
        if self.is_free and (not len(shape) or shape[0] != -1):
            raise MisfitError(self.name, f"makes the shape {list(shape)} of any number of boards")
        if not self.is_free and -1 not in shape and prod(shape) == view.index.size:
            return View(view.node, view.index.reshape(tuple(shape)))
        return reshape(view, shape, self.name)

    def moved(self, view: View, axes: Sequence[int]) -> View:
        """`view` with its axes in another order; a file for one board may move the boards' axis, or lack it."""
        if not self.is_free and sorted(axes) == list(range(len(view.shape))):
            return View(view.node, view.index.transpose(tuple(axes)))
        return transpose(view, axes, self.name)

    def cut(self, view: View, begin: Sequence[int], end: Sequence[int], *, all_boards: bool) -> View:
        """The part of `view` from `begin` up to `end`, for every board."""
        if self.is_free and not all_boards:
            raise MisfitError(self.name, "takes one board of many")
        return crop(view, begin, end, self.name)

    def without_axes(self, view: View, axes: Sequence[int]) -> View:
        """`view` without axes of size 1; the boards' axis stays."""
        over = {axis % len(view.shape) for axis in axes}
        if 0 in over or any(view.shape[axis] != 1 for axis in over):
            raise MisfitError(self.name, f"takes the axes {sorted(over)} out of {view.shape}")
        return View(view.node, view.index.squeeze(tuple(over)))

    def with_axes(self, view: View, axes: Sequence[int]) -> View:
        """`view` with additional axes of size 1, all after the boards' axis."""
        made = np.expand_dims(view.index, tuple(axes))
        if any(axis % made.ndim == 0 for axis in axes):
            raise MisfitError(self.name, "puts an axis before the boards")
        return View(view.node, made)

    def refusal(self, reason: str) -> NoRuleError:
        """The error to raise if the node has no rule."""
        return NoRuleError(self.node.operation, self.name, reason)


Rule = Callable[[Step], Value | list[Value]]


def read_program(program: Program, rules: Mapping[str, Rule], names: Mapping[str, str]) -> dict[str, View]:
    """Each output in the normal form, by the file's name for it.

    `names` maps the file's names of inputs to the checkpoint's. NoRuleError if an operation has no rule; LeftOverError
    if the file holds more than its outputs need.
    """
    makers = {output: node for node in program.nodes for output in node.outputs}
    if len(makers) != sum(len(node.outputs) for node in program.nodes):
        raise NoRuleError("graph", "", "two nodes make one tensor")
    order, used = _order(program, makers)
    values: dict[str, Value] = {}
    for tensor, shape in program.inputs.items():
        name = program.names.get(tensor, tensor)
        values[tensor] = make_input(names.get(name, name), _batch_of_one(name, shape))
    values.update({name: value for name, value in program.constants.items() if name in used})
    common: dict[str, Any] = {"shared": {}, "is_free": any(shape[0] != 1 for shape in program.inputs.values())}
    for node in order:
        values.update(zip(node.outputs, _run(node, rules, values, common), strict=False))
    _refuse_leftovers(program, order, used)
    outputs = {name: values[tensor] for name, tensor in program.outputs.items()}
    constant = next((name for name, value in outputs.items() if not isinstance(value, View)), None)
    if constant is not None:
        raise MisfitError(constant, "is an output and a constant")
    return {name: value for name, value in outputs.items() if isinstance(value, View)}


def _batch_of_one(name: str, shape: tuple[int, ...]) -> tuple[int, ...]:
    if not shape or shape[0] not in (1, 0, -1) or any(size < 1 for size in shape[1:]):
        raise NoRuleError("input", name, f"its shape {shape} is not one board or a free number of them")
    return (1, *shape[1:])


def _order(program: Program, makers: Mapping[str, FileNode]) -> tuple[list[FileNode], set[str]]:
    """The nodes that the outputs need, each after its inputs, and the names of all tensors that are read."""
    order: list[FileNode] = []
    done, used, opened = set[int](), set[str](), set[int]()
    stack = [(tensor, False) for tensor in reversed(list(program.outputs.values()))]
    while stack:
        tensor, is_ready = stack.pop()
        used.add(tensor)
        node = makers.get(tensor)
        if node is None and tensor not in program.constants and tensor not in program.inputs:
            raise MisfitError(tensor, "is read, or is an output, and nothing in the file makes it")
        if node is None or id(node) in done:
            continue
        if is_ready:
            done.add(id(node))
            order.append(node)
        elif id(node) in opened:
            raise NoRuleError(node.operation, node.name, "it reads its own result")
        else:
            opened.add(id(node))
            stack.append((tensor, True))
            missing = [name for name in reversed(node.inputs) if name]
            used.update(missing)
            stack.extend((name, False) for name in missing)
    return order, used


def _run(
    node: FileNode, rules: Mapping[str, Rule], values: Mapping[str, Value], common: Mapping[str, Any]
) -> list[Value]:
    if node.operation not in rules:
        raise NoRuleError(node.operation, node.name or node.outputs[0])
    if any(name and name not in values for name in node.inputs):
        raise NoRuleError(node.operation, node.name or node.outputs[0], "it reads a later result")
    step = Step(node, [values[name] if name else None for name in node.inputs], **common)
    try:
        made = rules[node.operation](step)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise step.refusal(f"what it asks is not understood ({error})") from error
    unread = next((name for name in node.attributes if name not in step.taken), None)
    if unread is not None:
        raise step.refusal(f"its attribute '{unread}' is not known")
    unused = next((at for at, name in enumerate(node.inputs) if name and at not in step.read), None)
    if unused is not None:
        raise step.refusal(f"its input {unused} is not known")
    return made if isinstance(made, list) else [made]


def _refuse_leftovers(program: Program, order: Sequence[FileNode], used: set[str]) -> None:
    ran = {id(node) for node in order}
    node = next((node for node in program.nodes if id(node) not in ran), None)
    if node is not None:
        raise LeftOverError(f"the node '{node.name or node.outputs[0]}' ({node.operation})")
    constant = next((name for name in program.constants if name not in used), None)
    if constant is not None:
        raise LeftOverError(f"the weight '{constant}'")
    port = next((name for name in program.inputs if name not in used), None)
    if port is not None:
        raise LeftOverError(f"the input '{port}'")


def arithmetic(function: str, step: Step) -> View:
    """A sum, product, ... of two tensors, or of a tensor and a constant, which is a shift or a scale."""
    left, right = step.value(0), step.value(1)
    ranks = [len(_shape_of(value)) for value in (left, right)]
    if step.is_free and (isinstance(left, View), ranks[0]) != (isinstance(right, View), ranks[1]):
        board = max(rank for rank, value in zip(ranks, (left, right), strict=True) if isinstance(value, View))
        if max(ranks) > board or (isinstance(left, View) and isinstance(right, View)):
            raise MisfitError(step.name, "puts boards beside what has more axes")
    if isinstance(left, View) and isinstance(right, View):
        return combine(function, left, right, step.name)
    at = 1 if isinstance(left, View) else 0
    return with_constant(function, step.view(1 - at), step.weights(at), step.name, first=at == 0)


def _shape_of(value: Value | None) -> tuple[int, ...]:
    if value is None:
        return ()
    return value.values.shape if isinstance(value, CodedConstant) else value.shape


def make_bias(step: Step, view: View, at: int) -> View:
    """`view` plus the constant `at`, one number per channel."""
    bias = step.weights(at)
    if bias.values.shape not in ((view.shape[-1],), ()):
        raise MisfitError(step.name, f"has a bias {bias.values.shape} that does not fit {view.shape}")
    return affine(view, ones(), bias, step.name)
