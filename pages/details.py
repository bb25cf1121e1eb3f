"""Draws one artifact: its errors over the positions, its values, and the positions with the largest errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from ..export.checkpoint.head import POLICY, VALUE
from ..export.formats.precisions.precision import FP32
from ..games.policy import SCORES, measured_as, policy_range
from ..manifest import Head, Manifest
from ..validate.compare import weights
from ..validate.proof.trace import DRAWN, EXTREME, FRESH, KL, SCORE, WIN_RATE, unpack_numbers
from . import boards, words
from .figures import ArtifactFigures, ArtifactLayers, HeadAnswer, WorstPosition
from .markup import MARKS, add
from .plots import drift_plot, error_plot, value_plot
from .position import Position, decode_position, reading_in
from .tables import of_limit, title, tone

KINDS = {DRAWN: "Random", FRESH: "Fresh", EXTREME: "Extreme"}
MEASURES = {
    WIN_RATE: "error of the win rate",
    KL: "divergence of the policy, in nats",
    SCORE: "error of a move's score",
}


def artifact_details(
    main: Element,
    manifest: Manifest,
    artifact: ArtifactFigures,
    explained: ArtifactLayers | None,
    *,
    is_open: bool,
) -> None:
    """Draw a part of the page that opens, with all that is known of one artifact's answers."""
    trace = artifact.trace
    if trace is None:
        return
    kind = tone(artifact)
    part = add(main, "details", class_="card", **({"open": "open"} if is_open else {}))
    summary = add(part, "summary")
    add(summary, "span", MARKS[kind], class_=f"mark {kind}")
    add(summary, "b", f"{title(artifact.format)} {artifact.precision}")
    add(summary, "span", _summary(artifact), class_="soft")
    inside = add(part, "div", class_="inside")
    plots = add(inside, "div", class_="plots")
    for head in trace.heads:
        figure = add(plots, "figure")
        add(figure, "h3", f"{head.head}: {MEASURES.get(head.measure, 'error')}")
        error_plot(figure, trace, head)
    for head in trace.heads:
        if head.original and head.exported:
            figure = add(plots, "figure")
            add(figure, "h3", f"{head.head}: original against exported")
            value_plot(figure, head)
    if explained is not None and explained.layers:
        figure = add(plots, "figure")
        add(figure, "h3", "drift over the layers")
        drift_plot(figure, explained)
        add(figure, "figcaption", _first_at_fault(explained))
    _gate_notes(inside, manifest, artifact)
    if trace.worst:
        add(inside, "h3", "The worst positions" if len(trace.worst) > 1 else "The worst position")
        worst = add(inside, "div", class_="worst")
        for position in trace.worst:
            _draw_position(worst, manifest, position)


def _first_at_fault(explained: ArtifactLayers) -> str:
    first = explained.first
    if first is None:
        return "Every layer's own error lies in its band."
    return f"The first layer outside its band is {' + '.join(first.layers) or first.layer}."


def _summary(artifact: ArtifactFigures) -> str:
    used = artifact.used
    if used == float("inf"):
        return "an answer is not a number"
    share = of_limit(used)
    if artifact.gate and artifact.gate.closest:
        return f"{share}: {artifact.gate.closest.check.clause}"
    worst = artifact.worst
    return share if worst is None else f"{share}: {worst.head} {worst.max_error or 0:.1e}, allowed {worst.limit:.1e}"


def _gate_notes(inside: Element, manifest: Manifest, artifact: ArtifactFigures) -> None:
    if artifact.precision == FP32 or artifact.gate is None:
        return
    for note in (*artifact.gate.broken, *artifact.gate.notes):
        add(inside, "p", f"Note: {note}", class_="soft")
    entry = manifest.artifact(artifact.file)
    if entry and entry.float_layers:
        add(inside, "p", f"{words.capitalize(words.in_float(entry.float_layers))}.", class_="soft")


def _draw_position(parent: Element, manifest: Manifest, position: WorstPosition) -> None:
    """Draw one position: the board twice, with the original's and the artifact's moves, and both values in words."""
    figure = add(parent, "figure")
    stated = {head.name: head for head in manifest.outputs}
    answers = {answer.head: answer for answer in position.heads if answer.head in stated}
    policy = next((name for name in answers if stated[name].role == POLICY), None)
    lines = [_value_line(answers[name], len(answers)) for name in answers if stated[name].role == VALUE]
    where: Position | None = None
    if policy is not None:
        shares = _shares(stated[policy], answers[policy], position)
        where = _position(manifest, stated[policy], position)
        labels = where.labels if where else {}
        _boards(figure, where, shares, labels)
        lines.append(_moves_line(shares, labels))
    off = [f"{answer.head} off by {answer.error:.2g}" for answer in answers.values()]
    caption = add(figure, "figcaption")
    add(caption, "strong", f"{KINDS.get(position.kind, position.kind)} position {position.position:,}{_turn(where)}. ")
    add(caption, "span", f"{' '.join(filter(None, lines))} {'; '.join(off)}.")


def _turn(where: Position | None) -> str:
    if where is None or where.noun == "edge":
        return ""
    if where.to_move is None:
        return f": {where.sides[0]} are the mover's"
    return f": {where.sides[where.to_move]} to move"


def _position(manifest: Manifest, policy: Head, position: WorstPosition) -> Position | None:
    width = int(np.prod(policy.shape))
    reading = reading_in(manifest, width)
    if reading is None or position.input is None or position.legal is None:
        return None
    return decode_position(
        reading, unpack_numbers(position.input), [int(index) for index in unpack_numbers(position.legal)]
    )


@dataclass(frozen=True)
class _Shares:
    """The policy's numbers for the legal moves, by index: shares that sum to 1, or scores."""

    original: dict[int, float]
    exported: dict[int, float]
    are_scores: bool

    @property
    def noun(self) -> str:
        """What the numbers are called."""
        return "score" if self.are_scores else "share"

    def text(self, number: float) -> str:
        """A number formatted for people."""
        return f"{number:.3f}" if self.are_scores else f"{number:.1%}"


def _shares(policy: Head, answer: HeadAnswer, position: WorstPosition) -> _Shares | None:
    """The original's and the artifact's number for each legal move; None if they do not fit."""
    rows = [np.array([unpack_numbers(text)]) for text in (answer.original, answer.exported)]
    width = rows[0].shape[1]
    indices = range(width) if position.legal is None else [int(index) for index in unpack_numbers(position.legal)]
    known = [index for index in indices if 0 <= index < width]
    if not known or rows[1].shape != rows[0].shape:
        return None
    legal = np.zeros((1, width), np.bool_)
    legal[0, known] = True
    measure = measured_as(policy.policy_range or policy_range(policy.activation), rows[0])
    first, second = ({index: float(each[index]) for index in known} for each in _weights(rows, legal, measure))
    return _Shares(first, second, measure == SCORES)


def _weights(
    rows: Sequence[NDArray[np.float64]], legal: NDArray[np.bool_], measure: str
) -> Iterator[NDArray[np.float64]]:
    """The moves' numbers, (width,), from rows (1, width)."""
    return (weights(row, legal, measure)[0] for row in rows)


def _boards(figure: Element, where: Position | None, shares: _Shares | None, labels: Mapping[int, str]) -> None:
    if shares is None:
        return
    if where is None:
        title = f"The moves that either prefers: the original's {shares.noun} above, the exported one's below"
        boards.bars(figure, shares.original, shares.exported, labels, title, shares.text)
        return
    pair = add(figure, "div", class_="pair")
    for name, each in (("original", shares.original), ("exported", shares.exported)):
        side = add(pair, "div")
        best = _best(each)
        boards.board(side, where, each, f"{name}: best move {labels.get(best, best)}, {shares.text(each[best])}")
        add(side, "div", name)


def _value_line(answer: HeadAnswer, heads: int) -> str:
    original, exported = unpack_numbers(answer.original), unpack_numbers(answer.exported)
    if len(original) != 1 or len(exported) != 1:
        return ""
    return f"Value {original[0]:+.3f}, exported {exported[0]:+.3f}."


def _moves_line(shares: _Shares | None, labels: Mapping[int, str]) -> str:
    """The best moves with their shares or scores; both moves if they differ."""
    if shares is None:
        return ""
    first, second = _best(shares.original), _best(shares.exported)
    original, exported = shares.text(shares.original[first]), shares.text(shares.exported[second])
    name = labels.get(first, str(first))
    if first == second:
        return f"Best move {name}: {original}, exported {exported}."
    other = labels.get(second, str(second))
    return f"Best move {name} ({original}), exported {other} ({exported})."


def _best(shares: Mapping[int, float]) -> int:
    return max(shares, key=lambda index: shares[index])
