"""Rates the networks of a sweep: those of one game play each other, and every checkpoint gets its rating."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import AzxError
from ..games.known.recognition import by_name
from ..match.games import Rules
from ..match.players import LocalPlayers, Net, Players
from ..match.rating.curve import curve
from ..match.rating.league_ratings import intervals, rate_league
from ..match.result import Count, league_of
from ..match.schedule import is_found
from ..match.tournament import Entrant, Listener, TournamentResult, by_game, enter, play, prepare
from ..pages.drawing import Drawing
from .outcome import CheckpointRating, Outcome, likely

# In the sweep's folder; no bundle's name begins like this.
FOLDER = ".azx-matches"


@dataclass(frozen=True)
class Matches:
    """How the networks play: at most `pairs` pairs of games for each two, from openings of `plies` plies ("LO-HI").

    `players` makes the players; by default processes of this machine, one for each usable core. `listener` hears
    of the games.
    """

    rules: Rules = field(default_factory=Rules)
    pairs: int = 20
    plies: str | None = None
    players: Callable[[], AbstractContextManager[Players]] | None = None
    listener: Listener | None = None

    def workers(self) -> AbstractContextManager[Players]:
        """The processes that play the games."""
        from loky import cpu_count

        return self.players() if self.players else LocalPlayers(cpu_count())


@dataclass(frozen=True, eq=False)
class Standings:
    """The networks of one game and board, in the order of their checkpoints.

    `names` are those of the bundles; equal networks have the same rating. `better` is the likelihood that the row's
    network is better than the column's. `doubt` is an upper bound on the likelihood that another one is better than
    `leader`; `found` says whether that is small enough.
    """

    game: str
    settings: Mapping[str, Any]
    names: tuple[str, ...]
    ratings: tuple[CheckpointRating, ...]
    better: tuple[tuple[float, ...], ...]
    leader: str
    doubt: float
    found: bool
    games: int
    new: int
    log: Path
    rules: Rules

    @property
    def line(self) -> str:
        """What was played, and how many games."""
        game = by_name(self.game)
        settings = "".join(f", {name} {value}" for name, value in self.settings.items())
        how = f"{self.rules.simulations} simulations" if self.rules.simulations else "the policy alone"
        return f"{game.title}{settings}: {len(self.names)} networks, {self.games} games, {how}"

    @property
    def best_line(self) -> str:
        """Which network is the best, and how sure that is."""
        if not self.found:
            return f"Best: not known yet, {self.leader} leads; another one is better with up to {likely(self.doubt)}"
        return f"Best: {self.leader}; another one is better with at most {likely(self.doubt)}"

    @property
    def curve(self) -> Drawing:
        """The ratings over the versions."""
        elos = [rated.elo for rated in self.ratings]
        return curve(self.line, self.names, elos, self.names.index(self.leader))


@dataclass(frozen=True, eq=False)
class Ratings:
    """The standings of each game, and by their bundles' names why other checkpoints have no rating."""

    standings: tuple[Standings, ...] = ()
    unrated: Mapping[str, str] = field(default_factory=dict)

    def add_to(self, outcome: Outcome) -> Outcome:
        """The outcome with its rating, or with the reason why it has none."""
        name = outcome.item.name
        rated = {n: rating for each in self.standings for n, rating in zip(each.names, each.ratings, strict=True)}
        return replace(outcome, rating=rated.get(name), unrated=self.unrated.get(name))


def rate(outcomes: Sequence[Outcome], folder: Path, matches: Matches) -> Ratings:
    """Let the proved networks play, those of each game among themselves; logs of the games stay in `folder`.

    Each bundle plays with the artifact that runs fastest here, ONNX first. A network that cannot be opened or does not
    play gets a reason instead of a rating; no error is raised.
    """
    proved = [outcome for outcome in outcomes if outcome.folder is not None and not outcome.code]
    names = {str(outcome.folder): outcome.item.name for outcome in proved}
    standings, unrated = list[Standings](), dict[str, str]()
    with matches.workers() as workers:
        nets = [Net(place, seed=matches.rules.seed) for place in names]
        entered = dict(zip(names.values(), enter(nets, workers), strict=True))
        unrated |= {name: each for name, each in entered.items() if isinstance(each, str)}
        entrants = {name: each for name, each in entered.items() if isinstance(each, Entrant)}
        for group in by_game(list(entrants.values())):
            here = {entrant.identity for entrant in group}
            own = {name: each for name, each in entrants.items() if each.identity in here}
            try:
                tournament = prepare(group, matches.rules, matches.pairs, matches.plies)
                played = play(tournament, folder / FOLDER, workers, matches.listener)
            except (AzxError, OSError) as error:
                unrated |= dict.fromkeys(own, str(error))
                continue
            unrated |= {
                name: played.failed[each.identity] for name, each in own.items() if each.identity in played.failed
            }
            if played.records:
                standings.append(_standings(own, played, matches.rules))
            else:
                alone = f"no other network here plays {group[0].game.title} on its board"
                unrated |= {name: alone for name in own if name not in unrated}
    return Ratings(tuple(standings), unrated)


def _standings(own: Mapping[str, Entrant], played: TournamentResult, rules: Rules) -> Standings:
    numbers = {entrant.identity: number for number, entrant in enumerate(played.entrants)}
    names = [name for name, entrant in own.items() if entrant.identity in numbers]
    at = [numbers[own[name].identity] for name in names]
    league = league_of(played.records, len(numbers))
    rated = rate_league(league)
    elos, better = intervals(league, rated), rated.superiority
    scores: list[list[float]] = [[] for _ in numbers]
    for record in played.records:
        for net in (record.first, record.second):
            scores[net].append(record.score(net))
    counts = [Count(own.count(1.0), own.count(0.5), own.count(0.0)) for own in scores]
    before = [None, *at[:-1]]
    first = played.entrants[0]
    return Standings(
        game=first.game.name,
        settings=first.settings,
        names=tuple(names),
        ratings=tuple(
            CheckpointRating(elos[net], counts[net], None if last is None else float(better[net, last]))
            for net, last in zip(at, before, strict=True)
        ),
        better=tuple(tuple(float(better[row, column]) for column in at) for row in at),
        leader=names[at.index(rated.leader)],
        doubt=rated.doubt,
        found=is_found(league, rated),
        games=len(played.records),
        new=played.new,
        log=played.log,
        rules=rules,
    )
