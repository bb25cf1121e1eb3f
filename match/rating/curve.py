"""The rating curve: the strength of a run's networks from the first version to the last, with intervals."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ...pages.drawing import Area, Dot, Drawing, Line, Part, Text
from .elo import Interval

WIDTH, HEIGHT = 480, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 34, 40
# A letter's average width; an interval is drawn to at most this distance beyond all ratings.
LETTER, BEYOND = 6.5, 250.0
# Up to this many networks, each has a dot and a bar for its interval; for more, a band shows the intervals.
APART = 24


def curve(title: str, names: Sequence[str], elos: Sequence[Interval], leader: int) -> Drawing:
    """The ratings of networks in the order of their versions, from left to right; `leader` gets its name."""
    low, high, step = _range(elos)
    span = WIDTH - LEFT - RIGHT
    across = [LEFT + span * (at + 0.5) / len(names) for at in range(len(names))]

    def up(elo: float) -> float:
        share = (min(max(elo, low), high) - low) / (high - low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share

    parts: list[Part] = [Text((LEFT, 18), title)]
    for tick in range(math.ceil(low / step), math.floor(high / step) + 1):
        y = up(tick * step)
        parts.append(Line(((LEFT, y), (WIDTH - RIGHT, y)), "ink" if tick == 0 else "faint", 0.5 if tick == 0 else 1))
        parts.append(Text((LEFT - 6, y + 4), f"{tick * step:+d}" if tick else "0", "end", "grey"))
    short, common = _short(names)
    every = max(1, math.ceil(max(len(name) + 1 for name in short) * LETTER / (span / len(short))))
    parts += [
        Text((x, HEIGHT - BOTTOM + 16), name, "middle", "grey")
        for x, name in list(zip(across, short, strict=True))[::every]
    ]
    parts.append(Text((WIDTH - RIGHT, HEIGHT - 8), common, "end", "grey"))
    parts.append(Text((LEFT, HEIGHT - 8), "Elo, mean 0, with 95 % intervals", "start", "grey"))
    points = [(x, up(elo.value)) for x, elo in zip(across, elos, strict=True)]
    highs, lows = ([(x, up(end)) for x, end in zip(across, ends, strict=True)] for ends in _ends(elos))
    if len(names) > APART:
        parts.append(Area((*highs, *reversed(lows))))
    parts.append(Line(tuple(points), "accent", 1.5))
    if len(names) <= APART:
        parts += [Line((top, bottom), "accent", 1) for top, bottom in zip(highs, lows, strict=True)]
        parts += [Dot(point, 3) for point in points]
    parts.append(Dot(points[leader], 5))
    parts.append(_label(f"{names[leader]} {elos[leader].value:+.0f}", points[leader], highs[leader][1]))
    return Drawing(WIDTH, HEIGHT, f"{title}. {_describe_curve(names, elos)}", tuple(parts))


def _ends(elos: Sequence[Interval]) -> tuple[list[float], list[float]]:
    return [elo.high for elo in elos], [elo.low for elo in elos]


def _range(elos: Sequence[Interval]) -> tuple[float, float, int]:
    """The lowest and the highest Elo shown, and the step of the grid."""
    values = [elo.value for elo in elos]
    low = max(min(elo.low for elo in elos), min(values) - BEYOND)
    high = min(max(elo.high for elo in elos), max(values) + BEYOND)
    low, high = min(low, -20.0), max(high, 20.0)
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1_000, 10_000) if (high - low) / step <= 8)
    return low - 0.04 * (high - low), high + 0.08 * (high - low), step


def _short(names: Sequence[str]) -> tuple[list[str], str]:
    """The names without their common beginning and end, and these common parts; numbers are never cut."""
    if len(names) < 2:
        return list(names), ""
    before = re.sub(r"\d+$", "", _common(names))
    backwards = _common([name[len(before) :][::-1] for name in names])
    after = re.sub(r"^\d+", "", backwards[::-1])
    short = [name[len(before) : len(name) - len(after)] for name in names]
    if not all(short) or not before + after:
        return list(names), ""
    return short, f"{before}…{after}"


def _common(texts: Sequence[str]) -> str:
    """The common beginning of all texts."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, letter in enumerate(first) if letter != last[at : at + 1]), len(first))]


def _label(text: str, at: tuple[float, float], top: float) -> Text:
    """The leader's name above its interval, kept within the picture."""
    half = len(text) * LETTER / 2
    x = min(max(at[0], LEFT + half), WIDTH - RIGHT - half)
    return Text((x, max(top - 6, TOP - 2)), text, "middle")


def _describe_curve(names: Sequence[str], elos: Sequence[Interval]) -> str:
    """The alternative text, for readers who do not see the picture."""
    return ", ".join(f"{name} {elo.value:+.0f}" for name, elo in zip(names, elos, strict=True))
