"""Detects the game that a network plays and how it reads the board, with statements about its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError, Undecided, UnsupportedLayer
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...export.checkpoint.layer_graph import LayerGraph, board_layout
from ...export.network.simplify import shapes as shapes_in
from ...export.statements.boards import of_family, said, say_board, say_game
from ...export.statements.outputs import say_output
from ...games.encoding import split_inputs
from ...games.game import Reading
from ...games.known import recognition
from ...games.value import ORDER, known_owner
from ...statement import Degree, Statement
from ...validate import whole_numbers
from ...validate.positions import Positions, positions
from ...validate.reading.budget import WHOLE, boards_within
from ...validate.reading.figures import Measurement, best_of, measure
from ...validate.reading.probe import detect_encoding, readings_like, without_detection
from ...validate.reading.sign_test import Network
from ...validate.witness.evaluate import evaluate
from .cost import multiply_adds_of
from .reading import check_value_order, choose_reading, reading_of_run, shipped_by_hash, shipped_reading

# The fewest positions on which a network is proved; golden.json has the same number.
FEWEST = 20
# The witness runs only if no tensor has more values; Go on 19 x 19 in 256 channels has a third of this.
LARGEST_ASKED = 1 << 18
# A network of a known family is read as the family's code reads it if it finds this share of wins and blocks.
FLOOR_OF_FAMILY = 0.5


def policy_width(heads: Sequence[Head]) -> int | None:
    """The number of values in the policy; None if the network has no policy."""
    return next((head.width for head in heads if head.role == POLICY), None)


@dataclass(frozen=True)
class Detection:
    """The game and how the network reads it, None if unknown; `note` then says, as a clause, what would fit.

    `heads` are the network's outputs; a head has a degree if its answers showed its role. `figures` belong to a test
    without a result. `is_said` is true if the user named the game.
    """

    reading: Reading | None
    note: str | None = None
    heads: tuple[Head, ...] = ()
    figures: str = ""
    is_said: bool = False


def statements_of(detection: Detection) -> tuple[Statement, ...]:
    """The statements about each output and about the board."""
    has_policy = any(head.role == POLICY for head in detection.heads)
    game = [say_game(detection.reading, is_said=detection.is_said)] if detection.reading else []
    board = say_board(detection.reading, detection.note, detection.figures, has_policy=has_policy)
    return (*map(say_output, detection.heads), *game, board)


def game_of(
    graph: LayerGraph, heads: Sequence[Head], game: str | None, encoding: Path | None = None, *, budget: int = WHOLE
) -> Detection:
    """The game that the network plays: from --encoding, --game, the run that made it, or its shapes.

    The result includes what the network's answers show about its outputs. A value of three outputs in an unknown order
    is not used.
    """
    detection = _game_of(graph, heads, game, encoding, budget)
    reading, value = detection.reading, next((head for head in heads if head.role == VALUE), None)
    if reading and value:
        whose = known_owner(value.width, reading.value_order, reading.encoding.value)
        detection = replace(detection, reading=replace(reading, encoding=replace(reading.encoding, value=whose)))
    shows = detection.reading.shows if detection.reading else frozenset()
    shown = [
        replace(head, degree=Degree.SHOWN) if head.role in shows and head.degree is Degree.ASSUMED else head
        for head in heads
    ]
    return replace(detection, heads=tuple(shown), is_said=game is not None)


def _game_of(
    graph: LayerGraph, heads: Sequence[Head], game: str | None, encoding: Path | None, budget: int
) -> Detection:
    """`game_of` before the value is settled.

    The result has no reading if none is known, or if `game` is "none". GameError if the user's options do not fit. If
    networks of these shapes encode the board in several ways, the witness tests which one it is, with at most `budget`
    multiply-adds in all.
    """
    shapes = [spec.shape for spec in graph.inputs]
    value = next((head for head in heads if head.role == VALUE), None)
    try:
        if encoding is None:
            known = _known_by_origin(graph, heads, game, value, budget)
            if known is not None:
                return known
        reading = choose_reading(shapes, policy_width(heads), game, encoding, board_layout(graph))
        if reading is not None and encoding is not None:
            check_value_order(reading, value, encoding)
    except GameError as error:
        raise GameError(f"'{graph.source.path}': {error}") from error
    if reading is None and game is None:
        reading = shipped_by_hash(graph.source.sha256, shapes, policy_width(heads), board_layout(graph))
    if reading is None:
        return _detect_by_answers(graph, heads, shapes, budget) if game is None else Detection(None)
    if encoding is not None:
        return Detection(replace(reading, statement=said(f"with --encoding {encoding.name}")))
    if game is None and not _reads_as(graph, reading):
        return Detection(None)
    own = shipped_reading(reading, graph.source.sha256)
    try:
        # The encoding of azx's own networks is known.
        return Detection(own or _detect_reading(graph, heads, reading, budget))
    except Undecided as undecided:
        return Detection(None, str(undecided), figures=undecided.figures)


def _known_by_origin(
    graph: LayerGraph, heads: Sequence[Head], game: str | None, value: Head | None, budget: int
) -> Detection | None:
    """The reading of the run that made the network, or of its family; None for any other network."""
    shapes = [spec.shape for spec in graph.inputs]
    of_run = reading_of_run(graph.source.path, graph.source, shapes, policy_width(heads), value, game)
    return Detection(of_run) if of_run is not None else detect_by_family(graph, heads, game, budget)


def detect_by_family(
    graph: LayerGraph, heads: Sequence[Head], game: str | None, budget: int = WHOLE
) -> Detection | None:
    """The game, encoded as the code of the network's family does; None for an unknown family.

    The result has no reading if azx cannot write a board in the way of that code. It has none either if the network
    plays badly in that encoding and `game` was not named.
    """
    described = graph.source.reading
    if isinstance(described, str):
        return Detection(None, described) if game is None else None
    if not described or game not in (None, described["game"]):
        return None
    reading = recognition.from_description(dict(described), [spec.shape for spec in graph.inputs], policy_width(heads))
    return _detect_by_family(graph, heads, reading, budget, said=game is not None)


def _detect_by_family(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading, budget: int, *, said: bool
) -> Detection:
    """The family's reading, if the network finds more moves in it than chance, or if the game was named (`said`)."""
    family = graph.source.preset
    ask, widths = _asking(graph, heads)
    known: dict[str, Measurement] = {}
    try:
        measure([reading], ask, list(widths), known, boards_within(budget, multiply_adds_of(graph)))
    except UnsupportedLayer as error:
        return Detection(None, "the float64 witness cannot be asked", figures=str(error))
    figures = best_of([reading], known)
    if figures is None or figures.wins is None or figures.blocks is None or figures.chance is None:
        return Detection(replace(reading, statement=of_family(family)))
    figures_clause = (
        f"it finds {figures.wins:.0%} of the wins, {figures.blocks:.0%} of the blocks, {figures.chance:.0%} by chance"
    )
    plays = min(figures.wins, figures.blocks) >= FLOOR_OF_FAMILY
    if not plays and not said:
        note = f"it hardly plays by azx's rules: if it was trained by them, give --game {reading.game.name}"
        return Detection(None, note, figures=f"read as the code of {family} writes its board, {figures_clause}")
    rules = "in azx five in a row win, whatever rule it was trained by" if reading.game.name == "gomoku" else ""
    shows = frozenset({POLICY} if plays else ())  # the policy finds the moves
    return Detection(replace(reading, statement=of_family(family, figures_clause, rules), shows=shows))


def _detect_by_answers(
    graph: LayerGraph, heads: Sequence[Head], shapes: Sequence[tuple[int, ...]], budget: int
) -> Detection:
    """The game whose moves or values the network knows, if the shapes fit several.

    Else a list of the games that fit.
    """
    for candidate in recognition.candidates(shapes, policy_width(heads), board_layout(graph)):
        # Answers show nothing unless there is another game to compare with.
        if _reads_as(graph, candidate) and len(readings_like(candidate)) > 1:
            try:
                return Detection(_detect_reading(graph, heads, candidate, budget, assume=False))
            except Undecided:
                continue
    return Detection(None, recognition.name_fits(shapes, policy_width(heads)))


def _reads_as(graph: LayerGraph, reading: Reading) -> bool:
    """Whether a network accepts this reading's numbers: an Embedding may have no row for -1."""
    rows = whole_numbers.rows_of(graph)
    return not rows or whole_numbers.fits(rows, positions(reading, graph.input_shapes, FEWEST).feeds)


def _detect_reading(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading, budget: int, *, assume: bool = True
) -> Reading:
    ask, widths = _asking(graph, heads)
    try:
        boards = boards_within(budget, multiply_adds_of(graph))
        return detect_encoding(reading, ask, widths, boards, assume=assume)
    except UnsupportedLayer as error:
        return without_detection(reading, f"the float64 witness cannot be asked, {error}")


def _asking(graph: LayerGraph, heads: Sequence[Head]) -> tuple[Network, dict[str, int]]:
    """A function that runs the witness on boards, for policy and value; and the number of values of each."""
    asked = [head for head in heads if head.role == POLICY or (head.role == VALUE and head.width in (1, len(ORDER)))]
    names = {head.role: head.source_name for head in asked}
    large = next((name for name, shape in shapes_in(graph).items() if not _is_of_board(shape)), None)

    def ask(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        if large is not None:
            raise UnsupportedLayer(large, "its tensors are larger than those of any board network")
        answers = evaluate(graph, split_inputs(boards, graph.input_shapes), np.float32)
        return {role: answers[name] for role, name in names.items()}

    return ask, {head.role: head.width for head in asked}


def _is_of_board(shape: Sequence[int]) -> bool:
    """Whether a tensor is small enough for a board network; the witness would need hours for a larger one."""
    return prod(shape) <= LARGEST_ASKED and prod(sorted(shape)[-2:]) <= LARGEST_ASKED >> 3


def artifact_feeds(drawn: Positions, names: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
    """The positions as each artifact takes them: float32 (N, *shape), whatever the checkpoint's input dtype.

    `names` maps the checkpoint's input names to the artifacts'.
    """
    return {names[name]: np.asarray(feed, np.float32) for name, feed in drawn.feeds.items()}
