"""Common parts of the families of networks: stored layers by kind, boards by their cells, Keras' JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import CheckpointError
from .stored import Board, Shape, StoredLayer

Architecture = dict[str, Any]


# Limits, because a file may claim any size.
SMALLEST_SIDE, LARGEST_SIDE = 3, 99
# The number of axes in the first weight of a layer: its kernel, or a batch norm's channels.
RANKS: dict[str | None, int] = {"Conv2D": 4, "Dense": 2, "BatchNormalization": 1}


class BoardUnknown(CheckpointError):  # noqa: N818 - a CheckpointError, as all are named in errors.py
    """The weights belong to the family but do not determine the board."""


@dataclass(frozen=True)
class Dialect:
    """The deviations of a family in another framework.

    `epsilon` is a batch norm's, `policy` the function at the end of its policy. If `first`, a board is flattened with
    its channels first.
    """

    epsilon: float = 0.001
    policy: str = "softmax"
    first: bool = False


KERAS = Dialect()


@dataclass(frozen=True)
class StoredLayers:
    """The convolutions, batch norms and dense layers of a file, each in the file's order; `where` begins errors."""

    where: str
    family: str
    layers: tuple[StoredLayer, ...]
    dialect: Dialect = KERAS

    def of(self, kind: str) -> list[StoredLayer]:
        """The layers of a class."""
        return [layer for layer in self.layers if layer.kind == kind]

    def check_kinds(self, *known: str) -> None:
        """Raise CheckpointError if a layer has a class that the family lacks."""
        for layer in self.layers:
            if layer.kind not in known:
                raise self.misfit(layer, f"has a class that the family lacks ({', '.join(known)})")

    def check(self, layer: StoredLayer, wanted: Sequence[int | None]) -> None:
        """Raise CheckpointError if a layer's first weight has another shape than `wanted`; None allows any size."""
        shape = shape_of(layer)
        if len(shape) != len(wanted) or any(want not in (None, size) for want, size in zip(wanted, shape, strict=True)):
            sizes = ", ".join("any" if size is None else str(size) for size in wanted)
            raise self.misfit(layer, f"would have to be of shape ({sizes})")

    def misfit(self, layer: StoredLayer, reason: str) -> CheckpointError:
        """The error about a layer that the family does not have."""
        sentence = f"layer '{layer.name[:60]}' {shape_of(layer)} {reason}"
        return self.error(sentence)

    def error(self, reason: str) -> CheckpointError:
        """The error about weights that do not belong to the family."""
        return CheckpointError(
            f"{self.where} does not fit --preset {self.family}: {reason}; give the architecture with --config or "
            "--builder."
        )

    def board(self, fitting: Iterable[Board], given: Board | None, cells: int, shrink: int = 0) -> Board:
        """The given board, else the only one that the shapes allow; BoardUnknown if there are several.

        `cells` is the number of cells that remain after each side shrinks by `shrink`; CheckpointError if the given
        board has another number.
        """
        if given is not None:
            left = (given[0] - shrink) * (given[1] - shrink)
            if given not in boards_of(cells, shrink):
                size = f"{given[0]}x{given[1]}"
                raise self.error(f"of --board {size} {left} cells would reach its dense layers, which take {cells}")
            return given
        boards = sorted(set(fitting))
        if len(boards) == 1:
            return boards[0]
        which = " or ".join(f"{rows}x{columns}" for rows, columns in boards[:4]) or "none that azx knows"
        raise BoardUnknown(
            f"{self.where} is of --preset {self.family}, and its shapes do not determine the board ({which}): "
            "give it with --board ROWSxCOLUMNS."
        )

    def square_board(self, cells: int, given: Board | None) -> Board:
        """As `board`, for a family that plays on square boards of `cells` cells."""
        return self.board([sides for sides in boards_of(cells) if sides[0] == sides[1]], given, cells)


def shape_of(layer: StoredLayer) -> Shape:
    """The shape of a layer's first weight: the kernel, or a batch norm's channels."""
    return layer.weights[0][1]


def boards_of(cells: int, shrink: int = 0) -> list[Board]:
    """Every board of 3 to 99 rows and columns that has `cells` cells after each side shrinks by `shrink`."""
    sides = ((rows, cells // rows) for rows in range(1, LARGEST_SIDE + 1) if cells % rows == 0)
    boards = [(rows + shrink, columns + shrink) for rows, columns in sides]
    return [board for board in boards if min(board) >= SMALLEST_SIDE and max(board) <= LARGEST_SIDE]


@dataclass
class Network:
    """Keras' JSON of a Functional model, layer by layer."""

    name: str
    dialect: Dialect = KERAS
    entries: list[Architecture] = field(default_factory=list)

    def add(self, kind: str, name: str, inputs: Sequence[tuple[str, int]], **config: Any) -> str:
        """Append a layer that is called once, on the given outputs of other layers, and return its name."""
        nodes = [[[before, 0, at, {}] for before, at in inputs]] if inputs else []
        config = {"name": name, **config}
        self.entries.append({"class_name": kind, "name": name, "config": config, "inbound_nodes": nodes})
        return name

    def relu(self, before: str) -> str:
        """Append a relu after a layer."""
        return self.add("Activation", f"{before}_relu", [(before, 0)], activation="relu")

    def flatten(self, before: str) -> str:
        """Append a layer that flattens its input in the given order."""
        return self.add("Flatten", f"{before}_flat", [(before, 0)], data_format="channels_last")

    def conv(self, layer: StoredLayer, before: str, padding: str, data_format: str) -> str:
        """Append a stored convolution without activation."""
        rows, columns, _, filters = shape_of(layer)
        shape = {"filters": filters, "kernel_size": [rows, columns], "strides": [1, 1]}
        rest = {"padding": padding, "data_format": data_format, "use_bias": "bias" in dict(layer.weights)}
        return self.add("Conv2D", layer.name, [(before, 0)], activation="linear", **shape, **rest)

    def flatten_board(self, before: str) -> str:
        """Append layers that flatten a board (rows, columns, channels) in the order of the dialect."""
        if self.dialect.first:
            before = self.add("Permute", f"{before}_first", [(before, 0)], dims=[3, 1, 2])
        return self.flatten(before)

    def norm(self, layer: StoredLayer, before: str, axis: int) -> str:
        """Append a stored batch norm, with the epsilon of the framework."""
        names = dict(layer.weights)
        switches = {"scale": "gamma" in names, "center": "beta" in names}
        return self.add(
            "BatchNormalization", layer.name, [(before, 0)], axis=axis, epsilon=self.dialect.epsilon, **switches
        )

    def block(
        self, number: int, before: str, convs: Sequence[StoredLayer], norms: Sequence[StoredLayer], data_format: str
    ) -> str:
        """Append a residual block: two convolutions, each followed by a batch norm, added to the block's input."""
        axis = 1 if data_format == "channels_first" else 3
        inner = self.relu(self.norm(norms[0], self.conv(convs[0], before, "same", data_format), axis))
        inner = self.norm(norms[1], self.conv(convs[1], inner, "same", data_format), axis)
        return self.relu(self.add("Add", f"block_{number}", [(before, 0), (inner, 0)]))

    def tower(self, before: str, convs: Sequence[StoredLayer], norms: Sequence[StoredLayer]) -> str:
        """A residual network, channels first: a convolution with its batch norm, then blocks of two."""
        made = self.relu(self.norm(norms[0], self.conv(convs[0], before, "same", "channels_first"), 1))
        for at in range(1, len(convs), 2):
            made = self.block(at // 2 + 1, made, convs[at : at + 2], norms[at : at + 2], "channels_first")
        return made

    def dense(self, layer: StoredLayer, before: str, activation: str = "linear") -> str:
        """Append a stored dense layer."""
        config = {"units": shape_of(layer)[1], "activation": activation, "use_bias": "bias" in dict(layer.weights)}
        return self.add("Dense", layer.name, [(before, 0)], **config)

    def model(self, doors: Sequence[str], outputs: Sequence[str], stored: Sequence[StoredLayer] = ()) -> Architecture:
        """The architecture; layers with weights are in the file's order, by which some files number them."""
        at = {layer.name: index for index, layer in enumerate(stored)}
        entries = sorted(self.entries, key=lambda entry: at.get(entry["name"], -1))
        starts, ends = ([[name, 0, 0] for name in names] for names in (doors, outputs))
        config = {"name": self.name, "layers": entries, "input_layers": starts, "output_layers": ends}
        return {"class_name": "Functional", "config": config}

    def door(self, shape: Sequence[int]) -> str:
        """Append the input, with a shape without the batch."""
        return self.add("InputLayer", "board", [], batch_input_shape=[None, *shape], dtype="float32")
