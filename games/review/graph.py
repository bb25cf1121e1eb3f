"""The graph of a game, in the same unit as the panel of the shown position.

Chances and counts share no scale, so one value, `Graph.unit`, decides for panel, axis, curve and words. It is the unit
of the shown figure. An end whose count few other positions have, fewer than a quarter, is drawn as a chance: its graph
would have hardly a point. In chances every position has a share, in a count only the positions that have one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .panel import CHANCE, END, PanelFacts, panel_of


class Graph(NamedTuple):
    """The `unit`, and for each position how much of the height belongs to the side; None if unknown in that unit."""

    unit: str
    shares: tuple[float | None, ...]


def graph_of(positions: Sequence[PanelFacts], shown: int) -> Graph:
    """The graph of `positions`, in order; `shown` is the index of the one on the board."""
    unit = _unit(positions, shown)
    panels = (panel_of(told_in(unit, facts)) for facts in positions)
    return Graph(unit, tuple(each.share if each.figure and each.figure.unit == unit else None for each in panels))


def told_in(unit: str, facts: PanelFacts) -> PanelFacts:
    """The facts as the graph's unit tells them: in chances nothing is counted."""
    return replace(facts, unit=CHANCE) if unit == CHANCE else facts


def _unit(positions: Sequence[PanelFacts], shown: int) -> str:
    figures = [panel_of(facts).figure for facts in positions]
    figure = figures.pop(shown)
    if figure is None:
        return CHANCE
    others = [each.unit == figure.unit for each in figures if each is not None]
    is_rare = 4 * sum(others) < max(1, len(others))
    return CHANCE if figure.source == END and is_rare else figure.unit
