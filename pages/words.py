"""A proof in words: the sentences that a terminal and a page both say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..validate.tolerances import FLOOR, REFERENCE_FACTOR

NOT_PROVED = "not proved here"
OUTSIDE = "outside its gate and kept on request"
NOT_EQUAL = "Not equal to the original."
OUTSIDE_ITS_GATE = "Outside its gate."
THE_ORIGINAL = "the original"


def recorded_answers(positions: int, file: str) -> str:
    """What stands for the original if its checkpoint was not asked."""
    return f"the {positions} answers in {file}"


def verdict(equal: int, inside: int, outside: int, lacking: int, original: str = THE_ORIGINAL) -> str:
    """What a proof that holds found of so many artifacts: "5 artifacts, equal to the original".

    `equal` are in float32, `inside` and `outside` of lower precisions, `lacking` could not be run.
    """
    more = [f"{inside} inside the gate"] * (inside > 0) + [f"{outside} outside it, marked"] * (outside > 0)
    more += [f"{lacking} {NOT_PROVED}"] * (lacking > 0)
    if not more:
        return f"{_artifacts(equal)}, equal to {original}"
    if equal and lacking and not inside + outside:
        return ", ".join([f"{_artifacts(equal)} equal", *more])
    return ", ".join([f"{_artifacts(equal)} equal to {original}"] * (equal > 0) + more)


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


_LIKE = {
    "random": "of random legal positions",
    "games": "of positions of the network's own games",
    "searched": "of positions that its searches play",
    "searches": "of those that its searches look at",
    "boards": "of random boards",
    "such": "of such positions",
}


def could_hide(shares: Mapping[str, float], fresh_seed: int | None = None) -> str:
    """What a proof without an error leaves possible, by the positions' origin; empty if it says nothing of others.

    `fresh_seed` is that of positions which were drawn when the artifacts were there already; None without such.
    """
    told = [f"{share:.2%} {_LIKE[name]}" for name, share in shares.items() if name in _LIKE]
    if not told:
        return ""
    listed = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    hidden = f"An error over the limit could hide on at most {listed}, at 95 %"
    if fresh_seed is None:
        return f"{hidden}. That is for a converter's mistakes: an author can be right on known positions alone."
    return f"{hidden}. That is for any author too: the positions of seed {fresh_seed} were drawn after the artifacts."


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
