"""Describes how a network sees its board, by a user's answers; each answer narrows the readings that fit.

The float64 witness runs the network, without TensorFlow. The result is the content of an --encoding file, which is
checked against the network's shapes before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import GameError, UnsupportedLayer
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...export.checkpoint.layer_graph import LayerGraph, board_layout
from ...export.checkpoint.read import read_checkpoint
from ...export.graph.freeze import heads_of
from ...export.graph.names import Names
from ...export.network.known_shapes import name_unknown
from ...export.network.simplify import shapes
from ...games.encoding import encode, split_inputs
from ...games.game import Reading
from ...games.known.catalogue import GAMES
from ...games.known.hypotheses import BOARD_AND_BESIDE, hypotheses_of
from ...games.known.recognition import from_description, recognise
from ...games.value import ORDER
from ...statement import Degree
from ...validate.reading.budget import GLANCE, boards_within
from ...validate.reading.figures import Figures, Measurement, best_of, measure
from ...validate.witness.evaluate import evaluate
from ..author_code import encoding_by_code
from ..case.checkpoint import Checkpoint
from ..case.cost import multiply_adds_of
from .answers import (
    ASKED,
    BOARD,
    CELLS,
    GAME,
    LAYOUT,
    PIECES,
    QUESTIONS,
    ROWS,
    UNSAID,
    VALUE_OF,
    VALUE_ORDER,
    example_state,
    say,
    word_of,
)
from .fitting import NO_PLANE, Fitting, numberings_of

UNNAMED = Names()


@dataclass(frozen=True)
class Choice:
    """A possible answer: `word` is what the option takes, `says` has the same meaning in plain words."""

    word: str
    says: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Question:
    """An open question: `name` is the option's, `asks` a sentence, `choices` are two or more.

    Without choices, the answer is the names of the input's planes.
    """

    name: str
    asks: str
    choices: tuple[Choice, ...]


def open_description(
    checkpoint: Checkpoint, names: Names, ask: Callable[[Sequence[Head], Names], Names] = lambda heads, names: names
) -> Description:
    """The description of a checkpoint's network before any answer: all readings that its shapes allow.

    `ask` gets the outputs of unknown role, and returns names for them. CheckpointError if the checkpoint cannot be
    read, HeadError if no output has such a name, GameError if no board fits.
    """
    graph = read_checkpoint(checkpoint.place, **{**checkpoint.options, "allow_code": True})
    sizes = shapes(graph)
    known = [sizes.get(head.tensor) or head.shape for head in graph.outputs]
    if hidden := next((head for head, shape in zip(graph.outputs, known, strict=True) if not shape), None):
        raise GameError(
            f"'{graph.source.path}': azx describe does not know the shape of output '{hidden.source_name}', which lies "
            f"behind {name_unknown(graph, sizes)}: write the description yourself, as docs/adding-a-game.md shows, and "
            "export with --encoding FILE.json."
        )
    heads = heads_of(graph, known, names)
    unknown = [head for head in heads if head.degree is Degree.UNKNOWN]
    if unknown and not {VALUE, POLICY} <= {head.role for head in heads}:
        names = ask(unknown, names)
        heads = heads_of(graph, known, names)
    return Description(graph, heads, names)


class Description:
    """A network, and the answers so far about how it sees its board.

    `readings` are those that fit all answers so far; `answers` maps the options' names to the words given.
    """

    def __init__(self, graph: LayerGraph, heads: Sequence[Head], names: Names = UNNAMED) -> None:
        if len(graph.inputs) > BOARD_AND_BESIDE:
            raise GameError(
                f"'{graph.source.path}' takes {len(graph.inputs)} inputs: azx reads a board from one input and the "
                f"player to move from a second, so export it without a game."
            )
        self.graph, self.names, self.answers = graph, names, dict[str, str]()
        self.shapes = [spec.shape for spec in graph.inputs]
        self.policy = next((head for head in heads if head.role == POLICY), None)
        self.value = next((head for head in heads if head.role == VALUE), None)
        if self.policy is None and self.value is None:
            listed = ", ".join(f"'{head.source_name}' ({head.width})" for head in heads)
            raise GameError(
                f"'{graph.source.path}': nothing says what its outputs are, {listed}: say it with --policy-head NAME "
                "or --value-head NAME."
            )
        self.width = self.policy.width if self.policy else None
        self._fitting = Fitting(tuple(self.shapes), self.width, self.value.width if self.value else None)
        self.measured = dict[str, Measurement]()
        self.problem: str | None = None
        self.readings = tuple(reading for game in GAMES.values() for reading in self._fitting.readings_of(game))
        if not self.readings:
            outputs, taken = f"{self.width} moves" if self.width else "no policy", " and ".join(map(str, self.shapes))
            raise GameError(
                f"'{graph.source.path}' takes {taken} and has {outputs}, which fit no board of "
                f"{', '.join(GAMES)}: azx exports it, but cannot play it."
            )
        recognised = recognise(self.shapes, self.width, board_layout(graph))
        if recognised:
            self._keep(GAME, recognised.game.name, [one for one in self.readings if one.game == recognised.game])

    def question(self) -> Question | None:
        """The next question; None once everything is decided."""
        name = next((name for name in QUESTIONS if self._is_open(name)), None)
        return Question(name, ASKED[name], self._named_choices(name)) if name else None

    def _is_open(self, name: str) -> bool:
        """Whether a question is open: several answers are possible, or the planes are unknown."""
        choices = self._named_choices(name)
        return name not in self.answers and (len(choices) > 1 or (name == PIECES and not choices))

    def _named_choices(self, name: str) -> tuple[Choice, ...]:
        return tuple(choice for choice in self._choices(name) if NO_PLANE not in choice.word)

    def answer(self, name: str, word: str) -> None:
        """Keep only the readings with this answer; GameError, with the possible answers, if there are none."""
        choices = self._choices(name)
        if not choices:
            raise GameError(f"--{name} does not matter for this network: leave it out.")
        if name == PIECES and word not in [choice.word for choice in choices]:
            self._keep(name, word, list(self._with_planes(word)))
            return
        chosen = next((choice for choice in choices if choice.word == word), None)
        if chosen is None:
            raise GameError(f"--{name} '{word}' does not fit this network: use {_listed(choices)}.")
        self._keep(name, word, chosen.readings)

    def answer_by_code(self, code: str) -> None:
        """Keep only the readings with the encoding of the author's function FILE.py:FUNCTION, which is run.

        GameError if the game or its board is still open, or if azx does not draw the function's planes.
        """
        open_ones = [f"--{name}" for name in (GAME, BOARD) if self._is_open(name)]
        if open_ones or len(self.shapes) > 1:
            first = f"say {' and '.join(open_ones)} first" if open_ones else "it describes one input, and there are two"
            raise GameError(f"'{self.graph.source.path}': --code {code}: {first}.")
        known = self.readings[0]
        encoding = encoding_by_code(code, known, self.shapes[0])
        shape = next(shape for shape in known.game.shapes if shape.encodings[0].board == encoding.board)
        numbering = next((one for one in shape.numberings if one.width == self.width), None)
        every = [Reading(known.game, encoding, each, shape.settings) for each in numberings_of(numbering, encoding)]
        readings = [one for each in every for one in self._fitting.with_values(each)]
        for name in (PIECES, ROWS, CELLS, LAYOUT):
            self._keep(name, word_of(readings[0], name), readings)

    def _keep(self, name: str, word: str, readings: Sequence[Reading]) -> None:
        self.answers[name] = word
        self.readings = tuple(readings)

    def missing(self) -> str | None:
        """For a script: the sentence about the next missing answer; None if no answer is missing."""
        question = self.question()
        if question is None:
            return None
        words = _listed(question.choices) if question.choices else "and the names of its planes, as in mover,opponent"
        others = [f"--{name}" for name in QUESTIONS if self._is_open(name) and name != question.name]
        more = f" (then {', '.join(others)})" if others else ""
        return f"say {UNSAID[question.name]} with --{question.name} {words}{more}."

    def measure(self) -> bool:
        """Run the network in the readings that still fit; False if the network is too large for that.

        The network does not run before the game is known. `problem` is the reason if it cannot run.
        """
        if len({one.game.name for one in self.readings}) > 1 or self.problem:
            return True
        heads = {head.role: head.source_name for head in (self.policy, self.value) if head}

        def ask(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
            answers = evaluate(self.graph, split_inputs(boards, self.graph.input_shapes), np.float32)
            return {role: answers[name] for role, name in heads.items()}

        try:
            named = (one for one in self.readings if NO_PLANE not in one.encoding.planes)
            boards = boards_within(GLANCE, multiply_adds_of(self.graph))
            return measure(named, ask, list(heads), self.measured, boards)
        except UnsupportedLayer as error:
            self.problem = f"the network cannot be run without Keras: {error}"
            return True

    def figures_of(self, choice: Choice) -> Figures | None:
        """The figures of the best reading that has this answer."""
        return best_of(choice.readings, self.measured)

    def figures_of_all(self) -> Figures | None:
        """The figures of the best reading that still fits."""
        return best_of(self.readings, self.measured)

    def example(self, readings: Sequence[Reading]) -> tuple[Reading, NDArray[np.float32]]:
        """The first reading, and the network's input for `example_state` in it."""
        reading = readings[0]
        return reading, encode(example_state(reading), reading.encoding)

    def as_data(self) -> dict[str, Any]:
        """The content of an --encoding file; GameError if it does not describe the network."""
        reading = self.readings[0]
        stated = {name: value for name, value in reading.as_data().items() if name not in ("encoding", "game")}
        data = {"game": reading.game.name, **stated, **reading.encoding.as_data()}
        data = {name: value for name, value in data.items() if value != {} and (name, value) != ("actions", "none")}
        if reading.value_order:
            data["value_order"] = list(reading.value_order)
        from_description(data, self.shapes, self.width)
        return data

    def name(self) -> str | None:
        """The name that --encoding takes instead of the file; None if the reading has no name."""
        reading = self.readings[0]
        for one in hypotheses_of(reading.game, self.shapes, self.width):
            named = one.with_value(reading.encoding.value, reading.value_order)
            if (named.reading.encoding, named.reading.as_data()) == (reading.encoding, reading.as_data()):
                return named.name
        return None

    def _with_planes(self, word: str) -> Iterator[Reading]:
        """The readings with the planes that the user names; GameError if the game lacks one, or if they do not fit."""
        planes = tuple(part.strip() for part in word.split(",") if part.strip())
        game = self.readings[0].game
        fitting = self._fitting.readings_of(game, planes)
        with_planes = [one for one in fitting if all(word_of(one, name) == word for name, word in self.answers.items())]
        if not with_planes:
            encoding = self.readings[0].encoding
            count = int(np.prod(encoding.board_shape)) // int(np.prod(encoding.board))
            raise GameError(f"--{PIECES} names {len(planes)} planes, but the input has {count}: name as many.")
        encode(with_planes[0].start(), with_planes[0].encoding)
        yield from with_planes

    def _choices(self, name: str) -> tuple[Choice, ...]:
        """The answers that the remaining readings allow, in order; empty if all readings agree."""
        if name in (VALUE_OF, VALUE_ORDER) and self.value is None:
            return ()
        if name == VALUE_ORDER and self.value is not None and self.value.width != len(ORDER):
            return ()
        by_word: dict[str, list[Reading]] = {}
        for reading in self.readings:
            by_word.setdefault(word_of(reading, name), []).append(reading)
        return tuple(Choice(word, say(readings[0], name), tuple(readings)) for word, readings in by_word.items())


def _listed(choices: Sequence[Choice], most: int = 12) -> str:
    """The words of some answers, joined for a sentence."""
    words = [choice.word for choice in choices]
    shown = words[:most] + ([f"... ({len(words)} in all)"] if len(words) > most else [])
    return " or ".join(shown)
