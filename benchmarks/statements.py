"""Whether azx ever says as a fact how a network reads its board, or what an output is, and it is not so.

    python benchmarks/statements.py [shipped | planted | untrained | outputs]...

Networks whose reading and outputs are known are shown to azx as a stranger's: by their shapes, names and answers alone.

shipped    the networks that azx ships: in the known orders of the same planes, turned over, and in unknown orders
planted    a stand-in (tests/support/stand_ins.py) for each shape of the catalogue, in a reading drawn from those that
           azx knows for an input of its board; and two in the planes of the reference network
untrained  random weights in the same shapes
outputs    networks whose outputs are other things than a value and a policy, or have names that say little

`fact` is a reading that is shown, `alike` one that is taken, or named beside the one that is, where the network plays
alike in several. `assumed` ones are said to be the usual ones, as the answers show none; of `not known` none is taken.
A fact that is not so is WRONG. Ends with 1 if one is, or if fewer than 85 % of the trained networks are found.
"""

from __future__ import annotations

import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from azx.bundle.case.cost import multiply_adds_of
from azx.errors import GameError, Undecided
from azx.export.checkpoint.head import OTHER, POLICY, VALUE, Head
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.export.statements.outputs import assign_roles
from azx.games.encoding import Encoding
from azx.games.game import Game, Reading, Shape
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import Hypothesis, hypotheses
from azx.games.known.recognition import by_name, candidates, read_as, recognise
from azx.games.value import ORDER
from azx.statement import Degree
from azx.validate.reading.budget import ANY, WHOLE, boards_within
from azx.validate.reading.probe import detect_encoding
from azx.validate.witness.evaluate import evaluate

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))

from stand_ins import Network, stand_in, untrained

PARTS = ("shipped", "planted", "untrained", "outputs")
KINDS = ("fact", "alike", "assumed", "assumed, another", "not known", "WRONG")
FOUND, LEAST_FOUND = ("fact", "alike"), 0.85
# How many unknown orders of planes are planted in each network that has more than two of them.
STRANGE = 3
# No position of Dots and Boxes shows how it is read: of its one known reading there is the shipped network.
UNPLAYED = ("dots_and_boxes",)
SHIPPED = {"dots_and_boxes": 25, "tictactoe": 9, "connect4": 42, "reversi": 65, "hex": 49, "gomoku": 225, "go": 82}


@dataclass(frozen=True)
class Planted:
    """A network, and what was planted in it: `truth` is None for an order that azx has no name for, or no reading."""

    title: str
    game: Game
    shape: tuple[int, ...]
    widths: Mapping[str, int]
    network: Network
    truth: Reading | None
    layout: str | None = None
    boards: int = ANY


def main() -> None:
    """A line for each network, the table in Markdown, and the exit status."""
    chosen = sys.argv[1:] or PARTS
    counts: dict[str, Counter[str]] = {part: Counter() for part in chosen}
    for part in chosen:
        for one in _OF_PART[part]() if part != "outputs" else ():
            began = time.process_time()
            verdict, words = judge(one)
            row = f"{part}, unknown order" if part in ("shipped", "planted") and one.truth is None else part
            counts.setdefault(row, Counter())[verdict] += 1
            took = time.process_time() - began
            print(f"{part:9} {one.game.name:14} {one.title:70} {verdict:16} {words} ({took:.1f} s)", flush=True)
        if part == "outputs":
            for title, verdict, words in judge_outputs():
                counts[part][verdict] += 1
                print(f"{part:9} {title:85} {verdict:16} {words}", flush=True)
    summarise(counts)


def summarise(counts: Mapping[str, Counter[str]]) -> None:
    """The table, and the exit status."""
    print(f"\n| networks | | {' | '.join(KINDS)} |\n|---|{'---|' * (len(KINDS) + 1)}")
    for row, of in counts.items():
        print(f"| {row} | {of.total()} | {' | '.join(str(of[kind]) for kind in KINDS)} |")
    trained = [of for row, of in counts.items() if row in ("shipped", "planted")]
    right, every = sum(of[kind] for of in trained for kind in FOUND), sum(of.total() for of in trained)
    wrong = sum(of["WRONG"] for of in counts.values())
    print(f"\n{wrong} wrong as fact; {right} of {every} trained networks of known readings found", end="")
    print(f" ({right / every:.0%})" if every else "")
    raise SystemExit(1 if wrong or right < LEAST_FOUND * every else 0)


def judge(one: Planted) -> tuple[str, str]:
    """The verdict, and what is said: by the shapes alone, else with the game's name as its user says it."""
    reading, words = _tell(one)
    if reading is None or reading.statement is None:
        return "not known", words
    mine, named = _key(reading, one.truth), [reading, *(reading.rivals or {}).values()]
    is_true = one.truth is not None and mine == _key(one.truth, one.truth)
    words = f"{reading.statement.line} {', '.join(reading.encoding.planes[:3])}"
    if reading.statement.degree is Degree.SHOWN:
        return ("fact" if is_true else "WRONG"), words
    shows_none = "show" in reading.statement.sentence.split("Otherwise")[0] and not reading.shows
    if shows_none or one.truth is None:
        return ("assumed" if is_true else "assumed, another"), words
    is_named = any(_key(each, one.truth) == _key(one.truth, one.truth) for each in named)
    return ("alike" if is_named else "assumed, another"), words


def _tell(one: Planted) -> tuple[Reading | None, str]:
    width, shapes = one.widths.get(POLICY), [one.shape]
    recognised = recognise(shapes, width, one.layout)
    tries = [(recognised, True)] if recognised else [(each, False) for each in candidates(shapes, width, one.layout)]
    words = ""
    if recognised is None:
        try:
            tries.append((read_as(one.game, shapes, width, one.layout), True))
        except GameError as error:
            words = str(error)
    for reading, assume in tries:
        try:
            return detect_encoding(reading, one.network, one.widths, one.boards, assume=assume), ""
        except Undecided as undecided:
            words = undecided.figures or str(undecided)
    return None, words


def _key(reading: Reading, truth: Reading | None) -> tuple[object, ...]:
    """What of a reading is true or not; whose value it is, where that is said."""
    encoding, numbering = reading.encoding, reading.numbering
    whose = encoding.value if encoding.value != "unknown" or truth is None else truth.encoding.value
    order = reading.value_order if encoding.value != "unknown" or truth is None else truth.value_order
    indices = tuple(map(int, reading.indices_by_turn[0])) if numbering else ()
    return reading.game.name, replace(encoding, value=whose), indices, order


def _shipped() -> Iterator[Planted]:
    """Each network as it is, in every other known reading of the same planes, and in unknown orders."""
    for name, width in SHIPPED.items():
        graph = read_checkpoint(find_checkpoint(name))
        names = [head.source_name for head in graph.outputs]
        heads = {role: f"{role}_head" for role in (VALUE, POLICY) if f"{role}_head" in names}
        shape, widths = graph.inputs[0].shape, {role: {VALUE: 1, POLICY: width}[role] for role in heads}
        usual = read_as(by_name(name), [shape], width, "channels_last")

        def ask(boards: NDArray[np.float32], graph: Any = graph, heads: Any = heads) -> dict[str, NDArray[Any]]:
            answers = evaluate(graph, {graph.inputs[0].name: boards}, np.float32)
            return {role: answers[head] for role, head in heads.items()}

        boards = boards_within(WHOLE, multiply_adds_of(graph))
        known = [one.reading for one in hypotheses(usual.game, usual.encoding.shape, width)]
        for title, planted, truth in _exchanged(usual, known, ask):
            yield Planted(title, usual.game, shape, widths, planted, truth, usual.encoding.layout, boards)


def _exchanged(usual: Reading, known: Sequence[Reading], ask: Network) -> Iterator[tuple[str, Network, Reading | None]]:
    """A network that reads the `usual` planes, in their other known orders, and in unknown ones."""
    planes = usual.encoding.planes
    same = [one for one in known if sorted(one.encoding.planes) == sorted(planes)]
    for one in same if len(planes) > 1 else [usual]:
        if one.encoding.layout == usual.encoding.layout and _is_plain(one):
            order = [one.encoding.planes.index(plane) for plane in planes]
            title = f"{', '.join(one.encoding.planes)}{' flipped' if one.encoding.flip else ''}"
            yield title[:70], _exchange(ask, usual.encoding, order, one.encoding.flip), one
    listed, rng = [one.encoding.planes for one in same], np.random.default_rng(11)
    for _ in range(STRANGE if len(planes) > 2 else 0):
        order = list(map(int, rng.permutation(len(planes))))
        if tuple(planes[order.index(at)] for at in range(len(planes))) not in listed:
            yield f"unknown order {order}", _exchange(ask, usual.encoding, order, flip=False), None


def _is_plain(one: Reading) -> bool:
    """Whether its moves are numbered as usual: of a board that lies otherwise only the input is turned over."""
    return not one.encoding.transpose and (not one.encoding.flip or one.actions != "listed")


def _exchange(ask: Network, usual: Encoding, order: list[int], flip: bool) -> Network:
    """The network that finds each of its planes where `order` has it, and the rows bottom first if `flip`."""
    axis = 1 if usual.layout == "channels_first" else -1

    def answer(boards: NDArray[np.float32]) -> Mapping[str, NDArray[Any]]:
        if len(order) > 1:
            boards = np.take(boards, order, axis=axis)
        if flip:
            boards = np.flip(boards, axis=2 if axis == 1 else 1)
        answers: Mapping[str, NDArray[Any]] = ask(np.ascontiguousarray(boards))
        return answers

    return answer


def _forms(board: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The shapes in which networks take a board: one to three planes, stacked or as a vector."""
    rows, columns = board
    cells = rows * columns
    stacked = [(*board, count) for count in (1, 2, 3)] + [(count, *board) for count in (2, 3)]
    return ((cells,), (2 * cells,), (3 * cells,), board, (columns, rows), *stacked)


def _drawn(game: Game, shape: Shape, seed: int) -> Hypothesis | None:
    """A reading that azx knows, of an input drawn from those that a network of this board may have."""
    rng = np.random.default_rng(seed)
    forms = _forms(shape.encodings[0].board) if game.is_probed else ()
    for form in [forms[at] for at in rng.permutation(len(forms))] or [shape.encodings[0].shape]:
        numbering = shape.numberings[int(rng.integers(len(shape.numberings)))]
        every = hypotheses(game, form, numbering.width)
        # A vector of as many numbers as two boards have says neither of them.
        boards = {one.reading.encoding.board for one in every}
        known = [one for one in every if len(set(one.reading.encoding.planes)) == len(one.reading.encoding.planes)]
        if known and boards == {shape.encodings[0].board}:
            return _with_value(known[int(rng.integers(len(known)))], rng)
    return None


def _with_value(one: Hypothesis, rng: np.random.Generator) -> Hypothesis:
    """With whose value networks of these colours answer, and now and then three classes of some order."""
    absolute = any("player0" in plane or "player1" in plane for plane in one.reading.encoding.planes[:2])
    absolute &= not one.reading.game.frontiers
    order = tuple(ORDER[at] for at in rng.permutation(3)) if rng.integers(6) == 0 else None
    return one.with_value("player0" if absolute else "mover", None if one.reading.game.frontiers else order)


def _stand_ins() -> Iterator[Planted]:
    """A stand-in for each shape of the catalogue, and for the reference planes of some, in known and unknown orders."""
    for game, shape in [(one, each) for one in GAMES.values() for each in one.shapes]:
        seed = zlib.crc32(f"{game.name} {dict(shape.settings)}".encode())
        if game.name not in UNPLAYED and (one := _drawn(game, shape, seed)):
            yield _planted(one, seed)
    for name, columns in (("gomoku", 15), ("gomoku", 9), ("hex", 7), ("reversi", 8)):
        game = by_name(name)
        shape = next(each for each in game.shapes if each.encodings[0].board[0] == columns)
        for encoding in (each for each in shape.encodings[:2] if each.layout in ("channels_first", "channels_last")):
            width = shape.numberings[0].width
            usual = Reading(game, encoding, shape.numberings[0], shape.settings)
            known = [one for one in hypotheses(game, encoding.shape, width) if one.reading.encoding != encoding]
            rng = np.random.default_rng(columns)
            for one in [known[at] for at in rng.permutation(len(known))[:2]] if len(known) > 1 else []:
                yield _planted(one, columns)
            for title, network, truth in _exchanged(usual, [], stand_in(usual, 1, columns)):
                widths = {POLICY: width, VALUE: 1}
                yield Planted(title, game, encoding.shape, widths, network, truth, encoding.layout)


def _planted(one: Hypothesis, seed: int) -> Planted:
    reading = one.reading
    width = reading.numbering.width if reading.numbering else 0
    value = len(ORDER) if reading.value_order else 1
    widths = {POLICY: width, VALUE: value}
    layout = reading.encoding.layout if reading.encoding.layout.startswith("channels") else None
    title = f"{one.name} {'x'.join(map(str, reading.encoding.shape))}"
    network = stand_in(reading, value, seed)
    return Planted(title[:70], reading.game, reading.encoding.shape, widths, network, reading, layout)


def _untrained() -> Iterator[Planted]:
    """Random weights in the shapes of the stand-ins."""
    for number, one in enumerate(_stand_ins()):
        if one.truth is not None:
            network = untrained(int(np.prod(one.shape)), one.widths, number)
            yield replace(one, network=network, truth=None, title="x".join(map(str, one.shape)))


def judge_outputs() -> Iterator[tuple[str, str, str]]:
    """Networks of Connect4 with outputs of many kinds: title, verdict, and what is said of them."""
    game = by_name("connect4")
    for seed in range(30):
        rng = np.random.default_rng(seed)
        known = hypotheses(game, (6, 7, 2), 7)
        one = known[int(rng.integers(len(known)))]
        heads, truth, network = _heads_of(one.reading, seed, rng)
        assigned = assign_roles(heads, [(6, 7, 2)])
        names = {head.role: head.source_name for head in assigned if head.role != OTHER}
        widths = {head.role: head.width for head in assigned if head.role != OTHER}
        policy = widths.get(POLICY)

        def ask(boards: NDArray[np.float32], network: Any = network, names: Any = names) -> dict[str, NDArray[Any]]:
            answers = network(boards)
            return {role: answers[name] for role, name in names.items()}

        measured = None
        if policy in (7, 42):
            reading = recognise([(6, 7, 2)], policy)
            try:
                measured = detect_encoding(reading, ask, widths) if reading else None
            except Undecided:
                measured = None
        shows = measured.shows if measured else frozenset()
        facts = {
            head.source_name: head.role
            for head in assigned
            if head.role != OTHER and (head.degree is Degree.CERTAIN or head.role in shows)
        }
        wrong = {name: role for name, role in facts.items() if truth[name] != role}
        is_shown = measured is not None and measured.statement is not None and measured.statement.degree is Degree.SHOWN
        if is_shown and measured and _key(measured, one.reading)[1] != _key(one.reading, one.reading)[1]:
            wrong["board"] = ", ".join(measured.encoding.planes)
        right = [name for name, role in truth.items() if role != OTHER]
        verdict = "WRONG" if wrong else "fact" if right and all(name in facts for name in right) else "not known"
        words = "; ".join(f"{head.source_name} {head.role} ({head.degree})" for head in assigned)
        yield f"{', '.join(f'{name} {truth[name]}' for name in truth)}", verdict, f"{words} {wrong or ''}"


def _heads_of(reading: Reading, seed: int, rng: np.random.Generator) -> tuple[list[Head], dict[str, str], Network]:
    """Some outputs in some order: the heads, what each is, and the network that answers with them."""
    playing, noise = (
        stand_in(reading, 1, seed),
        untrained(84, {"style": 3, "chances": 2, "owner": 42, "reply": 7}, seed),
    )
    kinds = {"value": 1, "policy": 7, "left": 1, "style": 3, "chances": 2, "owner": 42, "reply": 7}
    every = list(kinds)
    chosen = [every[at] for at in rng.permutation(len(every))[: int(rng.integers(1, 5))]]
    words = {"value": "v", "policy": "pi", "left": "moves_left", "style": "style", "owner": "ownership"}
    has_names = bool(rng.integers(2))
    named = {kind: words.get(kind, f"dense_{at}") if has_names else f"dense_{at}" for at, kind in enumerate(chosen)}
    activations = {"value": "tanh", "policy": "softmax", "left": "linear", "style": "softmax", "chances": "sigmoid"}
    heads = [Head(named[kind], (kinds[kind],), activations.get(kind, "linear")) for kind in chosen]
    truth = {named[kind]: kind if kind in (VALUE, POLICY) else OTHER for kind in chosen}

    def answer(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        answers = {**playing(boards), **noise(boards)}
        answers["left"] = 42 - boards.reshape(len(boards), -1).sum(axis=1, keepdims=True)
        return {named[kind]: answers[kind] for kind in chosen}

    return heads, truth, answer


_OF_PART = {"shipped": _shipped, "planted": _stand_ins, "untrained": _untrained}


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
