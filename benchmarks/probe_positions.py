"""Draws the positions that probes show, by random play, and writes games/data/probe.json.

    python benchmarks/probe_positions.py [GAME | GAME-ROWSxCOLUMNS]...

The seed determines them on every machine. Connect4 takes a minute or two, Gomoku some minutes, Hex a minute. Reversi
has other kinds of positions; training/reversi solves its ends.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from azx.games.known.catalogue import GAMES
from azx.games.random_play import below, generator, random_action
from azx.games.rules.hex import Hex
from azx.games.rules.position import places_in
from azx.games.state import State
from azx.games.tactics import list_wins
from azx.validate.reading.positions import (
    AHEAD,
    BEHIND,
    BOTH,
    DRAWN,
    KINDS,
    LEGAL,
    TACTICAL,
    classify,
    write_line,
)

if TYPE_CHECKING:
    from azx.games.rules.reversi import Reversi

FILE = Path(__file__).parents[1] / "games" / "data" / "probe.json"
# The number of positions per kind with one right move, including those after the balanced ones.
MOST = 120
# The numbers for boards with few networks, and for the kind "both", which distinguishes colours.
FEWER, FEWER_BOTH = 48, 88
# For each board: the game, its settings, games played, positions of a kind for each player to move, and the most of a
# kind with one right move.
BOARDS = (
    ("tictactoe", {}, 6000, 40, MOST),
    ("connect4", {}, 6000, 30, MOST),
    *(("connect4", each.settings, 900, 12, FEWER) for each in GAMES["connect4"].shapes if each.settings),
    *(("gomoku", {"size": size}, 600, 20, MOST) for size in (5, 6, 7, 8, 9, 15)),
    ("gomoku", {"size": 19}, 150, 20, MOST),
    *(("reversi", {"size": size}, 1500, 40, MOST) for size in (4, 6, 8)),
    ("reversi", {"size": 10}, 600, 40, MOST),
    *(("hex", {"size": size}, 400, 24, MOST) for size in (5, 6, 7, 8, 9, 11, 13)),
    *(("hex", {"size": size}, 400, 24, FEWER) for size in (4, 10, 12)),
)
# For Reversi: the empty cells of a solved end, and the least number of discs by which it is won or lost.
SOLVED_EMPTY, LEAST_MARGIN = (8, 12), 8
# The solver has 64 bits for the cells. On larger boards, ends with fewer empty cells are played out instead.
SOLVED_ACTIONS, PLAYED_EMPTY = 65, (4, 6)
MOST_PIECES, OF_A_BUCKET = 30, 40
Line = tuple[tuple[int, ...], int | None]


def main() -> None:
    """Write the positions of all boards, or of the named ones; the others stay unchanged."""
    table: dict[str, dict[str, dict[str, str]]] = json.loads(FILE.read_text(encoding="utf8")) if FILE.exists() else {}
    for name, settings, games, count, most in BOARDS:
        rows, columns = GAMES[name].begin(settings).board
        if sys.argv[1:] and not {name, f"{name}-{rows}x{columns}"} & set(sys.argv[1:]):
            continue
        if name == "reversi":
            chosen = _of_reversi(GAMES[name].begin(settings), games, count)
        else:
            chosen = _choose(_collect(GAMES[name].begin(settings), games), count, most)
        table.setdefault(name, {})[f"{rows}x{columns}"] = {
            kind: " ".join(_text(line, rows * columns) for line in lines) for kind, lines in chosen.items()
        }
        FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf8")
        print(name, f"{rows}x{columns}", {kind: len(lines) for kind, lines in chosen.items()}, flush=True)


def _collect(start: State, games: int) -> dict[tuple[str, int, int], list[Line]]:
    """Lines by kind, player to move and number of pieces: from random games, and from games that avoid wins."""
    rng, boards = generator(7), set[tuple[bytes, bytes]]()
    # In Hex, cells that both players need appear late, in games in which neither player hurries to win.
    is_hex = isinstance(start, Hex)
    most, often = (start.actions * 3 // 4, 2) if is_hex else (max(MOST_PIECES, start.actions // 2), 4)
    pool: dict[tuple[str, int, int], list[Line]] = defaultdict(list)
    for number in range(games):
        for line, state in _play(start, rng, careful=number % often == 0):
            shown = classify(state)
            if shown is None or (shown.kind != DRAWN and shown.pieces > most):
                continue
            bucket, board = pool[shown.kind, state.to_move, shown.pieces], state.plane("mover").tobytes()
            if len(bucket) < OF_A_BUCKET and (board, state.plane("opponent").tobytes()) not in boards:
                boards.add((board, state.plane("opponent").tobytes()))
                bucket.append((line, shown.best))
    return pool


def _play(start: State, rng: np.random.Generator, *, careful: bool) -> Iterator[tuple[tuple[int, ...], State]]:
    state = start
    line: tuple[int, ...] = ()
    while not state.is_terminal:
        yield line, state
        action = _join(state, rng) if isinstance(state, Hex) else _near(state, rng)
        if careful:
            for _ in range(12):
                after = state.apply(action)
                if (after.is_terminal and after.returns()) or (not after.is_terminal and _loses(after)):
                    action = random_action(state, rng)
        state, line = state.apply(action), (*line, action)


def _of_reversi(start: State, games: int, count: int) -> dict[str, list[Line]]:
    """Positions of random games: some with a choice of moves, and pairs of ends, won and lost, with equal discs."""
    from azx.training.reversi.alpha_beta import solve

    rng = generator(7)
    legal: tuple[list[Line], list[Line]] = ([], [])
    ends: dict[tuple[int, int, int], tuple[list[Line], list[Line]]] = {}
    for _ in range(games):
        lines = list(_play(start, rng, careful=False))
        line, state = lines[below(rng, len(lines))]
        empty = state.actions - 1 - int(state.plane("mover").sum() + state.plane("opponent").sum())
        if 3 <= len(state.legal_actions()) <= empty // 2 and len(legal[state.to_move]) < MOST // 2:
            legal[state.to_move].append((line, None))
        for line, state in lines:
            own, other = (int(state.plane(name).sum()) for name in ("mover", "opponent"))
            empty = state.actions - 1 - own - other
            is_small = state.actions <= SOLVED_ACTIONS
            fewest, most = SOLVED_EMPTY if is_small else PLAYED_EMPTY
            is_end = fewest <= empty <= most
            margin = (solve(cast("Reversi", state)) if is_small else _play_out(state)) if is_end else 0
            if abs(margin) >= LEAST_MARGIN:
                ends.setdefault((state.to_move, own, other), ([], []))[margin < 0].append((line, None))
    pairs: tuple[list[tuple[Line, Line]], list[tuple[Line, Line]]] = ([], [])
    for (side, *_), (won, lost) in sorted(ends.items()):
        pairs[side].extend(list(zip(won, lost, strict=False))[:2])
    # Spread evenly over the numbers of discs.
    spread = [each[:: max(1, len(each) // count)][:count] for each in pairs]
    both = [pair for two in zip(*spread, strict=False) for pair in two]
    return {
        LEGAL: [line for two in zip(*legal, strict=False) for line in two],
        **({AHEAD: [won for won, _ in both], BEHIND: [lost for _, lost in both]} if both else {}),
    }


def _play_out(state: State) -> int:
    """The mover's lead in discs at the end if both play perfectly."""
    if state.is_terminal:
        return int(state.plane("mover").sum() - state.plane("opponent").sum())
    afters = map(state.apply, state.legal_actions())
    return max(_play_out(after) * (1 if after.to_move == state.to_move else -1) for after in afters)


def _loses(after: State) -> bool:
    return bool(list_wins(after))


def _near(state: State, rng: np.random.Generator) -> int:
    """A random move; on a large board mostly beside a piece, so that rows arise."""
    rows, columns = state.board
    taken = state.plane("mover") + state.plane("opponent")
    legal = state.legal_actions()
    if columns > 4 and len(legal) > columns and taken.any() and rng.random() < 0.9:
        near = np.zeros((rows + 2, columns + 2))
        for row, column in np.argwhere(taken):
            near[row : row + 3, column : column + 3] = 1
        beside = [action for action in legal if near[1:-1, 1:-1].flat[action]]
        return beside[below(rng, len(beside))]
    return random_action(state, rng)


def _choose(pool: dict[tuple[str, int, int], list[Line]], count: int, most: int) -> dict[str, list[Line]]:
    """Positions of each kind, balanced by their numbers of pieces and by the player to move."""
    chosen: dict[str, list[Line]] = {kind: [] for kind in KINDS}
    balanced = [kind for kind in KINDS if kind != DRAWN]
    pieces = sorted({pieces for _, _, pieces in pool})
    sides: list[list[tuple[int, int, int]]] = [[], []]
    for side in (0, 1):
        left = {many: min(len(pool[kind, side, many]) for kind in balanced) for many in pieces}
        while len(sides[side]) < count and any(left.values()):
            for many in pieces:
                if left[many] and len(sides[side]) < count:
                    left[many] -= 1
                    sides[side].append((side, many, left[many]))
    for both in zip(*sides, strict=False):
        for side, many, at in both:
            for kind in balanced:
                chosen[kind].append(pool[kind, side, many][at])
    _append_others(chosen, pool, count, most)
    drawn = [
        [line for (kind, whose, _), lines in pool.items() for line in lines if (kind, whose) == (DRAWN, side)]
        for side in (0, 1)
    ]
    for pair in zip(*(lines[: count // 2] for lines in drawn), strict=False):
        chosen[DRAWN] += pair
    return chosen


def _append_others(
    chosen: dict[str, list[Line]], pool: dict[tuple[str, int, int], list[Line]], count: int, most: int
) -> None:
    """Append further positions with one right move to the balanced ones."""
    for kind in (kind for kind in TACTICAL if kind in chosen):
        limit = max(most, FEWER_BOTH) if kind == BOTH else most
        more = [
            [
                line
                for (each, whose, _), lines in sorted(pool.items())
                for line in lines
                if (each, whose) == (kind, side)
            ]
            for side in (0, 1)
        ]
        fresh = [[line for line in lines if line not in chosen[kind]] for lines in more]
        steps = [max(1, len(lines) // max(1, limit // 2 - count)) for lines in fresh]
        for pair in zip(*(lines[::step] for lines, step in zip(fresh, steps, strict=True)), strict=False):
            chosen[kind] += pair if len(chosen[kind]) < limit else ()


def _join(state: Hex, rng: np.random.Generator) -> int:
    """A random move, mostly on the cheapest way between a player's sides, by costs drawn anew for each move."""
    if rng.random() < 0.1:
        return random_action(state, rng)
    player = state.to_move if rng.random() < 0.6 else 1 - state.to_move
    own, other = state.stones[player], state.stones[1 - player]
    first, last = state.kind.sides[player]
    costs = [0.0 if own >> at & 1 else 0.2 + rng.random() for at in range(state.actions)]
    waiting = [(costs[at], at, -1) for at in places_in(first & ~other)]
    came: dict[int, int] = {}
    heapify(waiting)
    while waiting:
        cost, at, before = heappop(waiting)
        if at in came:
            continue
        came[at] = before
        if last >> at & 1:
            way = []
            while at >= 0:
                way.append(at)
                at = came[at]
            free = [cell for cell in way if not own >> cell & 1]
            return free[below(rng, len(free))]
        for cell in state.kind.touching[at]:
            if cell not in came and not other >> cell & 1:
                heappush(waiting, (cost + costs[cell], cell, at))
    return random_action(state, rng)


def _text(line: Line, cells: int) -> str:
    moves, best = line
    return write_line([best or 0, *moves], cells)


if __name__ == "__main__":
    main()
