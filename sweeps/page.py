"""index.html of a sweep: a page in one file with the table of all checkpoints and a column for each format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree.ElementTree import Element

from ..errors import BundleError
from ..export.formats.table import FORMATS
from ..games.known.catalogue import title_of
from ..pages.drawing import draw_svg
from ..pages.markup import BAD, GOOD, add, as_text, cell, document, is_written_by, mark, table
from ..pages.tables import MOVES, share_text
from ..system.exchange import replace_text
from ..version import __version__
from .outcome import FAILED, CheckpointRating, Outcome, Row, likely

if TYPE_CHECKING:
    from .rated import Standings

PAGE = "index.html"
# The next sweep recognizes the page by this mark.
MARK = "azx sweep"
RATING = ("Elo", "Points", "Better than the one before")


def check_own(folder: Path) -> None:
    """BundleError if a page that azx did not write has the name of this sweep's page."""
    path = folder / PAGE
    if path.exists() and not is_written_by(MARK, path):
        raise BundleError(
            f"'{path}' is there and no page of azx sweep: move it away, or choose another folder with -o."
        )


def write(outcomes: Sequence[Outcome], folder: Path, standings: Sequence[Standings] = ()) -> Path:
    """Write the page and return its path; BundleError if the disk refuses."""
    replace_text(folder / PAGE, page(outcomes, folder, standings))
    return folder / PAGE


def page(outcomes: Sequence[Outcome], folder: Path, standings: Sequence[Standings] = ()) -> str:
    """The page as text; links lead to the bundles from `folder`."""
    html, main = document("Checkpoints, exported and proved", MARK, __version__)
    main.set("class", "wide")
    add(main, "h1", "Checkpoints, exported and proved")
    failed = sum(outcome.status == FAILED for outcome in outcomes)
    lead = f"{len(outcomes) - failed} of {len(outcomes)} are equal to their originals, azx {__version__}."
    add(main, "p", lead, class_="soft lead")
    for each in standings:
        figure = add(main, "figure", class_="card")
        draw_svg(figure, each.curve)
        add(figure, "figcaption", f"{each.best_line}.")
    _fill(main, outcomes, folder)
    add(main, "p", "Of each artifact: the largest error, the limit that it must keep, its size.", class_="soft")
    return as_text(html)


def _fill(main: Element, outcomes: Sequence[Outcome], folder: Path) -> None:
    rows = [outcome.rows() for outcome in outcomes]
    used = {row["format"] for group in rows for row in group}
    formats = [entry for entry in FORMATS.values() if entry.name in used]
    rated = RATING if any(outcome.rating for outcome in outcomes) else ()
    titles = ("Checkpoint", "Game", *rated, "Parameters", *(entry.title for entry in formats), MOVES, "Seconds")
    body = table(main, titles)
    for outcome, group in zip(outcomes, rows, strict=True):
        line = add(body, "tr")
        _name(add(line, "td"), outcome, folder)
        cell(line, "Game", title_of(group[0]["game"] or ""))
        if rated:
            _rating(line, outcome.rating)
        cell(line, "Parameters", f"{group[0]['parameters']:,}" if group[0]["parameters"] is not None else "")
        by_format = {row["format"]: row for row in group}
        for entry in formats:
            _artifact(line, entry.title, by_format.get(entry.name))
        best = [row["best_move"] for row in group if row["best_move"] is not None]
        cell(line, MOVES, share_text(min(best)) if best else "")
        cell(line, "Seconds", f"{outcome.seconds:.1f}")
        for text in _remarks(outcome):
            add(add(add(body, "tr", class_="remark"), "td", colspan=len(titles)), "small", text)


def _name(name: Element, outcome: Outcome, folder: Path) -> None:
    """The checkpoint's name, as a link if it has a bundle."""
    mark(name, BAD if outcome.status == FAILED else GOOD)
    if outcome.folder is None:
        add(name, "b", outcome.item.name)
    else:
        add(name, "a", outcome.item.name, href=quote(outcome.folder.relative_to(folder).as_posix()) + "/")


def _rating(line: Element, rating: CheckpointRating | None) -> None:
    """The cells of `RATING`."""
    elo, points, better = RATING
    if rating is None:
        for title in RATING:
            cell(line, title)
        return
    cell(line, elo, f"{rating.elo.value:+.0f}", f"{rating.elo.low:+.0f} to {rating.elo.high:+.0f}")
    cell(line, points, f"{rating.count.points:g}/{rating.count.games}")
    cell(line, better, "" if rating.superiority is None else likely(rating.superiority))


def _remarks(outcome: Outcome) -> Iterator[str]:
    """A remark for each failure, each format that was not written, and each artifact that could not be run."""
    if outcome.message:
        yield outcome.message
    if outcome.unrated:
        yield f"not rated: {outcome.unrated}"
    if outcome.status != FAILED:
        yield from (f"not written: {name} ({reason})" for name, reason in outcome.skipped.items())
        yield from (f"not proved here: {reason}" for reason in outcome.parity.get("not_proved", {}).values())


def _artifact(line: Element, title: str, row: Row | None) -> None:
    if row is None:
        cell(line, title)
        return
    kind = {True: GOOD, False: BAD, None: None}[row["equal"]]
    error = "no number" if row["max_error"] is None else f"{row['max_error']:.1e}"
    value = "not run here" if row["equal"] is None else error
    limit = "" if row["limit"] is None else f"of {row['limit']:.1e}"
    cell(line, title, value, limit, f"{row['bytes'] / 1e6:.2f} MB", kind=kind)
