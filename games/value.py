"""How to read a network's value: its outputs become one number for the player to move, from -1 (lost) to 1 (won)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .encoding import MOVER, OPPONENT, PLAYER0
from .encoding import UNKNOWN as NOBODY
from .policy import PROBABLE, SLACK, UNKNOWN

SIGNED, UNIT, WDL = "signed", "unit", "wdl"
RANGES = (SIGNED, UNIT, WDL)
WIN, DRAW, LOSS = "win", "draw", "loss"
ORDER = (WIN, DRAW, LOSS)
# Activations that give a chance of winning, from 0 to 1, unless something else is stated.
_HALVES = frozenset({"sigmoid", "hard_sigmoid"})


def range_of(width: int, activation: str) -> str:
    """The default range of a value of `width` numbers that ends with `activation`."""
    if width == len(ORDER):
        return WDL
    return UNIT if activation in _HALVES else SIGNED


def order_of(data: Any) -> tuple[str, ...]:
    """`data` (JSON types) as the order of three outputs; GameError if it is not an order of win, draw and loss."""
    if isinstance(data, list | tuple) and all(isinstance(name, str) for name in data) and sorted(data) == sorted(ORDER):
        return tuple(data)
    raise GameError(f"'value_order' is {data!r}, list win, draw and loss in the order in which the network has them.")


def known_owner(width: int, order: Sequence[str] | None, whose: str) -> str:
    """Whose value it is: `whose`, or unknown if the order of three outputs is not known."""
    return NOBODY if width == len(ORDER) and order is None else whose


@dataclass(frozen=True)
class ValueReading:
    """How to read one value head.

    `range` is signed (-1 to 1), unit (0 to 1) or wdl (three outputs in the order `order`). A softmax is applied to wdl
    outputs unless `activation` says that they are probabilities. `whose` says whose value it is: one of
    `azx.games.encoding.WHOSE`.
    """

    activation: str
    range: str = SIGNED
    order: tuple[str, ...] = ORDER
    whose: str = MOVER

    def as_data(self) -> dict[str, Any]:
        """A manifest's statements on the output; empty if it is signed, so that older manifests keep their bytes."""
        if self.range == SIGNED:
            return {}
        return {"value_range": self.range, **({"order": list(self.order)} if self.range == WDL else {})}

    def seen_by_mover(self, outputs: NDArray[Any], to_move: Sequence[int]) -> NDArray[np.float64]:
        """The movers' values, float64 (n,) in [-1, 1], from `outputs` (n, width); `to_move` (n,) are 0 or 1."""
        numbers = np.asarray(outputs, dtype=np.float64).reshape(len(to_move), -1)
        if self.whose == NOBODY:
            return np.zeros(len(to_move))
        if self.range == WDL:
            chances = self._chances(numbers)
            values = chances[:, self.order.index(WIN)] - chances[:, self.order.index(LOSS)]
        else:
            values = 2 * numbers[:, 0] - 1 if self.range == UNIT else numbers[:, 0]
        if self.whose == MOVER:
            return values
        # 0 minus, because a plain minus would turn 0 into -0.
        if self.whose == OPPONENT:
            return 0.0 - values
        theirs = int(self.whose != PLAYER0)
        return np.where(np.asarray(to_move) == theirs, values, 0.0 - values)

    def _chances(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities, float64 (n, 3): unchanged, or the softmax of logits; without an activation the rows decide."""
        powers = np.exp(numbers - numbers.max(axis=1, keepdims=True))
        soft: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        if self.activation in PROBABLE:
            return numbers
        if self.activation != UNKNOWN:
            return soft
        logits = (numbers.min(axis=1) < 0) | (np.abs(numbers.sum(axis=1) - 1) > SLACK)
        return np.where(logits[:, None], soft, numbers)


def reading_of_value(
    width: int, activation: str, stated: Any = None, order: Any = None, whose: str = MOVER
) -> ValueReading:
    """How to read a value head: as stated (in a manifest), else by its width and activation.

    GameError if its numbers cannot be a value: one number is signed or unit, three are wdl and may have an `order`.
    """
    kind = range_of(width, activation) if stated is None else stated
    if kind not in RANGES or width != (len(ORDER) if kind == WDL else 1):
        raise GameError(
            f"a value of {width} outputs cannot be read as {kind}, azx reads one number or the chances of "
            "win, draw and loss: export with another --value-head."
        )
    if order is None:
        return ValueReading(activation, kind, whose=whose)
    if kind != WDL:
        raise GameError(
            "'value_order' is for the three outputs win, draw and loss, and the value is one: leave it out."
        )
    return ValueReading(activation, kind, order_of(order), whose)
