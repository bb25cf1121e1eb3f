"""Which search suits a network: candidates play against the search that its bundle has, and the best is confirmed.

Every candidate meets today's search on the same openings, each from both sides, until a sequential test knows enough.
The best one was chosen by these games, so they flatter it. Whether it is stronger, only games on other openings say.
Their number is fixed before: a match that ends when it looks good would flatter too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from .. import manifest as parts
from ..bundle.contents.manifest_model import read_part
from ..bundle.folder import amend
from ..games.search_settings import SearchSettings
from ..manifest import Manifest
from .candidates import CANDIDATES
from .games import Block, GameRecord, Line, Rules
from .players import Net, Players
from .rating.sprt import Sprt
from .result import Pairing, pairings
from .runner import Match, play, prepare
from .schedule import WAVE, Records, sprt_result, until_settled

# Between these leads it matters little whether a candidate is passed.
TEST = Sprt(0, 50)
# The share of the hours that the candidates have together; the rest is for confirming.
FOR_CANDIDATES = 0.6


class Watcher(Protocol):
    """Told of one match: how many games the log has, each game, and that it was interrupted."""

    def begin(self, logged: int) -> None:
        """So many games are in the log already."""

    def game(self, record: GameRecord) -> None:
        """One more game."""

    def stop(self, log: Path) -> None:
        """The match ends before its last game."""


# Makes the watcher of a match of this title.
Watch = Callable[[Match, str], AbstractContextManager[Watcher]]


@dataclass(frozen=True)
class Terms:
    """`pairs` of games of each candidate at most, `confirming` those of the best one.

    `hours` may end the games before; None: as long as they take. `simulations` are those of both sides for a move.
    `seed` draws the openings of the candidates, the next one those of the confirming games. `plies` are the random
    plies of each opening as "LO-HI".
    """

    simulations: int = 50
    pairs: int = 80
    confirming: int = 100
    seed: int = 0
    plies: str | None = None
    hours: float | None = None
    candidates: Sequence[SearchSettings] = CANDIDATES


@dataclass(frozen=True, eq=False)
class Trial:
    """The games of a search against today's; `pairing` is seen by the search, None if none was played to its end.

    `passed` is the test's verdict, None if it is open, and for confirming games, which have no test.
    """

    search: SearchSettings
    pairing: Pairing | None
    passed: bool | None
    log: Path

    @property
    def lead(self) -> float:
        """The lower end of the interval of its Elo lead."""
        return self.pairing.elo.low if self.pairing else -math.inf


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of it; `best` is None if no candidate looked better, `skipped` are those that there was no time for."""

    today: SearchSettings
    trials: tuple[Trial, ...]
    skipped: tuple[SearchSettings, ...]
    best: Trial | None
    confirming: Trial | None

    @property
    def confirmed(self) -> Trial | None:
        """The best one, if other openings show that it is stronger: its interval lies above 0."""
        return self.confirming if self.confirming and self.confirming.lead > 0 else None


@dataclass
class _Table:
    """Where a network plays itself in two searches."""

    net: Net
    today: SearchSettings
    terms: Terms
    players: Players
    watch: Watch
    ends: float = math.inf

    def prepare(self, search: SearchSettings, pairs: int, seed: int, apart_from: Sequence[Line] = ()) -> Match:
        """A match of the two: no opening comes twice, as all its games would be the same ones."""
        nets = replace(self.net, search=search), replace(self.net, search=self.today)
        rules = Rules(self.terms.simulations, seed=seed, proves=True)

        def of(pairs: int) -> Match:
            return prepare(nets, rules, pairs, self.terms.plies, {}, self.players, apart_from)

        match = of(pairs)
        return match if match.distinct == pairs else of(match.distinct)

    def play(self, match: Match, title: str, sprt: Sprt | None) -> Trial:
        """Play until the test is settled, or the openings or the time are used up."""
        log = match.default_log
        with self.watch(match, title) as told:
            try:
                records = play(match, log, self.players, told.begin, told.game, self._schedule(sprt))
            except (KeyboardInterrupt, SystemExit):
                told.stop(log)
                raise
        # A block that was stopped and never resumed holds its short games, and lacks the long ones.
        played = {record.key for record in records}
        whole = {key for block in match.blocks if played >= set(block.keys) for key in block.keys}
        records, passed = [record for record in records if record.key in whole], None
        if sprt is not None:
            result = sprt_result({record.key: record for record in records}, sprt)
            records = [record for record in records if record.opening < result.pairs]
            passed = result.passed
        found = pairings(records, 2, match.start)
        return Trial(match.rules.of(0).search, found[0] if found else None, passed, log)

    def _schedule(self, sprt: Sprt | None) -> Callable[[Sequence[Block], Records], Iterator[Sequence[Block]]]:
        def waves(blocks: Sequence[Block], records: Records) -> Iterator[Sequence[Block]]:
            every = (blocks[at : at + WAVE] for at in range(0, len(blocks), WAVE))
            for wave in every if sprt is None else until_settled(blocks, sprt, records):
                # What the log has costs no time, and what it says does not depend on the clock.
                if time.monotonic() > self.ends and not records.keys() >= {key for each in wave for key in each.keys}:
                    return
                yield wave

        return waves


def tune(net: Net, terms: Terms, players: Players, watch: Watch) -> Outcome:
    """Find the search that suits the network best, and confirm it on openings that it was not chosen by.

    GameError, BundleError or NetworkError if it cannot be played, LogError if a log cannot be resumed. Games are
    logged as those of `azx match` are: what was interrupted goes on.
    """
    begun, seconds = time.monotonic(), (terms.hours or math.inf) * 3600
    today = players.describe([net])[0].search
    table = _Table(net, today, terms, players, watch)
    # Whether a search stops early is no part of how strong it is, and stays as it was.
    alike = [replace(each, early_stop=today.early_stop and each.chooses_by_visits) for each in terms.candidates]
    candidates = [search for search in alike if search != today]
    trials = list[Trial]()
    tuned_on = list[Line]()
    for number, search in enumerate(candidates, start=1):
        table.ends = begun + FOR_CANDIDATES * seconds * number / len(candidates)
        match = table.prepare(search, terms.pairs, terms.seed)
        tuned_on = [line for block in match.blocks for _, line in block.openings]
        trials.append(table.play(match, f"Candidate {number} of {len(candidates)}", TEST))
    table.ends = begun + seconds
    tried = [trial for trial in trials if trial.pairing]
    skipped = tuple(trial.search for trial in trials if not trial.pairing)
    best = find_best(tried)
    confirming = None
    if best is not None:
        match = table.prepare(best.search, terms.confirming, terms.seed + 1, tuned_on)
        confirming = table.play(match, "Confirming the best", None)
    return Outcome(today, tuple(tried), skipped, best, confirming)


def find_best(trials: Sequence[Trial]) -> Trial | None:
    """The trial whose interval's lower end is highest, of those that scored above half and did not fail the test."""
    good = [
        trial for trial in trials if trial.pairing and trial.pairing.score.value > 0.5 and trial.passed is not False
    ]
    return max(good, key=lambda trial: trial.lead, default=None)


def note_search(folder: Path, manifest: Manifest, outcome: Outcome, terms: Terms) -> Manifest:
    """Write a confirmed search into the bundle's manifest, with where it comes from; returns the new manifest.

    `manifest` is the one that was read before the games. BundleError as for `amend`; ValueError if none is confirmed.
    """
    confirmed = outcome.confirmed
    if confirmed is None:
        raise ValueError("no search is confirmed")
    tuned = read_part(parts.Tuned, as_tuned(confirmed, outcome.today, terms))
    return amend(folder, manifest, lambda there: replace(there, search=tuned.search, tuned=tuned))


def as_tuned(confirmed: Trial, today: SearchSettings, terms: Terms) -> dict[str, Any]:
    """The manifest's member `tuned`; an Elo difference without bound is null."""
    assert confirmed.pairing is not None  # noqa: S101 - nothing is confirmed without games
    return {
        "search": confirmed.search.as_data(),
        "against": today.as_data(),
        "simulations": terms.simulations,
        "seed": terms.seed + 1,
        **confirmed.pairing.total.as_data(),
        "elo": confirmed.pairing.elo.as_estimate(),
    }
