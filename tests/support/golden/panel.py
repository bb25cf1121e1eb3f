"""What the golden files say of panels: facts of shown positions, and the panel that follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from azx.games.review.graph import graph_of
from azx.games.review.known import ProvenFacts, Reason
from azx.games.review.panel import (
    Ended,
    Lead,
    Moment,
    PanelCandidate,
    PanelFacts,
    PlayedMove,
    Searched,
    panel_of,
)

# How many cases are drawn beside the written ones.
DRAWN = 60
LEGAL = (35, 36, 37, 38, 39)
LOST = ProvenFacts(LEGAL, LEGAL, None, outcome=-1)
WON = ProvenFacts(LEGAL, (37, 38), None, outcome=1)
LEVEL = ProvenFacts(LEGAL, (36,), None, outcome=0)
BLUNDER = PlayedMove(35, 0, "blunder", Reason("gave_win", 38), 38, (31, 24))
HINTED = Searched(
    0.3,
    None,
    (
        PanelCandidate(35, 90, 0.3, (36,)),
        PanelCandidate(38, 60, 0.33),
        PanelCandidate(36, 46, 0.27),
        PanelCandidate(37, 4, 0.6),
    ),
)
REPLAY = Moment("over", is_replay=True, can_review=True, is_reviewed=True, has_mistakes=True)


def _boxes(margin: int, *losses: float | None) -> dict[str, Any]:
    left = tuple(at for at, loss in enumerate(losses) if not loss)
    candidates = tuple(PanelCandidate(at, 60 - 10 * at, 0.48, (), loss) for at, loss in enumerate(losses))
    known = ProvenFacts(tuple(range(len(losses))), left, None, margin)
    return {"unit": "boxes", "scale": 9.0, "known": known, "search": Searched(0.48, None, candidates)}


WRITTEN: tuple[tuple[str, PanelFacts], ...] = (
    ("nothing is known", PanelFacts(0, 0)),
    ("the network alone", PanelFacts(0, 1, network=0.2)),
    ("an earlier figure", PanelFacts(1, 0, earlier=0.64, moment=Moment("theirs"))),
    ("a search beats the network", PanelFacts(0, 0, search=HINTED, network=0.9, earlier=0.9)),
    ("a search for the other side", PanelFacts(0, 1, search=HINTED)),
    ("a table knows a loss where a search sees 30 %", PanelFacts(0, 0, known=LOST, search=HINTED)),
    ("a table knows a win for the other side", PanelFacts(1, 0, known=WON, search=HINTED, distance=23)),
    ("a table knows a draw", PanelFacts(0, 0, known=LEVEL, search=HINTED)),
    ("the rules beat the table", PanelFacts(0, 0, known=WON._replace(result=1, left=(38,)), search=HINTED)),
    ("all lose at once", PanelFacts(0, 0, known=ProvenFacts(LEGAL, LEGAL, -1), search=HINTED)),
    ("a search proves a win", PanelFacts(0, 1, search=HINTED._replace(chance=1.0, proven=1), distance=7)),
    ("a proof by search beats a table", PanelFacts(0, 0, known=LEVEL, search=HINTED._replace(proven=1))),
    ("won at the end, 99 % before", PanelFacts(0, 1, end=Ended(1), search=HINTED, earlier=0.01, moment=Moment("over"))),
    (
        "lost at the end, in boxes",
        PanelFacts(1, 0, "boxes", 9.0, Ended(1, 3.0), moment=Moment("over", can_review=True)),
    ),
    ("given up with a lead", PanelFacts(0, 1, "boxes", 9.0, Ended(-1, 2.0), moment=Moment("over"))),
    ("a drawn end", PanelFacts(0, 0, "discs", 64.0, Ended(0, 0.0), moment=Moment("over"))),
    ("a solved end in boxes, 48 % by a search", PanelFacts(0, 0, **_boxes(5, 0.0, 2.0, 0.0, None))),
    ("a lost end in boxes has equal moves", PanelFacts(1, 1, **_boxes(-3, 0.0, 0.0, 4.0))),
    ("a solved end for the other side", PanelFacts(0, 1, **_boxes(3, 0.0, 1.0))),
    ("white +49 +- 36", PanelFacts(1, 0, "points", 81.0, points=Lead(-49.0, 36.0), search=HINTED)),
    (
        "points, and what moves lose",
        PanelFacts(
            0,
            0,
            "points",
            81.0,
            points=Lead(4.5, 9.0),
            search=HINTED._replace(
                candidates=(PanelCandidate(40, 90, 0.6, (), 0.0), PanelCandidate(41, 80, 0.6, (), 2.0))
            ),
        ),
    ),
    ("points are not told as a chance", PanelFacts(0, 0, points=Lead(9.0, 8.0), search=HINTED)),
    ("no points yet", PanelFacts(0, 0, "points", 81.0, search=HINTED)),
    (
        "1 % beside four at 0 %",
        PanelFacts(
            0,
            0,
            search=Searched(
                0.004,
                None,
                tuple(
                    PanelCandidate(at, visits, rate)
                    for at, visits, rate in (
                        (0, 50, 0.004),
                        (1, 40, 0.003),
                        (2, 40, 0.002),
                        (3, 30, 0.001),
                        (4, 30, 0.012),
                    )
                ),
            ),
        ),
    ),
    (
        "no value: equal by visits",
        PanelFacts(
            0,
            0,
            search=Searched(
                None, None, tuple(PanelCandidate(at, visits, 0.5) for at, visits in ((4, 30), (0, 30), (8, 20)))
            ),
        ),
    ),
    ("a blunder with a better move", PanelFacts(0, 1, search=HINTED, played=BLUNDER, moment=REPLAY)),
    (
        "an inaccuracy is not tried again first",
        PanelFacts(0, 1, search=HINTED, played=BLUNDER._replace(verdict="inaccuracy", reason=None), moment=REPLAY),
    ),
    ("a good move", PanelFacts(0, 1, known=LOST, played=PlayedMove(38, 0, "good"), moment=REPLAY)),
    ("a mistake is tried again", PanelFacts(0, 0, search=HINTED, moment=REPLAY._replace(is_trying=True))),
    ("not reviewed yet", PanelFacts(0, 0, moment=Moment("over", is_replay=True, can_review=True))),
    ("no mistakes", PanelFacts(0, 0, end=Ended(0), moment=REPLAY._replace(has_mistakes=False))),
    ("play on from here", PanelFacts(0, 0, moment=REPLAY._replace(has_mistakes=False))),
    ("a review is under way", PanelFacts(0, 0, moment=REPLAY._replace(is_busy=True))),
    ("a hint is under way", PanelFacts(0, 0, moment=Moment(is_busy=True))),
    ("the network thinks", PanelFacts(0, 1, moment=Moment("theirs"))),
    ("the network has not come", PanelFacts(0, 1, moment=Moment("theirs", has_network=False))),
    ("the network gave no move", PanelFacts(0, 1, moment=Moment("theirs", is_stuck=True))),
    ("dead stones", PanelFacts(0, 0, "points", 81.0, moment=Moment("scoring"))),
    ("a watched game", PanelFacts(0, 0, moment=Moment("theirs", is_watched=True))),
    ("a watched game that stands still", PanelFacts(0, 0, moment=Moment("theirs", is_watched=True, is_paused=True))),
    ("the end of a game that can be reviewed", PanelFacts(0, 1, end=Ended(-1), moment=Moment("over", can_review=True))),
    ("a record of other people", PanelFacts(0, 1, moment=Moment("read"))),
)


def _go(chance: float, points: float | None = None, **more: Any) -> PanelFacts:
    lead = None if points is None else Lead(points, 12.0)
    return PanelFacts(0, 0, "points", 27.0, points=lead, earlier=chance, **more)


def _open(chance: float) -> PanelFacts:
    return PanelFacts(0, 0, "boxes", 9.0, earlier=chance)


SOLVED = (PanelFacts(0, 0, **_boxes(3, 0.0, 1.0)), PanelFacts(0, 1, **_boxes(-5, 0.0)))
LAST = PanelFacts(0, 1, "boxes", 9.0, Ended(1, 5.0))
WON_BY_9 = Ended(1, 9.0)

# Positions of a game, and which of them is shown.
GRAPHS: tuple[tuple[str, tuple[PanelFacts, ...], int], ...] = (
    ("nothing is known", (PanelFacts(0, 0), PanelFacts(0, 1)), 1),
    ("chances", (PanelFacts(0, 0, earlier=0.4), PanelFacts(0, 1), PanelFacts(0, 0, search=HINTED)), 2),
    ("points of each position", (_go(0.5, -6.0), _go(0.6, 2.0), _go(0.7, 12.0, end=WON_BY_9)), 1),
    ("points at the end", (_go(0.5, -6.0), _go(0.6, 2.0), _go(0.7, 12.0, end=WON_BY_9)), 2),
    ("a lead beyond the scale", (_go(0.5, -60.0), _go(0.6, 2.0)), 1),
    ("an estimate of the shown position alone", (_go(0.5), _go(0.6, 2.0), _go(0.7)), 1),
    ("points of another position than the shown one", (_go(0.5), _go(0.6, 2.0), _go(0.7)), 2),
    ("a count at the end alone", (_go(0.5), _go(0.6), _go(0.7, end=WON_BY_9)), 2),
    ("a count at the end, another position shown", (_go(0.5), _go(0.6), _go(0.7, end=WON_BY_9)), 0),
    ("an end whose count few positions have", (*map(_open, (0.4, 0.7, 0.6, 0.8)), SOLVED[0], LAST), 5),
    ("boxes from the first solved position on", (_open(0.4), _open(0.7), *SOLVED), 2),
    ("a position before the solved ones", (_open(0.4), _open(0.7), *SOLVED), 1),
    ("solved, with the end", (_open(0.4), *SOLVED, LAST), 3),
    ("given up with a lead", (_open(0.4), *SOLVED, PanelFacts(0, 1, "boxes", 9.0, Ended(-1, 5.0))), 3),
)


def panels() -> dict[str, Any]:
    """Facts and panels, positions and graphs; docs/fixtures.md says what their members are."""
    cases = [*WRITTEN, *((f"drawn {at}", facts) for at, facts in enumerate(_draw()))]
    return {
        "cases": [
            {"about": about, "facts": facts_as_data(facts), "panel": panel_as_data(facts)} for about, facts in cases
        ],
        "graphs": [
            {
                "about": about,
                "facts": [facts_as_data(each) for each in positions],
                "shown": shown,
                "graph": graph_of(positions, shown)._asdict(),
            }
            for about, positions, shown in GRAPHS
        ],
    }


def _draw() -> Iterator[PanelFacts]:
    rng = np.random.default_rng(54)
    for _ in range(DRAWN):
        yield draw_facts(rng)


def draw_facts(rng: np.random.Generator) -> PanelFacts:
    """Facts of a position that no game has: each is known or not by chance, and they contradict each other."""

    def some(probability: float) -> bool:
        return bool(rng.random() < probability)

    def chance() -> float:
        return round(float(rng.random()), 3)

    side, mover = int(rng.integers(2)), int(rng.integers(2))
    unit, scale = (("chance", 1.0), ("boxes", 9.0), ("discs", 64.0), ("points", 81.0))[int(rng.integers(4))]
    count = int(rng.integers(1, 6))
    legal = tuple(range(count))
    left = tuple(at for at in legal if some(0.5)) or legal
    margin = int(rng.integers(-5, 6)) if unit in ("boxes", "discs") and some(0.5) else None
    result = int(rng.integers(-1, 2)) if unit == "chance" and some(0.2) else None
    outcome = int(rng.integers(-1, 2)) if unit == "chance" and some(0.4) else None
    known = ProvenFacts(
        legal,
        left if result or margin is not None or outcome is not None else legal,
        result or None,
        margin,
        outcome=outcome,
    )
    losses = [0.0 if margin is None or at in left else float(rng.integers(1, 5)) for at in legal]
    is_counted = margin is not None or (unit == "points" and some(0.5))
    candidates = tuple(
        sorted(
            (
                PanelCandidate(at, int(rng.integers(1, 90)), chance(), (), losses[at] if is_counted else None)
                for at in legal
            ),
            key=lambda each: -each.visits,
        )
    )
    search = Searched(candidates[0].win_rate if some(0.9) else None, None, candidates)
    points = Lead(round(float(rng.normal(0, 30)), 2), round(float(rng.uniform(1, 20)), 2))
    ending = int(rng.integers(-1, 2))
    lead = ending * float(rng.integers(1, 9)) if unit != "chance" else None
    verdicts = ("good", "inaccuracy", "mistake", "blunder")
    better = int(rng.integers(count))
    played = PlayedMove(9, 1 - mover, verdicts[int(rng.integers(4))], None, better)
    return PanelFacts(
        side,
        mover,
        unit,
        scale,
        Ended(ending, lead) if some(0.15) else None,
        known if some(0.7) else None,
        int(rng.integers(1, 30)) if some(0.3) else None,
        search if some(0.7) else None,
        points if unit == "points" and some(0.6) else None,
        chance() if some(0.3) else None,
        chance() if some(0.3) else None,
        played if some(0.5) else None,
        Moment("over", is_replay=some(0.7), can_review=some(0.5), is_reviewed=some(0.5), has_mistakes=some(0.5)),
    )


def facts_as_data(facts: PanelFacts) -> dict[str, Any]:
    """The facts as JSON; what is not known is left out."""
    known, search, played = facts.known, facts.search, facts.played
    found: dict[str, Any] = {"side": facts.side, "mover": facts.mover, "unit": facts.unit, "scale": facts.scale}
    if facts.end:
        found["end"] = facts.end._asdict()
    if known:
        found["known"] = {name: value for name, value in known._asdict().items() if name != "unit"}
    if search:
        candidates = [{**each._asdict(), "line": list(each.line)} for each in search.candidates]
        found["search"] = {**search._asdict(), "candidates": candidates}
    if facts.points:
        found["points"] = facts.points._asdict()
    for name in ("distance", "network", "earlier"):
        if getattr(facts, name) is not None:
            found[name] = getattr(facts, name)
    if played:
        found["played"] = {**played._asdict(), "reason": played.reason._asdict() if played.reason else None}
    moment = facts.moment._asdict()
    usual = Moment()._asdict()
    found["moment"] = {"phase": moment["phase"], **{name: v for name, v in moment.items() if v != usual[name]}}
    return found


def panel_as_data(facts: PanelFacts) -> dict[str, Any]:
    """The panel as JSON."""
    panel = panel_of(facts)
    played = panel.played
    return {
        "figure": panel.figure._asdict() if panel.figure else None,
        "share": panel.share,
        "proven": panel.proven._asdict() if panel.proven else None,
        "played": {**played._asdict(), "reason": played.reason._asdict() if played.reason else None}
        if played
        else None,
        "better": panel.better._asdict() if panel.better else None,
        "equal": list(panel.equal),
        "options": [each._asdict() for each in panel.options],
        "headline": panel.headline,
        "act": panel.act,
    }
