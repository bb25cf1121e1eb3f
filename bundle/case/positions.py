"""The positions of a proof: drawn, reached by the network's own play, found extreme, or the user's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from secrets import randbelow
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UnsupportedLayer
from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import LayerGraph, board_layout
from ...export.graph.names import input_names
from ...games.game import Reading
from ...validate import whole_numbers
from ...validate.extremes import SHARE, pool_size, with_extremes
from ...validate.played import play
from ...validate.positions import RANDOM, Positions, describe_legal, key_of, positions, random_boards
from ...validate.positions_file import from_npz
from ...validate.witness.evaluate import evaluate
from .detection import FEWEST, policy_width
from .settings import Settings

# How many positions a proof takes; and if the artifacts' bytes are shown to be the same calculation for every board:
# then positions measure rounding alone.
USUAL, OF_ROUNDING = 1000, 256
# The offset from the drawn positions' seed to the seed of the candidates for extreme ones, and how many come from one
# random game. They need not be independent, and playing games takes longer than looking at positions.
POOL_SEED, POOL_PER_GAME = 2**32, 8
# What a fresh seed has more than any seed of an export.
FRESH_SEED = 2**38
# The share of them that are of the network's own games, and as many that its searches look at.
PLAYED = 0.2
# No board is as large in both directions: what lies above is an image, and one position of it takes a while.
LARGEST_BOARD = 32
# Multiply-adds that a proof of images may take: half a minute in the interpreter of Core ML's programs, the slowest.
WORK = 16_000_000_000
# Multiply-adds for each number of an image where the network's own are not known: MobileNet's at 224 x 224.
WORK_A_NUMBER = 3_800


def parity_positions(
    graph: LayerGraph,
    heads: Sequence[Head],
    reading: Reading | None,
    settings: Settings,
    work: int | None = None,
    usual: int = USUAL,
) -> Positions:
    """What the proof is made on, fed by the checkpoint's own input names; `work` is multiply-adds a position, if known.

    There are `usual` of them, if the settings do not give a number and the network is not too large for it.
    GameError if the user's positions do not fit, or if the whole numbers that an Embedding may read are unknown.
    """
    note = None
    if settings.inputs is not None:
        names = input_names([spec.name for spec in graph.inputs], heads, keep_names=settings.keep_names)
        drawn = from_npz(settings.inputs, graph.inputs, names, policy_width(heads))
    else:
        count = settings.count or usual
        if settings.count is None:
            count, note = usual_count(graph, reading, work, usual)
        drawn = with_played(graph, heads, reading, settings.seed, count)
    whole_numbers.check(graph, drawn.feeds)
    if settings.inputs is not None or note:
        return replace(drawn, note=note)  # one's own alone, or as many as there is time for
    return with_extremes_of(graph, reading, drawn, settings.seed, pool_size(len(drawn), work))


def with_extremes_of(
    graph: LayerGraph, reading: Reading | None, drawn: Positions, seed: int, look_through: int
) -> Positions:
    """What was drawn, and positions that the network finds extreme among `look_through` others; the same every time."""
    count = min(len(drawn), look_through) // SHARE
    if not count:
        return drawn
    # Another stream of chance than the drawn ones', whatever the seed.
    pool = draw_positions(graph, reading, look_through, seed + POOL_SEED, POOL_PER_GAME)
    found = with_extremes(graph, drawn, pool, count)
    return replace(found, looked_through=look_through if found.extreme else 0)


def recorded_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, seed: int, count: int, look_through: int = 0
) -> Positions:
    """`count` positions as an export with `seed` draws them, and extreme ones among `look_through` others."""
    drawn = with_played(graph, heads, reading, seed, count)
    whole_numbers.check(graph, drawn.feeds)
    return with_extremes_of(graph, reading, drawn, seed, look_through)


def with_played(graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, seed: int, count: int) -> Positions:
    """`count` positions: of a known game random legal ones, behind them those that the network reaches by playing.

    All random where it cannot play: no game is known, or the witness does not know a layer, which `note` then says.
    """
    each = min(int(count * PLAYED), (count - FEWEST) // 2)
    if reading is None or each < 1:
        return draw_positions(graph, reading, count, seed)
    # The random ones do not depend on the network: golden.json has the first of them.
    drawn = draw_positions(graph, reading, count - 2 * each, seed)
    try:
        played = play(graph, heads, reading, (each, each), drawn)
    except UnsupportedLayer as error:
        note = f"none of the positions is of the network's own games, because the witness cannot play them: {error}"
        return replace(draw_positions(graph, reading, count, seed), note=note.rstrip("."))
    found = len(drawn) + len(played.rows)
    if found < count:  # a small game: what its play lacks, random positions make up for
        reached = {tensor.tobytes() for tensor, _ in played.rows}
        drawn = draw_positions(graph, reading, count, seed).without(reached).first(count - len(played.rows))
        found = len(drawn) + len(played.rows)
    return drawn.followed_by(played.rows, played.parts, describe_legal(reading, found, count, seed))


def draw_seed() -> int:
    """A seed that nobody knew before."""
    return randbelow(2**32)


def fresh_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, recorded: Positions, seed: int, count: int
) -> Positions:
    """`count` positions of the kinds that are recorded, by a seed of their own; none of them is a recorded one.

    Fewer, or none at all, where no more are found.
    """
    own = seed + FRESH_SEED
    played = sum(part.count for part in recorded.parts if part.name != RANDOM)
    each = played * count // recorded.drawn // 2 if reading is not None else 0
    keys = {key_of(recorded.feeds, row) for row in range(len(recorded))}
    drawn = _draw_others(graph, reading, count - 2 * each, own, keys)
    if reading is not None and each:
        # What play reaches is to be new too: neither recorded nor drawn.
        known = recorded.with_fresh(drawn)
        found = play(graph, heads, reading, (each, each), replace(known, seed=own))
        drawn = drawn.followed_by(found.rows, found.parts, drawn.description)
    whole_numbers.check(graph, drawn.feeds)
    return replace(drawn, seed=seed)


def _draw_others(
    graph: LayerGraph, reading: Reading | None, count: int, seed: int, keys: Collection[bytes]
) -> Positions:
    """`count` drawn positions whose `key_of` is not among `keys`, or as many as are found."""
    for number in (count, 2 * count, count + len(keys)):
        found = draw_positions(graph, reading, number, seed).without(keys)
        if len(found) >= count:
            break
    return found.first(count)


def draw_positions(
    graph: LayerGraph, reading: Reading | None, count: int, seed: int, per_game: int | None = None
) -> Positions:
    """Positions of the game; for a network of an unknown game random boards within the range of its inputs."""
    if reading is None:
        sound = partial(_is_answered, graph) if _divides(graph) else None
        return random_boards(graph.inputs, count, seed, board_layout(graph), whole_numbers.rows_of(graph), sound)
    return positions(reading, graph.input_shapes, count, seed, per_game)


def _divides(graph: LayerGraph) -> bool:
    """Whether one tensor is divided by another: on some random boards that is nothing by nothing."""
    kinds = {(call.layer.kind, len(call.inputs)) for call in graph.calls}
    return bool(kinds & {("ops.Divide", 2), ("ops.TrueDivide", 2)})


def _is_answered(graph: LayerGraph, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """On which boards (N,) the network answers with numbers, as far as the witness says; all if it cannot."""
    count = len(next(iter(feeds.values())))
    try:
        answers = evaluate(graph, feeds)
    except UnsupportedLayer:
        return np.ones(count, np.bool_)
    found = [np.isfinite(answer.reshape(count, -1)).all(axis=1) for answer in answers.values()]
    return np.asarray(np.logical_and.reduce(found))


def usual_count(
    graph: LayerGraph, reading: Reading | None, work: int | None, usual: int = USUAL
) -> tuple[int, str | None]:
    """How many positions a network is proved on, and the reason if those are fewer than `usual`.

    Of a known game they never are; `work` is multiply-adds a position, if known.
    """
    if reading is not None:
        return usual, None
    layout = board_layout(graph)
    images = [
        spec.shape for spec in graph.inputs if len(spec.shape) == 3 and min(_sides(spec.shape, layout)) > LARGEST_BOARD
    ]
    if not images:
        return usual, None
    cost = work or WORK_A_NUMBER * sum(map(prod, images))
    count = min(usual, max(FEWEST, WORK // cost))
    if count == usual:
        return usual, None
    said = f"takes {cost / 1e6:,.0f} million multiply-adds a position" if work else "reads large images"
    return count, f"{count} positions and not {usual:,}, because the network {said}: say how many with --positions"


def _sides(shape: tuple[int, ...], layout: str | None) -> tuple[int, ...]:
    """Rows and columns of (rows, columns, channels), or of (channels, rows, columns) if the network says so."""
    return shape[1:] if layout == "channels_first" else shape[:2]
