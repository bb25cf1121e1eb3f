"""The replay window: the positions of the last games, each once, as arrays that the learner draws from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.encoding import encode_all, is_turned
from ..games.game import Reading
from ..games.state import State
from ..games.symmetry import Symmetry, symmetries
from ..games.value import ValueReading
from ..self_play.played import PlayedGame

Floats = NDArray[np.float32]
# A window has at least this many generations of games, later the last half of all.
FEWEST, SHARE = 4, 0.5


@dataclass(frozen=True, eq=False)
class Examples:
    """Training data: `boards` (N, *input), `policies` (N, width) with sum 1, `values` (N,), float32.

    `counts`, float32 (N,), is the number of positions averaged into each.
    """

    boards: Floats
    policies: Floats
    values: Floats
    counts: Floats

    def __len__(self) -> int:
        return len(self.values)


def generations_in(last: int) -> range:
    """The generations, counted from 1, whose games are in the window after generation `last`."""
    return range(max(1, last + 1 - max(FEWEST, int(last * SHARE))), last + 1)


def examples_of(games: Iterable[PlayedGame], start: State, reading: Reading, searched: float) -> Examples:
    """The positions of the games; equal ones are averaged. ValueError without positions.

    `searched` is the recipe's.
    """
    states, policies, movers = [], [], []
    for game in games:
        for at, state in enumerate(game.positions(start)):
            states.append(state)
            policies.append(_as_output(game.policies[at], reading, turned=is_turned(state, reading.encoding)))
            result = game.result if state.to_move == 0 else -game.result
            movers.append((1 - searched) * result + searched * float(game.values[at]))
    targets = np.stack(policies)
    # The mover's values from the network's point of view; the same turn converts back.
    value_reading = ValueReading("tanh", whose=reading.encoding.value)
    values = value_reading.seen_by_mover(np.array(movers), [state.to_move for state in states])
    return _averaged(encode_all(states, reading.encoding), targets, values.astype(np.float32))


def _as_output(policy: Floats, reading: Reading, *, turned: bool) -> Floats:
    """A policy over the game's actions in the network's numbering, float32 (width,).

    All are 0 for an action without an output, such as a forced pass.
    """
    width = reading.numbering.width if reading.numbering else 0
    row = np.zeros(width, np.float32)
    np.add.at(row, reading.indices_by_turn[int(turned)][:width], policy[:width])
    return row


def _averaged(boards: Floats, policies: Floats, values: Floats) -> Examples:
    """The distinct boards, each with the means of its policies and values."""
    rows = np.ascontiguousarray(boards.reshape(len(boards), -1))
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.bincount(which).astype(np.float32)
    sums = np.zeros((len(first), policies.shape[1]), np.float32)
    np.add.at(sums, which, policies)
    means = np.bincount(which, weights=values) / counts
    return Examples(boards[first], sums / counts[:, None], means.astype(np.float32), counts)


class SymmetryBatches:
    """Draws batches from examples, each position in one of its symmetries."""

    def __init__(self, reading: Reading, actions: int) -> None:
        turns: Sequence[Symmetry] = symmetries(reading.game.turns, reading.encoding, actions)
        width = reading.numbering.width if reading.numbering else 0
        straight, turned = reading.indices_by_turn[:, :width]
        one_each = len(np.unique(straight)) == width
        # Symmetries that differ between the players, as on a turned board, are left out.
        self._turns = [
            turn
            for at, turn in enumerate(turns)
            if at == 0 or (one_each and (self._output(turn, straight) == self._output(turn, turned)).all())
        ]
        self._outputs = [self._output(turn, straight) for turn in self._turns]

    @staticmethod
    def _output(turn: Symmetry, indices: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each output, the output that comes to its place when the board is turned, int64 (width,)."""
        numbers = np.arange(len(indices))
        numbers[indices[turn.actions[: len(indices)]]] = indices
        return numbers

    def batch(self, examples: Examples, rows: NDArray[np.int64], rng: np.random.Generator) -> tuple[Floats, ...]:
        """(boards, policies, values) of the rows, each in a random symmetry."""
        boards, policies = examples.boards[rows].copy(), examples.policies[rows].copy()
        which = rng.integers(len(self._turns), size=len(rows))
        for number, (turn, output) in enumerate(zip(self._turns, self._outputs, strict=True)):
            at = np.flatnonzero(which == number)
            if number == 0 or not len(at):
                continue
            flat = boards[at].reshape(len(at), -1)[:, turn.cells]
            boards[at] = flat.reshape(len(at), *boards.shape[1:])
            policies[at] = policies[at][:, output]
        return boards, policies, examples.values[rows]
