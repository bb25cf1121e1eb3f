"""The end of a game of Go at a table: the dead stones, and the score with and without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...games.rules import go_scoring
from ...games.rules.go import Go

if TYPE_CHECKING:
    from ...games.state import State

SCORING_HELP = """Name a stone to say that its chain is dead or lives after all, or:
  agree   the dead stones are those that are marked: count the score
  on      play on: both passes are taken back
  undo, new, save F, quit as during the game"""


@dataclass(frozen=True)
class Scoring:
    """A board after two passes, and the stones marked as dead."""

    state: Go
    dead: frozenset[int]

    @property
    def score(self) -> float:
        """Black's lead without the dead stones."""
        return go_scoring.score_without(self.state, self.dead)

    @property
    def areas(self) -> tuple[Sequence[int], Sequence[int]]:
        """The points that count for black and for white."""
        return go_scoring.areas_without(self.state, self.dead)

    def toggle(self, at: int) -> Scoring | None:
        """The scoring with one chain changed from alive to dead or back; None if the point has no stone."""
        points = frozenset(go_scoring.chain(self.state, at))
        if not points:
            return None
        return replace(self, dead=self.dead - points if at in self.dead else self.dead | points)

    def event(self) -> dict[str, Any]:
        """The event with the marked stones and the score."""
        named = [self.state.label(at) for at in sorted(self.dead)]
        return {"event": "scoring", "dead": named, "score": self.score, "score_all_alive": self.state.score()}

    def sentence(self) -> str:
        """The dead stones, and the score with and without them."""
        named = " ".join(self.event()["dead"])
        dead = f"Dead stones, which are taken off: {named}." if named else "No stone is taken for dead."
        alive = f" With all stones alive {lead(self.state.score())}." if named else ""
        return f"{dead} Score: {lead(self.score)}.{alive} Type a stone to change it, agree, or on to play on."


def scoring_of(state: State) -> Scoring | None:
    """The proposed scoring if two passes have ended a game of Go; None otherwise."""
    if not isinstance(state, Go) or not go_scoring.ends_by_passes(state):
        return None
    return Scoring(state, frozenset(go_scoring.dead_stones(state, go_scoring.estimate_ownership(state))))


def lead(score: float) -> str:
    """`black wins by 2.5`, `white wins by 7.5`, `even`."""
    return f"{'black' if score > 0 else 'white'} wins by {abs(score):g}" if score else "even"


def may_pass(state: State) -> bool:
    """Whether a pass in Go costs the player to move nothing; False in other games."""
    return isinstance(state, Go) and go_scoring.may_pass(state)


def estimate_score(state: Go) -> tuple[dict[str, Any], str, Scoring, tuple[list[int], list[int]]]:
    """The estimate of a position: its event and sentence, the stones likely dead, and each side's points."""
    ownership = go_scoring.estimate_ownership(state)
    estimate = go_scoring.estimate(state, ownership)
    owners = [ownership.owner(at, go_scoring.SHOWN) for at in range(len(ownership.black))]
    black, white = ([at for at, owner in enumerate(owners) if owner == player] for player in (0, 1))
    side = "Black" if estimate.points > 0 else "White" if estimate.points < 0 else "Even"
    points = f" +{abs(estimate.points)}" if estimate.points else ""
    event = {"event": "estimate", "score": estimate.score, "spread": estimate.spread}
    event |= {"percent": estimate.percent, "certainty": estimate.certainty}
    favoured = f"{estimate.percent} % of {ownership.playouts} random games"
    sentence = f"Estimate: {side}{points} ± {estimate.points_of_spread}, {estimate.certainty} ({favoured})."
    dead = frozenset(at for player in (0, 1) for at in state.stones(player) if owners[at] == 1 - player)
    return event, sentence, Scoring(state, dead), (black, white)
