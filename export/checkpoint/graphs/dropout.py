"""Removes dropout whose probability is fed from outside, since inference drops nothing.

A TensorFlow 1 graph may read the probability of keeping a value, or of dropping it, from a placeholder, in training and
in inference. The graph shows which of the two it is: at 1 or at 0, the mask keeps every value, whatever its random
numbers are. Noise whose size is fed is treated likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..layer_graph import Array
from ..protobuf import number
from .definition import GraphNode, door_shape
from .inference import DEAD, is_gradient, resolve

_FLOATS = frozenset({1, 2, 19})
# Random numbers between 0 and 1 (without 1), and normal ones: at the low end, in the middle, and at the high end.
_UNIFORM, _NORMAL = np.array([0.0, 0.5, 1 - 2**-24]), np.array([-4.0, 0.0, 4.0])
_RANDOM = {
    **dict.fromkeys(("RandomUniform", "StatelessRandomUniform", "StatelessRandomUniformV2"), _UNIFORM),
    **dict.fromkeys(("RandomStandardNormal", "TruncatedNormal", "StatelessRandomNormal"), _NORMAL),
    "StatelessRandomNormalV2": _NORMAL,
}
_CALCULATED: dict[str, Callable[..., Array]] = {
    **{"Add": np.add, "AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "RealDiv": np.divide, "Div": np.divide},
    **{"Maximum": np.maximum, "Minimum": np.minimum, "Floor": np.floor, "Neg": np.negative, "Sqrt": np.sqrt},
    **{"Greater": np.greater, "GreaterEqual": np.greater_equal, "Less": np.less, "LessEqual": np.less_equal},
    **{"Reciprocal": np.reciprocal, "Inv": np.reciprocal, "LogicalNot": np.logical_not},
    "Cast": lambda x: np.array(x, np.float64),
    **{"Identity": np.array, "StopGradient": np.array, "PlaceholderWithDefault": np.array},
}
_SELECTS = frozenset({"Select", "SelectV2"})
_PRODUCTS, _SUMS = frozenset({"Mul", "RealDiv", "Div"}), frozenset({"Add", "AddV2"})
_MEETS = _SELECTS | _PRODUCTS | _SUMS


@dataclass(frozen=True, eq=False)
class SettledGraph:
    """A graph without its dropout: nodes, values known in advance, and the assumed value of each placeholder."""

    nodes: list[GraphNode]
    constants: dict[str, Array]
    assumed: dict[str, float]

    @property
    def quirks(self) -> tuple[str, ...]:
        """A sentence for each placeholder that is no longer fed."""
        return tuple(say_assumed(name, value) for name, value in self.assumed.items())


def say_assumed(name: str, value: float) -> str:
    """The sentence about the assumed value of a placeholder that dropout reads."""
    return f"'{name[:60]}' is fed from outside: {value:g} is assumed, at which nothing is dropped"


def settle_dropout(nodes: Sequence[GraphNode], constants: Mapping[str, Array]) -> SettledGraph:
    """The graph with each fed probability of dropout at the value that keeps everything.

    Nodes that only training uses are unchanged. A mask that no value opens stays, and is refused when it is read.
    """
    names = resolve(nodes, constants)
    live = [node for node in nodes if names.get(node.name) != DEAD]
    known, assumed = dict(constants), {}
    for door in live:
        if _may_be_fed(door, constants):
            for value in (1.0, 0.0):
                values = _Values(live, {**constants, door.name: np.array(value)}, door.name)
                if values.is_settled:
                    known.update(values.constants)
                    assumed[door.name] = value
                    break
    return SettledGraph([_without_mask(node, known) if assumed else node for node in nodes], known, assumed)


def _may_be_fed(node: GraphNode, constants: Mapping[str, Array]) -> bool:
    """Whether a node gets one number from outside; a default is the value unless another is fed."""
    if node.kind == "PlaceholderWithDefault":
        return (default := constants.get(node.sources[0])) is not None and default.size == 1
    is_float = number(node.attributes.get("dtype", []), 6) in _FLOATS
    return node.kind == "Placeholder" and is_float and node.name not in constants and door_shape(node) in ((), (1,))


class _Values:
    """The values that follow from one fed number and from random numbers, for each of three random numbers."""

    def __init__(self, nodes: Sequence[GraphNode], constants: Mapping[str, Array], fed: str) -> None:
        self._values: dict[str, Array] = {}
        self._of_fed, random, self._masks = {fed}, set(), set[tuple[str, str]]()
        for name, value in constants.items():
            if value.size == 1 and value.dtype.kind in "fiub":
                self._values[name] = np.full(3, value.reshape(-1)[0], np.float64)
        for node in nodes:
            inputs = node.sources
            if node.kind in _RANDOM:
                self._values[node.name] = _RANDOM[node.kind]
                random.add(node.name)
            elif node.name not in self._values and node.kind in _CALCULATED and set(inputs) <= set(self._values):
                with np.errstate(all="ignore"):
                    self._values[node.name] = _CALCULATED[node.kind](*(self._values[name] for name in inputs))
                self._of_fed |= {node.name} if self._of_fed.intersection(inputs) else set()
                random |= {node.name} if random.intersection(inputs) else set()
            elif node.kind in _MEETS and not is_gradient(node.name):  # random numbers and fed values meet the board
                self._masks |= {(name, node.kind) for name in random.intersection(inputs) & self._of_fed}

    @property
    def is_settled(self) -> bool:
        """Whether every mask keeps every value: random numbers change nothing, and no factor is 0."""
        return bool(self._masks) and all(
            np.ptp(values := self._values[name].astype(np.float64)) == 0
            and (values[0] == 0 if kind in _SUMS else values[0] != 0)
            for name, kind in self._masks
        )

    @property
    def constants(self) -> dict[str, Array]:
        """The values that follow from the fed number and no longer depend on random numbers."""
        return {
            name: np.array(self._values[name][0], np.float32)
            for name in self._of_fed
            if np.ptp(self._values[name].astype(np.float64)) == 0
        }


def _without_mask(node: GraphNode, known: Mapping[str, Array]) -> GraphNode:
    """The node; if it is a factor of 1, a summand of 0, or an open mask, a node that passes its board on."""
    inputs = node.sources
    numbers = [value.item() if (value := known.get(name)) is not None and value.size == 1 else None for name in inputs]
    passed = None
    if node.name in known or not inputs:
        return node
    if node.kind in _SELECTS and numbers[0] is not None:
        passed = 1 if numbers[0] else 2
    elif node.kind in _PRODUCTS | _SUMS and None in numbers:
        nothing = 0 if node.kind in _SUMS else 1
        at = 0 if node.kind in ("RealDiv", "Div") else numbers.index(None)
        passed = at if numbers[at] is None and numbers[1 - at] == nothing else None
    return node if passed is None else replace(node, kind="Identity", inputs=(node.inputs[passed],))
