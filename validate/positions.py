"""Positions for comparing networks: of a known game, random boards for an unknown one, or a user's file."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..export.checkpoint.layer_graph import InputSpec
from ..games.encoding import encode, split_inputs
from ..games.game import Reading
from ..games.random_play import generator, positions_of_a_game
from ..games.state import State

Feeds = dict[str, NDArray[Any]]
# A position's tensor and its legal moves.
Row = tuple[NDArray[np.float32], NDArray[np.bool_]]
# A network's inputs: their shapes without the batch by name, or the name of a single input.
Inputs = str | Mapping[str, tuple[int, ...]]
# After this many draws without a new position, the domain counts as exhausted.
PATIENCE = 2_000
ROUNDS = 30
CONSTANT_PLANE_SHARE = 0.25
_OF_MASKS = re.compile(r"mask|legal|valid|allowed", re.IGNORECASE)
# The last draws stay in memory: a sweep proves checkpoints of one game on the same positions. In bytes, each.
LARGEST_KEPT = 1 << 24
_KEPT: deque[tuple[tuple[Any, ...], Positions]] = deque(maxlen=4)
_LOCK = Lock()


# The origins of positions, the values of `Part.name`.
RANDOM, GAMES, SEARCHED, SEARCHES, BOARDS, OWN = "random", "games", "searched", "searches", "boards", "own"

_ORIGINS = {
    RANDOM: "{count:,} of random games",
    GAMES: "{count:,} of {draws:,} games of the network against itself",
    SEARCHED: "{count:,} that {draws:,} of its searches play",
    SEARCHES: "{count:,} that {draws:,} of its searches look at",
}


@dataclass(frozen=True)
class Part:
    """Positions of one origin: `count` of them, from `independent` games, searches or boards; None if not drawn.

    `fresh` is true if their seed was unknown when the artifacts were written.
    """

    name: str
    count: int
    independent: int | None
    fresh: bool = False

    def shrink(self, count: int) -> Part:
        """The first of these positions, at most `count`."""
        smaller = min(count, self.count)
        return replace(
            self, count=smaller, independent=self.independent and max(1, self.independent * smaller // self.count)
        )


def _list_origins(parts: Sequence[Part]) -> str:
    """The number of positions by origin, after a colon; empty if all have one origin."""
    if len(parts) < 2:
        return ""
    return ": " + ", ".join(_ORIGINS[part.name].format(count=part.count, draws=part.independent) for part in parts)


@dataclass(frozen=True, eq=False)
class Positions:
    """N positions in the form of a network's inputs.

    `feeds` maps an input's name to an array (N, *shape) of the input's dtype. `legal` is bool (N, policy_width), True
    for a legal move, None if unknown. `description` describes them in words. `seed` is None if they were not drawn.
    `note` is the reason if they are fewer than usual, else None. The last `extreme` of them were chosen among
    `looked_through` others (`extremes.py`). The rest are `parts`, one after the other.
    """

    feeds: Feeds
    legal: NDArray[np.bool_] | None
    description: str
    seed: int | None = None
    note: str | None = None
    extreme: int = 0
    looked_through: int = 0
    parts: tuple[Part, ...] = ()
    fresh: int = 0
    fresh_seed: int | None = None

    def __len__(self) -> int:
        return len(next(iter(self.feeds.values())))

    @property
    def drawn(self) -> int:
        """The number of positions that are not extreme ones."""
        return len(self) - self.extreme

    @property
    def recorded(self) -> int:
        """The number of drawn positions that do not come from the fresh seed."""
        return self.drawn - self.fresh

    @property
    def summary(self) -> str:
        """The description, and the number of positions by origin."""
        origins = _list_origins([part for part in self.parts if not part.fresh])
        chosen = f", and {self.extreme} that the network finds extreme" if self.extreme else ""
        if not self.fresh:
            return f"{self.description}{origins}{chosen}"
        fresh = _list_origins([part for part in self.parts if part.fresh])
        return f"{self.description}{origins}{chosen}; {self.fresh:,} more by the fresh seed {self.fresh_seed}{fresh}"

    def with_fresh(self, fresh: Positions) -> Positions:
        """These, with those of another seed, in the same form, after the drawn ones and before the extreme ones."""
        if not len(fresh):
            return self
        at = self.drawn
        feeds = {
            name: np.concatenate([feed[:at], np.asarray(fresh.feeds[name], feed.dtype), feed[at:]])
            for name, feed in self.feeds.items()
        }
        legal = self.legal
        if legal is not None and fresh.legal is not None:
            legal = np.concatenate([legal[:at], fresh.legal, legal[at:]])
        parts = (*self.parts, *(replace(part, fresh=True) for part in fresh.parts))
        return replace(self, feeds=feeds, legal=legal, parts=parts, fresh=len(fresh), fresh_seed=fresh.seed)

    def first(self, count: int) -> Positions:
        """The first `count` positions, all of the first part, under the same description."""
        legal = None if self.legal is None else self.legal[:count]
        feeds = {name: feed[:count] for name, feed in self.feeds.items()}
        parts = tuple(part.shrink(count) for part in self.parts[:1])
        return replace(self, feeds=feeds, legal=legal, extreme=0, parts=parts, fresh=0, fresh_seed=None)

    def followed_by(self, rows: Sequence[Row], parts: tuple[Part, ...], description: str) -> Positions:
        """These, followed by `rows`, which belong to `parts`."""
        if not rows:
            return replace(self, description=description)
        tensors, masks = (np.stack(column) for column in zip(*rows, strict=True))
        legal = None if self.legal is None else np.concatenate([self.legal, masks])
        more = split_inputs(tensors, {name: feed.shape[1:] for name, feed in self.feeds.items()})
        feeds = {name: np.concatenate([feed, np.asarray(more[name], feed.dtype)]) for name, feed in self.feeds.items()}
        return replace(self, feeds=feeds, legal=legal, description=description, parts=(*self.parts, *parts))

    def without(self, keys: Collection[bytes]) -> Positions:
        """These without the positions whose key, by `key_of`, is in `keys`; all of them belong to one part."""
        others = [row for row in range(len(self)) if key_of(self.feeds, row) not in keys]
        legal = None if self.legal is None else self.legal[others]
        parts = tuple(part.shrink(len(others)) for part in self.parts)
        return replace(self, feeds={name: feed[others] for name, feed in self.feeds.items()}, legal=legal, parts=parts)

    @property
    def random(self) -> Positions:
        """The first part alone: the positions that do not depend on the network's answers."""
        return self.first(self.parts[0].count if self.parts else self.drawn)


def positions(
    reading: Reading, inputs: Inputs = "main_input", count: int = 1000, seed: int = 0, per_game: int | None = None
) -> Positions:
    """`count` distinct positions reached by random legal play from the start, none of them over.

    One position is taken from each random game (several if games are long, or `per_game`), at a random ply. The same
    seed gives the same positions on every machine. `inputs` are the network's, in the form of `split_inputs`, or the
    name of a single input. The tensors are float32 of `reading.encoding.shape`, split over the inputs, and read-only. A
    game with fewer positions gives all that were drawn, and the description says so.
    """
    asked = reading, inputs if isinstance(inputs, str) else tuple(inputs.items()), count, seed, per_game
    with _LOCK:
        drawn_before = next((drawn for key, drawn in _KEPT if key == asked), None)
    if drawn_before is None:
        drawn_before = _draw(reading, inputs, count, seed, per_game or reading.game.per_game)
        if sum(feed.nbytes for feed in drawn_before.feeds.values()) <= LARGEST_KEPT:
            with _LOCK:
                _KEPT.appendleft((asked, drawn_before))
    return replace(drawn_before, feeds=dict(drawn_before.feeds))


def _draw(reading: Reading, inputs: Inputs, count: int, seed: int, per_game: int) -> Positions:
    rng = generator(seed)
    rows = _distinct(lambda: positions_of_a_game(reading.start(), rng, per_game), reading, count)
    tensors, legal = (np.stack(column) for column in zip(*rows.values(), strict=True))
    mask = legal if reading.numbering else None
    feeds = feeds_of(tensors, inputs)
    for values in (*feeds.values(), legal):
        values.flags.writeable = False
    parts = (Part(RANDOM, len(rows), max(1, len(rows) // per_game)),)
    return Positions(feeds, mask, describe_legal(reading, len(rows), count, seed), seed, parts=parts)


def feeds_of(tensors: NDArray[np.float32], inputs: Inputs) -> Feeds:
    """The tensors (N, *encoding.shape) in the form of a network with these inputs."""
    return {inputs: tensors} if isinstance(inputs, str) else split_inputs(tensors, inputs)


def describe_legal(reading: Reading, number: int, asked: int, seed: int) -> str:
    """The description of `number` legal positions of a game, when `asked` were wanted."""
    return _describe(number, asked, f"distinct legal positions of {reading.game.title}, seed {seed}")


def random_boards(
    inputs: Sequence[InputSpec],
    count: int = 1000,
    seed: int = 0,
    layout: str | None = None,
    rows: Mapping[str, NDArray[np.int64]] = MappingProxyType({}),
    sound: Callable[[Feeds], NDArray[np.bool_]] | None = None,
) -> Positions:
    """`count` distinct random boards for a network whose game is unknown; `legal` is None.

    An input of several planes gets 0 and 1, with at most one plane occupied in a cell. Boards range from nearly empty
    to full, some with a constant plane. A single plane or a vector gets -1, 0 and 1 (0, 1 and 2 if the dtype is
    unsigned). A mask of moves, by `is_mask`, gets 0 and 1, never all 0. `layout`, channels_first or channels_last,
    gives the axis of the planes; None: the most likely axis. `rows` has, for an input that an Embedding reads, the
    number of rows for each of its numbers (`whole_numbers.rows_of`). Those numbers are numbers of rows; the emptier the
    board, the more are 0. `sound` marks the boards (N,) that may be used. A domain with fewer boards gives all that
    were drawn.
    """
    for spec in inputs:
        if not all(spec.shape) or not spec.shape:
            raise GameError(
                f"input '{spec.name}' has no fixed shape ({spec.shape}), give positions with --inputs FILE.npz."
            )
    rng = generator(seed)
    chosen: dict[bytes, None] = {}
    parts: list[Feeds] = []
    for _ in range(ROUNDS):
        feeds = {spec.name: _boards(spec, count, rng, layout) for spec in inputs}
        for spec in inputs:
            if is_mask(spec, inputs):
                feeds[spec.name] = _masks(spec, count, rng)
        for name, limits in rows.items():
            feeds[name] = np.where(limits > 0, _row_numbers(limits, count, rng), feeds[name]).astype(feeds[name].dtype)
        if sound is not None:
            answered = sound(feeds)
            feeds = {name: feed[answered] for name, feed in feeds.items()}
        parts.append(_unseen(feeds, chosen, count))
        if len(chosen) == count:
            break
    merged = {spec.name: np.concatenate([part[spec.name] for part in parts]) for spec in inputs}
    said = _describe(len(chosen), count, f"distinct random boards, seed {seed}")
    return Positions(merged, None, said, seed, parts=(Part(BOARDS, len(chosen), len(chosen)),))


def is_mask(spec: InputSpec, inputs: Sequence[InputSpec]) -> bool:
    """Whether an input beside others is a mask of legal moves, by its shape and its name."""
    return len(inputs) > 1 and len(spec.shape) == 1 and bool(_OF_MASKS.search(spec.name))


def _masks(spec: InputSpec, count: int, rng: np.random.Generator) -> NDArray[Any]:
    """Ones and zeros (count, moves), at least one 1 in each: without a legal move no answer has a meaning."""
    made = rng.random((count, *spec.shape)) < _densities(count, 1, rng)
    made[np.arange(count), np.floor(rng.random(count) * spec.shape[0]).astype(int)] = True
    return made.astype(spec.dtype)


def _describe(number: int, asked: int, title: str) -> str:
    """The description, with a remark if the domain has fewer positions than asked for."""
    return f"{number:,} {title}" + (f" (all that were found of {asked:,} asked)" if number < asked else "")


def _distinct(draw: Callable[[], list[State]], reading: Reading, count: int) -> dict[bytes, Row]:
    """Up to `count` (tensor, legal mask) with different tensors, by the tensor's bytes.

    A larger `count` gives the same ones first.
    """
    rows: dict[bytes, Row] = {}
    misses = 0
    while len(rows) < count and misses < PATIENCE:
        # All positions of a game are used while there is room: if one is already present, the next one counts.
        for state in draw():
            if len(rows) == count:
                break
            tensor = encode(state, reading.encoding)
            misses = misses + 1 if tensor.tobytes() in rows else 0
            rows.setdefault(tensor.tobytes(), (tensor, reading.legal(state)))
    return rows


def key_of(feeds: Feeds, row: int) -> bytes:
    """A position's key: the bytes of its row in each feed."""
    return b"".join(np.ascontiguousarray(feed[row]).tobytes() for feed in feeds.values())


def _unseen(feeds: Feeds, chosen: dict[bytes, None], count: int) -> Feeds:
    """The rows of `feeds` that `chosen` lacks; they are added to `chosen` until it has `count`."""
    rows = []
    for row in range(len(next(iter(feeds.values())))):
        key = key_of(feeds, row)
        if len(chosen) < count and key not in chosen:
            chosen[key] = None
            rows.append(row)
    return {name: feed[rows] for name, feed in feeds.items()}


def _boards(spec: InputSpec, count: int, rng: np.random.Generator, layout: str | None) -> NDArray[Any]:
    """Random boards (count, *shape) in the domain that the shape and dtype suggest."""
    axis = _planes_axis(spec.shape, layout)
    if axis is not None:
        return _planes(spec.shape, axis, count, rng).astype(spec.dtype)
    lowest = 0 if np.dtype(spec.dtype).kind in "ub" else -1
    occupied = rng.random((count, *spec.shape)) < _densities(count, len(spec.shape), rng)
    one, other = (lowest, 1) if lowest else (2, 1)
    marks = np.where(rng.random((count, *spec.shape)) < 0.5, one, other)
    return np.where(occupied, marks, 0).astype(spec.dtype)


def _row_numbers(limits: NDArray[np.int64], count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Whole numbers (count, *shape) from 0 to below `limits`: 0 on empty cells, any other on the rest."""
    occupied = rng.random((count, *limits.shape)) < _densities(count, limits.ndim, rng)
    others = 1 + np.floor(rng.random((count, *limits.shape)) * np.maximum(limits - 1, 0))
    return np.where(occupied, np.minimum(others, limits - 1), 0)


def _densities(count: int, rank: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The density of each board, from 2 to 98 %, shaped to broadcast over the boards."""
    return (0.02 + 0.96 * rng.random(count)).reshape((count,) + (1,) * rank)


def _planes_axis(shape: tuple[int, ...], layout: str | None) -> int | None:
    """The axis of the planes in `shape`, None for a vector, a matrix or a single plane."""
    if len(shape) != 3:
        return None
    first = shape[1] == shape[2] or (shape[0] != shape[1] and shape[0] <= shape[2])
    axis = {"channels_first": 0, "channels_last": 2}.get(layout or "", 0 if first else 2)
    return axis if shape[axis] > 1 else None


def _planes(shape: tuple[int, ...], axis: int, count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Exclusive 0/1 planes, float32 (count, *shape); a quarter of the boards have one plane all 0 or all 1."""
    number = shape[axis]
    board = tuple(size for at, size in enumerate(shape) if at != axis)
    occupied = rng.random((count, *board)) < _densities(count, len(board), rng)
    owner = np.where(occupied, np.floor(rng.random((count, *board)) * number), -1)
    planes = np.stack([owner == plane for plane in range(number)], axis=1).astype(np.float32)
    constant = np.flatnonzero(rng.random(count) < CONSTANT_PLANE_SHARE)
    which = np.floor(rng.random(len(constant)) * number).astype(int)
    planes[constant, which] = np.floor(rng.random(len(constant)) * 2).reshape(-1, 1, 1)
    return planes if axis == 0 else np.moveaxis(planes, 1, -1)
