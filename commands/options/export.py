"""The options that say how a checkpoint is exported, for one and for many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import options

if TYPE_CHECKING:
    from ...sweeps.recipe import Recipe


# As the keywords of `azx.export_checkpoint` are called.
export_options = options.together(
    options.names_option(
        "--format",
        "formats",
        options.FORMAT_NAMES,
        "pb, tflite, coreml, onnx, tfjs or all; may be repeated. Default: all that can be written here. "
        "And coreai, which is experimental and not in all.",
    ),
    options.names_option(
        "--without", "without", options.FORMAT_NAMES, "Leave this format out of all; may be repeated."
    ),
    options.precision_options,
    options.game_options,
    click.option("--batch", type=options.BatchSize(), default="1", show_default=True, help="Batch size, or 'dynamic'."),
    click.option("--opset", type=click.IntRange(13, 18), default=17, show_default=True, help="ONNX operator set."),
    options.head_options,
    click.option("--keep-names", is_flag=True, help="Keep the checkpoint's own input and output names."),
    options.file_option("--inputs", metavar="FILE.npz", help="Your own positions to prove the artifacts on."),
    click.option(
        "--positions",
        "count",
        type=click.IntRange(1),
        help="Number of positions to prove on (default 1000; fewer for large images).",
    ),
    options.number_option("--seed", 0, 0, "Seed of the positions."),
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
)


def recipe_of(chosen: dict[str, Any], *, verify: bool = False) -> Recipe:
    """How checkpoints are read and exported; `chosen` are all the options of `export_options`."""
    from ...bundle.case.settings import as_settings
    from ...sweeps.recipe import Recipe

    chosen = dict(chosen)
    like = options.take_checkpoint(chosen, None)
    for name in ("formats", "without", "precision"):
        if not chosen[name]:
            del chosen[name]
    return Recipe(like, as_settings(**chosen), verify)
