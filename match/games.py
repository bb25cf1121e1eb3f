"""Games between two evaluators, several at once: in each round a side's positions share the network's batches.

block = Block((0, 1), ((0, (3, 5)),))
records = list(play_block(Connect4(), (one, other), block, Rules(simulations=50)))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..games.evaluator import Evaluation, Evaluator, ask
from ..games.random_play import draw
from ..games.search import Search, run_together
from ..games.search_settings import USUAL, SearchSettings
from ..games.state import State, play_line
from ..games.tactics import forced_moves

Line = tuple[int, ...]
# (opening, who plays first, who plays second): identifies a game within its match.
Key = tuple[int, int, int]
LARGEST_BLOCK, FEWEST_BLOCKS = 8, 16


@dataclass(frozen=True)
class Rules:
    """How moves are chosen: `simulations` 0 plays the policy alone; `agreement` asks the other side too.

    With `proves`, proofs by the rules count, as in `azx play`; without it the networks' own strength is measured.
    `each`, if not empty, holds by a net's number the simulations that replace `simulations`. `searches` holds the
    nets' search settings likewise.
    """

    simulations: int = 50
    temperature: float = 0.0
    seed: int = 0
    agreement: bool = False
    proves: bool = False
    each: tuple[int, ...] = ()
    search: SearchSettings = USUAL
    searches: tuple[SearchSettings, ...] = ()

    def of(self, net: int) -> Rules:
        """The rules by which net number `net` plays."""
        simulations = self.each[net] if self.each else self.simulations
        search = self.searches[net] if self.searches else self.search
        return replace(self, simulations=simulations, each=(), search=search, searches=())


@dataclass(frozen=True)
class Block:
    """Numbered openings that two nets, given by their numbers, play twice with the sides swapped, all games in step.

    The games of a block are always played together, on this machine or elsewhere, because a batch's size may change a
    network's last digits.
    """

    nets: tuple[int, int]
    openings: tuple[tuple[int, Line], ...]

    @property
    def keys(self) -> list[Key]:
        """The games of the block."""
        one, other = self.nets
        return [(number, *seats) for number, _ in self.openings for seats in ((one, other), (other, one))]


@dataclass(frozen=True)
class GameRecord:
    """A finished game. `first` and `second` are the nets' numbers, `result` is +1, 0 or -1 seen by `first`.

    `moves` are all actions, the opening's included. If both sides were asked, `preferred` has for each ply after the
    opening the favourite move of the side to move and that of the other side. `fault`, a kind and a reason, ended a
    game against another program before the rules did; empty without one.
    """

    opening: int
    first: int
    second: int
    moves: Line
    result: float
    preferred: tuple[tuple[int, int], ...] = ()
    fault: tuple[str, str] | None = None

    @property
    def key(self) -> Key:
        """The game's key, unique in its match."""
        return self.opening, self.first, self.second

    def score(self, net: int) -> float:
        """The score of net number `net`: 1, 0.5 or 0."""
        return 0.5 + (self.result if net == self.first else -self.result) / 2


def blocks(nets: int, lines: Sequence[Line], size: int | None = None) -> list[Block]:
    """A round robin of `nets` networks over the openings, in blocks that do not depend on who plays them.

    `size` is the number of openings per block; by default it grows with the number of openings.
    """
    size = size or min(LARGEST_BLOCK, max(1, -(-len(lines) // FEWEST_BLOCKS)))
    numbered = list(enumerate(lines))
    parts = [tuple(numbered[at : at + size]) for at in range(0, len(numbered), size)]
    return [Block(pair, part) for part in parts for pair in combinations(range(nets), 2)]


def play_block(start: State, evaluators: Sequence[Evaluator], block: Block, rules: Rules) -> Iterator[GameRecord]:
    """Play a block and yield each game when it ends; `evaluators` belong to `block.nets`, in that order."""
    players = [_take_seat(evaluator, rules.of(net)) for evaluator, net in zip(evaluators, block.nets, strict=True)]
    under_way = [_Board(start, number, line, one, rules.seed) for number, line in block.openings for one in (0, 1)]
    for board in under_way:
        for player in players:
            player.sit_down(board)
    while under_way:
        for side, player in enumerate(players):
            player.think([board for board in under_way if rules.agreement or board.mover == side])
        for board in under_way:
            mover, other = players[board.mover], players[1 - board.mover]
            if rules.agreement:
                board.preferred.append((mover.choice(board), other.choice(board)))
            action = int(mover.choice(board, rules.temperature))
            for player in players:
                player.follow(board, action)
            board.moves.append(action)
            board.state = board.state.apply(action)
        yield from (board.record(block.nets) for board in under_way if board.state.is_terminal)
        under_way = [board for board in under_way if not board.state.is_terminal]


class _Board:
    """A game under way. `one` is which of the block's two sides plays first."""

    def __init__(self, start: State, number: int, line: Line, one: int, seed: int) -> None:
        self.number, self.one, self.moves, self.state = number, one, list(line), play_line(start, line)
        self.preferred: list[tuple[int, int]] = []
        self.rng = np.random.default_rng([seed, number, one])

    @property
    def mover(self) -> int:
        """The side to move."""
        return self.one ^ self.state.to_move

    def record(self, nets: tuple[int, int]) -> GameRecord:
        """The finished game."""
        first, second = nets[self.one], nets[1 - self.one]
        return GameRecord(self.number, first, second, tuple(self.moves), self.state.returns(), tuple(self.preferred))


class _Policy:
    """One side in all games of a block: plays the action with the largest prior, or draws from p^(1/T)."""

    def __init__(self, evaluator: Evaluator, rules: Rules) -> None:
        self._evaluator, self._rules = evaluator, rules
        self._answers: dict[_Board, Evaluation] = {}

    def sit_down(self, board: _Board) -> None:
        """Take part in a game."""

    def think(self, boards: Sequence[_Board]) -> None:
        """Consider the present positions of these games together."""
        answers = ask(self._evaluator, [board.state for board in boards])
        self._answers.update(zip(boards, answers, strict=True))

    def choice(self, board: _Board, temperature: float = 0.0) -> int:
        """The move for a position that `think` considered."""
        legal, answer = board.state.legal_actions(), self._answers[board]
        if self._rules.proves:
            legal, result = forced_moves(board.state)
            if result is not None:
                return legal[0]
        return legal[draw(answer.priors(legal), temperature, board.rng)]

    def follow(self, board: _Board, action: int) -> None:
        """Take in a move of either side."""


class _SearchPolicy(_Policy):
    """Plays the move that a search visits most; each game's tree is kept from move to move."""

    def __init__(self, evaluator: Evaluator, rules: Rules) -> None:
        super().__init__(evaluator, rules)
        self._searches: dict[_Board, Search] = {}

    def sit_down(self, board: _Board) -> None:
        rules = self._rules
        self._searches[board] = Search(board.state, self._evaluator, proves=rules.proves, settings=rules.search)

    def think(self, boards: Sequence[_Board]) -> None:
        run_together([self._searches[board] for board in boards], self._evaluator, self._rules.simulations)

    def choice(self, board: _Board, temperature: float = 0.0) -> int:
        return self._searches[board].best_action(temperature, board.rng)

    def follow(self, board: _Board, action: int) -> None:
        self._searches[board].play(action)


def _take_seat(evaluator: Evaluator, rules: Rules) -> _Policy:
    return (_SearchPolicy if rules.simulations else _Policy)(evaluator, rules)
