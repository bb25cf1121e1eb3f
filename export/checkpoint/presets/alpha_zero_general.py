"""The networks of alpha-zero-general (suragnair), from the shapes of their weights.

They read the board as one plane, (rows, columns) with the sides as 1 and -1, and answer policy (softmax) and value
(tanh). There are three kinds. First, convolutions and then dense layers, the last convolutions without padding
(Othello, Gobang, tic-tac-toe, Tafl, Connect4 at first). Second, a residual network (Connect4 later). Third, dense
layers only (Dots and Boxes). The PyTorch networks are of the first kind and flatten the board with channels first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..preset_spelling import Architecture, Network, StoredLayers, boards_of, shape_of
from ..stored import Board, StoredLayer

NAME = "alpha-zero-general"


def architecture(stored: StoredLayers, board: Board | None) -> Architecture:
    """{"class_name", "config"}; CheckpointError, which names the layer, if the weights belong to another network."""
    stored.check_kinds("Conv2D", "BatchNormalization", "Dense")
    convs, norms, dense = stored.of("Conv2D"), stored.of("BatchNormalization"), stored.of("Dense")
    if len(dense) < 3:
        raise stored.error(f"it has {len(dense)} dense layers, and the family three or more")
    *hidden, policy, value = dense if shape_of(dense[-1])[1] == 1 else [*dense[:-2], dense[-1], dense[-2]]
    stored.check(value, (None, 1))
    if norms and shape_of(norms[0]) == (1,):
        return _residual(stored, convs, norms, [*hidden, policy, value], board)
    if len(norms) != len(convs) + len(hidden):
        raise stored.error(
            f"its {len(convs)} convolutions and {len(hidden)} dense layers before the heads have {len(norms)} batch "
            "norms, and in the family one each"
        )
    return _stack_layers(stored, [convs, hidden, norms, [policy, value]], board)


def _stack_layers(stored: StoredLayers, layers: Sequence[Sequence[StoredLayer]], board: Board | None) -> Architecture:
    """Convolutions, if any, then dense layers, each followed by a batch norm and a relu; and the two heads."""
    convs, hidden, norms, (policy, value) = layers
    channels = 1
    for conv, norm in zip(convs, norms, strict=False):
        stored.check(conv, (None, shape_of(conv)[0], channels, None))
        channels = shape_of(conv)[-1]
        stored.check(norm, (channels,))
    size = shape_of(hidden[0])[0]
    if size % channels:
        raise stored.misfit(hidden[0], f"does not take whole boards of {channels} channels")
    for layer, norm, before in zip(
        hidden, norms[len(convs) :], [size, *(shape_of(h)[1] for h in hidden)], strict=False
    ):
        stored.check(layer, (before, None))
        stored.check(norm, (shape_of(layer)[1],))
    for head in (policy, value):
        stored.check(head, (shape_of(hidden[-1])[1], None))
    (rows, columns), padded = _board(stored, convs, size // channels, shape_of(policy)[1], board)
    made = Network("alpha_zero_general", stored.dialect)
    door = x = made.door((rows, columns))
    if convs:
        x = made.add("Reshape", "plane", [(x, 0)], target_shape=[rows, columns, 1])
    for at, conv in enumerate(convs):
        x = made.conv(conv, x, "same" if at < padded else "valid", "channels_last")
        x = made.relu(made.norm(norms[at], x, 3))
    x = made.flatten_board(x) if convs else made.flatten(x)
    for layer, norm in zip(hidden, norms[len(convs) :], strict=True):
        x = made.relu(made.norm(norm, made.dense(layer, x), 1))
    heads = [made.dense(policy, x, stored.dialect.policy), made.dense(value, x, "tanh")]
    return made.model([door], heads, stored.layers)


def _board(
    stored: StoredLayers, convs: Sequence[StoredLayer], cells: int, actions: int, board: Board | None
) -> tuple[Board, int]:
    """The board, and the number of first convolutions that keep its size; each of the others makes it smaller."""
    # For each number of convolutions that keep the size, how much each side shrinks.
    lost = {padded: sum(shape_of(conv)[0] - 1 for conv in convs[padded:]) for padded in range(len(convs) + 1)}
    fitting = {
        sides: padded
        for padded, shrink in lost.items()
        for sides in boards_of(cells, shrink)
        if _is_known(sides, actions, None if not convs else len(convs) - padded)
    }
    if board is not None:
        fits = (padded for padded, shrink in lost.items() if board in boards_of(cells, shrink))
        fitting = {board: next(fits, len(convs))}
    size = stored.board(fitting, board, cells, lost[fitting[board]] if board else 0)
    return size, fitting[size]


def _is_known(board: Board, actions: int, valid: int | None) -> bool:
    """Whether a game of the family has this board and number of actions.

    Square boards have an action per cell, or one more for a pass. Connect4 has one per column; its network has two
    convolutions without padding (`valid`), or none if it is residual. Dots and Boxes has no convolutions (None): a
    board of n boxes per side has 2n + 1 rows and n + 1 columns, one cell per line, and an action for a pass.
    """
    rows, columns = board
    if valid is None:
        return rows == 2 * columns - 1 and actions == 2 * columns * (columns - 1) + 1
    square = rows == columns and actions in (rows * columns, rows * columns + 1)
    return square or (actions == columns and valid in (0, 2) and rows <= columns)


def _residual(
    stored: StoredLayers,
    convs: list[StoredLayer],
    norms: list[StoredLayer],
    dense: list[StoredLayer],
    board: Board | None,
) -> Architecture:
    """A batch norm of the board, a convolution, residual blocks, and a convolution before each head.

    The value's head comes first in the file, because Keras lists layers farther from the outputs first.
    """
    if len(dense) != 4 or len(convs) < 5 or len(convs) % 2 == 0 or len(norms) != len(convs) + 1:
        raise stored.error(
            f"it has {len(convs)} convolutions, {len(norms)} batch norms and {len(dense)} dense layers, and its "
            "residual networks 3 + 2n, 4 + 2n and 4"
        )
    *trunk, first, second = convs
    value_conv, policy_conv = (first, second) if shape_of(first)[:2] == (1, 1) else (second, first)
    wide, narrow, policy, value = dense
    channels = shape_of(trunk[0])[-1]
    for at, conv in enumerate(trunk):
        stored.check(conv, (None, None, channels if at else 1, channels))
        stored.check(norms[at + 1], (channels,))
    for conv, norm in ((value_conv, norms[-2]), (policy_conv, norms[-1])):
        stored.check(conv, (None, None, channels, 1))
        stored.check(norm, (1,))
    cells = shape_of(wide)[0]
    for layer, rows in ((policy, cells), (narrow, shape_of(wide)[1]), (value, shape_of(narrow)[1])):
        stored.check(layer, (rows, None))
    fitting = (sides for sides in boards_of(cells) if _is_known(sides, shape_of(policy)[1], 0))
    size = stored.board(fitting, board, cells)
    made = Network("alpha_zero_general", stored.dialect)
    door = made.door(size)
    plane = made.norm(norms[0], made.add("Reshape", "plane", [(door, 0)], target_shape=[*size, 1]), 3)
    x = made.norm(norms[1], made.relu(made.conv(trunk[0], plane, "same", "channels_last")), 3)
    for at in range(1, len(trunk), 2):
        inner = made.norm(norms[at + 1], made.relu(made.conv(trunk[at], x, "same", "channels_last")), 3)
        inner = made.norm(norms[at + 2], made.conv(trunk[at + 1], inner, "same", "channels_last"), 3)
        x = made.relu(made.add("Add", f"block_{at // 2 + 1}", [(x, 0), (inner, 0)]))
    ends = [
        made.flatten_board(made.relu(made.norm(norm, made.conv(conv, x, "same", "channels_last"), 3)))
        for conv, norm in ((policy_conv, norms[-1]), (value_conv, norms[-2]))
    ]
    hidden = made.dense(narrow, made.relu(made.dense(wide, ends[1])))
    return made.model(
        [door], [made.dense(policy, ends[0], stored.dialect.policy), made.dense(value, hidden, "tanh")], stored.layers
    )
