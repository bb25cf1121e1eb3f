"""A proof in words: the sentences that terminal and page share."""

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
    """The answers that replace the original's if its checkpoint did not run."""
    return f"the {positions} answers in {file}"


@dataclass(frozen=True)
class EqualArtifacts:
    """Artifacts in float32 that are equal to `original`.

    `shown` of them are the same calculation for every board. The others were tried on `boards` positions or, if that is
    None, on recorded answers, whose number is in `original`.
    """

    count: int
    shown: int = 0
    boards: int | None = None
    original: str = THE_ORIGINAL

    @property
    def clause(self) -> str:
        """What the artifacts are equal to, and how azx knows."""
        tried = self.count - self.shown
        on_boards = f"tried on {self.boards:,} boards" if self.boards is not None else ""
        if not self.shown or not tried:
            how = EVERY_BOARD if self.shown else on_boards
        else:
            how = f"{self.shown} {EVERY_BOARD}, {tried} {on_boards}"
        return f"equal to {self.original}{': ' * bool(how)}{how}"


def verdict(exact: EqualArtifacts, inside: int, outside: int, lacking: int) -> str:
    """The result of a proof that holds: "5 artifacts, equal to the original: the same calculation ...".

    `exact` are float32 artifacts, `inside` and `outside` count lower precisions, `lacking` counts those that could not
    run.
    """
    equal = exact.count
    more = [f"{inside} inside the gate"] * (inside > 0) + [f"{outside} outside it, marked"] * (outside > 0)
    more += [f"{lacking} {NOT_PROVED}"] * (lacking > 0)
    if not more:
        return f"{_artifacts(equal)}, {exact.clause}"
    return "; ".join([f"{_artifacts(equal)} {exact.clause}"] * (equal > 0) + more)


def not_proved_by_that(statements: int, *, recorded: bool, listed: bool) -> str:
    """What a proof leaves open, in one line: the number of unproved statements and, without the checkpoint, forgery.

    `listed` is true if the statements are listed above the line.
    """
    many = "1 statement of the bundle is" if statements == 1 else f"{statements} statements of the bundle are"
    where = "listed above" if listed else "--verbose lists them"
    left = f"{many} not proved ({where})" if statements else ""
    if not recorded:
        return f"{left}."
    forged = "an artifact and golden.json can be forged together"
    clauses = ", and ".join(filter(None, [forged, left]))
    return f"Not compared with the checkpoint: {clauses}. Give it with --against."


def _artifacts(count: int) -> str:
    return "1 artifact" if count == 1 else f"{count} artifacts"


def capitalize(clause: str) -> str:
    """The clause with a capital first letter, to begin a sentence."""
    return clause[:1].upper() + clause[1:]


def describe_comparison(description: str, against: str) -> str:
    """The two sides of the comparison, as a sentence."""
    return f"{capitalize(description)}, against {against}"


def limit_rule(distances: Sequence[tuple[str, float]]) -> str:
    """The origin of float32's limit: the floor, and the reference's `distances` from float64, by head."""
    own = f" ({', '.join(f'{name} {value:.1e}' for name, value in distances)})" if distances else ""
    return (
        f"Errors are scaled by max(1, |reference|). The limit is {FLOOR.value:.0e}, or {REFERENCE_FACTOR.value:g} "
        f"x the reference's own distance from float64{own} if that is more."
    )


def chance_rule(distances: Sequence[tuple[str, float]]) -> str:
    """The origin of the limit on a legal move's probability; `distances` are the original's own, by head."""
    own = f" ({', '.join(f'{name} {value:.1e}' for name, value in distances)})" if distances else ""
    return (
        f"A legal move's chance among the legal ones may change by {FLOOR.value:.0e}, or {REFERENCE_FACTOR.value:g} x "
        f"what rounding changes the original's own{own} if that is more."
    )


_LIKE = {"random": "random legal positions", "boards": "random boards", "such": "such positions"}


def calculation(own: Calculation | None, stated: Calculation | None) -> str:
    """The sentence on an artifact's bytes: as compared, or else as the manifest states; empty if neither is known.

    A statement of the manifest is its author's claim.
    """
    if own is not None:
        return capitalize(say_calculation(own)) + "."
    return say("proof_said", [say_calculation(stated)]) if stated is not None else ""


def could_hide(shares: Mapping[str, float], fresh_seed: int | None = None) -> str:
    """What a proof by positions leaves possible, in one or two sentences.

    Empty if it shows nothing about other positions.

    `shares` has by origin the share of positions on which an error may still hide, at 95 %. It holds for positions
    drawn from all possible ones; the other samples come from a few games or searches and prove little. `fresh_seed` is
    the seed of positions drawn after the artifacts were written; None without them.
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
    """The figure of a gate that decides."""
    return f"closest margin: {clause}"


def auto_took(form: str, chosen: str, fell: Sequence[tuple[str, str]]) -> str:
    """The precision that `--precision auto` chose in a format, and why not a faster one."""
    why = "; ".join(f"{precision}: {reason}" for precision, reason in fell)
    return f"auto takes {chosen} for {form}" + (f", not {why}" if why else "")


def in_float(layers: Sequence[str]) -> str:
    """The layers that stay in float."""
    return f"in float: {', '.join(layers)}"
