"""Prints the result of tuning: a table of the candidates, then sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import output
from .match import in_points

if TYPE_CHECKING:
    from ...match.rating.elo import Interval
    from ...match.tuning import Outcome, Terms, Trial
    from ...verbs.matches import Tuned

COLUMNS = ("search", "games", "won", "drawn", "lost", "Elo", "95 %", "against today's search")
COUNTS = COLUMNS[1:7]
VERDICTS = {True: "stronger in these games", False: "not stronger by much", None: "not clear"}


def show(done: Tuned) -> None:
    """Print the table, then whether the best was confirmed and whether the bundle changed."""
    from ...match.candidates import in_words

    outcome, terms = done.outcome, done.terms
    output.line(f"Today's search: {in_words(outcome.today)}; {terms.simulations} simulations for a move on both sides")
    output.table(COLUMNS, [_row(trial) for trial in outcome.trials], right=COUNTS)
    if outcome.skipped:
        output.line(f"Too few games for a result: {'; '.join(map(in_words, outcome.skipped))}")
    for line in _found(outcome, terms):
        output.line(line)
    output.line(_written(done))


def _row(trial: Trial) -> tuple[object, ...]:
    from ...match.candidates import in_words

    assert trial.pairing is not None  # noqa: S101 - what was not played is not among the trials
    total, elo = trial.pairing.total, trial.pairing.elo
    counts = total.games, total.won, total.drawn, total.lost
    return in_words(trial.search), *counts, f"{elo.value:+.0f}", _ends(elo), VERDICTS[trial.passed]


def _ends(elo: Interval) -> str:
    return f"{elo.low:+.0f} to {elo.high:+.0f}"


def _found(outcome: Outcome, terms: Terms) -> list[str]:
    """The result of the games, in sentences."""
    from ...match.candidates import in_words

    if outcome.best is None:
        among = " in the table" if outcome.skipped else ""
        return [f"No candidate{among} looks stronger than today's search."]
    name = in_words(outcome.best.search)
    lines = [f"The best: {name}. It was chosen by these games, so they flatter it."]
    pairing = outcome.confirming.pairing if outcome.confirming else None
    if pairing is None:
        return [*lines, "No time was left to confirm it: give the same command more --hours, and it resumes."]
    total = pairing.total
    lines.append(
        f"On {pairing.pairs} other openings (seed {terms.seed + 1}): {total.won} won, {total.drawn} drawn, "
        f"{total.lost} lost of {total.games} games; Elo {in_points(pairing.elo)}"
    )
    points = f"{100 * pairing.score.value:.0f} of 100 points against today's search"
    if outcome.confirmed:
        sentence = f"Confirmed at {terms.simulations} simulations: {name} is stronger"
        return [*lines, f"{sentence}. It makes {points}, where equals make 50."]
    return [
        *lines,
        f"Not confirmed: it makes {points}, which chance alone can explain (the interval reaches 0 or below).",
    ]


def _written(done: Tuned) -> str:
    folder = done.folder
    if done.written:
        return f"Written into '{folder / 'manifest.json'}': azx and its apps now search this network so."
    if done.outcome.confirmed:
        return f"'{folder}' is as it was (--dry-run)."
    return f"'{folder}' is as it was: nothing is confirmed."


def as_data(done: Tuned) -> Mapping[str, Any]:
    """JSON types."""
    outcome, terms = done.outcome, done.terms
    return {
        "folder": done.folder,
        "today": outcome.today.as_data(),
        "simulations": terms.simulations,
        "seed": terms.seed,
        "tried": [_trial(trial) for trial in outcome.trials],
        "skipped": [search.as_data() for search in outcome.skipped],
        "best": outcome.best.search.as_data() if outcome.best else None,
        "confirming": _trial(outcome.confirming) if outcome.confirming else None,
        "confirmed": outcome.confirmed is not None,
        "written": done.written,
    }


def _trial(trial: Trial) -> dict[str, Any]:
    row: dict[str, Any] = {"search": trial.search.as_data(), "games": 0, "passed": trial.passed, "log": trial.log}
    if trial.pairing is None:
        return row
    return {**row, **trial.pairing.total.as_data(), "elo": trial.pairing.elo.as_estimate()}
