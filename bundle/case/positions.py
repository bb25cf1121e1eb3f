"""The positions of a proof: random, from the network's own play, extreme, or the user's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod
from secrets import randbelow

from ...errors import UnsupportedLayer
from ...export.checkpoint.head import Head
from ...export.checkpoint.layer_graph import LayerGraph, board_layout
from ...export.graph.names import input_names
from ...games.game import Reading
from ...validate import whole_numbers
from ...validate.extremes import SHARE, pool_size, with_extremes
from ...validate.played import play
from ...validate.positions import RANDOM, Positions, describe_legal, key_of, positions, random_boards
from ...validate.positions_file import from_user
from .answered import boards_answered
from .detection import FEWEST, policy_width
from .settings import Settings

# The usual number of positions of a proof, and the number if the artifacts' bytes are known to be the same calculation
# for every board. In the second case positions measure only rounding.
USUAL, OF_ROUNDING = 1000, 256
# Added to the drawn positions' seed for the candidates of extreme ones; and the number of candidates from one random
# game. Candidates need not be independent, and playing games takes longer than running the network on positions.
POOL_SEED, POOL_PER_GAME = 2**32, 8
# Added to a fresh seed, so that it differs from any seed of an export.
FRESH_SEED = 2**38
# The share of positions from the network's own games; its searches give the same share again.
PLAYED = 0.2
# Inputs larger than this in both directions are images; a position then takes longer.
LARGEST_BOARD = 32
# The most multiply-adds for a proof on images: half a minute in azx's interpreter of Core ML programs, the slowest.
WORK = 16_000_000_000
# Multiply-adds per number of an image if the network's own are unknown: those of MobileNet at 224 x 224.
WORK_A_NUMBER = 3_800


def parity_positions(
    graph: LayerGraph,
    heads: Sequence[Head],
    reading: Reading | None,
    settings: Settings,
    work: int | None = None,
    usual: int = USUAL,
) -> Positions:
    """The positions of the proof by the checkpoint's input names.

    Their number is `usual`, unless the settings give another or the network is too large. `work` is multiply-adds per
    position, None if unknown. GameError if the user's positions do not fit, or if an Embedding's valid numbers are
    unknown.
    """
    note = None
    if settings.inputs is not None:
        names = input_names([spec.name for spec in graph.inputs], heads, keep_names=settings.keep_names)
        drawn = from_user(settings.inputs, graph.inputs, names, policy_width(heads))
    else:
        count = settings.count or usual
        if settings.count is None:
            count, note = usual_count(graph, reading, work, usual)
        drawn = with_played(graph, heads, reading, settings.seed, count)
    whole_numbers.check(graph, drawn.feeds)
    if settings.inputs is not None or note:
        return replace(drawn, note=note)  # the user's own positions only, or the number that time allows
    return with_extremes_of(graph, reading, drawn, settings.seed, pool_size(len(drawn), work))


def with_extremes_of(
    graph: LayerGraph, reading: Reading | None, drawn: Positions, seed: int, look_through: int
) -> Positions:
    """`drawn`, then the positions among `look_through` others that the network finds extreme.

    The same ones every time.
    """
    count = min(len(drawn), look_through) // SHARE
    if not count:
        return drawn
    # A random stream that is separate from the drawn positions', for every seed.
    pool = draw_positions(graph, reading, look_through, seed + POOL_SEED, POOL_PER_GAME)
    positions = with_extremes(graph, drawn, pool, count)
    return replace(positions, looked_through=look_through if positions.extreme else 0)


def recorded_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, seed: int, count: int, look_through: int = 0
) -> Positions:
    """`count` positions as an export with `seed` draws them, and extreme ones among `look_through` others."""
    drawn = with_played(graph, heads, reading, seed, count)
    whole_numbers.check(graph, drawn.feeds)
    return with_extremes_of(graph, reading, drawn, seed, look_through)


def with_played(graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, seed: int, count: int) -> Positions:
    """`count` positions: for a known game, random legal ones, then positions that the network reaches by playing.

    All are random if the network cannot play, because no game is known or the witness does not know a layer. `note`
    then says why.
    """
    each = min(int(count * PLAYED), (count - FEWEST) // 2)
    if reading is None or each < 1:
        return draw_positions(graph, reading, count, seed)
    # The random positions do not depend on the network; golden.json has the first of them.
    drawn = draw_positions(graph, reading, count - 2 * each, seed)
    try:
        played = play(graph, heads, reading, (each, each), drawn)
    except UnsupportedLayer as error:
        note = f"no position is from the network's own games, because the witness cannot play them: {error}"
        return replace(draw_positions(graph, reading, count, seed), note=note.rstrip("."))
    number = len(drawn) + len(played.rows)
    if number < count:  # a small game has fewer positions from play: random ones fill up
        reached = {tensor.tobytes() for tensor, _ in played.rows}
        drawn = draw_positions(graph, reading, count, seed).without(reached).first(count - len(played.rows))
        number = len(drawn) + len(played.rows)
    return drawn.followed_by(played.rows, played.parts, describe_legal(reading, number, count, seed))


def draw_seed() -> int:
    """A seed that nobody could know in advance."""
    return randbelow(2**32)


def fresh_positions(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading | None, recorded: Positions, seed: int, count: int
) -> Positions:
    """`count` new positions of the recorded kinds, drawn by `seed`; none of them is recorded.

    The result has fewer positions, or none, if the game has no more.
    """
    own = seed + FRESH_SEED
    played = sum(part.count for part in recorded.parts if part.name != RANDOM)
    each = played * count // recorded.drawn // 2 if reading is not None else 0
    keys = {key_of(recorded.feeds, row) for row in range(len(recorded))}
    drawn = _draw_others(graph, reading, count - 2 * each, own, keys)
    if reading is not None and each:
        # Positions from play must be new too: neither recorded nor drawn.
        known = recorded.with_fresh(drawn)
        reached = play(graph, heads, reading, (each, each), replace(known, seed=own))
        drawn = drawn.followed_by(reached.rows, reached.parts, drawn.description)
    whole_numbers.check(graph, drawn.feeds)
    return replace(drawn, seed=seed)


def _draw_others(
    graph: LayerGraph, reading: Reading | None, count: int, seed: int, keys: Collection[bytes]
) -> Positions:
    """Up to `count` drawn positions whose key, by `key_of`, is not in `keys`."""
    for number in (count, 2 * count, count + len(keys)):
        others = draw_positions(graph, reading, number, seed).without(keys)
        if len(others) >= count:
            break
    return others.first(count)


def draw_positions(
    graph: LayerGraph, reading: Reading | None, count: int, seed: int, per_game: int | None = None
) -> Positions:
    """Positions of the game; for an unknown game, random boards within the range of the inputs."""
    if reading is None:
        layout, rows = board_layout(graph), whole_numbers.rows_of(graph)
        return random_boards(graph.inputs, count, seed, layout, rows, boards_answered(graph))
    return positions(reading, graph.input_shapes, count, seed, per_game)


def usual_count(
    graph: LayerGraph, reading: Reading | None, work: int | None, usual: int = USUAL
) -> tuple[int, str | None]:
    """The number of positions to prove a network on, and the reason if it is below `usual`.

    For a known game it is never below. `work` is multiply-adds per position, None if unknown.
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
