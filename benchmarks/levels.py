"""Measures the levels' strength: many games at once between settings of levels, with positions evaluated together.

    python -P benchmarks/levels.py connect4 --games 400              neighbouring levels of the table
    python -P benchmarks/levels.py connect4 --beginner --games 100   level 1 against a player that sees one ply

Every opening (random plies, as `azx match` draws them) is played twice, each side beginning once. A setting is written
SIMULATIONS/THRESHOLD/TEMPERATURE, such as 16/0.2/1; --settings plays others. The network is the shipped one, in ONNX
Runtime. A pair's line has its score and Elo difference with 95 % intervals of the pairs of games
(azx.match.rating.elo).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from azx.games.evaluator import Evaluator
from azx.games.known.catalogue import GAMES
from azx.games.levels.choice import Level, choose_action, find_pass
from azx.games.levels.table import levels_of
from azx.games.random_play import below, generator
from azx.games.rules.dots_and_boxes import DotsAndBoxes
from azx.games.rules.reversi import Reversi
from azx.games.search import Search, run_together
from azx.games.state import State, play_line
from azx.match.openings import openings
from azx.match.rating.elo import elo_interval, score_interval
from azx.play.network import open_network

ONE_PLY = "one-ply"
# The numbers of their actions.
GO_ACTIONS, GOMOKU_ACTIONS = 82, 225


@dataclass
class Board:
    """A game under way: `sides` are its two settings; the first one begins."""

    pair: int
    opening: int
    sides: tuple[str, str]
    seeds: tuple[int, int]
    state: State
    plies: int = 0

    @property
    def mover(self) -> str:
        """The setting to move."""
        return self.sides[self.state.to_move]


def level(text: str) -> Level:
    """SIMULATIONS/THRESHOLD/TEMPERATURE as a level."""
    simulations, threshold, temperature = text.split("/")
    return Level(int(simulations), float(threshold), float(temperature))


def format_level(setting: Level) -> str:
    """A level as it is written on the command line."""
    return f"{setting.simulations}/{setting.threshold:g}/{setting.temperature:g}"


def play(boards: Sequence[Board], network: Evaluator, rng: np.random.Generator) -> None:
    """Play all games to their ends, one ply of each per round."""
    under_way = list(boards)
    while under_way:
        searching = [board for board in under_way if board.mover != ONE_PLY]
        thoughts = think([(board.state, level(board.mover).simulations) for board in searching], network)
        weights = {id(board): each for board, each in zip(searching, thoughts, strict=True)}
        for board in under_way:
            state = board.state
            if id(board) in weights:
                seed = board.seeds[state.to_move]
                action = choose_action(weights[id(board)], level(board.mover), seed, board.plies, find_pass(state))
            else:
                action = one_ply(state, rng)
            board.state, board.plies = state.apply(action), board.plies + 1
        under_way = [board for board in under_way if not board.state.is_terminal]


def think(states: Sequence[tuple[State, int]], network: Evaluator) -> list[list[tuple[int, float]]]:
    """The visits of each state's search, or the priors without simulations; all leaves are evaluated together."""
    visits: list[list[tuple[int, float]]] = [[] for _ in states]
    alone = [at for at, (state, simulations) in enumerate(states) if not simulations or len(state.legal_actions()) == 1]
    for at, answer in zip(alone, network.evaluate([states[at][0] for at in alone]), strict=True):
        legal = states[at][0].legal_actions()
        visits[at] = list(zip(legal, answer.priors(legal).tolist(), strict=True))
    searches = {at: Search(state, network) for at, (state, _) in enumerate(states) if at not in set(alone)}
    for simulations in {states[at][1] for at in searches}:
        run_together([search for at, search in searches.items() if states[at][1] == simulations], network, simulations)
    for at, search in searches.items():
        visits[at] = list(search.visits().items())
    return visits


def one_ply(state: State, rng: np.random.Generator) -> int:
    """A move of a player that looks one ply ahead: it wins at once, else stops a win at once, else moves at random.

    Few single moves win Dots and Boxes, Go or Reversi. There it takes as many boxes, stones or discs as possible; in
    Dots and Boxes it avoids offering a box. It passes only if no other move is legal.
    """
    legal = [action for action in state.legal_actions() if action != find_pass(state)]
    mover = state.to_move
    after = {action: state.apply(action) for action in legal}
    gains = {action: gain(state, then, mover) for action, then in after.items()}
    best = max(gains.values())
    candidates = [action for action, gained in gains.items() if gained == best]
    if best <= 0 and state.actions != GO_ACTIONS:
        candidates = safe(state, after)
    return candidates[below(rng, len(candidates))]


def gain(state: State, then: State, mover: int) -> float:
    """The immediate gain of a move: 1000 for a win, or the number of pieces that it takes."""
    if then.is_terminal and then.returns() * (1 - 2 * mover) > 0:
        return 1000.0
    if isinstance(state, DotsAndBoxes) and isinstance(then, DotsAndBoxes):
        return float(then.owners.count(mover) - state.owners.count(mover))
    if isinstance(state, Reversi) and isinstance(then, Reversi):
        return float(then.scores[mover] - state.scores[mover])
    if state.actions == GO_ACTIONS:
        return float((state.plane("opponent").sum()) - then.plane("mover").sum())
    return 0.0


def safe(state: State, after: dict[int, State]) -> list[int]:
    """The moves after which the opponent gains nothing at once; all if there are none."""
    legal = list(after)
    if state.actions == GOMOKU_ACTIONS and len(legal) > 2:
        # A cell where the opponent makes five is also the one that stops it. So two positions show all threats.
        threats = [action for action in wins(after[legal[0]]) if action in after]
        threats += [legal[0]] if legal[0] in wins(after[legal[1]]) else []
        return threats or legal
    safe_rows = [
        a
        for a, then in after.items()
        if then.is_terminal
        or not any(gain(then, then.apply(reply), then.to_move) > 0 for reply in then.legal_actions())
    ]
    return safe_rows or legal


def wins(state: State) -> list[int]:
    """The moves that win at once."""
    return [a for a in state.legal_actions() if gain(state, state.apply(a), state.to_move) > 0]


def boards_of(game: str, pairs: Sequence[tuple[str, str]], games: int, seed: int) -> list[Board]:
    """The games of each pair of settings."""
    start = GAMES[game].begin()
    lines = openings(start, games // 2, GAMES[game].plies, seed).lines
    boards = []
    for pair, (one, other) in enumerate(pairs):
        for number, line in enumerate(lines):
            state = play_line(start, line)
            for turned in (0, 1):
                sides = (other, one) if turned else (one, other)
                first = ((seed * 1000 + pair) * 10_000 + number) * 4 + 2 * turned
                boards.append(Board(pair, number, sides, (first, first + 1), state, len(line)))
    return boards


def scores(boards: Sequence[Board], pairs: Sequence[tuple[str, str]]) -> Iterator[dict[str, object]]:
    """A line for each pair: the score of its first setting against the second."""
    for pair, (one, other) in enumerate(pairs):
        mine: dict[int, list[float]] = {}
        drawn = 0
        for board in boards:
            if board.pair == pair:
                result = board.state.returns()
                drawn += result == 0
                mine.setdefault(board.opening, []).append(0.5 + (result if board.sides[0] == one else -result) / 2)
        score = score_interval([float(np.mean(two)) for two in mine.values()])
        difference = elo_interval(score)
        yield {
            "first": one,
            "second": other,
            "games": 2 * len(mine),
            "drawn": int(drawn),
            "score": score.value,
            "elo": difference.value,
            "low": difference.low,
            "high": difference.high,
            "plies": float(np.mean([board.plies for board in boards if board.pair == pair])),
        }


def list_pairs(options: argparse.Namespace) -> list[tuple[str, str]]:
    """The pairs of settings to play, the stronger one first."""
    table = [format_level(each) for each in levels_of(options.game)]
    if options.beginner:
        return [(ONE_PLY, table[0])]
    if options.pairs:
        return [(pair.split(":")[0], pair.split(":")[1]) for pair in options.pairs]
    settings = list(options.settings or table)
    return [(settings[at + 1], settings[at]) for at in range(len(settings) - 1)]


def main() -> None:
    """Print a line a pair."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", choices=list(GAMES))
    parser.add_argument("--games", type=int, default=400, help="of each pair")
    parser.add_argument("--settings", nargs="+", metavar="N/R/T", help="settings, weak to strong, instead of levels")
    parser.add_argument("--pairs", nargs="+", metavar="ONE:OTHER", help="these pairs of settings; one-ply is one too")
    parser.add_argument("--beginner", action="store_true", help="a player that sees one ply, against level 1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--net", help="another network of the game")
    parser.add_argument("--log", type=Path, help="append each pair's line here, as JSON")
    options = parser.parse_args()
    if options.game is None:
        print(f"a game takes minutes to hours, name one: {', '.join(GAMES)}")
        return
    begun = time.perf_counter()
    with (
        open_network(options.net or f"build/bundles/{options.game}/{options.game}.onnx") as network,
        network.remembering(),
    ):
        for at, pair in enumerate(list_pairs(options)):
            boards = boards_of(options.game, [pair], options.games, options.seed + 1000 * at)
            play(boards, network, generator(options.seed + at))
            for line in scores(boards, [pair]):
                print(
                    f"{options.game} {line['first']:>12} : {line['second']:<12} {line['games']:4} games, "
                    f"score {line['score']:.3f} ({line['drawn']} drawn), Elo {line['elo']:+.0f} "
                    f"[{line['low']:+.0f}, {line['high']:+.0f}], {line['plies']:.0f} plies, "
                    f"{time.perf_counter() - begun:.0f} s",
                    flush=True,
                )
                if options.log:
                    with options.log.open("a", encoding="utf8") as log:
                        log.write(json.dumps({"game": options.game, **line}) + "\n")


if __name__ == "__main__":
    main()
