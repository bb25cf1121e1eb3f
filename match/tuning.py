"""Which search suits a network: candidates play the bundle's present search, then the best one is confirmed.

Every candidate meets the present search on the same openings, each from both sides, until a sequential test decides.
The best one was chosen by these games, so they overrate it. Only games on other openings can show that it is stronger.
Their number is fixed in advance, because a match that ends when it looks good would overrate it too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import manifest as parts
from ..bundle.contents.manifest_model import read_part
from ..bundle.folder import amend
from ..games.search_settings import SearchSettings
from ..manifest import Manifest
from .candidates import CANDIDATES
from .games import Block, Line, Rules
from .players import Net, Players
from .rating.sprt import Sprt
from .result import Pairing, pairings
from .runner import Match, play, prepare
from .schedule import WAVE, Records, sprt_result, until_settled
from .watcher import WatchTitled

# For a lead between these, in Elo points, either verdict on a candidate is acceptable.
TEST = Sprt(0, 50)
# The candidates' share of the hours; the rest is for confirming the best one.
FOR_CANDIDATES = 0.6


@dataclass(frozen=True)
class Terms:
    """At most `pairs` pairs of games for each candidate, `confirming` pairs for the best one.

    `hours` may end the games earlier; None sets no limit. `simulations` is the number per move of both sides. `seed`
    draws the candidates' openings, the next seed those of the confirming games. `plies` are the random plies of each
    opening as "LO-HI".
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
    """The games of a search against the present one; `pairing` is from its view, None if no pair was finished.

    `passed` is the test's verdict; None if undecided, and for the confirming games, which have no test.
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
    """The result of a tuning. `best` is None if no candidate looked better; `skipped` had no time left."""

    today: SearchSettings
    trials: tuple[Trial, ...]
    skipped: tuple[SearchSettings, ...]
    best: Trial | None
    confirming: Trial | None

    @property
    def confirmed(self) -> Trial | None:
        """The best one, if games on other openings show that it is stronger: its interval lies above 0."""
        return self.confirming if self.confirming and self.confirming.lead > 0 else None


@dataclass
class _Table:
    """Plays a network against itself with two searches."""

    net: Net
    today: SearchSettings
    terms: Terms
    players: Players
    watch: WatchTitled
    ends: float = math.inf

    def prepare(self, search: SearchSettings, pairs: int, seed: int, apart_from: Sequence[Line] = ()) -> Match:
        """A match of the two searches. No opening comes twice, because its games would be identical."""
        nets = replace(self.net, search=search), replace(self.net, search=self.today)
        rules = Rules(self.terms.simulations, seed=seed, proves=True)

        def of(pairs: int) -> Match:
            return prepare(nets, rules, pairs, self.terms.plies, {}, self.players, apart_from)

        match = of(pairs)
        return match if match.distinct == pairs else of(match.distinct)

    def play(self, match: Match, title: str, sprt: Sprt | None) -> Trial:
        """Play until the test decides, or the openings or the time run out."""
        log = match.default_log
        with self.watch(match, title) as watcher:
            try:
                records = play(match, log, self.players, watcher.begin, watcher.game, self._schedule(sprt))
            except (KeyboardInterrupt, SystemExit):
                watcher.stop(log)
                raise
        # A block that was stopped and never resumed has its short games but lacks the long ones.
        played = {record.key for record in records}
        whole = {key for block in match.blocks if played >= set(block.keys) for key in block.keys}
        records, passed = [record for record in records if record.key in whole], None
        if sprt is not None:
            result = sprt_result({record.key: record for record in records}, sprt)
            records = [record for record in records if record.opening < result.pairs]
            passed = result.passed
        results = pairings(records, 2, match.start)
        return Trial(match.rules.of(0).search, results[0] if results else None, passed, log)

    def _schedule(self, sprt: Sprt | None) -> Callable[[Sequence[Block], Records], Iterator[Sequence[Block]]]:
        def waves(blocks: Sequence[Block], records: Records) -> Iterator[Sequence[Block]]:
            every = (blocks[at : at + WAVE] for at in range(0, len(blocks), WAVE))
            for wave in every if sprt is None else until_settled(blocks, sprt, records):
                # Logged games cost no time, and their result does not depend on the clock.
                if time.monotonic() > self.ends and not records.keys() >= {key for each in wave for key in each.keys}:
                    return
                yield wave

        return waves


def tune(net: Net, terms: Terms, players: Players, watch: WatchTitled) -> Outcome:
    """Find the search that suits the network best, and confirm it on other openings.

    GameError, BundleError or NetworkError if it cannot be played, LogError if a log cannot be resumed. Games are
    logged like those of `azx match`, so an interrupted tuning resumes.
    """
    begun, seconds = time.monotonic(), (terms.hours or math.inf) * 3600
    today = players.describe([net])[0].search
    table = _Table(net, today, terms, players, watch)
    # Early stopping does not change a search's strength, so it stays as it was.
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
    """The trial with the highest lower end, among those that scored above half and did not fail the test."""
    good = [
        trial for trial in trials if trial.pairing and trial.pairing.score.value > 0.5 and trial.passed is not False
    ]
    return max(good, key=lambda trial: trial.lead, default=None)


def note_search(folder: Path, manifest: Manifest, outcome: Outcome, terms: Terms) -> Manifest:
    """Write a confirmed search into the bundle's manifest, with its origin; returns the new manifest.

    `manifest` was read before the games. BundleError as for `amend`; ValueError if no search is confirmed.
    """
    confirmed = outcome.confirmed
    if confirmed is None:
        raise ValueError("no search is confirmed")
    tuned = read_part(parts.Tuned, as_tuned(confirmed, outcome.today, terms))
    return amend(folder, manifest, lambda there: replace(there, search=tuned.search, tuned=tuned))


def as_tuned(confirmed: Trial, today: SearchSettings, terms: Terms) -> dict[str, Any]:
    """The manifest's member `tuned`; an Elo difference without bound is null."""
    assert confirmed.pairing is not None  # noqa: S101 - a confirmed search has games
    return {
        "search": confirmed.search.as_data(),
        "against": today.as_data(),
        "simulations": terms.simulations,
        "seed": terms.seed + 1,
        **confirmed.pairing.total.as_data(),
        "elo": confirmed.pairing.elo.as_estimate(),
    }
