"""Positions that a network reaches by playing: in its games against itself, and in its searches.

Random games leave out most of what a player meets, such as the line that the network itself would play. Here the
witness plays in float32, which is enough to choose positions. The first game consists of the network's first choices
from start to end. Every second one of the others begins with some random moves and continues with first choices. The
rest draw each move by the policy. Then searches choose some moves, as in an app, from the start and from positions of
those games. Games and searches run side by side, because a network answers many boards in hardly more time than one.
The positions inside the searches count too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError
from ..export.checkpoint.head import POLICY, UNKNOWN, VALUE, Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..games.encoding import encode_all, split_inputs
from ..games.evaluator import Evaluation
from ..games.game import Reading
from ..games.policy import LOGITS, policy_range
from ..games.random_play import below, draw, generator, positions_of_a_game
from ..games.state import State
from ..games.value import ValueReading, known_owner, reading_of_value
from .positions import GAMES, SEARCHED, SEARCHES, Part, Positions, Row, key_of
from .self_play import open_game
from .witness.evaluate import evaluate

# A random stream that is separate from the drawn positions', for every seed.
PLAY_SEED = 2**36
# The simulations of a search, as for a phone's move.
SIMULATIONS = 50
# The number of games and searches at a time: the network answers sixteen boards in hardly more time than one.
TABLES = 16
# The number of positions reached for each one used. More would spread them more evenly, but playing takes time.
SEEN = 2
# After this many rounds of moves without a new position, a game counts as exhausted.
IDLE_ROUNDS = 50
# The moves that a search chooses from its first position. A whole game of Connect4 would need 1,300 positions.
MOVES = 3
# If searches see few positions, this many times the usual number of them may start.
MOST_TIMES = 4


@dataclass(frozen=True, eq=False)
class PlayedPositions:
    """Positions from play: a tensor and its legal moves for each position, and the parts to which they belong."""

    rows: list[Row]
    parts: tuple[Part, ...]


def play(
    graph: LayerGraph, heads: Sequence[Head], reading: Reading, counts: tuple[int, int], drawn: Positions
) -> PlayedPositions:
    """Distinct positions that the network reaches: `counts` for its games, and for its searches' moves and tree.

    None of them is among the `drawn` ones, whose seed they use. There may be fewer, and without a policy there are no
    games. The same seed and network give the same positions. Raises UnsupportedLayer if the witness does not know a
    layer.
    """
    rng = generator((drawn.seed or 0) + PLAY_SEED)
    network = _Network(graph, heads, reading)
    taken = {key_of(drawn.feeds, row) for row in range(len(drawn))}
    games: list[list[State]] = []
    if network.policy is not None:
        games = _play_games(network, counts[0] * SEEN, rng)
    # All positions of the first game: the answers to the network's own best play are what a player meets first.
    first = network.keys_of(games[:1], taken)[: counts[0]]
    taken.update(first)
    in_games = first + _spread(network.keys_of(games[1:], taken), counts[0] - len(first))
    taken.update(network.rows)
    lines = _play_searching(network, games, counts[1], taken, rng)
    in_lines = network.keys_of(lines, taken)[: counts[1] // 2]
    taken.update(in_lines)
    in_searches = _spread([key for key in network.rows if key not in taken], counts[1] - len(in_lines))
    # The positions of one search are similar: they count as one.
    parts = (
        Part(GAMES, len(in_games), len(games)),
        Part(SEARCHED, len(in_lines), len(lines)),
        Part(SEARCHES, len(in_searches), len(lines)),
    )
    rows = [network.rows[key] for key in (*in_games, *in_lines, *in_searches)]
    return PlayedPositions(rows, tuple(part for part in parts if part.count))


@dataclass(eq=False)
class _Network:
    """The witness as an evaluator; `rows` has every position that it was asked, in that order."""

    graph: LayerGraph
    heads: Sequence[Head]
    reading: Reading
    rows: dict[bytes, Row] = field(default_factory=dict)
    _answers: dict[bytes, dict[str, NDArray[np.float64]]] = field(default_factory=dict)
    _logits: bool | None = None

    def __post_init__(self) -> None:
        numbering = self.reading.numbering
        self.policy = self._head(POLICY) if numbering is not None else None
        self.value = self._head(VALUE)
        self._value = self._value_reading()

    def _head(self, role: str) -> Head | None:
        return next((head for head in self.heads if head.role == role), None)

    def _value_reading(self) -> ValueReading | None:
        if self.value is None:
            return None
        try:
            order = self.reading.value_order
            whose = known_owner(self.value.width, order, self.reading.encoding.value)
            return reading_of_value(self.value.width, self.value.activation, order=order, whose=whose)
        except GameError:
            return None

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """The network's answers; each position is asked once."""
        keys = self._ask(states)
        return [self._evaluation(key, state) for key, state in zip(keys, states, strict=True)]

    def _ask(self, states: Sequence[State]) -> list[bytes]:
        boards = encode_all(states, self.reading.encoding)
        keys = [board.tobytes() for board in boards]
        new = {key: at for at, key in enumerate(keys) if key not in self.rows}
        if new:
            feed = split_inputs(np.stack([boards[at] for at in new.values()]), self.graph.input_shapes)
            answers = evaluate(self.graph, feed, np.float32)
            for row, (key, at) in enumerate(new.items()):
                self.rows[key] = (boards[at], self.reading.legal(states[at]))
                self._answers[key] = {name: answer[row].reshape(-1) for name, answer in answers.items()}
        return keys

    def _evaluation(self, key: bytes, state: State) -> Evaluation:
        answers, value = self._answers[key], 0.0
        if self.value is not None and self._value is not None:
            outputs = answers[self.value.source_name][None]
            value = float(self._value.seen_by_mover(outputs, [state.to_move])[0])
        if self.policy is None:
            return Evaluation(value)
        policy = answers[self.policy.source_name]
        if self._logits is None:
            known = self.policy.activation != UNKNOWN
            self._logits = policy_range(self.policy.activation, None if known else policy[None]) == LOGITS
        return Evaluation(value, policy[self.reading.indices(state)], self._logits)

    def keys_of(self, games: Sequence[Sequence[State]], taken: Collection[bytes]) -> list[bytes]:
        """The keys of the distinct positions in games that are not `taken`, in their order."""
        states = [state for game in games for state in game]
        keys = (board.tobytes() for board in encode_all(states, self.reading.encoding)) if states else ()
        return [key for key in dict.fromkeys(keys) if key not in taken]


@dataclass(eq=False)
class _Table:
    """A game under way: its state, the earlier states, and whether its moves are the network's first choices."""

    state: State
    game: list[State]
    is_first_choice: bool
    is_over: bool = False

    def move(self, answer: Evaluation, rng: np.random.Generator) -> None:
        """Make the move of the network's answer; the game ends if the answer is NaN."""
        self.game.append(self.state)
        legal = np.array(self.state.legal_actions())
        weights = answer.weights(legal)
        self.is_over = not np.isfinite(weights).all()
        if not self.is_over:
            self.state = self.state.apply(int(legal[draw(weights, 0.0 if self.is_first_choice else 1.0, rng)]))
            self.is_over = self.state.is_terminal


def _play_games(network: _Network, count: int, rng: np.random.Generator) -> list[list[State]]:
    """Games until about `count` positions were seen, each as its states; the first consists of first choices only.

    The first game is played to its end, or until it alone has `count` positions. The others stop wherever they are.
    """
    first = _Table(network.reading.start(), [], is_first_choice=True)
    games, tables, idle = [first.game], [first], 0
    while idle < IDLE_ROUNDS:
        if len(network.rows) >= count:
            tables = [table for table in tables if table is first and len(first.game) < count]
            if not tables:
                break
        else:
            while len(tables) < TABLES:
                games.append([])
                begun = open_game(network.reading, rng, 1, max(1, network.reading.game.plies[1]))
                tables.append(_Table(begun, games[-1], len(games) % 2 == 0))
        before = len(network.rows)
        for table, answer in zip(tables, network.evaluate([table.state for table in tables]), strict=True):
            table.move(answer, rng)
        tables = [table for table in tables if not table.is_over]
        idle = idle + 1 if len(network.rows) == before else 0
    return games


def _play_searching(
    network: _Network, games: list[list[State]], count: int, taken: Collection[bytes], rng: np.random.Generator
) -> list[list[State]]:
    """Lines whose moves searches choose, each as its states, until `count` positions not `taken` were seen.

    The first line begins at the start. The others begin at a position of each game in turn, at any stage of it, or of
    random games if there are no games. A search whose root is decided sees little, so more searches start. A line ends
    early if the network answers NaN, which the proof reports.
    """
    usual = max(1, count * SEEN // SIMULATIONS)
    lines: list[list[State]] = []
    before = 0
    with suppress(GameError):
        while len(lines) < usual or (before < count and len(lines) < MOST_TIMES * usual):
            begun = [[_root(network.reading, games, len(lines) + at, rng)] for at in range(min(usual, TABLES))]
            lines.extend(begun)
            _play_side_by_side(network, begun)
            before = sum(key not in taken for key in network.rows)
    network.evaluate([state for line in lines for state in line])  # even if no search needed them
    return lines


def _root(reading: Reading, games: list[list[State]], at: int, rng: np.random.Generator) -> State:
    """The position at which search number `at` begins."""
    if at == 0:
        return reading.start()
    played = [game for game in games if game]
    if not played:
        return positions_of_a_game(reading.start(), rng, 1)[0]
    game = played[at % len(played)]
    return game[below(rng, len(game))]


def _play_side_by_side(network: _Network, lines: Sequence[list[State]]) -> None:
    """Let a search continue from the first state of each line, and append the next states.

    Each search keeps its tree.
    """
    from ..games.search import Search, run_together

    searches = [Search(line[0], network, proves=True, compiled=False) for line in lines]
    for _ in range(MOVES):
        going = [at for at, search in enumerate(searches) if not search.state.is_terminal]
        run_together([searches[at] for at in going], network, SIMULATIONS)
        for at in going:
            searches[at].play(searches[at].best_action())
            if not searches[at].state.is_terminal:
                lines[at].append(searches[at].state)


def _spread(keys: list[bytes], count: int) -> list[bytes]:
    """At most `count` of the keys, spread evenly over all of them."""
    if len(keys) <= count:
        return keys
    return [keys[at] for at in np.linspace(0, len(keys) - 1, max(0, count)).astype(int)]
