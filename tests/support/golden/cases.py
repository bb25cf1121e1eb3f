"""Which games and positions the fixtures hold: scripted ones that matter, and seeded random play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from azx.games.game import Game, Settings, Value
from azx.games.random_play import below, generator
from azx.games.state import State
from azx.games.tactics import forced_moves


@dataclass(frozen=True)
class Played:
    """A game to play through: `opening` actions, then random legal ones (seeded).

    `inside` (low, high) keeps random moves to rows and columns low..high - 1 while any is legal.
    `passes` is the share of random moves that pass where a pass is one choice of several.
    """

    about: str
    settings: dict[str, Value] = field(default_factory=dict)
    opening: tuple[int, ...] = ()
    seed: int = 0
    inside: tuple[int, int] | None = None
    passes: float = 0.02
    longest: int = 10_000


@dataclass(frozen=True)
class Searched:
    """A search fixture: `moves` searches of `simulations` each from where `actions` lead, the best move played."""

    simulations: int
    moves: int = 1
    actions: tuple[int, ...] = ()
    settings: dict[str, Value] = field(default_factory=dict)


def actions_of(game: Game, case: Played) -> Iterator[int]:
    """The actions of a played game."""
    state, rng = game.begin(case.settings), generator(case.seed)
    for action in case.opening:
        yield action
        state = state.apply(action)
    for _ in range(case.longest):
        if state.is_terminal:
            return
        action = _draw_action(state, case, rng)
        yield action
        state = state.apply(action)


def _draw_action(state: State, case: Played, rng: np.random.Generator) -> int:
    legal = list(state.legal_actions())
    points = [action for action in legal if action != state.actions - 1]
    # A pass is the last action of the games that number one.
    choice = points if state.label(legal[-1]) == "pass" and points and rng.random() >= case.passes else legal
    if case.inside is not None:
        size, (first, end) = int(state.actions**0.5), case.inside
        within = [action for action in choice if all(first <= at < end for at in divmod(action, size))]
        choice = within or choice
    return choice[below(rng, len(choice))]


# Black turns every disc of white's in nine plies.
REVERSI_WIPEOUT = (44, 29, 20, 45, 38, 43, 52, 37, 34)

# A stone is captured in the corner; a ko is taken at 57, may not be taken back at once, is after two moves elsewhere.
GO_KO = (0, 1, 40, 9, 47, 48, 55, 58, 65, 66, 3, 56, 57, 80, 79, 56, 81, 81)

PLAYED: dict[str, tuple[Played, ...]] = {
    "connect4": (
        Played("won in a column", opening=(35, 36, 28, 29, 21, 22, 14)),
        Played("won along a diagonal", opening=(35, 36, 29, 37, 30, 38, 31, 23, 24, 40, 17)),
        *(Played("random", seed=seed) for seed in range(1, 9)),
        Played("random, 5 rows of 6", {"rows": 5, "columns": 6}, seed=60),
        Played("random, 10 rows of 10", {"rows": 10, "columns": 10}, seed=61),
        Played(
            "won along a diagonal, 8 rows of 4", {"rows": 8, "columns": 4}, (28, 29, 25, 30, 26, 31, 22, 27, 23, 18, 19)
        ),
    ),
    "tictactoe": (
        Played("won in a row", opening=(0, 3, 1, 4, 2)),
        Played("drawn", opening=(0, 1, 2, 4, 3, 5, 7, 6, 8)),
        *(Played("random", seed=seed) for seed in range(1, 13)),
    ),
    "dots_and_boxes": (
        *(Played("random", seed=seed) for seed in range(1, 9)),
        *(Played("random, 2 x 2", {"size": 2}, seed=seed) for seed in (20, 21)),
        Played("random, 5 x 5", {"size": 5}, seed=22),
    ),
    "gomoku": (
        Played("won in a row", opening=(112, 0, 113, 1, 114, 2, 115, 3, 116)),
        Played("six in a row wins too", opening=(112, 0, 113, 2, 114, 4, 116, 6, 117, 8, 115)),
        Played("random", seed=1, longest=57),
        Played("random on 9 x 9", {"size": 9}, seed=2),
        *(Played("renju, crowded", {"rule": "renju"}, seed=seed, inside=(4, 11), longest=48) for seed in range(30, 34)),
        *(Played("renju on 9 x 9", {"rule": "renju", "size": 9}, seed=seed, inside=(1, 8)) for seed in range(40, 43)),
        Played("random on 6 x 6", {"size": 6}, seed=44, longest=18),
    ),
    "go": (
        Played("a capture, a ko and two passes", opening=GO_KO, longest=0),
        Played("random", seed=1),
        Played("random, few points", seed=2, inside=(0, 4), longest=150),
        Played("two passes at once", {"komi": 0.5}, opening=(40, 81, 81)),
        Played("random on 13 x 13", {"size": 13, "komi": 6.5}, seed=3, longest=60),
        Played("random on 19 x 19", {"size": 19}, seed=4, longest=24),
        Played("random on 5 x 5", {"size": 5, "komi": 0.5}, seed=5, longest=60),
        Played("random on 6 x 6", {"size": 6}, seed=6, longest=30),
    ),
    "reversi": (
        Played("random, passes at the end", seed=0),
        Played("random, drawn", seed=1),
        *(Played("random", seed=seed) for seed in (2, 5)),
        Played("a wipeout", opening=REVERSI_WIPEOUT),
        *(Played("random on 4 x 4", {"size": 4}, seed=seed) for seed in (0, 4, 11)),
        *(Played("random on 6 x 6", {"size": 6}, seed=seed) for seed in (1, 2)),
        Played("random on 10 x 10", {"size": 10}, seed=1),
    ),
    "hex": (
        Played("won from top to bottom", opening=(3, 0, 10, 1, 17, 2, 24, 4, 31, 5, 38, 6, 45)),
        Played("won from left to right, around", {"size": 4}, (0, 4, 1, 5, 2, 6, 8, 3)),
        *(Played("random", seed=seed) for seed in range(1, 5)),
        Played("the first stone is taken over", {"rule": "swap"}, (8, 8, 17), seed=5),
        Played("nothing is taken over", {"rule": "swap", "size": 5}, (7, 12), seed=6),
        Played("random on 3 x 3", {"size": 3}, seed=7),
        Played("random on 11 x 11, with a swap", {"size": 11, "rule": "swap"}, (24, 24), seed=8),
        Played("random on 13 x 13", {"size": 13}, seed=9, longest=90),
    ),
}

# (number of a played game, ply)
ENCODED: dict[str, tuple[tuple[int, int], ...]] = {
    "connect4": ((2, 0), (2, 5), (2, 12), (3, 9), (4, 17), (5, 20), (6, 14), (7, 1), (10, 9), (11, 20)),
    "tictactoe": ((2, 0), (2, 3), (3, 4), (4, 5), (5, 2), (6, 1), (7, 4), (1, 8)),
    "dots_and_boxes": ((0, 0), (0, 9), (1, 15), (2, 19), (3, 22), (4, 25), (5, 12), (6, 28)),
    "gomoku": ((2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 31), (4, 20), (5, 33), (11, 7)),
    "go": ((0, 0), (0, 1), (0, 4), (0, 13), (0, 17), (1, 60), (1, 121), (2, 90), (6, 13)),
    "reversi": ((0, 0), (0, 1), (0, 30), (0, 57), (1, 17), (4, 8), (5, 10), (8, 15), (10, 40)),
    "hex": ((2, 0), (2, 1), (2, 12), (3, 21), (4, 30), (6, 2), (6, 9), (7, 8), (8, 4), (9, 40)),
}

SEARCHED: dict[str, tuple[Searched, ...]] = {
    "connect4": (
        Searched(1),
        Searched(2),
        Searched(50, moves=3),
        Searched(400),
        Searched(800, actions=(38, 31, 24, 17, 10)),
        Searched(100, moves=42),
        Searched(60, moves=3, settings={"rows": 5, "columns": 6}),
        Searched(60, actions=(95, 85, 94), settings={"rows": 10, "columns": 10}),
    ),
    "tictactoe": (Searched(50, moves=9), Searched(800), Searched(400, actions=(4, 0))),
    "dots_and_boxes": (Searched(50, moves=6), Searched(400), Searched(100, moves=32, actions=(0, 1, 2, 12, 13, 14))),
    "gomoku": (
        Searched(50, moves=3),
        Searched(400, actions=(112, 97, 113)),
        Searched(300, moves=4, actions=(112, 0, 113, 14, 127, 210, 142, 224), settings={"rule": "renju"}),
        Searched(60, moves=2, settings={"size": 6}),
    ),
    "go": (
        Searched(50, moves=4),
        Searched(400),
        Searched(200, moves=3, actions=GO_KO[:13]),
        Searched(60, moves=3, settings={"size": 5, "komi": 0.5}),
        Searched(60, moves=2, actions=(14, 21), settings={"size": 6}),
    ),
    "reversi": (
        Searched(50, moves=4),
        Searched(400, actions=(19, 18)),
        Searched(100, moves=3, actions=REVERSI_WIPEOUT[:6]),
        Searched(60, moves=14, settings={"size": 4}),
        Searched(60, moves=2, settings={"size": 6}),
        Searched(60, moves=2, settings={"size": 10}),
    ),
    "hex": (
        Searched(50, moves=3),
        Searched(400, actions=(24, 17, 31)),
        Searched(100, moves=4, settings={"size": 5}),
        Searched(60, moves=2, actions=(12,), settings={"size": 5, "rule": "swap"}),
        Searched(60, settings={"size": 11}),
    ),
}

# Of these games, positions of each kind: won at once, lost at once, some moves lost at once, nothing known.
PROVEN: dict[str, tuple[Played, ...]] = {
    "connect4": (
        *(Played("random", seed=seed) for seed in range(50, 58)),
        Played("random, 7 rows of 5", {"rows": 7, "columns": 5}, seed=62),
    ),
    "tictactoe": tuple(Played("random", seed=seed) for seed in range(50, 62)),
    "dots_and_boxes": (Played("random, 2 x 2", {"size": 2}, seed=50),),
    "gomoku": (
        Played("won in a row", opening=(112, 0, 113, 1, 114, 2, 115, 3, 116)),
        Played("crowded", seed=50, inside=(4, 10), longest=40),
        *(Played("on 7 x 7", {"size": 7}, seed=seed) for seed in (51, 52)),
        *(Played("renju on 7 x 7", {"size": 7, "rule": "renju"}, seed=seed) for seed in range(53, 58)),
        Played("renju on 5 x 5, stuck at the end", {"size": 5, "rule": "renju"}, seed=58),
    ),
    "go": (
        Played("two passes after one stone", opening=(40, 81, 81)),
        Played("random, many passes", seed=50, inside=(0, 5), passes=0.2, longest=60),
        Played("random, a whole komi", {"komi": 7}, seed=51, inside=(0, 3), passes=0.2, longest=60),
    ),
    "reversi": (
        Played("a wipeout", opening=REVERSI_WIPEOUT),
        *(Played("random on 4 x 4", {"size": 4}, seed=seed) for seed in range(50, 54)),
        Played("random", seed=50),
    ),
    "hex": (
        *(Played("random", seed=seed) for seed in (50, 51)),
        *(Played("on 4 x 4", {"size": 4}, seed=seed) for seed in (52, 53)),
        Played("with the swap", {"size": 5, "rule": "swap"}, (7, 7), seed=54),
    ),
}
# Positions of each kind per game.
OF_EACH_KIND = 2


def proven_plies(game: Game, case: Played) -> Iterator[list[int]]:
    """The actions that lead to the chosen positions of a played game."""
    actions, state = list(actions_of(game, case)), game.begin(case.settings)
    taken: dict[tuple[int | None, bool], int] = {}
    for ply, action in enumerate(actions):
        moves, result = forced_moves(state)
        kind = (result, len(moves) < len(state.legal_actions()))
        taken[kind] = taken.get(kind, 0) + 1
        if taken[kind] <= OF_EACH_KIND:
            yield actions[:ply]
        state = state.apply(action)


def parity_plies(game: Game) -> Iterator[tuple[Settings, list[int]]]:
    """Positions on the reference network's board, by the actions that lead to them: ten, from the played games."""
    wanted = game.begin().actions
    cases = [case for case in PLAYED[game.name] if case.about.startswith("random")]
    cases = [case for case in cases if game.begin(case.settings).actions == wanted]
    for number in range(10):
        actions = list(actions_of(game, cases[number % len(cases)]))
        yield {}, actions[: (number * len(actions)) // 10]


@dataclass(frozen=True)
class Scored:
    """A board of Go to be counted: X black, O white, small letters for the stones that are known to be dead.

    At its end are `passes` in a row; two end the game.
    """

    about: str
    rows: str
    playouts: int = 128
    seed: int = 1
    passes: int = 2

    @property
    def is_over(self) -> bool:
        return self.passes == 2


def scored_actions(case: Scored) -> list[int]:
    """Actions that set the stones up, black's and white's in turn, with a pass for each that one side has more."""
    rows = case.rows.split()
    cells = "".join(rows).upper()
    black, white = ([at for at, cell in enumerate(cells) if cell == sign] for sign in "XO")
    most, pass_ = max(len(black), len(white)), len(cells)
    pairs = zip(black + [pass_] * (most - len(black)), white + [pass_] * (most - len(white)), strict=True)
    actions = [action for pair in pairs for action in pair]
    passed = 1 if actions and actions[-1] == pass_ else 0
    return actions + [pass_] * (case.passes - passed)


# Boards that are counted and, before the second pass, asked about.
DEAD_GROUP = ".oX...XO. ooX...XO. XXX...XO. ......XO. XXXXXXXO. OOOOOOOO. ......... ..O...O.. ........."
SEKI = "XO.XO.... XO.XO.... XOOXO.O.O XXXOO.... ..XO..O.O XXXO..... ..XO..O.O XXXO..... ..XO....."
TWO_STONES = "..XOOOO.. ..XXXXOO. ..oX.XXO. ..oX..XO. .X...XO.. ..X..XO.. .....XOO. .....XXO. ...o.oXO."
# The boards "as GNU Go left it" are ends of games that GNU Go 3.8 played with itself; it says which stones are dead.
SCORED: tuple[Scored, ...] = (
    Scored(
        "a dead group in a corner",
        DEAD_GROUP,
    ),
    Scored(
        "a seki: neither side may begin",
        SEKI,
    ),
    Scored(
        "two eyes live, amid the other side's stones",
        ".O.OX.... OOOOX.... XXXXX.... ......... XXXXXXXXX OOOOOOOOO ......... ..O...O.. .........",
    ),
    Scored(
        "one eye dies",
        ".oooX.... oXXoX.... XX.XX.... ..X...... XXXXXXXXX OOOOOOOOO ......... ..O...O.. .........",
    ),
    Scored(
        "as GNU Go left it, two stones on either side",
        TWO_STONES,
    ),
    Scored(
        "as GNU Go left it, dead stones of both",
        "....XXO.. .X.XXOO.. X.XOXXO.. .XOOXXOO. ..XOOOO.O .XXO.O... .oXOO.x.O .XXOxxx.. ..XO.....",
    ),
    Scored(
        "as GNU Go left it, black dead on the right",
        "XOOOO.... XXOXO.... .XXXO.O.x ..X.XO... ..X.XXOO. ..XXOOOxO ...XOOx.. ...XOOxx. ...XXOO..",
    ),
    Scored(
        "as GNU Go left it, stones alone",
        "..x.OXX.. .O.O.OX.. OO...OX.. OXOOOX... XXO.OX... XXOOX.X.. oXXXXX... ....o.o.. ...o.....",
        seed=7,
    ),
    Scored(
        "nothing is decided",
        "......... ......... ..X...O.. " + "......... " * 3 + "..O...X.. ......... .........",
        passes=0,
    ),
    Scored("13 x 13, black has half", "......X......" + " ......X......" * 12, playouts=32, passes=0),
    Scored("19 x 19, a wall", " ".join(".........XO........" for _ in range(19)), playouts=16),
    # What is passed on, and what is not, once the other side has passed.
    Scored("a pass on the empty board", "......... " * 9, passes=1),
    Scored(
        "a pass where all is settled",
        DEAD_GROUP,
        passes=1,
    ),
    Scored(
        "a pass where a seki alone is disputed",
        SEKI,
        passes=1,
    ),
    Scored(
        "a pass where one point is left",
        ".X.XO.O.O XXXXOOOOO XXXX.OOOO XXXXOOOOO .X.XO.O.O XXXXOOOOO XXXXOOOOO XXXXOOOOO .X.XO.O.O",
        passes=1,
    ),
    Scored(
        "a pass where a stone still gains",
        TWO_STONES,
        passes=1,
    ),
)
