"""The answers that artifacts must give: Keras', the witness', or those that an earlier proof recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import AzxError, NotRunHere
from ...export.checkpoint.head import Head
from ...games.policy import measured_as
from ..answers import Answers
from ..compare import PolicyRule, distance, policy_rule
from ..tolerances import REFERENCE_FACTOR, TRUST, fp32_limit


@dataclass(frozen=True, eq=False)
class Truth:
    """The answers that every artifact must give, by the artifacts' names.

    `by` says whose answers they are. `distances` are the reference's own from the float64 witness, None without a
    witness. `notes` are clauses for readers of the report. `exact` are the witness' answers, None without a witness.
    `rules` are those for policies that an earlier proof recorded.
    """

    by: str
    expected: dict[str, NDArray[Any]]
    distances: dict[str, float | None]
    notes: tuple[str, ...] = ()
    exact: Mapping[str, NDArray[Any]] | None = None
    rules: Mapping[str, PolicyRule | None] | None = None

    def rule(self, head: Head, legal: NDArray[np.bool_] | None) -> PolicyRule | None:
        """The rule for the policy `head` over the legal moves; None if it is unknown."""
        if self.rules is not None:
            return self.rules.get(head.name)
        exact = None if self.exact is None else self.exact[head.name]
        expected = self.expected[head.name]
        return policy_rule(expected, exact, legal, measured_as(head.policy_range, expected))


def establish(
    heads: Sequence[Head], reference: Answers, witness: Answers, rounded: Callable[[], Answers] | None = None
) -> Truth:
    """The answers of Keras and of its witness, joined.

    Keras is the reference if the witness agrees with it within float32 rounding. If it does not, or if Keras cannot run
    the network, the witness decides. Without a witness, Keras decides alone. Raises NotRunHere if neither can run the
    network. `rounded` asks the witness in float32 if the two disagree. AzxError if its answers are as far from those in
    float64 as Keras' are, because the disagreement is then only rounding.
    """
    if witness.missing and reference.missing:
        raise NotRunHere(
            f"There is nothing to compare with: {reference.missing}; no float64 witness: {witness.missing}."
        )
    if witness.missing:
        notes = (*reference.notes, f"no float64 witness: {witness.missing}")
        return Truth(reference.by, _name_answers(heads, reference), dict.fromkeys((h.name for h in heads), None), notes)
    truth = _name_answers(heads, witness)
    if reference.missing:
        return Truth(witness.by, truth, dict.fromkeys(truth, 0.0), (reference.missing,), truth)
    answers = _name_answers(heads, reference)
    distances: dict[str, float | None] = {name: distance(answers[name], truth[name]) for name in truth}
    wrong = [name for name, value in distances.items() if value is not None and not value <= TRUST.value]
    if wrong:
        if rounded is not None:
            _check_decided({name: distances[name] for name in wrong}, _name_answers(heads, rounded()), truth)
        listed = ", ".join(f"{name} by {distances[name]:.2g}" for name in wrong)
        note = f"{reference.by} disagrees with the float64 witness ({listed}): the witness decides"
        return Truth(witness.by, truth, dict.fromkeys(truth, 0.0), (*reference.notes, note), truth)
    return Truth(reference.by, answers, distances, reference.notes, truth)


def _check_decided(
    wrong: Mapping[str, float | None], rounded: Mapping[str, NDArray[Any]], truth: Mapping[str, NDArray[Any]]
) -> None:
    """Raise AzxError if rounding explains every deviation of Keras: those in `wrong`, a distance for each head."""
    for name, off in wrong.items():
        if off is None or not off <= REFERENCE_FACTOR.value * distance(rounded[name], truth[name]):
            return
    listed = ", ".join(f"{name} by {off:.2g}" for name, off in wrong.items())
    raise AzxError(
        f"rounding to float32 alone moves {listed}, so that right and wrong files cannot be distinguished: train "
        f"the network with weights of more equal size."
    )


def _name_answers(heads: Sequence[Head], answers: Answers) -> dict[str, NDArray[Any]]:
    return {head.name: answers.outputs[head.source_name] for head in heads}


def recorded_distances(parity: Mapping[str, Any]) -> dict[str, float | None]:
    """The reference's distance from its witness on each head, as an earlier proof recorded it.

    No hash guards parity.json: a distance larger than any proof would trust is ignored, so that it loosens nothing.
    """
    return {name: _distance(head.get("reference_distance")) for name, head in _recorded_heads(parity).items()}


def recorded_rules(parity: Mapping[str, Any], answers: Mapping[str, NDArray[Any]]) -> dict[str, PolicyRule | None]:
    """The rule for each policy over the legal moves of the positions with these `answers`, {head: (N, ...)}.

    The rule is the earlier proof's; None if rounding decided in some positions, since it is unknown which. Older proofs
    recorded no rule: each answer may then deviate as much as its head.
    """
    recorded, rules = _recorded_heads(parity), {}
    for name, rows in answers.items():
        head = recorded.get(name, {})
        held = np.ones(len(rows), np.bool_)
        distance = _distance(head.get("probability_distance"))
        limit = fp32_limit(distance)
        if "probability_limit" not in head:
            limit = fp32_limit(_distance(head.get("reference_distance"))) * max(
                1.0, float(np.abs(rows).max(initial=0.0))
            )
        rules[name] = None if head.get("unheld") else PolicyRule(limit, distance, held)
    return rules


def _recorded_heads(parity: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The figures of each head by its name, from the last artifact that has them; empty if they have another form."""
    try:
        return {str(head["head"]): dict(head) for artifact in parity["artifacts"] for head in artifact["heads"]}
    except (KeyError, TypeError, ValueError):
        return {}


def _distance(value: Any) -> float | None:
    sound = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= TRUST.value
    return float(value) if sound else None
