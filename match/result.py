"""The result of a match: scores with intervals, Elo differences, a table, and where two players diverge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..games.state import State, play_line
from .games import GameRecord
from .rating.bradley_terry import bradley_terry
from .rating.elo import Interval, elo_interval, score_interval
from .rating.league import League


@dataclass(frozen=True)
class Count:
    """Games won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """The points; a draw is half a point."""
        return self.won + self.drawn / 2

    def as_data(self) -> dict[str, int]:
        """JSON types."""
        return {"games": self.games, **asdict(self)}

    def __add__(self, other: Count) -> Count:
        return Count(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True)
class Parting:
    """The first position with different choices of two nets: after `ply` - 1 plies of opening `opening` (both from 1).

    `one` and `other` are the moves as a person types them, of the pairing's first and second net.
    """

    opening: int
    ply: int
    one: str
    other: str


@dataclass(frozen=True)
class Agreement:
    """The number of `asked` positions in which both nets chose the same move, and where they first differed."""

    asked: int
    agreed: int
    first: Parting | None


@dataclass(frozen=True)
class Pairing:
    """Two nets, by their numbers; counts and scores are those of `one`, Elo differences are its lead.

    `same` counts the pairs, of `pairs` in all, whose two games have the same moves with the sides swapped.
    `parting` is where the first other pair diverged.
    """

    one: int
    other: int
    as_first: Count
    as_second: Count
    score: Interval
    elo: Interval
    plies: float
    pairs: int
    same: int
    parting: Parting | None
    agreement: Agreement | None

    @property
    def total(self) -> Count:
        """On both sides."""
        return self.as_first + self.as_second

    def as_data(self, names: Sequence[str]) -> dict[str, Any]:
        """JSON types, with the nets' names; infinite Elo differences stay floats."""
        data = asdict(self) | {"one": names[self.one], "other": names[self.other]}
        return {**data, "total": asdict(self.total), "games": self.total.games}


@dataclass(frozen=True)
class Rating:
    """One net of a round robin: its games against all others, and its Elo rating (mean 0)."""

    net: int
    count: Count
    elo: Interval


def pairings(records: Sequence[GameRecord], nets: int, start: State) -> list[Pairing]:
    """The result of every two nets that met. Their games come in pairs with the sides swapped."""
    by_key = {record.key: record for record in records}
    numbers = sorted({record.opening for record in records})
    results = []
    for one, other in combinations(range(nets), 2):
        keys = [((n, one, other), (n, other, one)) for n in numbers]
        pairs = [(by_key[key], by_key[swapped]) for key, swapped in keys if key in by_key and swapped in by_key]
        if pairs:
            results.append(_pairing(one, other, pairs, start))
    return results


def _pairing(one: int, other: int, pairs: Sequence[tuple[GameRecord, GameRecord]], start: State) -> Pairing:
    score = score_interval([(as_first.score(one) + as_second.score(one)) / 2 for as_first, as_second in pairs])
    games = [game for pair in pairs for game in pair]
    parted = [pair for pair in pairs if pair[0].moves != pair[1].moves]
    return Pairing(
        one=one,
        other=other,
        as_first=_count([pair[0] for pair in pairs], one),
        as_second=_count([pair[1] for pair in pairs], one),
        score=score,
        elo=elo_interval(score),
        plies=sum(len(game.moves) for game in games) / len(games),
        pairs=len(pairs),
        same=len(pairs) - len(parted),
        parting=_parting(parted[0], start) if parted else None,
        agreement=_agreement(games, one, start),
    )


def _count(games: Sequence[GameRecord], net: int) -> Count:
    scores = [game.score(net) for game in games]
    return Count(scores.count(1.0), scores.count(0.5), scores.count(0.0))


def _parting(pair: tuple[GameRecord, GameRecord], start: State) -> Parting | None:
    """Where the two games of a pair diverge; None if a fault ended one of them before that."""
    as_first, as_second = pair
    moves = list(zip(as_first.moves, as_second.moves, strict=False))
    at = next((ply for ply, (one, other) in enumerate(moves) if one != other), None)
    if at is None:
        return None
    state = play_line(start, as_first.moves[:at])
    one, other = moves[at] if state.to_move == 0 else moves[at][::-1]
    return Parting(as_first.opening + 1, at + 1, state.label(one), state.label(other))


def _agreement(games: Sequence[GameRecord], one: int, start: State) -> Agreement | None:
    choices = [(game, at, pair) for game in games for at, pair in enumerate(game.preferred)]
    if not choices:
        return None
    apart = [(game, at, pair) for game, at, pair in choices if pair[0] != pair[1]]
    if not apart:
        return Agreement(len(choices), len(choices), None)
    game, at, preferred = apart[0]
    ply = len(game.moves) - len(game.preferred) + at
    state = play_line(start, game.moves[:ply])
    # `preferred` has the side to move first.
    own, others = preferred if (game.first == one) == (state.to_move == 0) else preferred[::-1]
    first = Parting(game.opening + 1, ply + 1, state.label(own), state.label(others))
    return Agreement(len(choices), len(choices) - len(apart), first)


def ratings(results: Sequence[Pairing], nets: int, elos: Sequence[Interval] | None = None) -> list[Rating]:
    """The nets, best first; `elos` are their ratings, by default those of the Bradley-Terry model."""
    points = np.zeros((nets, nets))
    counts: list[list[Count]] = [[] for _ in range(nets)]
    for pairing in results:
        total = pairing.total
        points[pairing.one, pairing.other] = total.points
        points[pairing.other, pairing.one] = total.games - total.points
        counts[pairing.one].append(total)
        counts[pairing.other].append(Count(total.lost, total.drawn, total.won))
    table = [
        Rating(net, sum(own, Count(0, 0, 0)), elo)
        for net, (own, elo) in enumerate(zip(counts, elos or bradley_terry(points), strict=True))
    ]
    return sorted(table, key=lambda rating: -rating.elo.value)


def league_of(records: Iterable[GameRecord], networks: int) -> League:
    """The league of a match's games; a game whose pair is not complete yet does not count."""
    league, waiting = League.empty(networks), dict[tuple[int, int, int], GameRecord]()
    for record in records:
        other = waiting.pop((record.opening, record.second, record.first), None)
        if other is None:
            waiting[record.key] = record
        else:
            score = (record.score(record.first) + other.score(record.first)) / 2
            league.add(record.first, record.second, score)
    return league
