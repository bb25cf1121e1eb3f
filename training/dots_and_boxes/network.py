"""The Dots and Boxes 3x3 reference network: a residual net of dense layers that knows the board's symmetries.

The eight symmetries of the square turn a position into one of equal value. In training every layer is tied: a weight
between two units equals the weight between the units into which a symmetry turns them. A hidden layer has units with
eight copies (one per symmetry), units with one copy per box, and units for the whole board. So each position also
teaches its seven images. The saved file has plain dense layers with all weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import legacy_file
from .data import ACTIONS, EDGE_CELLS, EDGES, SHAPE

CELLS = SHAPE[0] * SHAPE[1]
FREE_UNITS, BOARD_UNITS, DEGREES, BOXES = 37, 24, 4, 9
LAYERS = 4
Permutations = NDArray[np.intp]


def turn(symmetry: int, point: tuple[int, int], last: int) -> tuple[int, int]:
    """Where a symmetry (0 to 7) moves a point of a square lattice of rows and columns 0 to `last`."""
    row, column = point
    if symmetry >= 4:
        column = last - column
    for _ in range(symmetry % 4):
        row, column = column, last - row
    return row, column


def edge_ends(edge: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two dots of an edge, row and column 0 to 3."""
    if edge < EDGES // 2:
        return (edge // 3, edge % 3), (edge // 3, edge % 3 + 1)
    row, column = divmod(edge - EDGES // 2, 4)
    return (row, column), (row + 1, column)


def edge_permutations() -> Permutations:
    """(8, 24): the edge that each symmetry turns each edge into."""
    numbers = {frozenset(edge_ends(edge)): edge for edge in range(EDGES)}
    turned = [[frozenset(turn(s, end, 3) for end in edge_ends(edge)) for edge in range(EDGES)] for s in range(8)]
    return np.array([[numbers[ends] for ends in row] for row in turned])


def box_permutations() -> Permutations:
    """(8, 9): the box that each symmetry turns each box into."""
    return np.array([[3 * r + c for r, c in (turn(s, divmod(b, 3), 2) for b in range(BOXES))] for s in range(8)])


def copies(units: int) -> Permutations:
    """(8, 8 * units): units with eight copies, one per symmetry; each symmetry permutes the copies."""
    edges = edge_permutations()
    number = {tuple(row): s for s, row in enumerate(edges.tolist())}
    product = np.array([[number[tuple(edges[s][edges[t]].tolist())] for t in range(8)] for s in range(8)])
    return (product[:, :, None] * units + np.arange(units)).reshape(8, -1)


def fixed_units(units: int) -> Permutations:
    """(8, units): units that no symmetry changes."""
    return np.tile(np.arange(units), (8, 1))


def side_by_side(*parts: Permutations) -> Permutations:
    """The permutations of several groups of units, one after the other."""
    starts = np.cumsum([0] + [part.shape[1] for part in parts[:-1]])
    return np.concatenate([part + start for part, start in zip(parts, starts, strict=True)], axis=1)


def inputs() -> Permutations:
    """(8, 28): the cells of the input."""
    cells = fixed_units(CELLS)
    cells[:, EDGE_CELLS] = EDGE_CELLS[edge_permutations()]
    return cells


def hidden() -> Permutations:
    """(8, 356): the units of a hidden layer."""
    return side_by_side(copies(FREE_UNITS), fixed_units(BOARD_UNITS), *[box_permutations()] * DEGREES)


def tie_weights(before: Permutations, after: Permutations) -> tuple[NDArray[np.int32], int]:
    """(the number of the free weight at each place, int32 (before, after); the number of free weights)."""
    pairs = (before[:, :, None] * after.shape[1] + after[:, None, :]).min(axis=0)
    free, which = np.unique(pairs, return_inverse=True)
    return which.reshape(pairs.shape).astype(np.int32), len(free)


class Layer:
    """A tied dense layer: free weights, and their places in the kernel and the bias."""

    def __init__(self, before: Permutations, after: Permutations, scale: float, rng: np.random.Generator) -> None:
        import tensorflow as tf

        self.at, count = tie_weights(before, after)
        rows, self.bias_count = tie_weights(fixed_units(1), after)
        self.bias_at = rows[0]
        deviation = scale * math.sqrt(2 / before.shape[1])
        self.weights = tf.Variable(rng.normal(0, deviation, count).astype(np.float32))
        self.biases = tf.Variable(tf.zeros([self.bias_count]))

    def __call__(self, tensor: Any, precision: str = "float32") -> Any:
        """The layer's output for (N, before), float32 (N, after); it multiplies in `precision`."""
        import tensorflow as tf

        kernel = tf.cast(tf.gather(self.weights, self.at), precision)
        return tf.cast(tf.cast(tensor, precision) @ kernel, tf.float32) + tf.gather(self.biases, self.bias_at)

    def plain(self) -> list[NDArray[np.float32]]:
        """The kernel and bias as a plain dense layer has them."""
        return [self.weights.numpy()[self.at], self.biases.numpy()[self.bias_at]]

    def start_as(self, unit: int, cells: NDArray[np.intp], weight: float, bias: float) -> None:
        """Let a unit begin as `weight` times the sum of some inputs plus `bias`."""
        weights, biases = self.weights.numpy(), self.biases.numpy()
        weights[self.at[:, unit]] = 0
        weights[self.at[cells, unit]] = weight
        biases[self.bias_at[unit]] = bias
        self.weights.assign(weights)
        self.biases.assign(biases)


class Answers(NamedTuple):
    """Logits (N, 25), values (N, 1), and the box difference that each action is worth, in threes (N, 25)."""

    policy: Any
    value: Any
    worth: Any


class Network:
    """The tied network. The output `worth` is only for training: it teaches far more than the result alone."""

    def __init__(self, seed: int) -> None:
        rng = np.random.Generator(np.random.PCG64([seed, 1]))
        actions = side_by_side(edge_permutations(), fixed_units(1))
        self.first = Layer(inputs(), hidden(), 1.0, rng)
        self.tower = [Layer(hidden(), hidden(), 0.7, rng) for _ in range(LAYERS)]
        self.policy, self.worth = (Layer(hidden(), actions, 0.3, rng) for _ in range(2))
        self.value = Layer(hidden(), fixed_units(1), 0.3, rng)
        self._start_counting()

    def _start_counting(self) -> None:
        """Initialise units for the board as max(0, drawn edges - k), units for boxes as max(0, a box's sides - k).

        Which player makes the last safe move depends on a parity. It is linear in these units, and hard to learn
        without them.
        """
        first_board = 8 * FREE_UNITS
        for count in range(BOARD_UNITS):
            self.first.start_as(first_board + count, EDGE_CELLS, 0.5, -0.5 * count)
        for degree in range(DEGREES):
            unit = first_board + BOARD_UNITS + BOXES * degree
            self.first.start_as(unit, EDGE_CELLS[[0, 3, 12, 13]], 1.0, -degree)
            self.first.start_as(unit + 1, EDGE_CELLS[[1, 4, 13, 14]], 1.0, -degree)
            self.first.start_as(unit + 4, EDGE_CELLS[[4, 7, 17, 18]], 1.0, -degree)

    def layers(self) -> Iterator[Layer]:
        """All layers, `worth` last."""
        yield from (self.first, *self.tower, self.policy, self.value, self.worth)

    def variables(self) -> list[Any]:
        """All variables to train."""
        return [variable for layer in self.layers() for variable in (layer.weights, layer.biases)]

    def __call__(self, boards: Any, precision: str = "float32") -> Answers:
        """The answers for boards (N, 7, 4)."""
        import tensorflow as tf

        units = tf.nn.relu(self.first(tf.reshape(boards, [-1, CELLS])))
        for layer in self.tower:
            units += tf.nn.relu(layer(units, precision))
        return Answers(self.policy(units), tf.tanh(self.value(units)), self.worth(units))


def plain(network: Network) -> Any:
    """The `tf_keras.Model` of plain dense layers: `main_input` to `policy_head` (softmax) and `value_head`."""
    import tf_keras

    tf_keras.backend.clear_session()
    layers = tf_keras.layers
    board = layers.Input(SHAPE, name="main_input")
    units = layers.Dense(hidden().shape[1], activation="relu")(layers.Flatten()(board))
    for _ in range(LAYERS):
        units = layers.Add()([units, layers.Dense(hidden().shape[1], activation="relu")(units)])
    policy = layers.Dense(ACTIONS, activation="softmax", name="policy_head")(units)
    value = layers.Dense(1, activation="tanh", name="value_head")(units)
    model = tf_keras.Model(board, [policy, value], name="dots_and_boxes")
    model.set_weights([array for layer in list(network.layers())[:-1] for array in layer.plain()])
    return model


def save(network: Network, path: Path) -> None:
    """Write a trained network to `path` as a legacy full-model .h5."""
    legacy_file.save(plain(network), path)
