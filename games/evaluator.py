"""What a search needs from a network: the value of a state, and how promising its actions are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from .state import State


@cache
def _even(count: int) -> NDArray[np.float64]:
    return np.ones(count)


class Evaluation(NamedTuple):
    """A network's answer for one state.

    `value` is for the player to move, in [-1, 1]. `policy`, float (actions,), holds logits if `logits` is true, else
    probabilities; the numbers of illegal actions do not matter. None means uniform.
    """

    value: float
    policy: NDArray[np.floating] | None = None
    logits: bool = False

    def weights(self, legal: NDArray[np.int64]) -> NDArray[np.float64]:
        """The priors of the `legal` actions up to a common factor, float64 (len(legal),); NaN if no logit is finite."""
        if self.policy is None:
            return _even(len(legal))
        chosen = self.policy[legal].astype(np.float64)
        if not self.logits:
            return np.maximum(chosen, 0.0)
        largest = np.maximum.reduce(chosen)
        if not math.isfinite(largest):
            return np.full(len(legal), np.nan)  # the result would be the same, but NumPy would print a warning
        weights: NDArray[np.float64] = np.exp(np.subtract(chosen, largest, chosen), chosen)
        return weights

    def is_finite(self, legal: Sequence[int]) -> bool:
        """Whether the value and the priors of the `legal` actions are numbers; a logit of -inf means no weight."""
        weights = self.weights(np.array(legal, dtype=np.int64))
        return math.isfinite(self.value) and math.isfinite(float(weights.sum()))

    def priors(self, legal: Sequence[int]) -> NDArray[np.float64]:
        """The priors of the `legal` actions, float64 (len(legal),), with sum 1."""
        weights = self.weights(np.array(legal, dtype=np.int64))
        total = float(np.cumsum(weights)[-1])
        return weights / total if total > 0 else np.full(len(legal), 1 / len(legal))

    def best(self, legal: Sequence[int]) -> int:
        """The legal action with the largest prior, the lowest of equals."""
        return legal[int(np.argmax(self.priors(legal)))]


class Evaluator(Protocol):
    """Anything that evaluates states: a network in some runtime, or a stand-in."""

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """An answer for each state, in one batch; none of the states may be over."""


def ask(evaluator: Evaluator, states: Sequence[State]) -> list[Evaluation]:
    """The evaluator's answers; GameError, naming the network, if one is not a finite number."""
    answers = evaluator.evaluate(states)
    if not all(answer.is_finite(state.legal_actions()) for answer, state in zip(answers, states, strict=True)):
        raise AnswerError(evaluator)
    return answers


class AnswerError(GameError):
    """A network answered NaN or infinity, so no move can be chosen; `evaluator` is the network."""

    def __init__(self, evaluator: Evaluator) -> None:
        name = getattr(evaluator, "name", type(evaluator).__name__)
        super().__init__(
            f"'{name}' answered a position with NaN or infinity: its weights are damaged or its training diverged, "
            "choose another checkpoint."
        )
        self.evaluator = evaluator

    def __reduce__(self) -> tuple[type[GameError], tuple[str]]:
        return GameError, (str(self),)  # only the sentence goes to another process, not the network


class Uniform:
    """A network that costs nothing: every state is even, all actions are equally good."""

    is_even = True
    _answer = Evaluation(0.0)

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """Value 0 and a uniform policy for each state."""
        return [self._answer] * len(states)
