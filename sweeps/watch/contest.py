"""A new network plays the best so far, in pairs of games with the sides swapped, until a test decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...match.games import GameRecord, Rules
from ...match.players import LocalPlayers, Net
from ...match.rating.sprt import Sprt
from ...match.runner import play, prepare
from ...match.schedule import WAVE, sprt_result, until_settled

LOGS = "contests"


@dataclass(frozen=True)
class Terms:
    """How networks play: the test for a new one, at most `games` games, `simulations` of each search."""

    sprt: Sprt
    games: int
    simulations: int

    def as_data(self) -> dict[str, Any]:
        """JSON types."""
        return {"gate": asdict(self.sprt), "games": self.games, "simulations": self.simulations}


def contest(new: Path, best: Path, terms: Terms, folder: Path, on_begin: Callable[[int, int], None]) -> dict[str, Any]:
    """Let the networks of two bundles play, and return the result as JSON types.

    A log in `folder` gets every game as it ends, so an interrupted contest resumes there. `on_begin` receives the
    largest number of pairs and the number of games in the log. AzxError if a network cannot be played here, or if
    they play two different games; OSError if the log cannot be written.
    """
    from loky import cpu_count

    with LocalPlayers(min(WAVE, int(cpu_count()))) as workers:
        rules = Rules(simulations=terms.simulations)
        match = prepare([Net(str(new)), Net(str(best))], rules, -(-terms.games // 2), None, {}, workers)
        log = folder / LOGS / match.default_log.name
        log.parent.mkdir(exist_ok=True)
        pairs = match.games // 2

        def begin(logged: int) -> None:
            on_begin(pairs, logged)

        records = play(
            match, log, workers, begin, _nothing, lambda blocks, known: until_settled(blocks, terms.sprt, known)
        )
    result = sprt_result({record.key: record for record in records}, terms.sprt)
    counted = [record for record in records if record.opening < result.pairs]
    return {
        "passed": result.passed,
        "pairs": result.pairs,
        "points": sum(record.score(0) for record in counted),
        "log_likelihood_ratio": round(result.ratio, 4),
        "log": log.relative_to(folder).as_posix(),
    }


def _nothing(record: GameRecord) -> None:
    """Ignore single games: the contest is reported as a whole."""
