"""Turns NETS (bundles, checkpoints or names of shipped networks) into bundles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printed import output
from . import options

if TYPE_CHECKING:
    from ...mobile_assets.served import Purpose

# Steps of an export of two formats: read, simplify, build, ask the original, write each, prove.
STEPS = 7


def bundles_of(
    nets: Sequence[Path], chosen: Mapping[str, Any], purpose: Purpose, what_for: str, as_json: bool
) -> list[Path]:
    """The bundle of each net: its own folder, or the one exported from a checkpoint; `what_for` is printed.

    UsageError if options of checkpoints are chosen and no net is one.
    """
    from ...bundle.case.settings import as_settings
    from ...bundle.contents.manifest import load_manifest
    from ...bundle.contents.playable import in_words, why_not
    from ...errors import BundleError
    from ...export.formats.precisions.precision import FP32
    from ...mobile_assets.served import is_bundle, serve_checkpoint

    checkpoints = [net for net in nets if not is_bundle(net)]
    if not checkpoints and any(chosen.values()):
        given = next(f"--{name.replace('_', '-')}" for name, value in chosen.items() if value)
        raise click.UsageError(f"{given} is for a checkpoint, and none is given: a bundle says so itself.")
    made = {}
    for net in checkpoints:
        # How many layers a lower precision leaves in float, and so its steps, shows only in the export.
        steps = STEPS if purpose.precisions == (FP32,) else None
        with output.progress(f"Exporting {net.name} for {what_for}", steps) as step:
            options_left = dict(chosen)
            checkpoint = options.take_checkpoint(options_left, net)
            made[net] = serve_checkpoint(checkpoint, as_settings(**options_left), purpose=purpose, on_step=step)
        if purpose.is_played and (problems := why_not(load_manifest(made[net].folder))):
            raise BundleError(
                f"'{net}' cannot be played in {what_for}: {in_words(problems)}. `azx describe {net}` asks how it reads "
                "its board, and --encoding takes the answers."
            )
        if not as_json:
            seconds = made[net].seconds
            when = "before, and kept in the cache" if seconds is None else f"in {seconds:.1f} s"
            output.line(f"{net.name}: exported for {what_for} {when}, equal to the original", good=True)
    return [made[net].folder if net in made else net for net in nets]
