"""Small networks of tic-tac-toe with planted readings: trained for seconds in NumPy, or not trained at all.

What the probe says of one is held to what was planted: signs and codes, absolute colours, planes, one-hot, three
classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from azx.export.checkpoint.head import POLICY, VALUE
from azx.games.encoding import Encoding, encode
from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import Hypothesis, hypotheses_of
from azx.games.random_play import below, generator, random_action
from azx.games.state import State
from azx.games.tactics import list_wins
from azx.validate.reading.probe import ProbeResult

GAME, BOARD, CELLS = "tictactoe", (3, 3), 9
LINES = ((0, 1, 2), (0, 3, 6), (0, 4, 8), (1, 4, 7), (2, 5, 8), (2, 4, 6), (3, 4, 5), (6, 7, 8))
HIDDEN, BATCH, RATE = 96, 256, 3e-3
# Steps of training that are enough for the readings to be told.
STEPS = 300
# Positions that the networks learn from.
POSITIONS = 4000
Floats = NDArray[np.float32]
Slopes = Callable[[NDArray[np.int64], Floats, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Planted:
    """One network: its seed, its input's shape, its reading by name, whose value it answers with, if any, and how."""

    seed: int
    shape: tuple[int, ...]
    name: str
    value: str | None = None
    order: tuple[str, ...] | None = None

    @property
    def reading(self) -> str:
        """The reading's whole name."""
        return f"{GAME}-{self.name}"

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """All readings that such an input may have."""
        return hypotheses_of(GAMES[GAME], [self.shape], CELLS)

    @property
    def widths(self) -> dict[str, int]:
        """The outputs that the network has."""
        return {POLICY: CELLS} | ({VALUE: 3 if self.order else 1} if self.value else {})


PLANTED = (
    Planted(300, (9,), "signed", "mover"),
    Planted(301, (9,), "signed-player0", "player0"),
    Planted(304, (9,), "codes-opponent", "mover"),
    Planted(308, (3, 3, 2), "mover-opponent", "mover"),
    Planted(312, (27,), "empty-mover-opponent-by-cell"),
    Planted(315, (9,), "signed-player1"),
    Planted(317, (3, 3, 3), "player0-player1-turn-player0", "player0"),
    Planted(321, (9,), "signed", "player0", ("draw", "loss", "win")),
)


@dataclass(frozen=True)
class Lesson:
    """Positions to learn from: the best moves (n, actions), and the result for the mover (n,) in -1, 0, 1."""

    states: list[State]
    moves: Floats
    results: Floats


@cache
def learn_lesson() -> Lesson:
    """Positions of games in which moves are random or sensible, with their best moves."""
    rng, start, best = generator(11), GAMES[GAME].begin(), _solver()
    states: list[State] = []
    drawn = set[bytes]()
    while len(drawn) < POSITIONS:
        state = start
        while not state.is_terminal:
            board = encode_key(state)
            if board not in drawn:
                drawn.add(board)
                states.append(state)
            state = state.apply(random_action(state, rng) if rng.random() < 0.6 else _sensible(state, rng))
    moves, results = zip(*map(best, states), strict=True)
    return Lesson(states, np.array(moves, np.float32), np.array(results, np.float32))


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


def _sensible(state: State, rng: np.random.Generator) -> int:
    safe = [action for action in state.legal_actions() if not list_wins(state.apply(action))]
    moves = list_wins(state) or safe or list(state.legal_actions())
    return moves[below(rng, len(moves))]


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


def line_features(truth: Hypothesis, lesson: Lesson, seed: int) -> list[tuple[Floats, Floats]]:
    """Layers that see each line that lacks one piece, then each cell where a player completes one, by whose turn it is.

    They are as exact as the network's input allows: pieces and turn are read from it by least squares.
    """
    encoding = truth.reading.encoding
    some = lesson.states[:: max(1, len(lesson.states) // 1500)]
    inputs = hinges(np.stack([encode(state, encoding) for state in some]))
    absolute = any("player" in plane for plane in encoding.planes[:2]) and "mover" not in encoding.planes
    players = ("player0", "player1") if absolute else ("mover", "opponent")
    planes = [np.stack([encode(state, Encoding("flat", BOARD, (who,))) for state in some]) for who in players]
    turn = np.array([[state.to_move] for state in some], np.float32)
    pieces = [np.linalg.lstsq(inputs, plane, rcond=1e-4)[0] for plane in planes]
    turns = np.linalg.lstsq(inputs, turn, rcond=1e-4)[0]
    # Of each unit of the first layer: the player, and the cell that completes the line.
    places = [(who, missing) for line in LINES for missing in line for who in (0, 1)]
    kernels = [
        sum(pieces[who][:, at] for at in line if at != missing) - 4 * (pieces[0][:, missing] + pieces[1][:, missing])
        for line in LINES
        for missing in line
        for who in (0, 1)
    ]
    biases = [-1] * len(kernels)
    sides = 2 if absolute else 1
    units = 2 * CELLS * sides
    gather = np.zeros((len(kernels), units), np.float32)
    for unit, (who, missing) in enumerate(places):
        for number in range(sides):
            gather[unit, (number * 2 + who) * CELLS + missing] = 1
    first = np.stack(kernels, axis=1)
    # No two networks see the lines alike.
    first = first * np.random.default_rng(seed).normal(1, 0.05, first.shape)
    if not absolute:
        return [(first.astype(np.float32), np.array(biases, np.float32)), (gather, np.zeros(units, np.float32))]
    # A last unit of the first layer carries the turn, and shuts the cells of the other player's turn.
    first = np.concatenate([first, turns], axis=1)
    gate = np.concatenate([np.full(2 * CELLS, -9.0), np.full(2 * CELLS, 9.0)])[None]
    bias = np.concatenate([np.zeros(2 * CELLS), np.full(2 * CELLS, -9.0)])
    return [
        (first.astype(np.float32), np.array([*biases, 0], np.float32)),
        (np.concatenate([gather, gate]).astype(np.float32), bias.astype(np.float32)),
    ]


def softmax(rows: Floats) -> Floats:
    """Probabilities of each row."""
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def make(one: Planted, *, trained: bool) -> Callable[[Floats], dict[str, Floats]]:
    """The network as the probe asks it."""
    numbers, seed = int(np.prod(one.shape)), one.seed
    if trained:
        truth = next(each for each in one.hypotheses if each.name == one.reading)
        net = Net(numbers, CELLS, one.widths.get(VALUE, 0), line_features(truth, learn_lesson(), seed), seed)
        _teach(net, one, truth)
    else:
        rng = np.random.default_rng(seed)
        features = [
            (rng.normal(0, 0.3, (wide, 96)).astype(np.float32), np.zeros(96, np.float32))
            for wide in (3 * numbers + 1, 96)
        ]
        net = Net(numbers, CELLS, one.widths.get(VALUE, 0), features, seed)

    def ask(boards: Floats) -> dict[str, Floats]:
        _, moves, values = net.forward(np.asarray(boards, np.float32))
        if one.value is None:
            return {POLICY: moves}
        return {POLICY: softmax(moves), VALUE: softmax(values) if one.order else np.tanh(values)}

    return ask


def _teach(net: Net, one: Planted, truth: Hypothesis) -> None:
    lesson, reading = learn_lesson(), truth.reading
    assert reading.numbering is not None
    boards = np.stack([encode(state, reading.encoding) for state in lesson.states])
    moves = lesson.moves[:, np.argsort([reading.numbering.index(action) for action in range(CELLS)])]
    sides = np.array([1 - 2 * state.to_move for state in lesson.states], np.float32)
    results = lesson.results * (sides if one.value == "player0" else 1)
    classes = np.zeros((len(boards), 3), np.float32)
    if one.order:
        for number, name in ((1, "win"), (0, "draw"), (-1, "loss")):
            classes[results == number, one.order.index(name)] = 1

    def slopes(rows: NDArray[np.int64], policy: Floats, value: Floats) -> tuple[Floats, Floats]:
        slope = softmax(policy) - moves[rows]
        if not value.shape[1]:
            return slope, value
        if one.order:
            return slope, softmax(value) - classes[rows]
        answer = np.tanh(value)
        return slope, 2 * (answer - results[rows, None]) * (1 - answer**2)

    # Wins at once are few in games, and any player knows them.
    sharp = np.flatnonzero([bool(list_wins(state)) for state in lesson.states])
    net.train(boards.astype(np.float32), sharp, slopes, STEPS, one.seed)


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
    if one.value is None:
        return "found"
    if said == "unknown":
        return "found, value not known"
    if (said, reading.reading.value_order) == (one.value, one.order):
        return "found"
    return f"WRONG: {reading.name}"
