"""Stand-ins for trained networks: they see the board through a planted encoding alone, and play it by the rules.

A stand-in undoes the layout, finds each player's pieces in the planted planes, and answers as a search of one ply: a
win before a block before anything else. Of a share of the boards it sees nothing, and its other answers are noise that
hangs on every number of its input, so that no two of them are equal. Nothing of a position reaches it but the tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.export.checkpoint.head import POLICY, VALUE
from azx.games.encoding import COMMON, MIXED, OF_EMPTY, Encoding
from azx.games.game import Reading
from azx.games.rules import hex as hex_rules
from azx.games.rules import reversi_kind
from azx.games.value import ORDER
from azx.validate.reading.behaviour import OWNERS

# The largest share of boards of which one sees nothing, the size of its noise, and how sharp its value is.
BLIND, NOISE, SHARP = 0.12, 0.3, 0.8
IN_A_ROW = {"tictactoe": 3, "connect4": 4, "gomoku": 5}
# Empty cells of a board that is all but full: a draw, where nobody wins.
ALL_BUT_FULL = 2
Boards = NDArray[np.float32]
Masks = NDArray[np.bool_]
Network = Callable[[Boards], Mapping[str, NDArray[Any]]]


def stand_in(reading: Reading, value: int, seed: int) -> Network:
    """A network of this reading; `value` is how many numbers its value has: 0, 1, or 3 in the reading's order."""
    encoding, numbering = reading.encoding, reading.numbering
    actions, size = reading.start().actions, int(np.prod(encoding.shape))
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(size, actions + 2)) / np.sqrt(size)
    play = _RULES[reading.game.name]
    is_softmax = bool(rng.integers(2))
    # A sine of what is spread widely is above this as often as the network is blind.
    seeing = np.cos(np.pi * rng.uniform(0, BLIND))

    def answer(boards: Boards) -> dict[str, NDArray[Any]]:
        own, other, turn = _pieces(boards, encoding, turns=reading.game.legality)
        noise = np.sin(40 * boards.reshape(len(boards), -1) @ directions)
        right, worth = play(reading, own, other, turn)
        sees = np.sin(1000 * noise[:, -1]) < seeing
        right, worth = right * sees[:, None], worth * sees
        answers: dict[str, NDArray[Any]] = {}
        if numbering is not None:
            moves = np.full((len(boards), numbering.width), -1.0)
            scores = 3 * right + NOISE * noise[:, :actions]
            # Several actions may have one index: a disc's cells are a column's.
            np.maximum.at(moves.T, reading.indices_by_turn[0], scores.T)
            answers[POLICY] = _softmax(moves) if is_softmax else moves
        signs = np.array(OWNERS.get(encoding.value, (1, 1)))[turn]
        mine = np.tanh(SHARP * 2 * worth * signs + 0.1 * noise[:, -2])
        if value == 1:
            answers[VALUE] = mine[:, None]
        elif value == len(ORDER):
            drawn = ((own | other).reshape(len(boards), -1).sum(1) >= own[0].size - ALL_BUT_FULL) & (worth == 0)
            classes = {"win": 4 * mine, "loss": -4 * mine, "draw": np.where(drawn, 6.0, 0.0)}
            answers[VALUE] = _softmax(np.stack([classes[name] for name in reading.value_order or ORDER], axis=1))
        return answers

    return answer


def untrained(size: int, widths: Mapping[str, int], seed: int) -> Network:
    """A network of random weights, which looks at nothing in particular; `size` is how many numbers it reads."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(size, 32)) / np.sqrt(size)
    last = {role: rng.normal(size=(32, width)) for role, width in widths.items()}

    def answer(boards: Boards) -> dict[str, NDArray[Any]]:
        hidden = np.tanh(boards.reshape(len(boards), -1) @ first)
        return {role: np.tanh(hidden @ weights) for role, weights in last.items()}

    return answer


def _softmax(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(rows - rows.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _pieces(boards: Boards, encoding: Encoding, *, turns: bool) -> tuple[Masks, Masks, NDArray[np.int64]]:
    """The mover's and the other player's pieces, bool (n, rows, columns), and who is to move, as the planes tell."""
    flat = boards.reshape(len(boards), -1)
    planes, beside = _planes(flat[:, encoding.board_part], encoding), flat[:, encoding.beside_part]
    names = encoding.planes
    mixed = next((at for at, name in enumerate(names) if name in MIXED), None)
    if mixed is not None:
        first, second, of_first, of_second = MIXED[names[mixed]]
        found = {first: planes[:, mixed] == of_first, second: planes[:, mixed] == of_second}
        found = {who: mask & (planes[:, mixed] != OF_EMPTY.get(names[mixed], 9)) for who, mask in found.items()}
    else:
        found = {name: planes[:, at] > 0 for at, name in enumerate(names) if name in OWNERS}
    one, two = found.values()
    # Whoever began is to move after as many pieces of either, and in Reversi, where pieces turn, of both together.
    counts = one.sum(axis=(1, 2)), two.sum(axis=(1, 2))
    turn = ((counts[0] + counts[1]) % 2 if turns else counts[0] != counts[1]).astype(np.int64)
    told = [(name, planes[:, at].mean(axis=(1, 2))) for at, name in enumerate(names) if name in COMMON]
    if encoding.beside:
        told += [(encoding.beside.planes[0], beside[:, 0])]
    for name, number in told:
        if "player" in name:
            turn = ((number > 0) == name.startswith(("player1", "turn_player1"))).astype(np.int64)
    if "player0" not in found:
        return found["mover"], found["opponent"], turn
    is_first = (turn == 0)[:, None, None]
    return (
        np.where(is_first, found["player0"], found["player1"]),
        np.where(is_first, found["player1"], found["player0"]),
        turn,
    )


def _planes(flat: Boards, encoding: Encoding) -> Boards:
    """The planes as the board lies, (n, planes, rows, columns); of a turned one as the input has them."""
    count, shape = len(encoding.planes), encoding.plane_shape
    if encoding.layout in ("channels_last", "cells"):
        planes = np.moveaxis(flat.reshape(len(flat), *shape, count), -1, 1)
    else:
        planes = flat.reshape(len(flat), -1, *shape)
    planes = np.swapaxes(planes, 2, 3) if encoding.transpose else planes
    return np.flip(planes, axis=2) if encoding.flip else planes


Played = tuple[NDArray[np.float64], NDArray[np.float64]]


def _by_lines(reading: Reading, own: Masks, other: Masks, turn: NDArray[np.int64]) -> Played:
    """Wins and blocks in a row: which actions are right (n, actions), 1 or 0.6, and what the position is worth (n,)."""
    lines = _lines(reading.encoding.board, IN_A_ROW[reading.game.name])
    empty = ~(own | other)
    if reading.game.upright:
        below = np.concatenate([~empty[:, 1:], np.ones_like(empty[:, :1])], axis=1)
        open_cells = (empty & below).reshape(len(own), -1)
    else:
        open_cells = empty.reshape(len(own), -1)
    wins, threats = (_completed(each.reshape(len(own), -1), open_cells, lines) for each in (own, other))
    return _judged(wins, threats, reading.start().actions)


def _judged(wins: Masks, threats: Masks, actions: int) -> Played:
    right = np.zeros((len(wins), actions))
    right[:, : wins.shape[1]] = np.where(wins, 1.0, 0.6 * threats)
    lost = np.where(threats.sum(axis=1) > 1, -1.0, -0.5 * threats.any(axis=1))
    return right, np.where(wins.any(axis=1), 1.0, lost)


def _completed(pieces: Masks, open_cells: Masks, lines: NDArray[np.int64]) -> Masks:
    """The open cells at which one more piece makes a line, bool (n, cells)."""
    found = np.zeros_like(pieces)
    held, free = pieces[:, lines], open_cells[:, lines]
    lacks_one = held.sum(axis=2) == lines.shape[1] - 1
    rows, numbers, places = np.nonzero(free & lacks_one[:, :, None])
    found[rows, lines[numbers, places]] = True
    return found


@cache
def _lines(board: tuple[int, int], length: int) -> NDArray[np.int64]:
    rows, columns = board
    found = []
    for row, column, (down, right) in product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        ends = row + (length - 1) * down, column + (length - 1) * right
        if ends[0] < rows and 0 <= ends[1] < columns:
            found.append([(row + step * down) * columns + column + step * right for step in range(length)])
    return np.array(found)


def _bits(cells: Masks) -> int:
    return int.from_bytes(np.packbits(cells.ravel(), bitorder="little").tobytes(), "little")


def _mask(bits: int, cells: int) -> Masks:
    return np.array([bits >> at & 1 for at in range(cells)], dtype=np.bool_)


def _by_chains(reading: Reading, own: Masks, other: Masks, turn: NDArray[np.int64]) -> Played:
    """Hex: the cells that join a player's sides."""
    kind, cells = hex_rules.kind_of(own.shape[1], hex_rules.RULES[0]), own[0].size
    wins, threats = np.zeros((2, len(own), cells), np.bool_)
    for row, (mine, theirs, player) in enumerate(zip(own, other, turn, strict=True)):
        # A board that is turned for the second player is the first one's to whoever moves.
        side = 0 if reading.encoding.turned else int(player)
        empty = _bits(~(mine | theirs))
        wins[row] = _mask(kind.winning_cells(_bits(mine), empty, side), cells)
        threats[row] = _mask(kind.winning_cells(_bits(theirs), empty, 1 - side), cells)
    return _judged(wins, threats, reading.start().actions)


def _by_turning(reading: Reading, own: Masks, other: Masks, turn: NDArray[np.int64]) -> Played:
    """Reversi: what may be played; the position is worth its corners and what either player may play."""
    size, cells = own.shape[1], own[0].size
    kind = reversi_kind.kind_of(size)
    corners = _bits(_corners(size))
    right, worth = np.zeros((len(own), reading.start().actions)), np.zeros(len(own))
    for row, (mine, theirs) in enumerate(zip(map(_bits, own), map(_bits, other), strict=True)):
        moves, answers = kind.moves(mine, theirs), kind.moves(theirs, mine)
        right[row, :cells] = _mask(moves, cells)
        ahead = 4.0 * ((mine & corners).bit_count() - (theirs & corners).bit_count())
        ahead += (mine.bit_count() - theirs.bit_count()) / 4 + moves.bit_count() - answers.bit_count()
        worth[row] = np.tanh(ahead / 10)
    return right, worth


def _corners(size: int) -> Masks:
    found = np.zeros((size, size), np.bool_)
    found[:: size - 1, :: size - 1] = True
    return found


def _by_territory(reading: Reading, own: Masks, other: Masks, turn: NDArray[np.int64]) -> Played:
    """Go: empty points may be played; the position is worth what one player alone reaches, and the komi."""
    free = ~(own | other)
    reached = [each.copy() for each in (own, other)]
    for _ in range(own[0].size):
        before = sum(int(each.sum()) for each in reached)
        reached = [each | (_grown(each) & free) for each in reached]
        if sum(int(each.sum()) for each in reached) == before:
            break
    mine, theirs = ((one & ~two).sum(axis=(1, 2)) for one, two in (reached, reached[::-1]))
    right = np.zeros((len(own), reading.start().actions))
    right[:, : own[0].size] = free.reshape(len(own), -1)
    return right, (mine - theirs) / own[0].size + np.where(turn == 0, -0.15, 0.15)


def _grown(cells: Masks) -> Masks:
    wide = np.pad(cells, ((0, 0), (1, 1), (1, 1)))
    grown: Masks = wide[:, :-2, 1:-1] | wide[:, 2:, 1:-1] | wide[:, 1:-1, :-2] | wide[:, 1:-1, 2:]
    return grown


_RULES: Mapping[str, Callable[[Reading, Masks, Masks, NDArray[np.int64]], Played]] = {
    **dict.fromkeys(IN_A_ROW, _by_lines),
    "hex": _by_chains,
    "reversi": _by_turning,
    "go": _by_territory,
}
