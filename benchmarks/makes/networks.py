"""Fifty small networks of different make: every game that azx knows, and boards of no known game.

Network N is always the same make: its board, body, activation, heads and training go round lists whose lengths have no
common factor. Its numbers come from seed N, and the training is in one thread.
"""

from __future__ import annotations

import math
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.games.encoding import encode
from azx.games.known import recognition
from azx.games.random_play import generator, random_action

COUNT = 50
# Positions that a trained network learns from, and how often it sees each.
LESSON, ROUNDS = 1500, 6
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Board:
    """An input and a policy: `game` is None where azx knows none; `encoding` is what --encoding would take."""

    shape: tuple[int, ...]
    width: int
    game: str | None = None
    encoding: str | None = None
    channels_first: bool = False


BOARDS = (
    Board((2, 6, 7), 42, "connect4", "connect4-top-first", channels_first=True),
    Board((3, 3, 2), 9, "tictactoe", "tictactoe-mover-opponent"),
    Board((7, 4), 25, "dots_and_boxes"),
    Board((7, 7, 2), 49, "gomoku", "gomoku-mover-opponent"),
    Board((5, 5, 17), 26, "go", "go-mover-first"),
    Board((6, 5, 3), 11),
    Board((6, 7, 2), 7, "connect4", "connect4-bottom-first"),
    Board((9,), 9, "tictactoe", "tictactoe-signed"),
    Board((5, 3), 13, "dots_and_boxes"),
    Board((2, 9, 9), 81, "gomoku", "gomoku-mover-opponent", channels_first=True),
    Board((7, 7, 2), 50, "go"),
    Board((24,), 8),
    Board((42,), 7, "connect4", "connect4-signed"),
)
BODIES = ("plain", "residual", "dense", "separable", "wide range", "bottleneck", "two sizes")
ACTIVATIONS = ("relu", "leaky", "swish", "sigmoid", "elu", "tanh", "relu6", "relu", "leaky")
# Of the policy and the value.
HEADS = (
    ("softmax", "tanh"),
    ("linear", "tanh"),
    ("softmax", "linear"),
    ("softmax", "three"),
    ("linear", "sigmoid"),
    ("softmax", None),
    ("linear", "three"),
    ("softmax", "tanh"),
)
NORMS = ("batch", "none", "batch before", "batch")


@dataclass(frozen=True)
class Make:
    """One of the fifty."""

    number: int
    board: Board
    body: str
    activation: str
    policy: str
    value: str | None
    norm: str
    trained: bool
    told: str

    @property
    def name(self) -> str:
        """Of its file."""
        return f"net{self.number:02}"

    @property
    def line(self) -> str:
        """All of it, for a table."""
        game = self.board.game or "no known game"
        made = "trained" if self.trained else "random"
        heads = f"{self.policy}/{self.value or 'no value'}"
        return f"{game} {self.board.shape} {self.body} {self.activation} {heads} norm: {self.norm}, {made}, {self.told}"

    @property
    def options(self) -> dict[str, Any]:
        """What its user tells of the game."""
        if self.told == "encoding told" and self.board.encoding:
            return {"encoding": self.board.encoding}
        return {"game": self.board.game} if self.told == "game told" and self.board.game else {}


def makes() -> tuple[Make, ...]:
    """The fifty, in order."""
    return tuple(_make(number) for number in range(COUNT))


def _make(number: int) -> Make:
    board = BOARDS[number % len(BOARDS)]
    body = BODIES[number % len(BODIES)]
    flat = len(board.shape) == 1 or (len(board.shape) == 2 and body in ("separable", "two sizes"))
    policy, value = HEADS[number % len(HEADS)]
    # On this machine TensorFlow has no gradient of a convolution with channels first.
    trained = number % 2 == 0 and not board.channels_first
    told = ("nothing told", "encoding told", "game told")[number % 3]
    made = "dense" if flat and body not in ("wide range", "residual") else body
    activation, norm = ACTIVATIONS[number % len(ACTIVATIONS)], NORMS[number // 2 % len(NORMS)]
    return Make(number, board, made, activation, policy, value, norm, trained, told)


def write(make: Make, path: Path) -> None:
    """Build the network, train it if it is one of those, and save it as .h5.

    Runs in the worker with TensorFlow.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import tf_keras as keras

        keras.backend.clear_session()
        keras.utils.set_random_seed(make.number)
        model = _Builder(keras, make).build()
        rng = np.random.default_rng(make.number)
        if make.trained:
            _train(model, make, rng)
        else:
            _settle(model, rng)
        if make.body == "wide range":
            _widen(model, rng)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_name(f"{path.stem}.part.h5")
        model.save(whole, save_format="h5")
        whole.replace(path)


class _Builder:
    def __init__(self, keras: Any, make: Make) -> None:
        self.keras, self.layers, self.make = keras, keras.layers, make
        self.order = {"data_format": "channels_first"} if make.board.channels_first else {}
        self.axis = 1 if make.board.channels_first else -1

    def build(self) -> Any:
        """The model, not trained."""
        make, layers = self.make, self.layers
        board = self.keras.Input(make.board.shape, name="board")
        x = board
        if len(make.board.shape) == 2:
            x = layers.Reshape((*make.board.shape, 1))(x)
        x = self._dense_body(board) if make.body == "dense" or len(make.board.shape) == 1 else self._planes_body(x)
        outputs = [self._policy(x)] + ([self._value(x)] if make.value else [])
        return self.keras.Model(board, outputs)

    def _act(self, x: Any) -> Any:
        layers, name = self.layers, self.make.activation
        if name == "leaky":
            return layers.LeakyReLU(alpha=0.1)(x)
        return layers.ReLU(max_value=6.0)(x) if name == "relu6" else layers.Activation(name)(x)

    def _norm_act(self, x: Any) -> Any:
        if self.make.norm == "batch":
            x = self.layers.BatchNormalization(axis=self.axis)(x)
        return self._act(x)

    def _dense_body(self, board: Any) -> Any:
        layers, x = self.layers, board
        if len(self.make.board.shape) > 1:
            x = layers.Flatten()(x)
        if self.make.norm == "batch before":
            x = layers.BatchNormalization()(x)
        for units in (64, 48, 48):
            y = layers.Dense(units, use_bias=self.make.norm != "batch")(x)
            if self.make.norm == "batch":
                y = layers.BatchNormalization()(y)
            y = self._act(y)
            x = layers.Add()([x, y]) if self.make.body == "residual" and x.shape == y.shape else y
        return layers.Dropout(0.1)(x)

    def _planes_body(self, x: Any) -> Any:
        make = self.make
        if make.norm == "batch before":
            x = self.layers.BatchNormalization(axis=self.axis)(x)
        x = self._norm_act(self._conv(x, 24, 3))
        for _ in range(2):
            x = self._block(x)
        return x

    def _block(self, x: Any) -> Any:
        layers, body = self.layers, self.make.body
        if body == "residual":
            y = self._conv(self._norm_act(self._conv(x, 24, 3)), 24, 3)
            return self._act(layers.Add()([x, y]))
        if body == "separable" and not self.make.board.channels_first:
            return self._norm_act(layers.SeparableConv2D(24, 3, padding="same")(x))
        if body == "bottleneck":
            y = self._norm_act(self._conv(self._norm_act(self._conv(x, 8, 1)), 24, 3))
            return layers.Add()([x, y])
        if body == "two sizes":
            both = [self._norm_act(self._conv(x, 12, size)) for size in (1, 5)]
            return layers.Concatenate(axis=self.axis)(both)
        return self._norm_act(self._conv(x, 24, 3))

    def _conv(self, x: Any, filters: int, size: int) -> Any:
        bias = self.make.norm != "batch"
        return self.layers.Conv2D(filters, size, padding="same", use_bias=bias, **self.order)(x)

    def _policy(self, x: Any) -> Any:
        layers, make = self.layers, self.make
        if len(x.shape) == 4:
            x = layers.Flatten()(self._norm_act(self._conv(x, 4, 1)))
        activation = "softmax" if make.policy == "softmax" else None
        return layers.Dense(make.board.width, activation=activation, name="policy_head")(x)

    def _value(self, x: Any) -> Any:
        layers, kind = self.layers, self.make.value
        if len(x.shape) == 4:
            pool = layers.GlobalAveragePooling2D(**self.order)
            x = pool(x) if self.make.number % 2 else layers.Flatten()(self._norm_act(self._conv(x, 2, 1)))
        x = self._act(layers.Dense(32)(x))
        if kind == "three":
            return layers.Dense(3, activation="softmax", name="value_head")(x)
        return layers.Dense(1, activation=None if kind == "linear" else kind, name="value_head")(x)


def _settle(model: Any, rng: np.random.Generator) -> None:
    """Random numbers for what a new model has at 0 or 1: biases, and the statistics of batch norms."""
    for layer in model.layers:
        weights = layer.get_weights()
        if type(layer).__name__ == "BatchNormalization":
            size = weights[0].shape  # of gamma, beta, mean and variance alike
            weights = [rng.normal(1, 0.3, size), rng.normal(0, 0.3, size), rng.normal(0, 0.3, size)]
            weights.append(rng.uniform(0.2, 2.0, size))
        else:
            weights = [rng.normal(0, 0.1, w.shape) if w.ndim == 1 else w for w in weights]
        layer.set_weights([np.asarray(w, np.float32) for w in weights])


def _widen(model: Any, rng: np.random.Generator) -> None:
    """Channels of very different sizes, from 1/30 to 30 times, and a policy ten times as steep."""
    for layer in model.layers:
        weights = layer.get_weights()
        if type(layer).__name__ in ("Conv2D", "Dense") and layer.name not in ("policy_head", "value_head"):
            scale = np.exp(rng.uniform(-3.4, 3.4, weights[0].shape[-1])).astype(np.float32)
            layer.set_weights([w * scale for w in weights])
        elif layer.name == "policy_head":
            layer.set_weights([w * 10 for w in weights])


def _train(model: Any, make: Make, rng: np.random.Generator) -> None:
    boards, moves, results = _lesson(make, rng)
    losses: dict[str, Any] = {"policy_head": "categorical_crossentropy"}
    if make.policy == "linear":
        losses["policy_head"] = model_loss_of_logits()
    targets: dict[str, Floats] = {"policy_head": moves}
    if make.value:
        losses["value_head"] = "categorical_crossentropy" if make.value == "three" else "mse"
        targets["value_head"] = _value_targets(results, make.value)
    model.compile("adam", losses)
    model.fit(boards, targets, batch_size=64, epochs=ROUNDS, verbose=0)


def model_loss_of_logits() -> Any:
    """The policy's loss where it ends in logits."""
    import tf_keras as keras

    return keras.losses.CategoricalCrossentropy(from_logits=True)


def _value_targets(results: Floats, kind: str) -> Floats:
    if kind == "three":
        return np.stack([results > 0, results == 0, results < 0], axis=1).astype(np.float32)
    return ((results + 1) / 2 if kind == "sigmoid" else results).astype(np.float32)[:, None]


def _lesson(make: Make, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Boards, the winners' moves and the results for the mover, of random games; a random rule for no known game."""
    board = make.board
    if board.game is None:
        boards = rng.integers(0, 2, (LESSON, *board.shape)).astype(np.float32)
        rule = rng.normal(0, 1, (math.prod(board.shape), board.width + 1))
        answers = boards.reshape(LESSON, -1) @ rule
        moves = np.eye(board.width)[answers[:, :-1].argmax(axis=1)]
        return boards, moves.astype(np.float32), np.sign(answers[:, -1]).astype(np.float32)
    named = board.encoding
    if named is not None:
        reading = recognition.in_way(named, [board.shape], board.width)
    else:
        reading = recognition.read_as(recognition.by_name(board.game), [board.shape], board.width)
    draw, rows = generator(make.number), list[tuple[Any, int, float]]()
    while len(rows) < LESSON:
        state, played = reading.start(), list[tuple[Any, int, int]]()
        while not state.is_terminal:
            action = random_action(state, draw)
            played.append((encode(state, reading.encoding), action, state.to_move))
            state = state.apply(action)
        won = state.returns()
        rows += [(tensor, action, won * (1 - 2 * mover)) for tensor, action, mover in played]
    rows = rows[:LESSON]
    moves = np.full((len(rows), board.width), 1 / board.width, np.float32)
    for at, (_, action, result) in enumerate(rows):
        if result >= 0 and reading.numbering is not None:
            moves[at] = np.eye(board.width, dtype=np.float32)[reading.numbering.index(action)]
    return np.stack([row[0] for row in rows]), moves, np.array([row[2] for row in rows], np.float32)
