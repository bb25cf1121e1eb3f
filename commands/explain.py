"""`azx explain`: which layer of an artifact is at fault."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..explain.artifact import ArtifactExplanation
    from ..explain.harm import Harm
    from ..explain.verdict import HeadError, StepVerdict
    from ..explain.walk import Step

COLUMNS = ("", "layers", "tensor", "own error", "band", "of band", "alone", "drift", "")
RIGHT = COLUMNS[3:8]
# The mark for each verdict on a file's bytes; a file that was only tried has none.
GOOD = {"same": True, "tried": None, "differs": False}
# Widest bar of the curve over the layers. Its scale is logarithmic, from float32's rounding to the whole tensor.
BAR, LOWEST = 14, 1e-8


@command()
@click.argument("target", type=options.FILE, metavar="BUNDLE|ARTIFACT")
@click.option("--against", metavar="CHECKPOINT", help="The checkpoint, if it is not beside the bundle.")
@options.names_option("--format", "formats", options.FORMAT_NAMES, "These formats alone.")
@options.names_option("--precision", "precisions", options.PRECISION_NAMES, "These precisions alone.")
@click.option(
    "--positions", "count", type=click.IntRange(2), default=32, show_default=True, help="Positions to compare on."
)
@click.option(
    "--node-data", type=click.Path(path_type=Path), metavar="FILE", help="Write the result for Model Explorer."
)
@from_fields.architecture_options
@from_fields.code_option
@options.loudness_options
@options.json_option
def explain(target: Path, node_data: Path | None, quiet: bool, verbose: bool, as_json: bool, **chosen: Any) -> None:
    """Say which layer of an artifact is at fault, in the words of its checkpoint.

    First the bytes of each float32 file are compared with the checkpoint, without a runtime. The result says whether
    both calculate the same for every board, and if not, where they first differ (docs/parity.md).

    Then every inner tensor that the runtime shows is compared with the layer's result in float64 from the artifact's
    own values. azx names the first layer whose own error is larger than its precision explains. In a lower precision it
    also names the layer that harms the answers most. The outputs' error with that layer exact stands beside it.
    """
    from ..errors import AzxError
    from ..explain.node_data import text
    from ..verbs.looking import explain_bundle

    with output.progress("Explaining", None, options.loudness(quiet, verbose)) as step:
        done = explain_bundle(target, on_step=step, **chosen)
    if node_data is not None:
        traced = [each for each in done if each.steps]
        if len(traced) != 1:
            raise AzxError(f"Node data describe one artifact, and there are {len(traced)}: choose one with --format.")
        try:
            node_data.write_text(text(traced[0]), encoding="utf-8")
        except OSError as error:
            raise AzxError(
                f"'{node_data}' cannot be written ({error.strerror or error}): name another file with --node-data."
            ) from error
    if as_json:
        output.print_json({"artifacts": [each.as_data() for each in done]})
        return
    for each in done:
        _show(each)
    if node_data is not None:
        output.line(f"Node data for Model Explorer are in {node_data}.")


def _show(shown: ArtifactExplanation) -> None:
    if shown.calculation is not None:
        from ..pages.words import calculation

        output.line(f"{shown.path}: {calculation(shown.calculation, None)}", GOOD[shown.calculation.verdict])
    if shown.reason:
        output.warning(f"{shown.path} was not explained: {shown.reason}")
        return
    title = f"{shown.path} ({shown.precision}) in {shown.runtime}: {shown.positions} positions"
    alone = {each.steps[0].output: f"{each.share:.1%}" for each in shown.harms}
    output.table(COLUMNS, [_row(each, alone) for each in shown.steps], title=title, right=RIGHT)
    first = shown.first
    if first is None:
        output.line("Every layer's own error lies in its band.", True)
    else:
        step = first.step
        output.line(
            f"The first layer outside its band is {_layer_names(first)}: {step.own:.2g}, "
            f"and {first.band:.2g} is explained.",
            False,
        )
        worst = shown.worst
        if worst is not None and worst is not first:
            output.line(
                f"The farthest outside is {_layer_names(worst)}: {worst.step.own:.2g}, "
                f"and {worst.band:.2g} is explained."
            )
    if shown.most is not None:
        output.line(_harm(shown.most))
    for at, head in enumerate(shown.heads):
        _show_head(head, shown.mended[at] if shown.mended else None, shown.culprit)


def _harm(most: Harm) -> str:
    begin = "What harms most is" if most.is_much else "No layer alone is to blame; what harms most is"
    left = "" if most.left is None else f", with it exact {most.left:.0%} of that is left"
    return f"{begin} {most.layer}: alone it makes {most.share:.0%} of the answers' squared error{left}."


def _row(each: StepVerdict, alone: Mapping[str, str]) -> list[str]:
    step = each.step
    used = step.own / each.band
    return [
        output.mark(each.passed),
        " + ".join(step.layers),
        step.tensor.split(";")[0],
        f"{step.own:.1e}",
        f"{each.band:.1e}",
        f"{used:.0%}" if used < 100 else "far over",
        alone.get(step.output, ""),
        f"{step.drift:.1e}",
        _bar(step.drift),
    ]


def _bar(share: float) -> str:
    """A bar of the curve over the layers: one sign per power of ten, from float32's rounding to the whole tensor."""
    import math

    if not math.isfinite(share):
        return "#" * BAR
    return "#" * max(0, min(BAR, round(BAR * math.log10(max(share, LOWEST) / LOWEST) / -math.log10(LOWEST))))


def _layer_names(each: StepVerdict) -> str:
    """The layer, and what the artifact computes together with it."""
    step = each.step
    others = [name for name in step.layers if name != step.layer]
    return f"{step.layer} (one with {', '.join(others)})" if others else step.layer


def _show_head(head: HeadError, mended: HeadError | None, culprit: tuple[Step, ...]) -> None:
    moves = "" if head.changed is None else f", {_moves(head.changed)}"
    output.line(f"{head.name}: {head.error:.2g} of its largest answer is wrong at most{moves}.")
    if mended is not None:
        after = "" if mended.changed is None else f", {_moves(mended.changed)}"
        output.line(
            f"  With {culprit[0].layer} in exact numbers, and all others as they are: {mended.error:.2g}{after}."
        )
        for each in head.worst:
            output.line(f"  {_describe_worst(each)}")


def _moves(count: int) -> str:
    return "no best move changes" if not count else f"{count} best move{'' if count == 1 else 's'} changed"


def _describe_worst(each: dict[str, Any]) -> str:
    if "best_move" in each:
        same = each["best_move"] == each["artifact_move"]
        difference = f"best move {each['best_move']}" + ("" if same else f", the artifact's {each['artifact_move']}")
    else:
        difference = f"{_numbers(each['original'])}, the artifact's {_numbers(each['artifact'])}"
    return f"position {each['position']}: {difference} (off by {each['error']:.2g})"


def _numbers(values: list[float | None]) -> str:
    shown = ["no number" if value is None else f"{value:.3f}" for value in values[:3]]
    return ", ".join(shown) + (", ..." if len(values) > 3 else "")
