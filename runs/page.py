"""index.html of a run: a single file that shows its progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from ..pages.curves import Curve, curve_plot, stacked_bars
from ..pages.markup import add, as_text, cell, document, table
from ..system.exchange import replace_text
from ..version import __version__
from .run import Run

PAGE = "index.html"
MARK = "azx train"
# Rows of the table: the last generations, and all that were the best in their time.
LATEST = 30
PARTS = (("play", "playing"), ("learn", "learning"), ("judge", "judging"))
# With other players, the process that learns waits for their games.
LEARNER = ("waiting", "learning", "judging")
ACTOR = ("playing", "judging", "waiting")
Line = Mapping[str, Any]
ELO = "Elo, the first generation at 0"


def write(run: Run, lines: Sequence[Line]) -> Path:
    """Write the page of the finished generations and return its path; BundleError if the disk refuses it."""
    replace_text(run.folder / PAGE, page(run, lines))
    return run.folder / PAGE


def page(run: Run, lines: Sequence[Line]) -> str:
    """The page as text; `lines` are progress.jsonl's, at least one."""
    title = f"{run.game.title}, trained from nothing"
    html, main = document(title, MARK, __version__)
    add(main, "h1", title)
    add(main, "p", _summary(run, lines), class_="soft lead")
    _strength(main, lines)
    _solved(main, lines)
    plots = add(main, "div", class_="plots thirds")
    _figure(
        plots,
        "Loss of the policy",
        _column(lines, "policy_loss"),
        "Cross-entropy with what the searches found, in nats.",
        from_zero=False,
    )
    _figure(plots, "Loss of the value", _column(lines, "value_loss"), "Squared error, of values from -1 to +1.")
    _figure(
        plots, "Length of a game", _column(lines, "plies"), "Plies, random opening moves included.", from_zero=False
    )
    proven = [None if value is None else 100 * value for value in _column(lines, "proven")]
    _figure(plots, "Proven results", proven, "Percent of the games whose result the rules had proven before their end.")
    _figure(plots, "Speed", [_speed(line) for line in lines], "Positions a second, learning and judging included.")
    _seconds(plots, lines)
    _recipe(main, run)
    _generations(main, lines)
    return as_text(html)


def _summary(run: Run, lines: Sequence[Line]) -> str:
    """One sentence: the run's progress, and its best network's strength."""
    best = next((line for line in reversed(lines) if line["best"]), lines[-1])
    spent = sum(sum(line.get("seconds", {}).values()) for line in lines)
    games, positions = (sum(line[name] for line in lines) for name in ("games", "positions"))
    return (
        f"{_count(len(lines))} of {run.recipe.net}, {games:,} games, {positions:,} positions, "
        f"{_duration(spent)}. The best is generation {best['generation']}: {_strength_of(best)}."
    )


def _count(generations: int) -> str:
    return "1 generation" if generations == 1 else f"{generations:,} generations"


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:,.0f} minutes"


def _strength_of(line: Line) -> str:
    return f"{line['figure']:.0f} {line['about']}" if "figure" in line else f"Elo {line['elo']:+.0f}"


def _strength(main: Element, lines: Sequence[Line]) -> None:
    """Add the figure of the networks' strength: the exact judge's, or the Elo with its interval."""
    marked = {at for at, line in enumerate(lines) if line["best"]}
    figure = add(main, "figure", class_="card strength")
    if "figure" in lines[0]:
        about = str(lines[0]["about"])
        add(figure, "h3", about[0].upper() + about[1:])
        curve_plot(figure, Curve(about, _column(lines, "figure"), marked=marked, is_wide=True))
        add(
            figure,
            "figcaption",
            "0 is perfect. A large dot was the best network in its time: of two that are equal within chance it was "
            "the later one.",
        )
        return
    add(figure, "h3", ELO)
    band = [interval_of(line) for line in lines]
    curve_plot(figure, Curve(ELO, _column(lines, "elo"), band, marked, from_zero=False, is_wide=True), "{:+g}".format)
    add(
        figure,
        "figcaption",
        "A large dot was the best network in its time. The band is the 95 % interval of each one's games: a best "
        "network's against the best one of half its age, any other's against the best one then. The errors of the "
        "networks that they met come on top.",
    )


def _solved(main: Element, lines: Sequence[Line]) -> None:
    """Add the chart of the solved positions whose value the policy keeps; nothing without a solver."""
    solved = [line.get("solved") for line in lines]
    if not any(solved):
        return
    figure = add(main, "figure", class_="card strength")
    add(figure, "h3", "Solved positions whose value is kept, in percent")
    values = [each["percent"] if each else None for each in solved]
    band = [(each["low"], each["high"]) if each else None for each in solved]
    curve_plot(figure, Curve("Solved positions", values, band, from_zero=False, is_wide=True))
    count = next(each["positions"] for each in reversed(solved) if each)
    caption = f"{count} positions, by the policy alone, without any search. The band is the 95 % interval."
    add(figure, "figcaption", caption)


def interval_of(line: Line) -> tuple[float, float] | None:
    """The ends of the contest's interval on the curve's scale; None without a contest or without ends."""
    contest = line.get("anchor") or line.get("contest")
    if contest is None or None in (contest["elo"], contest["low"], contest["high"]):
        return None
    before = line["elo"] - contest["elo"]
    return before + contest["low"], before + contest["high"]


def _column(lines: Sequence[Line], name: str) -> list[float | None]:
    return [line.get(name) for line in lines]


def _figure(
    parent: Element, title: str, values: Sequence[float | None], caption: str, *, from_zero: bool = True
) -> None:
    figure = add(parent, "figure", class_="card")
    add(figure, "h3", title)
    curve_plot(figure, Curve(title, values, from_zero=from_zero), "{:,g}".format)
    add(figure, "figcaption", caption)


def _speed(line: Line) -> float | None:
    spent = sum(line.get("seconds", {}).values())
    return round(line["positions"] / spent, 1) if spent else None


def _seconds(plots: Element, lines: Sequence[Line]) -> None:
    """Add the chart of seconds: of the process that learns and, if other processes play, of one of them."""
    rows = [[float(line.get("seconds", {}).get(name, 0.0)) for name, _ in PARTS] for line in lines]
    has_others = any(
        _places(line) > 1 or line.get("player", line["generation"]) < line["generation"] - 1 for line in lines
    )
    figure = add(plots, "figure", class_="card")
    add(figure, "h3", "Where the time goes")
    names = LEARNER if has_others else [name for _, name in PARTS]
    stacked_bars(figure, "Seconds of the learner" if has_others else "Seconds of a generation", names, rows)
    if not has_others:
        add(figure, "figcaption", "Seconds of each generation, by what they were spent on.")
        return
    actors = [_of_a_place(line, sum(row)) for line, row in zip(lines, rows, strict=True)]
    stacked_bars(figure, "Seconds of an actor", ACTOR, actors)
    played, judged, idle = (sum(part) for part in zip(*actors, strict=True))
    share, count = 100 * (played + judged) / (played + judged + idle or 1.0), _places(lines[-1])
    caption = (
        f"Seconds of each generation: above of the learner, below of one of its actors, of which the last generation "
        f"had {count}. They were at work for {share:.0f} % of the time. The games of a generation are played while the "
        "one before it is learnt."
    )
    add(figure, "figcaption", caption)


def _of_a_place(line: Line, seconds: float) -> list[float]:
    """The mean seconds of a place in a generation: play, judge, wait."""
    times = line.get("actors", {})
    played, judged = (float(times.get(name, 0.0)) / _places(line) for name in ("seconds", "judging"))
    return [played, judged, max(0.0, seconds - played - judged)]


def _places(line: Line) -> int:
    return int(line.get("actors", {}).get("places", 1))


def _recipe(main: Element, run: Run) -> None:
    """Add the settings of the board, and the recipe."""
    add(main, "h2", "Recipe")
    recipe = {**run.reading.settings, **run.settings, **run.recipe.as_data(), "seed": run.seed}
    if run.start_from is not None:
        recipe["start_from"] = run.start_from
    body = table(add(main, "div", class_="recipe"), ("Setting", "Value"))
    for name, value in recipe.items():
        row = add(body, "tr")
        add(row, "td", name.replace("_", " ").capitalize())
        cell(row, "Value", f"{value}")


def _generations(main: Element, lines: Sequence[Line]) -> None:
    add(main, "h2", "Generations")
    body = table(
        main, ("Generation", "Strength", "Games", "Positions", "Window", "Policy loss", "Value loss", "Seconds")
    )
    shown = [line for at, line in enumerate(lines) if line["best"] or at >= len(lines) - LATEST]
    for line in reversed(shown):
        row = add(body, "tr")
        first = add(row, "td", f"{line['generation']}" + (" (best)" if line["best"] else ""))
        first.set("data-label", "Generation")
        strength = f"{line['figure']:.0f}" if "figure" in line else f"{line['elo']:+.0f}"
        contest = line.get("contest")
        cell(row, "Strength", strength, *([f"{contest['points']:g} of {contest['games']} points"] if contest else []))
        for title, name in (("Games", "games"), ("Positions", "positions"), ("Window", "window")):
            cell(row, title, f"{line[name]:,}")
        for title, name in (("Policy loss", "policy_loss"), ("Value loss", "value_loss")):
            cell(row, title, f"{line[name]:.3f}")
        cell(row, "Seconds", f"{sum(line.get('seconds', {}).values()):.1f}")
