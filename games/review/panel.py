"""One value for the shown position, from which every app draws its bars, graph, marks, headline and buttons.

`panel_of` is a function of what is known (`PanelFacts`) and nothing else. The end of the game beats a proof, a proof
beats a table or a solver, those beat a search, and a search beats the network. So no two figures of one screen
contradict each other. All figures are those of one named side (`side`).

    chance  0 to 1
    boxes, discs, points  by how many `side` leads, or will lead if both play perfectly

Two moves are equal by proof, or if the search cannot distinguish them. That is so if each was searched at least
`least_share` as often as the best one, and they differ by at most `errors` standard errors of their difference.
Rounding never makes two equal. The numbers are in games/data/thresholds.json.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from ..tables import read_table
from .known import ProvenFacts, Reason
from .verdicts import GOOD, MISTAKES

_EQUAL: dict[str, float] = read_table("thresholds")["equal"]
CHANCE, POINTS = "chance", "points"
# Where a figure comes from, the strongest first.
END, RULES, SOLVED, SEARCH, NETWORK, EARLIER = SOURCES = ("end", "rules", "solved", "search", "network", "earlier")
# The next sensible act; each screen shows one as its primary button.
PLAY, WAIT, STOP, PAUSE, RESUME = "play", "wait", "stop", "pause", "resume"
ASK_AGAIN, AGREE, ANALYSE, NEXT_MISTAKE = "ask_again", "agree", "analyse", "next_mistake"
TRY_AGAIN, TO_GAME, PLAY_ON, REVIEW, REMATCH = "try_again", "to_game", "play_on", "review", "rematch"


class PanelCandidate(NamedTuple):
    """A move that a search considers: its visits, and the chance (0 to 1) of the player who makes it.

    `line` holds the moves that follow it. `loss` is what it loses against the best move in boxes, discs or points; None
    if unknown.
    """

    action: int
    visits: int
    win_rate: float
    line: tuple[int, ...] = ()
    loss: float | None = None


class Searched(NamedTuple):
    """A search's result: the mover's `chance`, None if the network has no value; the mover's `proven` result."""

    chance: float | None
    proven: int | None
    candidates: tuple[PanelCandidate, ...]


class Ended(NamedTuple):
    """The result for player 0 (1, 0, -1) of a game that is over, and player 0's lead; None if nothing was counted."""

    result: int
    lead: float | None = None


class Lead(NamedTuple):
    """Player 0's mean lead in points, and its spread."""

    mean: float
    spread: float


class PlayedMove(NamedTuple):
    """The judged move that led to the shown position, with a better one and its line."""

    action: int
    player: int
    verdict: str
    reason: Reason | None = None
    better: int | None = None
    line: tuple[int, ...] = ()


class Moment(NamedTuple):
    """What is happening at the table. `phase` is the live game's: yours, theirs, scoring, over or read."""

    phase: str = "yours"
    has_network: bool = True
    is_replay: bool = False
    is_busy: bool = False  # A hint or an analysis is under way.
    is_stuck: bool = False  # The network was asked for a move and gave none.
    is_watched: bool = False
    is_paused: bool = False
    is_trying: bool = False  # A mistake is tried again, and no good move is found yet.
    can_review: bool = False
    is_reviewed: bool = False
    has_mistakes: bool = False


@dataclass(frozen=True)
class PanelFacts:
    """All facts about the shown position; None stands for unknown ones.

    `mover` is to move. `unit` is the game's currency, `scale` the lead in it at which a bar is full. `distance` is the
    proven number of plies to the end. `network` is the mover's chance without a search, `earlier` the last known chance
    of `side` before this position.
    """

    side: int
    mover: int
    unit: str = CHANCE
    scale: float = 1
    end: Ended | None = None
    known: ProvenFacts | None = None
    distance: int | None = None
    search: Searched | None = None
    points: Lead | None = None
    network: float | None = None
    earlier: float | None = None
    played: PlayedMove | None = None
    moment: Moment = field(default_factory=Moment)


class Figure(NamedTuple):
    """A figure for `side` in `unit`, with its spread (0 if proven) and its source."""

    side: int
    unit: str
    value: float
    spread: float
    source: str


class Proven(NamedTuple):
    """The proven result for the figure's side, and the plies to the end if known."""

    result: int
    distance: int | None


class Mark(NamedTuple):
    """The played move, its verdict and the proven reason. Good moves have no mark."""

    action: int
    verdict: str
    reason: Reason | None


class Better(NamedTuple):
    """A better move than the played one, and how the game goes on after it."""

    action: int
    line: tuple[int, ...]


class Option(NamedTuple):
    """A move on the board: its figure for the side, its loss in the game's unit, its share of the visits."""

    action: int
    value: float | None
    loss: float | None
    share: float
    is_equal: bool


@dataclass(frozen=True)
class Panel:
    """All that a screen shows of a position; `share` is the side's share of the bar, None if unknown."""

    figure: Figure | None
    share: float | None
    proven: Proven | None
    played: Mark | None
    better: Better | None
    equal: tuple[int, ...]
    options: tuple[Option, ...]
    headline: str
    act: str


def panel_of(facts: PanelFacts) -> Panel:
    """The panel of a shown position."""
    proven, source = _proven(facts)
    figure = _figure(facts, proven, source)
    options, equal = _options(facts, figure, proven)
    played = facts.played
    marked = played if played and played.verdict != GOOD else None
    better = Better(marked.better, marked.line) if marked and marked.better is not None else None
    mark = Mark(marked.action, marked.verdict, marked.reason) if marked else None
    headline = _headline(facts, proven, marked, figure)
    return Panel(figure, _share(facts, figure), proven, mark, better, equal, options, headline, _act(facts, better))


def _proven(facts: PanelFacts) -> tuple[Proven | None, str]:
    """The strongest proof, for the named side, and its source."""
    turn = 1 if facts.mover == facts.side else -1
    known = facts.known
    if facts.end is not None:
        return Proven(facts.end.result * (1 - 2 * facts.side), 0), END
    if known is not None and known.result is not None:
        return Proven(known.result * turn, 1 if known.result == 1 else 2), RULES
    if known is not None and known.margin is not None:
        return Proven(_sign(known.margin) * turn, facts.distance), SOLVED
    if facts.search is not None and facts.search.proven is not None:
        return Proven(facts.search.proven * turn, facts.distance), RULES
    if known is not None and known.outcome is not None:
        return Proven(known.outcome * turn, facts.distance), SOLVED
    return None, ""


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _figure(facts: PanelFacts, proven: Proven | None, source: str) -> Figure | None:
    side, turn = facts.side, 1 if facts.mover == facts.side else -1
    if proven is not None:
        lead = None
        if facts.end is not None:
            lead = None if facts.end.lead is None else facts.end.lead * (1 - 2 * side)
        elif facts.known is not None and facts.known.margin is not None:
            lead = facts.known.margin * turn
        # A game that was given up, or whose result a record tells, may be lost with a lead.
        if lead is not None and facts.unit != CHANCE and _sign(lead) == proven.result:
            return Figure(side, facts.unit, lead, 0.0, source)
        return Figure(side, CHANCE, (1 + proven.result) / 2, 0.0, source)
    if facts.points is not None and facts.unit != CHANCE:
        return Figure(side, POINTS, facts.points.mean * (1 - 2 * side), facts.points.spread, SEARCH)
    search = facts.search
    if search is not None and search.chance is not None:
        visits = search.candidates[0].visits if search.candidates else 0
        return Figure(side, CHANCE, _own(search.chance, turn), standard_error(search.chance, visits), SEARCH)
    if facts.network is not None:
        return Figure(side, CHANCE, _own(facts.network, turn), standard_error(facts.network, 0), NETWORK)
    if facts.earlier is not None:
        return Figure(side, CHANCE, facts.earlier, standard_error(facts.earlier, 0), EARLIER)
    return None


def _own(chance: float, turn: int) -> float:
    return chance if turn == 1 else 1 - chance


def standard_error(chance: float, visits: int) -> float:
    """The standard error of a chance after a number of visits, with one win and one loss added."""
    count = visits + 2
    smooth = (chance * visits + 1) / count
    return math.sqrt(smooth * (1 - smooth) / count)


def _share(facts: PanelFacts, figure: Figure | None) -> float | None:
    if figure is None:
        return None
    share = figure.value if figure.unit == CHANCE else 0.5 + figure.value / (2 * facts.scale)
    return min(1.0, max(0.0, share))


def _options(
    facts: PanelFacts, figure: Figure | None, proven: Proven | None
) -> tuple[tuple[Option, ...], tuple[int, ...]]:
    """The candidates with figures for the named side, and the moves that are equally good."""
    if facts.end is not None:
        return (), ()
    candidates = facts.search.candidates if facts.search else ()
    equal = _equal(facts, candidates)
    total = sum(each.visits for each in candidates) or 1
    options = (
        Option(each.action, _value(facts, figure, proven, each), each.loss, each.visits / total, each.action in equal)
        for each in candidates
    )
    return tuple(options), equal


def _proofs(facts: PanelFacts) -> tuple[int, tuple[int, ...]] | None:
    """The proven result for the mover, and the moves that keep it."""
    known = facts.known
    if known is None:
        return None
    for result in (known.result, known.margin, known.outcome):
        if result is not None:
            return _sign(result), known.left
    return None


def _equal(facts: PanelFacts, candidates: tuple[PanelCandidate, ...]) -> tuple[int, ...]:
    proofs = _proofs(facts)
    is_counted = facts.known is not None and facts.known.margin is not None
    if proofs is not None:
        # In a lost position no proof says which move holds out longest, unless a solver counted the plies.
        return proofs[1] if proofs[0] >= 0 or is_counted else ()
    if not candidates:
        return ()
    first, has_value = candidates[0], facts.search is not None and facts.search.chance is not None
    return tuple(each.action for each in candidates if _is_equal(each, first, has_value))


def _is_equal(one: PanelCandidate, first: PanelCandidate, has_value: bool) -> bool:
    if one.action == first.action:
        return True
    if (one.loss or 0) > (first.loss or 0):
        return False
    if not has_value:
        return one.visits == first.visits
    if one.visits < _EQUAL["least_share"] * first.visits:
        return False
    errors = (standard_error(each.win_rate, each.visits) for each in (one, first))
    return abs(one.win_rate - first.win_rate) <= _EQUAL["errors"] * math.hypot(*errors)


def _value(facts: PanelFacts, figure: Figure | None, proven: Proven | None, each: PanelCandidate) -> float | None:
    """The figure of a move for the named side; no move is worth more to the mover than the position."""
    if figure is None:
        return None
    turn = 1 if facts.mover == facts.side else -1
    if figure.unit != CHANCE:
        return None if each.loss is None else figure.value - turn * each.loss
    best = _own(figure.value, turn)
    proofs = _proofs(facts)
    if proofs is not None and each.action in proofs[1]:
        return figure.value
    # What gives a draw away is lost, what gives a win away is a draw at most; a win at once may be made up for later.
    is_kept = proofs is None or (facts.known is not None and facts.known.result is not None)
    most = best if is_kept else max(0.0, best - 0.5)
    return _own(min(each.win_rate, most), turn)


def _headline(facts: PanelFacts, proven: Proven | None, marked: PlayedMove | None, figure: Figure | None) -> str:
    """The subject of the sentence: a mistake tried again, the marked move, the end, a proof, a figure, or nothing."""
    if facts.moment.is_trying:
        return "trying"
    if marked is not None:
        return "verdict"
    if facts.end is not None:
        return "over"
    if proven is not None:
        return {1: "won", 0: "drawn", -1: "lost"}[proven.result]
    return "unknown" if figure is None else "figure"


def _act(facts: PanelFacts, better: Better | None) -> str:
    now = facts.moment
    if now.is_busy:
        return STOP
    return _act_in_replay(facts, better) if now.is_replay else _act_in_play(now)


def _act_in_play(now: Moment) -> str:
    if now.phase == "scoring":
        return AGREE
    if now.phase in ("over", "read"):
        return REVIEW if now.can_review or now.phase == "read" else REMATCH
    if now.is_watched:
        return RESUME if now.is_paused else PAUSE
    if now.phase == "theirs":
        return ASK_AGAIN if now.is_stuck else STOP if now.has_network else WAIT
    return PLAY


def _act_in_replay(facts: PanelFacts, better: Better | None) -> str:
    now = facts.moment
    if now.is_trying:
        return TO_GAME
    if better is not None and facts.played is not None and facts.played.verdict in MISTAKES:
        return TRY_AGAIN
    if now.has_mistakes:
        return NEXT_MISTAKE
    if now.can_review and not now.is_reviewed:
        return ANALYSE
    return PLAY_ON if facts.end is None else REMATCH
