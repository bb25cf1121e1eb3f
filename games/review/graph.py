"""The graph of a game, in the same unit as the panel of the shown position.

Chances and counts have no common scale. So panel, axis, curve and words all use `Graph.unit`, the unit of the shown
figure. The end of a game is drawn as a chance if fewer than a quarter of the other positions have a count: a curve of
counts would have hardly a point. In chances every position has a share; in a count, only positions with a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .panel import CHANCE, END, PanelFacts, panel_of


class Graph(NamedTuple):
    """The `unit`, and for each position the side's share of the height; None if unknown in that unit."""

    unit: str
    shares: tuple[float | None, ...]


def graph_of(positions: Sequence[PanelFacts], shown: int) -> Graph:
    """The graph of `positions`, in order; `shown` is the index of the one on the board."""
    unit = _unit(positions, shown)
    panels = (panel_of(facts_in(unit, facts)) for facts in positions)
    return Graph(unit, tuple(each.share if each.figure and each.figure.unit == unit else None for each in panels))


def facts_in(unit: str, facts: PanelFacts) -> PanelFacts:
    """The facts for a graph in `unit`: in chances they have no counts."""
    return replace(facts, unit=CHANCE) if unit == CHANCE else facts


def _unit(positions: Sequence[PanelFacts], shown: int) -> str:
    figures = [panel_of(facts).figure for facts in positions]
    figure = figures.pop(shown)
    if figure is None:
        return CHANCE
    others = [each.unit == figure.unit for each in figures if each is not None]
    is_rare = 4 * sum(others) < max(1, len(others))
    return CHANCE if figure.source == END and is_rare else figure.unit
