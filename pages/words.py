"""A proof in words: the sentences that a terminal and a page both say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..manifest import Calculation
from ..texts import say
from ..validate.proof.calculation import say_calculation
from ..validate.tolerances import FLOOR, REFERENCE_FACTOR

NOT_PROVED = "not proved here"
OUTSIDE = "outside its gate and kept on request"
NOT_EQUAL = "Not equal to the original."
OUTSIDE_ITS_GATE = "Outside its gate."
THE_ORIGINAL = "the original"
EVERY_BOARD = "the same calculation for every board"


def recorded_answers(positions: int, file: str) -> str:
    """What stands for the original if its checkpoint was not asked."""
    return f"the {positions} answers in {file}"


@dataclass(frozen=True)
class Equal:
    """Artifacts in float32 that are equal to `original`.

    `shown` of them are the same calculation for every board. The others were tried on `boards` positions; None: on
    recorded answers, whose number `original` says.
    """

    count: int
    shown: int = 0
    boards: int | None = None
    original: str = THE_ORIGINAL

    @property
    def clause(self) -> str:
        """What they are equal to, and how that is known."""
        tried = self.count - self.shown
        on_boards = f"tried on {self.boards:,} boards" if self.boards is not None else ""
        if not self.shown or not tried:
            how = EVERY_BOARD if self.shown else on_boards
        else:
            how = f"{self.shown} {EVERY_BOARD}, {tried} {on_boards}"
        return f"equal to {self.original}{': ' * bool(how)}{how}"


def verdict(exact: Equal, inside: int, outside: int, lacking: int) -> str:
    """What a proof that holds shows of artifacts: "5 artifacts, equal to the original: the same calculation ...".

    `exact` are in float32, `inside` and `outside` of lower precisions, `lacking` could not be run.
    """
    equal = exact.count
    more = [f"{inside} inside the gate"] * (inside > 0) + [f"{outside} outside it, marked"] * (outside > 0)
    more += [f"{lacking} {NOT_PROVED}"] * (lacking > 0)
    if not more:
        return f"{_artifacts(equal)}, {exact.clause}"
    return "; ".join([f"{_artifacts(equal)} {exact.clause}"] * (equal > 0) + more)


def not_proved_by_that(statements: int, *, recorded: bool, listed: bool) -> str:
    """What a proof leaves open, in one line: so many statements and, without the checkpoint, a forgery of all.

    `listed` says that the statements stand above.
    """
    many = "1 statement of the bundle is" if statements == 1 else f"{statements} statements of the bundle are"
    where = "listed above" if listed else "--verbose lists them"
    left = f"{many} not proved ({where})" if statements else ""
    if not recorded:
        return f"{left}."
    forged = "an artifact and golden.json can be forged together"
    told = ", and ".join(filter(None, [forged, left]))
    return f"Not compared with the checkpoint: {told}. Give it with --against."


def _artifacts(count: int) -> str:
    return "1 artifact" if count == 1 else f"{count} artifacts"


def capitalize(clause: str) -> str:
    """The clause with its first letter large, as a sentence begins."""
    return clause[:1].upper() + clause[1:]


def describe_comparison(description: str, against: str) -> str:
    """What was compared with what."""
    return f"{capitalize(description)}, against {against}"


def limit_rule(distances: Sequence[tuple[str, float]]) -> str:
    """Where the limit of float32 comes from: the floor, and the reference's `distances` from float64, by head."""
    own = f" ({', '.join(f'{name} {value:.1e}' for name, value in distances)})" if distances else ""
    return (
        f"Errors are scaled by max(1, |reference|). The limit is {FLOOR.value:.0e}, or {REFERENCE_FACTOR.value:g} "
        f"x the reference's own distance from float64{own} if that is more."
    )


def chance_rule(distances: Sequence[tuple[str, float]]) -> str:
    """Where the limit of a legal move's chance comes from; `distances` are the original's own, by head."""
    own = f" ({', '.join(f'{name} {value:.1e}' for name, value in distances)})" if distances else ""
    return (
        f"A legal move's chance among the legal ones may change by {FLOOR.value:.0e}, or {REFERENCE_FACTOR.value:g} x "
        f"what rounding changes the original's own{own} if that is more."
    )


_LIKE = {"random": "random legal positions", "boards": "random boards", "such": "such positions"}


def calculation(own: Calculation | None, stated: Calculation | None) -> str:
    """The sentence on an artifact's bytes: as they were compared, or as the manifest states; empty if neither is known.

    What a manifest states is its author's.
    """
    if own is not None:
        return capitalize(say_calculation(own)) + "."
    return say("proof_said", [say_calculation(stated)]) if stated is not None else ""


def could_hide(shares: Mapping[str, float], fresh_seed: int | None = None) -> str:
    """What a proof by positions leaves possible, in one sentence or two; empty if it says nothing of others.

    `shares` has the share of positions, by their origin, on which an error may still hide at 95 %: of those that are
    drawn from all. The other samples are of a few games or searches, and bound hardly anything. `fresh_seed` is that of
    positions which were drawn when the artifacts were there already; None without such.
    """
    share, like = next(((share, _LIKE[name]) for name, share in shares.items() if name in _LIKE), (None, ""))
    if share is None:
        return ""
    others = "; the other samples are small" if len(shares) > 1 else ""
    hidden = f"Fewer than 1 in {int(1 / share):,} {like} can be over the limit (95 %){others}."
    if int(1 / share) < 2:
        hidden = f"So few positions say nothing of other {like}{others}."
    if fresh_seed is None:
        return f"{hidden} That is for a converter's mistakes: an author can be right on known positions alone."
    return f"{hidden} That is for any author too: the positions of seed {fresh_seed} were drawn after the artifacts."


def closest_margin(clause: str) -> str:
    """Which figure of a gate decides."""
    return f"closest margin: {clause}"


def auto_took(form: str, chosen: str, fell: Sequence[tuple[str, str]]) -> str:
    """What --precision auto took in a format, and why not the faster ones."""
    why = "; ".join(f"{precision}: {reason}" for precision, reason in fell)
    return f"auto takes {chosen} for {form}" + (f", not {why}" if why else "")


def in_float(layers: Sequence[str]) -> str:
    """Which layers stay in float."""
    return f"in float: {', '.join(layers)}"
