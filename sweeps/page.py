"""index.html of a sweep: one file without any other, the table of all checkpoints with a column for each format.

Written as a tree and not as text, so that no name in a checkpoint can become a tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from .. import __version__
from ..errors import BundleError
from ..export.formats.table import FORMATS
from ..play.rating.drawing import as_svg
from .outcome import FAILED, Outcome, Rated, Row, likely
from .replaced import replace

if TYPE_CHECKING:
    from .rated import Standings

PAGE = "index.html"
# By which the next sweep knows the page for its own.
MARK = "azx sweep"
RATING = ("Elo", "Points", "Better than the one before")
STYLE = """
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
th.number, .number { text-align: right; white-space: nowrap; }
.remark td { padding-top: 0; }
tr:has(+ .remark) td { border-bottom: none; }
.good { color: var(--good); } .bad { color: var(--bad); }
small { opacity: .75; }
figure { margin: 1rem 0; }
figure svg { display: block; width: 100%; max-width: 40rem; }
"""


def check_own(folder: Path) -> None:
    """BundleError where a page of somebody else's has the name that this sweep's is to have."""
    path = folder / PAGE
    if path.exists() and not (path.is_file() and MARK.encode() in path.read_bytes()[:1000]):
        raise BundleError(
            f"'{path}' is there and no page of azx sweep: move it away, or choose another folder with -o."
        )


def write(outcomes: Sequence[Outcome], folder: Path, standings: Sequence[Standings] = ()) -> Path:
    """Write the page and return its path; BundleError where the disk refuses it."""
    replace(folder / PAGE, page(outcomes, folder, standings))
    return folder / PAGE


def page(outcomes: Sequence[Outcome], folder: Path, standings: Sequence[Standings] = ()) -> str:
    """The page as text; links lead to the bundles from `folder`."""
    html = Element("html", lang="en")
    head = SubElement(html, "head")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="generator", content=f"{MARK} {__version__}")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = "Checkpoints, exported and proved"
    SubElement(head, "style").text = STYLE
    body = SubElement(html, "body")
    SubElement(body, "h1").text = "Checkpoints, exported and proved"
    failed = sum(outcome.status == FAILED for outcome in outcomes)
    SubElement(
        body, "p"
    ).text = f"{len(outcomes) - failed} of {len(outcomes)} are equal to their originals, azx {__version__}."
    for each in standings:
        figure = SubElement(body, "figure")
        figure.append(as_svg(each.curve))
        SubElement(figure, "figcaption").text = f"{each.best_line}."
    _fill(SubElement(SubElement(body, "div", {"class": "wide"}), "table"), outcomes, folder)
    SubElement(body, "p").append(_small("Of each artifact: the largest error, the limit that it must keep, its size."))
    return "<!doctype html>\n" + tostring(html, encoding="unicode", method="html") + "\n"


def _fill(table: Element, outcomes: Sequence[Outcome], folder: Path) -> None:
    rows = [outcome.rows() for outcome in outcomes]
    found = {row["format"] for group in rows for row in group}
    formats = [entry for entry in FORMATS.values() if entry.name in found]
    top = SubElement(SubElement(table, "thead"), "tr")
    rated = RATING if any(outcome.rating for outcome in outcomes) else ()
    titles = ("Checkpoint", "Game", *rated, "Parameters", *(entry.title for entry in formats), "Best move", "Seconds")
    for title in titles:
        SubElement(top, "th", {} if title in titles[:2] else {"class": "number"}).text = title
    body = SubElement(table, "tbody")
    for outcome, group in zip(outcomes, rows, strict=True):
        line = SubElement(body, "tr")
        _name(SubElement(line, "td"), outcome, folder)
        SubElement(line, "td").text = group[0]["game"] or ""
        if rated:
            _rating(line, outcome.rating)
        _number(line, f"{group[0]['parameters']:,}" if group[0]["parameters"] is not None else "")
        by_format = {row["format"]: row for row in group}
        for entry in formats:
            _artifact(SubElement(line, "td", {"class": "number"}), by_format.get(entry.name))
        best = [row["best_move"] for row in group if row["best_move"] is not None]
        _number(line, f"{min(best):.1%}" if best else "")
        _number(line, f"{outcome.seconds:.1f}")
        for text in _remarks(outcome):
            remark = SubElement(SubElement(body, "tr", {"class": "remark"}), "td", colspan=str(len(titles)))
            remark.append(_small(text))


def _name(cell: Element, outcome: Outcome, folder: Path) -> None:
    """The checkpoint's name, a link where there is a bundle."""
    good = outcome.status != FAILED
    SubElement(cell, "span", {"class": "good" if good else "bad"}).text = "✓ " if good else "✗ "
    if outcome.folder is not None:
        name = SubElement(cell, "a", href=quote(outcome.folder.relative_to(folder).as_posix()) + "/")
        name.text = outcome.item.name
    else:
        SubElement(cell, "span").text = outcome.item.name


def _rating(line: Element, rating: Rated | None) -> None:
    """The cells of `RATING`."""
    if rating is None:
        for _ in RATING:
            _number(line, "")
        return
    cell = SubElement(line, "td", {"class": "number"})
    SubElement(cell, "span").text = f"{rating.elo.value:+.0f}"
    SubElement(cell, "br")
    cell.append(_small(f"{rating.elo.low:+.0f} to {rating.elo.high:+.0f}"))
    _number(line, f"{rating.count.points:g}/{rating.count.games}")
    _number(line, "" if rating.superiority is None else likely(rating.superiority))


def _remarks(outcome: Outcome) -> Iterator[str]:
    """What went wrong, was not written or could not be run."""
    if outcome.message:
        yield outcome.message
    if outcome.unrated:
        yield f"not rated: {outcome.unrated}"
    if outcome.status != FAILED:
        yield from (f"not written: {name} ({reason})" for name, reason in outcome.skipped.items())
        yield from (f"not proved here: {reason}" for reason in outcome.parity.get("not_proved", {}).values())


def _artifact(cell: Element, row: Row | None) -> None:
    if row is None:
        return
    sign, kind = {True: ("✓ ", "good"), False: ("✗ ", "bad"), None: ("", "")}[row["equal"]]
    SubElement(cell, "span", {"class": kind}).text = sign
    SubElement(cell, "span").text = "not run here" if row["equal"] is None else _shown(row["max_error"])
    SubElement(cell, "br")
    if row["limit"] is not None:
        cell.append(_small(f"of {row['limit']:.1e}"))
        SubElement(cell, "br")
    cell.append(_small(f"{row['bytes'] / 1e6:.2f} MB"))


def _shown(error: float | None) -> str:
    return "no number" if error is None else f"{error:.1e}"


def _number(line: Element, text: str) -> None:
    SubElement(line, "td", {"class": "number"}).text = text


def _small(text: str) -> Element:
    element = Element("small")
    element.text = text
    return element
