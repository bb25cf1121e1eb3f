"""The options that say how a checkpoint is exported, for one and for many."""

from __future__ import annotations

from typing import Any

import click

from . import options


def export_options(command: options.Command) -> options.Command:
    """--format to --allow-code, as the arguments of `export_checkpoint` are called."""
    for option in reversed(
        [
            click.option(
                "--format",
                "formats",
                type=options.FormatName(),
                multiple=True,
                metavar="NAME",
                help="pb, tflite, coreml, onnx, tfjs or all; may be repeated. Default: all that can be written here. "
                "And coreai, which is experimental and not in all.",
            ),
            click.option(
                "--without",
                type=options.FormatName(),
                multiple=True,
                metavar="NAME",
                help="Leave this format out of all; may be repeated.",
            ),
            options.precision_options,
            options.game_options,
            click.option(
                "--batch", type=options.BatchSize(), default="1", show_default=True, help="Batch size, or 'dynamic'."
            ),
            click.option(
                "--opset", type=click.IntRange(13, 18), default=17, show_default=True, help="ONNX operator set."
            ),
            options.head_options,
            click.option("--keep-names", is_flag=True, help="Keep the checkpoint's own input and output names."),
            click.option(
                "--inputs", type=options.FILE, metavar="FILE.npz", help="Your own positions to prove the artifacts on."
            ),
            click.option(
                "--positions",
                "count",
                type=click.IntRange(1),
                help="How many otherwise; default 1000, and fewer for large images, which the report says.",
            ),
            click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the positions."),
            options.also_option,
            options.require_option,
            click.option(
                "--report/--no-report",
                default=True,
                show_default=True,
                help="Write report.html into the bundle, a page to look at.",
            ),
            options.architecture_options,
            options.code_option,
        ]
    ):
        command = option(command)
    return command


def gathered(chosen: dict[str, Any]) -> dict[str, Any]:
    """The options with the names of those that take several in one tuple each; what was not said is as usual."""
    from ..export.formats.precisions.precision import FP32

    formats, precisions = flat(chosen["formats"]) or ("all",), flat(chosen["precision"]) or (FP32,)
    return {**chosen, "formats": formats, "without": flat(chosen["without"]), "precision": precisions}


def flat(groups: tuple[Any, ...]) -> tuple[str, ...]:
    """The names of an option that takes several and may be repeated."""
    return tuple(name for group in groups for name in group)
