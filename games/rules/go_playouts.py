"""Estimates the owner of each point of a Go board by random games, the same in every language for the same seed.

A playout continues from the board until both sides have passed, or for 3 N^2 plies. The player to move begins the
first one, the other the second, and so on. In the end the area gives each point's owner.

Which moves are allowed: those that capture, or whose chain has two liberties, or one liberty and at most three stones.
After a lone stone has taken a lone stone, the next move may not be on the point of the taken stone: the only ko rule.

Which move is played: if the stone played last stands in a chain with one liberty, that liberty. Otherwise it is the
one liberty of a chain of the player's beside that stone, the neighbours in ascending order. If that move is not
allowed, or neither exists, a move is drawn.

How a move is drawn: the free points are a list, ascending at first. A place below the number of untried points is
drawn; the point there and the last untried point change places. The drawn point is played unless it is not allowed or
an own eye. In an own eye all neighbours are own stones, and at most one of the points across its corners is the other
side's, at the edge none. A played point leaves the list, and the last point of the list takes its place. Points of
taken stones are added, ascending.

All playouts share one counter, which begins with the seed and grows by 0x9E3779B9. Its low 32 bits, mixed by the last
step of MurmurHash3 (Austin Appleby, public domain), are the random numbers. They have 32 bits because JavaScript
multiplies no more. A number below k is (k * r) >> 32.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from ..tables import read_table
from .go_board import Tables, _flood, _neighbours, _without_liberty, actions_of, area, split, tables

_TABLE = read_table("thresholds")["go_scoring"]
PLAYOUTS: int = _TABLE["playouts"]
SEED: int = _TABLE["seed"]
STEP, FIRST, SECOND, WORD = 0x9E3779B9, 0x85EBCA6B, 0xC2B2AE35, 0xFFFFFFFF
NO_POINT = -1
# At most this many stones may be put where they can be captured at once: killing a group may need that.
SMALL = 3


@dataclass(frozen=True)
class Ownership:
    """`black[at]` and `white[at]` count the `playouts` in which the point was black's and white's.

    `leads[lead]` counts the playouts in which black's area ended `lead` points larger than white's, without the
    komi.
    """

    playouts: int
    black: tuple[int, ...]
    white: tuple[int, ...]
    leads: dict[int, int]

    def owner(self, at: int, percent: int) -> int | None:
        """The player who has the point in at least `percent` (over 50) of the playouts; None if neither does."""
        least = percent * self.playouts
        return 0 if 100 * self.black[at] >= least else 1 if 100 * self.white[at] >= least else None

    @property
    def mean_lead(self) -> float:
        """Black's mean lead over the playouts, in points."""
        return sum(lead * count for lead, count in self.leads.items()) / self.playouts

    @property
    def spread(self) -> float:
        """The standard deviation of the playouts' leads, in points; computed in integers up to the final root."""
        total = sum(lead * count for lead, count in self.leads.items())
        squares = sum(lead * lead * count for lead, count in self.leads.items())
        return math.sqrt(self.playouts * squares - total * total) / self.playouts

    def black_wins(self, komi: float) -> int:
        """In how many playouts black's lead exceeded the komi."""
        return sum(count for lead, count in self.leads.items() if lead > komi)


@cache
def _corners(size: int) -> tuple[tuple[int, int], ...]:
    """For each point, its diagonal neighbours and the number of them with which the other side spoils an eye."""
    table = tables(size)
    corners = []
    for bit in table.bits:
        beside = (bit << 1 | bit >> 1) & table.full
        diagonal = (beside << table.stride | beside >> table.stride) & table.full
        corners.append((diagonal, 2 if diagonal.bit_count() == 4 else 1))
    return tuple(corners)


def ownership(size: int, board: int, player: int, playouts: int = PLAYOUTS, seed: int = SEED) -> Ownership:
    """Play `playouts` random games from a whole `board` (see go_board); in the first one `player` moves first."""
    table = tables(size)
    black, white = [0] * table.points, [0] * table.points
    leads: dict[int, int] = {}
    counter = seed & WORD
    for number in range(playouts):
        end, counter = _play_out(table, board, player + number & 1, counter)
        first, second = area(table, end)
        for at in actions_of(table, first):
            black[at] += 1
        for at in actions_of(table, second):
            white[at] += 1
        lead = first.bit_count() - second.bit_count()
        leads[lead] = leads.get(lead, 0) + 1
    return Ownership(playouts, tuple(black), tuple(white), dict(sorted(leads.items())))


def _play_out(table: Tables, board: int, player: int, counter: int) -> tuple[int, int]:
    """The board at the end of one playout, and the next counter of the random numbers."""
    own, other = split(table, board, player)
    free = list(actions_of(table, table.full ^ own ^ other))
    ko, last, passes = NO_POINT, NO_POINT, 0
    for _ in range(table.limit):
        index = _answer(table, own, other, last, ko, free)
        if index is None:
            index, counter = _draw(table, own, other, ko, free, counter)
        ko, last = NO_POINT, NO_POINT
        passes = passes + 1 if index is None else 0
        if index is not None:
            last = free[index]
            free[index] = free[-1]
            free.pop()
            taken = _count_taken(table, other, own, last)
            own |= table.bits[last]
            if taken:
                other ^= taken
                points = actions_of(table, taken)
                free += points
                near = table.places[0][last][2] & table.full
                # A lone stone among enemies captured a lone stone, so it could be captured back at once.
                ko = points[0] if len(points) == 1 and near & ~taken & ~other == 0 else NO_POINT
        if passes == 2:
            break
        own, other, player = other, own, 1 - player
    black, white = (other, own) if player else (own, other)
    return black | white << table.width, counter


def _answer(table: Tables, own: int, other: int, last: int, ko: int, free: list[int]) -> int | None:
    """The place in `free` of the point that captures the last stone's chain, or else saves one beside it."""
    if last == NO_POINT:
        return None
    empty, bit = table.full ^ own ^ other, table.bits[last]
    liberty = _only_liberty(bit, other, empty, table.stride)
    beside = _neighbours(bit, table.stride) & own
    while beside and not liberty:
        seed = beside & -beside
        liberty = _only_liberty(seed, own, empty, table.stride)
        beside ^= seed
    if not liberty:
        return None
    at = table.action_of_bit[liberty.bit_length() - 1]
    return free.index(at) if at != ko and _may_be_set(table, own, other, at) else None


def _draw(table: Tables, own: int, other: int, ko: int, free: list[int], counter: int) -> tuple[int | None, int]:
    """The place in `free` of a drawn playable point, None for a pass; and the counter. Reorders `free`."""
    # Drawn without replacement: unplayable points move behind the untried ones.
    for left in range(len(free), 0, -1):
        counter = counter + STEP & WORD
        mixed = (counter ^ counter >> 16) * FIRST & WORD
        mixed = (mixed ^ mixed >> 13) * SECOND & WORD
        index = (mixed ^ mixed >> 16) * left >> 32
        at = free[index]
        free[index], free[left - 1] = free[left - 1], at
        if at != ko and not _is_eye(table, own, other, at) and _may_be_set(table, own, other, at):
            return left - 1, counter
    return None, counter


def _is_eye(table: Tables, own: int, other: int, at: int) -> bool:
    near = table.places[0][at][2] & table.full
    if near & ~own:
        return False
    diagonal, enough = _corners(table.size)[at]
    return (diagonal & other).bit_count() < enough


def _may_be_set(table: Tables, own: int, other: int, at: int) -> bool:
    """Whether a stone captures something, or makes a chain with two liberties, or a small chain with one."""
    bit, stride = table.bits[at], table.stride
    empty = table.full ^ own ^ other ^ bit
    liberties = table.places[0][at][2] & empty
    # A stone with two liberties of its own is neither suicide nor captured at once, whatever it captures.
    if liberties & (liberties - 1) or _count_taken(table, other, own, at):
        return True
    group = bit
    while True:
        near = _neighbours(group, stride)
        liberties = near & empty
        if liberties & (liberties - 1):
            return True
        grown = group | near & own
        if grown == group:
            return liberties != 0 and group.bit_count() <= SMALL
        group = grown


def _count_taken(table: Tables, stones: int, others: int, at: int) -> int:
    """The number of `stones` that one of the `others`, set on the point `at`, captures."""
    beside = table.places[0][at][2] & stones
    empty = table.full ^ stones ^ others ^ table.bits[at]
    return _without_liberty(beside, stones, empty, table.stride) if beside else 0


def _only_liberty(seed: int, stones: int, empty: int, stride: int) -> int:
    """The liberty of the chain at `seed`, as a bit, if it has exactly one; else 0."""
    group = seed
    while True:
        near = _neighbours(group, stride)
        liberties = near & empty
        if liberties & (liberties - 1):
            return 0
        grown = group | near & stones
        if grown == group:
            return liberties
        group = grown


def chain_of(size: int, board: int, at: int) -> tuple[int, ...]:
    """The points of the stones connected with the one on `at`, ascending; empty if the point is empty."""
    table = tables(size)
    for stones in split(table, board, 0):
        if table.bits[at] & stones:
            return actions_of(table, _flood(table.bits[at], stones, table.stride))
    return ()
