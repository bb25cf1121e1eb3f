"""The stones of a Go board as integers: groups, liberties, captures, area.

A colour's stones are one integer: the rows of the board from row 0 on top, each followed by one bit that is never set.
That wall turns finding a neighbour into a shift: a bit shifted over the edge lands on a wall or outside, where neither
stones nor empty points are. A whole board is one integer too: black's stones, and white's above them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import compress

# Turns the digits of a binary number into `compress`'s false and true.
FALSE_AND_TRUE = bytes.maketrans(b"01", b"\x00\x01")


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """What is the same in all positions of one board size.

    `points` is size * size; a point's action is row * size + column. `bits[action]` is its bit in one colour's stones,
    `full` has all of them. `width` is the number of one colour's bits. `limit` is the ply at which a game is stopped.
    `places[player][action]` uses the bits of a whole board. It has the stone to set, the point in both colours, the
    neighbours in both colours, and the number of neighbours.
    """

    size: int
    points: int
    stride: int
    width: int
    limit: int
    full: int
    bits: tuple[int, ...]
    places: tuple[tuple[tuple[int, int, int, int], ...], ...]
    action_of_bit: tuple[int, ...]


@cache
def tables(size: int) -> Tables:
    """The tables of a `size` by `size` board, made once."""
    stride, points = size + 1, size * size
    width = size * stride
    bits = tuple(1 << row * stride + column for row in range(size) for column in range(size))
    full = sum(bits)
    action_of_bit = [-1] * width
    for action, bit in enumerate(bits):
        action_of_bit[bit.bit_length() - 1] = action
    places = tuple(
        tuple(
            (bit << player * width, bit | bit << width, near | near << width, near.bit_count())
            for bit in bits
            for near in (_neighbours(bit, stride) & full,)
        )
        for player in (0, 1)
    )
    return Tables(size, points, stride, width, 3 * points, full, bits, places, tuple(action_of_bit))


def _neighbours(stones: int, stride: int) -> int:
    return stones << 1 | stones >> 1 | stones << stride | stones >> stride


def split(table: Tables, board: int, player: int) -> tuple[int, int]:
    """The stones of `player` and of the other player, from a whole board."""
    black, white = board & table.full, board >> table.width
    return (white, black) if player else (black, white)


def place(table: Tables, board: int, player: int, action: int) -> int:
    """The board after `player` has set a stone and made its captures; 0 if occupied or suicide."""
    stone, point, around, degree = table.places[player][action]
    if board & point:
        return 0
    touching = board & around
    if not touching:
        return board | stone
    own, other = split(table, board, player)
    bit = table.bits[action]
    # The new stone's point is no longer empty; points that captures free are not empty yet.
    empty = table.full ^ own ^ other ^ bit
    dead = _without_liberty(other & around, other, empty, table.stride)
    if dead:
        return (board | stone) ^ (dead if player else dead << table.width)
    # With an empty neighbour the stone has its own liberty, and the flood is unnecessary.
    if touching.bit_count() == degree and _without_liberty(bit, own | bit, empty, table.stride):
        return 0
    return board | stone


def _without_liberty(seeds: int, stones: int, empty: int, stride: int) -> int:
    """The groups of `stones` that hold one of `seeds` and touch no `empty` point."""
    dead = 0
    while seeds:
        # The lowest bit is one stone. Its group is flooded from there until it stops growing or has a liberty.
        group = seeds & -seeds
        while True:
            near = group << 1 | group >> 1 | group << stride | group >> stride
            if near & empty:
                break
            grown = group | near & stones
            if grown == group:
                dead |= group
                break
            group = grown
        seeds &= ~group
    return dead


def playable(table: Tables, board: int, player: int) -> int:
    """The points where `player` may set a stone, apart from superko: empty ones where a stone is no suicide."""
    stride = table.stride
    own, other = split(table, board, player)
    empty = table.full ^ own ^ other
    # A point with an empty neighbour is never suicide. The remaining, tight points are rare. One is legal if it joins
    # an own group that keeps a liberty, or captures an enemy group whose only liberty it is.
    roomy = empty & _neighbours(empty, stride)
    tight = empty ^ roomy
    if not tight:
        return empty
    # A group that touches a roomy point keeps that liberty, whatever tight point is filled.
    safe = _flood(own & _neighbours(roomy, stride), own, stride)
    good = tight & _neighbours(safe, stride)
    good |= _liberties(tight & ~good, own, empty, stride, in_atari=False)
    return roomy | good | _liberties(tight & ~good, other, empty, stride, in_atari=True)


def _flood(seeds: int, stones: int, stride: int) -> int:
    """All of `stones` that are connected to `seeds`."""
    while True:
        grown = seeds | (seeds << 1 | seeds >> 1 | seeds << stride | seeds >> stride) & stones
        if grown == seeds:
            return seeds
        seeds = grown


def _liberties(wanted: int, stones: int, empty: int, stride: int, *, in_atari: bool) -> int:
    """Among the points `wanted`, the liberties of groups with exactly one (`in_atari`) or with more."""
    chosen = 0
    seeds = stones & _neighbours(wanted, stride)
    while seeds:
        group = seeds & -seeds
        while True:
            near = group << 1 | group >> 1 | group << stride | group >> stride
            liberties = near & empty
            several = liberties & (liberties - 1)  # without the lowest bit: not 0 if there are two
            grown = group | near & stones
            # With two known liberties the group is not in atari, and the rest of it matters only to its own side.
            if grown == group or (several and in_atari):
                break
            group = grown
        if bool(several) != in_atari:
            chosen |= liberties & wanted
        seeds &= ~group
    return chosen


def area(table: Tables, board: int) -> tuple[int, int]:
    """Tromp-Taylor area of black and white, as points: stones, and empty points that reach only that colour."""
    black, white = split(table, board, 0)
    empty = table.full ^ black ^ white
    reached = [_flood(stones, stones | empty, table.stride) for stones in (black, white)]
    return reached[0] & ~reached[1], reached[1] & ~reached[0]


def actions_of(table: Tables, points: int) -> tuple[int, ...]:
    """The actions of a set of points, ascending."""
    # The binary digits from the lowest on, without "0b": one pass in C instead of a loop over bits in Python.
    digits = bin(points)[:1:-1].encode().translate(FALSE_AND_TRUE)
    return tuple(compress(table.action_of_bit, digits))
