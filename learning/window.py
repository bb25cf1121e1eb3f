"""The replay window: the positions of the last games, each once, as arrays that the learner draws from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

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
# Bytes of the digest by which equal boards are found: comparing whole boards would take most of a generation's time.
DIGEST = 16


@dataclass(frozen=True, eq=False)
class Examples:
    """Training data: `boards` (N, *input), `policies` (N, width) with sum 1, `values` (N,), float32.

    `counts`, float32 (N,), is the number of positions averaged into each. The boards are int8 if that holds all of
    their numbers.
    """

    boards: NDArray[Any]
    policies: Floats
    values: Floats
    counts: Floats

    def __len__(self) -> int:
        return len(self.values)


def generations_in(last: int) -> range:
    """The generations, counted from 1, whose games are in the window after generation `last`."""
    return range(max(1, last + 1 - max(FEWEST, int(last * SHARE))), last + 1)


class Window:
    """The window of a run whose games begin at `start`; `searched` is the recipe's.

    The positions of a generation are encoded once and kept as long as the window has them.
    """

    def __init__(self, start: State, reading: Reading, searched: float) -> None:
        self._start, self._reading, self._searched = start, reading, searched
        self._positions: dict[int, _Positions | None] = {}

    def examples(self, generation: int, games_of: Callable[[int], Sequence[PlayedGame]]) -> Examples:
        """What a generation learns: the positions of its games, and of the window before it, equal ones averaged.

        `games_of` returns the games of a generation, which may be none. ValueError without any position.
        """
        wanted = (*generations_in(generation - 1), generation)
        self._positions = {
            each: self._positions.get(each) or _positions_of(games_of(each), self._start, self._reading, self._searched)
            for each in wanted
        }
        return _averaged([each for each in self._positions.values() if each is not None])


def examples_of(games: Sequence[PlayedGame], start: State, reading: Reading, searched: float) -> Examples:
    """The positions of the games; equal ones are averaged. ValueError without positions.

    `searched` is the recipe's.
    """
    return Window(start, reading, searched).examples(1, lambda generation: games)


@dataclass(frozen=True, eq=False)
class _Positions:
    """Positions in the order in which they were played. `keys`, void (N,), are the digests of the boards."""

    boards: NDArray[Any]
    policies: Floats
    values: Floats
    keys: NDArray[np.void]


def _positions_of(games: Iterable[PlayedGame], start: State, reading: Reading, searched: float) -> _Positions | None:
    """The positions of the games; None if there is none."""
    states, searches, movers = [], [], []
    for game in games:
        for at, state in enumerate(game.positions(start)):
            states.append(state)
            result = game.result if state.to_move == 0 else -game.result
            movers.append((1 - searched) * result + searched * float(game.values[at]))
        searches.append(game.policies)
    if not states:
        return None
    turned = np.array([is_turned(state, reading.encoding) for state in states])
    # The mover's values from the network's point of view; the same turn converts back.
    value_reading = ValueReading("tanh", whose=reading.encoding.value)
    values = value_reading.seen_by_mover(np.array(movers), [state.to_move for state in states])
    boards = encode_all(states, reading.encoding)
    policies = _as_outputs(np.concatenate(searches), turned, reading)
    return _Positions(_compact(boards), policies, values.astype(np.float32), _keys(boards))


def _as_outputs(policies: Floats, turned: NDArray[np.bool_], reading: Reading) -> Floats:
    """Policies (N, actions) in the network's numbering, float32 (N, width); `turned` says which boards are turned.

    All are 0 for an action without an output, such as a forced pass.
    """
    width = reading.numbering.width if reading.numbering else 0
    outputs = np.zeros((len(policies), width), np.float32)
    for number, indices in enumerate(reading.indices_by_turn[:, :width]):
        rows = np.flatnonzero(turned == bool(number))
        # One action after the other, as several may have the same output.
        for action, index in enumerate(indices):
            outputs[rows, index] += policies[rows, action]
    return outputs


def _compact(boards: Floats) -> NDArray[Any]:
    """The boards as int8 if that holds all of their numbers."""
    small = boards.astype(np.int8) if np.abs(boards).max(initial=0) <= np.iinfo(np.int8).max else boards
    return small if (small == boards).all() else boards


def _keys(boards: Floats) -> NDArray[np.void]:
    """The boards' digests, void (N,)."""
    rows = np.ascontiguousarray(boards).reshape(len(boards), -1)
    digests = b"".join(blake2b(row.tobytes(), digest_size=DIGEST).digest() for row in rows)
    return np.frombuffer(digests, np.dtype((np.void, DIGEST)))


def _averaged(parts: Sequence[_Positions]) -> Examples:
    """The distinct boards, each with the means of its policies and values."""
    if not parts:
        raise ValueError("the window has no position")
    boards, policies, values, keys = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("boards", "policies", "values", "keys")
    )
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.bincount(which).astype(np.float32)
    sums: Floats = policies[first]
    again = np.setdiff1d(np.arange(len(keys)), first, assume_unique=True)
    np.add.at(sums, which[again], policies[again])
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
        boards, policies = examples.boards[rows].astype(np.float32), examples.policies[rows]
        which = rng.integers(len(self._turns), size=len(rows))
        for number, (turn, output) in enumerate(zip(self._turns, self._outputs, strict=True)):
            at = np.flatnonzero(which == number)
            if number == 0 or not len(at):
                continue
            flat = boards[at].reshape(len(at), -1)[:, turn.cells]
            boards[at] = flat.reshape(len(at), *boards.shape[1:])
            policies[at] = policies[at][:, output]
        return boards, policies, examples.values[rows]
