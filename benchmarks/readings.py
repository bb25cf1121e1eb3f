"""How often azx tells how a network reads its board, and whether it is ever wrong: small networks of planted readings.

    python benchmarks/readings.py [--half calibration|confirmation|both]

Each is trained for seconds in NumPy on positions of tic-tac-toe, Connect4 or small Gomoku, in one planted reading:
signs and codes, absolute colours, a plane or an input of who moves, one-hot, vectors by row and by column, row 0 on top
or not, six orders of three classes, Q-values, a value alone. As many are not trained. What the probe says is held to
what was planted. Trained networks are kept in build/readings. The floors of `validate/reading/decision.py` were set on
the calibration half; the confirmation half has other seeds.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from azx.export.checkpoint.head import POLICY, VALUE
from azx.games.encoding import Encoding, encode
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import Hypothesis, hypotheses_of
from azx.games.random_play import below, generator, random_action
from azx.games.state import State
from azx.games.tactics import list_wins
from azx.games.value import ORDER
from azx.validate.reading.probe import ProbeResult, probe

PLACE = Path(__file__).parents[1] / "build" / "readings"
SEEDS = {"calibration": 100, "confirmation": 200}
HIDDEN, BATCH, RATE = 96, 256, 3e-3
# A network of a larger board learns longer.
STEPS = {"tictactoe": 900, "connect4": 900, "gomoku": 2700}
# Positions that networks learn from.
POSITIONS = {"tictactoe": 5000, "connect4": 5000, "gomoku": 3000}
Floats = NDArray[np.float32]
Slopes = Callable[[NDArray[np.int64], Floats, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Planted:
    """One network: its game and settings, its reading by name, what it answers with."""

    game: str
    settings: tuple[tuple[str, int], ...]
    shape: tuple[int, ...]
    width: int | None
    reading: str
    value: str | None = None
    order: tuple[str, ...] | None = None
    kind: str = "policy"
    beside: int = 0

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The inputs': the board's and, if it is read, the one of `beside` numbers that say who moves."""
        return [self.shape, *([(self.beside,)] if self.beside else [])]

    @property
    def title(self) -> str:
        """The reading and what it answers with."""
        return f"{self.reading} {self.kind} {self.value or ''} {'-'.join(self.order or ())}".strip()


def _owner(name: str) -> str:
    """Whose value networks of this reading answer with: absolute colours go with an absolute value."""
    return "player0" if "player0" in name else "mover"


def planted() -> Iterator[Planted]:  # noqa: C901  (a list)
    """The readings of one half."""
    ttt = ("tictactoe", ())
    for name in ("signed", "signed-player0", "signed-opponent", "codes-mover", "codes-opponent", "codes-player0"):
        yield Planted(*ttt, (9,), 9, f"tictactoe-{name}", _owner(name), None, "both")
    for name in ("signed", "codes-player1"):
        yield Planted(*ttt, (3, 3, 1), 9, f"tictactoe-{name}")
    for name in ("mover-opponent", "opponent-mover", "player0-player1", "signed-player0-turn-player0"):
        yield Planted(*ttt, (3, 3, 2), 9, f"tictactoe-{name}", _owner(name), None, "both")
    for name in ("empty-mover-opponent-by-cell", "empty-player0-player1-by-cell", "mover-opponent-empty"):
        yield Planted(*ttt, (27,), 9, f"tictactoe-{name}")
    yield Planted(*ttt, (9,), 9, "tictactoe-signed-player1")
    for name in ("mover-opponent-player0-to-move", "player0-player1-turn-player0"):
        yield Planted(*ttt, (3, 3, 3), 9, f"tictactoe-{name}", _owner(name), None, "both")
    for number, order in enumerate(permutations(ORDER)):
        yield Planted(*ttt, (9,), 9, "tictactoe-signed", ("mover", "player0")[number % 2], order, "both")
    yield Planted(*ttt, (9,), 9, "tictactoe-signed", None, None, "q")
    yield Planted(*ttt, (9,), 9, "tictactoe-signed-player0", None, None, "q")
    for name, whose in (("signed", "mover"), ("signed-player0", "player0"), ("signed", "opponent")):
        yield Planted(*ttt, (9,), None, f"tictactoe-{name}", whose, None, "value")
    c4 = ("connect4", ())
    for name in ("signed", "signed-by-column", "signed-bottom-first", "codes-mover", "signed-opponent"):
        yield Planted(*c4, (42,), 7, f"connect4-{name}")
    for name in ("signed", "codes-player0-bottom-first"):
        yield Planted(*c4, (6, 7), 7, f"connect4-{name}", _owner(name), None, "both")
    for name in ("mover-opponent", "mover-opponent-bottom-first", "opponent-mover", "player0-player1"):
        yield Planted(*c4, (2, 6, 7), 7, f"connect4-{name}", _owner(name), None, "both")
    yield Planted(*c4, (6, 7, 2), 42, "connect4-mover-opponent", "player0", None, "both")
    yield Planted(*c4, (6, 7, 2), 42, "connect4-mover-opponent-bottom-first")
    yield Planted(*c4, (7, 6, 1), 7, "connect4-signed-by-column")
    yield Planted(*c4, (42,), 42, "connect4-signed")
    yield Planted(*c4, (42,), 7, "connect4-signed", None, None, "q")
    yield Planted(*c4, (42,), 7, "connect4-signed-player0", None, None, "q")
    for name, whose in (("signed", "mover"), ("signed-bottom-first", "opponent")):
        yield Planted(*c4, (42,), None, f"connect4-{name}", whose, None, "value")
    for name in ("codes-opponent", "signed-player0-by-column"):
        yield Planted(*c4, (42,), 7, f"connect4-{name}", _owner(name), None, "both")
    for name in ("player0-player1-player0-to-move", "mover-opponent-turn-player0-bottom-first"):
        yield Planted(*c4, (3, 6, 7), 7, f"connect4-{name}", _owner(name), None, "both")
    yield Planted(*c4, (2, 6, 7), 7, "connect4-player0-player1-bottom-first", "player0", None, "both")
    yield Planted(*c4, (7, 6, 2), 7, "connect4-mover-opponent-by-column", "mover", None, "both")
    for order in (ORDER, ORDER[::-1]):
        yield Planted(*c4, (2, 6, 7), 7, "connect4-mover-opponent", "mover", order, "both")
    small = ("gomoku", (("size", 7),))
    yield Planted(*small, (7, 7), 49, "gomoku-signed", "mover", None, "both")
    yield Planted(*small, (7, 7), 49, "gomoku-signed-player0", "player0", None, "both")
    yield Planted(*small, (7, 7, 2), 49, "gomoku-mover-opponent")
    yield Planted(*small, (7, 7, 2), 49, "gomoku-player0-player1", "player0", None, "both")
    yield Planted(*small, (7, 7, 3), 49, "gomoku-mover-opponent-player0-to-move")
    beside = "beside-player0-to-move-player1-to-move"
    yield Planted(*ttt, (9,), 9, "tictactoe-signed-player0-beside-turn-player0", "player0", None, "both", 1)
    yield Planted(*ttt, (3, 3, 2), 9, f"tictactoe-player0-player1-{beside}", "mover", None, "both", 2)
    yield Planted(*ttt, (3, 3), 9, "tictactoe-codes-player0-beside-player1-to-move", None, None, "policy", 9)
    yield Planted(*ttt, (9,), 9, "tictactoe-signed-beside-turn-player0", "player0", None, "both", 1)
    yield Planted(*c4, (6, 7), 7, "connect4-signed-player0-beside-player0-to-move", "player0", None, "both", 1)
    yield Planted(*c4, (6, 7, 2), 7, f"connect4-player0-player1-bottom-first-{beside}", "player0", None, "both", 2)


@dataclass(frozen=True)
class Lesson:
    """Positions to learn from: the best moves (n, actions), and the result for the mover (n,) in -1, 0, 1."""

    states: list[State]
    moves: Floats
    results: Floats


def learn_lesson(game: str, settings: tuple[tuple[str, int], ...]) -> Lesson:
    """The lesson of a board, kept once it was drawn."""
    path = PLACE / f"lesson-{game}-{'-'.join(str(value) for _, value in settings)}.pickle"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(_draw_lesson(game, settings)))
    lesson: Lesson = pickle.loads(path.read_bytes())  # noqa: S301  (this program wrote it)
    return lesson


def _draw_lesson(game: str, settings: tuple[tuple[str, int], ...]) -> Lesson:
    rng, start = generator(11), GAMES[game].begin(dict(settings))
    states: list[State] = []
    best = _solver() if game == "tictactoe" else None
    drawn = set()
    while len(states) < POSITIONS[game]:
        state = start
        plies = 0
        while not state.is_terminal:
            board = encode_key(state)
            if board not in drawn and (plies > 3 or game == "tictactoe"):
                drawn.add(board)
                states.append(state)
            state, plies = (
                state.apply(random_action(state, rng) if rng.random() < 0.6 else _sensible(state, rng)),
                plies + 1,
            )
        if game == "tictactoe" and len(drawn) >= 4000:
            break
    rows = [best(state) if best else _by_tactics(state, rng) for state in states]
    return Lesson(
        states, np.array([row[0] for row in rows], np.float32), np.array([row[1] for row in rows], np.float32)
    )


def encode_key(state: State) -> bytes:
    """What lies on the board, as bytes."""
    return bytes(state.plane("mover").tobytes() + state.plane("opponent").tobytes())


def _solver() -> Callable[[State], tuple[Floats, float]]:
    known: dict[bytes, float] = {}

    def value(state: State) -> float:
        """For the mover; a win is worth more the sooner it is."""
        if state.is_terminal:
            return state.returns() * (1 - 2 * state.to_move) * 0.99
        key = encode_key(state)
        if key not in known:
            known[key] = max(-value(state.apply(action)) for action in state.legal_actions()) * 0.99
        return known[key]

    def answer(state: State) -> tuple[Floats, float]:
        values = {action: -value(state.apply(action)) for action in state.legal_actions()}
        most = max(values.values())
        moves = np.zeros(state.actions, np.float32)
        for action, number in values.items():
            moves[action] = number == most
        return moves / moves.sum(), float(np.sign(most))

    return answer


def _safe(state: State) -> list[int]:
    return [action for action in state.legal_actions() if not list_wins(state.apply(action))]


def _sensible(state: State, rng: Any) -> int:
    moves = list_wins(state) or _safe(state) or list(state.legal_actions())
    return moves[below(rng, len(moves))]


def _by_tactics(state: State, rng: Any) -> tuple[Floats, float]:
    """A win, else what does not lose at once; the result of a sensible game from here on."""
    wins = list_wins(state)
    best = wins or _safe(state) or list(state.legal_actions())
    moves = np.zeros(state.actions, np.float32)
    moves[best] = 1 / len(best)
    if wins:
        return moves, 1.0
    if not _safe(state):
        return moves, -1.0
    end = state
    for _ in range(12):
        if end.is_terminal:
            break
        end = end.apply(_sensible(end, rng))
    return moves, float(end.returns() * (1 - 2 * state.to_move)) if end.is_terminal else 0.0


class Net:
    """A dense network: fixed features of the board, a hidden layer and the heads, which are trained."""

    def __init__(
        self, numbers: int, policy: int, value: int, features: Sequence[tuple[Floats, Floats]], seed: int
    ) -> None:
        rng = np.random.default_rng(seed)
        self.features = features
        units = self._see(np.zeros((1, numbers), np.float32)).shape[1]
        self.weights = [
            rng.normal(0, np.sqrt(2 / units), (units, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0, 0.05, (units + HIDDEN, policy)).astype(np.float32),
            np.zeros(policy, np.float32),
            rng.normal(0, 0.05, (units + HIDDEN, value)).astype(np.float32),
            np.zeros(value, np.float32),
        ]

    def _see(self, boards: Floats) -> Floats:
        x = hinges(boards)
        levels = [x]
        for kernel, bias in self.features:
            x = np.maximum(x @ kernel + bias, 0)
            levels.append(x)
        # The lines' own units are many, and the cells that they add up to say it all.
        return np.concatenate(levels[:1] + levels[2:], axis=1)

    def forward(self, boards: Floats) -> tuple[Floats, Floats, Floats]:
        """All that the heads see; the policy and the value, both linear."""
        return self._answer(self._see(boards))

    def _answer(self, a: Floats) -> tuple[Floats, Floats, Floats]:
        w = self.weights
        c = np.concatenate([a, np.maximum(a @ w[0] + w[1], 0)], axis=1)
        return c, c @ w[2] + w[3], c @ w[4] + w[5]

    def train(self, boards: Floats, sharp: NDArray[np.int64], slopes: Slopes, steps: int, seed: int) -> None:
        """Train by Adam, half on `sharp` rows; `slopes` gives the loss' slopes by the two outputs for some rows."""
        rng = np.random.default_rng(seed)
        every = self._see(boards)
        first = [np.zeros_like(each) for each in self.weights]
        second = [np.zeros_like(each) for each in self.weights]
        for step in range(1, steps + 1):
            rows = np.concatenate([rng.integers(len(boards), size=BATCH // 2), rng.choice(sharp, BATCH // 2)])
            a = every[rows]
            c, policy, value = self._answer(a)
            dp, dv = slopes(rows, policy, value)
            hidden = c[:, a.shape[1] :]
            db = (dp @ self.weights[2].T + dv @ self.weights[4].T)[:, a.shape[1] :] * (hidden > 0)
            rate = RATE * (1 - 0.9 * step / steps)
            for at, grad in enumerate([a.T @ db, db.sum(0), c.T @ dp, dp.sum(0), c.T @ dv, dv.sum(0)]):
                first[at] += 0.1 * (grad / BATCH - first[at])
                second[at] += 0.01 * ((grad / BATCH) ** 2 - second[at])
                scale = rate * np.sqrt(1 - 0.99**step) / (1 - 0.9**step)
                self.weights[at] -= scale * first[at] / (np.sqrt(second[at]) + 1e-8)


def hinges(boards: Floats) -> Floats:
    """Each number's sign and code, float32 (n, 3 numbers and one)."""
    x = boards.reshape(len(boards), -1)
    parts = [np.maximum(x, 0), np.maximum(-x, 0), np.maximum(x - 1, 0), np.ones((len(x), 1), np.float32)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def line_features(one: Planted, truth: Hypothesis, lesson: Lesson, seed: int) -> list[tuple[Floats, Floats]]:
    """Layers that see each line that lacks one piece, then each cell where a player completes one, by whose turn it is.

    They are as exact as the network's input allows: pieces and turn are read from it by least squares.
    """
    encoding = truth.reading.encoding
    some = lesson.states[:: max(1, len(lesson.states) // 1500)]
    inputs = hinges(np.stack([encode(state, encoding) for state in some]))
    absolute = any("player" in plane for plane in encoding.planes[:2]) and "mover" not in encoding.planes
    players = ("player0", "player1") if absolute else ("mover", "opponent")
    board = encoding.board
    planes = [np.stack([encode(state, Encoding("flat", board, (who,))) for state in some]) for who in players]
    turn = np.array([[state.to_move] for state in some], np.float32)
    pieces = [np.linalg.lstsq(inputs, plane, rcond=1e-4)[0] for plane in planes]
    turns = np.linalg.lstsq(inputs, turn, rcond=1e-4)[0]
    kernels, biases, places = [], [], []
    cells = int(np.prod(board))
    for line in lines_of(one.game, board):
        for missing in line:
            below = missing + board[1] if truth.reading.game.upright and missing + board[1] < cells else None
            for who in (0, 1):
                kernel = sum(pieces[who][:, at] for at in line if at != missing)
                kernel = kernel - 4 * (pieces[0][:, missing] + pieces[1][:, missing])
                if below is not None:
                    kernel = kernel + pieces[0][:, below] + pieces[1][:, below]
                kernels.append(kernel)
                biases.append(-(len(line) - 2) - (below is not None))
                places.append((who, missing))
    sides = (0, 1) if absolute else (None,)
    units = 2 * cells * len(sides)
    gather = np.zeros((len(kernels), units), np.float32)
    for unit, (who, missing) in enumerate(places):
        for number in range(len(sides)):
            gather[unit, (number * 2 + who) * cells + missing] = 1
    first = np.stack(kernels, axis=1)
    # No two networks see the lines alike.
    first = first * np.random.default_rng(seed).normal(1, 0.05, first.shape)
    if not absolute:
        return [(first.astype(np.float32), np.array(biases, np.float32)), (gather, np.zeros(units, np.float32))]
    # A last unit of the first layer carries the turn, and shuts the cells of the other player's turn.
    first = np.concatenate([first, turns], axis=1)
    gate = np.concatenate([np.full(2 * cells, -9.0), np.full(2 * cells, 9.0)])[None]
    bias = np.concatenate([np.zeros(2 * cells), np.full(2 * cells, -9.0)])
    return [
        (first.astype(np.float32), np.array([*biases, 0], np.float32)),
        (np.concatenate([gather, gate]).astype(np.float32), bias.astype(np.float32)),
    ]


def softmax(rows: Floats) -> Floats:
    """Probabilities of each row."""
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def truth_of(one: Planted) -> Hypothesis:
    """The planted reading."""
    every = hypotheses_of(GAMES[one.game], one.shapes, one.width)
    return next(each for each in every if each.name == one.reading)


def lines_of(game: str, board: Sequence[int]) -> list[list[int]]:
    """The cells of each line that wins."""
    rows, columns = board
    length = {"tictactoe": 3, "connect4": 4, "gomoku": 5}[game]
    lines = []
    for row, column in product(range(rows), range(columns)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            ends = (row + (length - 1) * down, column + (length - 1) * right)
            if ends[0] < rows and 0 <= ends[1] < columns:
                lines.append([(row + step * down) * columns + column + step * right for step in range(length)])
    return lines


def make(one: Planted, seed: int, *, trained: bool) -> Callable[[Floats], dict[str, Floats]]:
    """The network as the probe asks it."""
    truth = truth_of(one)
    policy = one.width or 0
    value = 0 if one.kind in ("policy", "q") else 3 if one.order else 1
    numbers = int(np.prod(one.shape)) + one.beside
    features = line_features(one, truth, learn_lesson(one.game, one.settings), seed) if trained else []
    if not trained:
        rng = np.random.default_rng(seed)
        wide = 3 * numbers + 1
        features = [
            (rng.normal(0, 0.3, (wide, units)).astype(np.float32), np.zeros(units, np.float32)) for units in (96,)
        ]
        features.append((rng.normal(0, 0.3, (96, 96)).astype(np.float32), np.zeros(96, np.float32)))
    net = Net(numbers, policy, value, features, seed)
    if trained:
        _teach(net, one, truth, seed)

    def ask(boards: Floats) -> dict[str, Floats]:
        _, moves, values = net.forward(np.asarray(boards, np.float32))
        answers = {}
        if policy:
            answers[POLICY] = softmax(moves) if one.kind == "both" else moves
        if value:
            answers[VALUE] = softmax(values) if value == 3 else np.tanh(values)
        return answers

    return ask


def _teach(net: Net, one: Planted, truth: Hypothesis, seed: int) -> None:  # noqa: C901
    path = PLACE / f"{one.title.replace(' ', '_')}-{'x'.join(map(str, one.shape))}-{one.width}-{seed}.npz"
    if path.exists():
        with np.load(path) as stored:
            net.weights = [stored[name] for name in stored.files]
        return
    lesson = learn_lesson(one.game, one.settings)
    reading = truth.reading
    boards = np.stack([encode(state, reading.encoding) for state in lesson.states])
    moves = np.zeros((len(boards), one.width or 0), np.float32)
    legal = np.zeros_like(moves)
    if reading.numbering:
        for row, state in enumerate(lesson.states):
            for action in state.legal_actions():
                moves[row, reading.numbering.index(action)] += lesson.moves[row, action]
                legal[row, reading.numbering.index(action)] = 1
    sides = np.array([1 - 2 * state.to_move for state in lesson.states], np.float32)
    signs = {"opponent": -np.ones_like(sides), "player0": sides, "player1": -sides}.get(
        one.value or "", np.ones_like(sides)
    )
    results = lesson.results * signs
    classes = np.zeros((len(boards), 3), np.float32)
    if one.order:
        for number, name in ((1, "win"), (0, "draw"), (-1, "loss")):
            classes[results == number, one.order.index(name)] = 1

    def slopes(rows: NDArray[np.int64], policy: Floats, value: Floats) -> tuple[Floats, Floats]:
        if one.kind == "q":
            # Of each move: what it comes to if it is the best, and less for the others.
            target = np.where(moves[rows] > 0, lesson.results[rows, None], -1.0) * legal[rows]
            return ((policy - target) * legal[rows]).astype(np.float32), np.zeros_like(value)
        slope = softmax(policy) - moves[rows] if policy.shape[1] else policy
        if not value.shape[1]:
            return slope, value
        if one.order:
            return slope, softmax(value) - classes[rows]
        answer = np.tanh(value)
        return slope, 2 * (answer - results[rows, None]) * (1 - answer**2)

    # Wins at once are few in games, and any player knows them.
    sharp = np.flatnonzero([bool(list_wins(state)) for state in lesson.states])
    net.train(boards.astype(np.float32), sharp, slopes, STEPS[one.game], seed)
    np.savez(path, *net.weights)


def judge(one: Planted, probed: ProbeResult | None) -> str:
    """found, one that plays alike, not known, or WRONG with what was said."""
    reading = probed.decision.settled if probed else None
    if probed is None or reading is None:
        return "not known"
    said = reading.reading.encoding.value
    if probed.decision.alike:
        named = {each.hypothesis.name for each in probed.decision.standings}
        return "alike" if one.reading in named else f"WRONG: {reading.name} and others"
    if reading.name.split("-value-")[0].removesuffix("-" + "-".join(reading.reading.value_order or ())) != one.reading:
        return f"WRONG: {reading.name}"
    if one.kind in ("policy", "q"):
        return "found"
    if said == "unknown":
        return "found, value not known"
    if (said, reading.reading.value_order) == (one.value, one.order):
        return "found"
    return f"WRONG: {reading.name}"


def widths_of(one: Planted) -> dict[str, int]:
    """What the network has to be asked for."""
    widths = {POLICY: one.width} if one.width else {}
    return widths | ({} if one.kind in ("policy", "q") else {VALUE: 3 if one.order else 1})


def main() -> None:
    """Print the table in Markdown; exit 1 if a statement is wrong or fewer than 85 % are found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=[*SEEDS, "both"], default="both")
    parser.add_argument("--only", default="", help="part of a reading's name")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    halves = list(SEEDS) if chosen.half == "both" else [chosen.half]
    rows: list[dict[str, Any]] = []
    for half in halves:
        for number, one in enumerate(planted()):
            if chosen.only not in one.title:
                continue
            for trained in (True, False):
                began = time.process_time()
                network = make(one, SEEDS[half] + number, trained=trained)
                learnt = time.process_time() - began
                known = hypotheses_of(GAMES[one.game], one.shapes, one.width)
                began = time.process_time()
                probed = probe(known, network, widths_of(one))
                asked = time.process_time() - began
                verdict = judge(one, probed)
                if not trained:
                    verdict = "not known" if verdict == "not known" else f"WRONG: untrained called {verdict}"
                best = probed.decision.standings[0] if probed else None
                figures = (best.hypothesis.name, best.moves, best.values) if best else None
                rows.append(
                    {
                        "half": half,
                        "game": one.game,
                        "title": one.title,
                        "trained": trained,
                        "verdict": verdict,
                        "figures": figures,
                    }
                )
                line = f"{half:12} {'trained' if trained else 'untrained':9} {one.title:60} {verdict:30}"
                print(f"{line} {learnt:5.1f} s, probe {asked:4.1f} s {figures}", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))
    summarise(rows)


def summarise(rows: list[dict[str, Any]]) -> None:
    """The table, and the exit status."""
    kinds = ("found", "alike", "found, value not known", "not known", "WRONG")
    print(f"\n| half | game | networks | {' | '.join(kinds)} | untrained called known |")
    print("|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for half, game in dict.fromkeys((row["half"], row["game"]) for row in rows):
        own = [row for row in rows if (row["half"], row["game"]) == (half, game)]
        taught = Counter("WRONG" if "WRONG" in row["verdict"] else row["verdict"] for row in own if row["trained"])
        untaught = sum("WRONG" in row["verdict"] for row in own if not row["trained"])
        total = sum(taught.values())
        wrong += taught["WRONG"] + untaught
        counts = [total, *(taught[kind] for kind in kinds), untaught]
        print(f"| {half} | {game} | {' | '.join(map(str, counts))} |")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    # Products are small: on a busy machine several threads mostly wait for one another.
    with threadpool_limits(limits=1, user_api="blas"):
        main()
