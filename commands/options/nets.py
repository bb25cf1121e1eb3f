"""Prints the exports of checkpoints that become bundles on the way, and refuses their options for bundles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printed import output

if TYPE_CHECKING:
    from ...mobile_assets.served import ServedBundle
    from ...system.progress import Step

# Steps of an export of two formats: read, simplify, build, ask the original, write each, prove.
STEPS = 7


def check_for_checkpoints(nets: Sequence[Path], chosen: Mapping[str, Any]) -> None:
    """UsageError if options of checkpoints are chosen and no net is one."""
    from ...mobile_assets.served import is_bundle

    if any(chosen.values()) and all(map(is_bundle, nets)):
        option = next(f"--{name.replace('_', '-')}" for name, value in chosen.items() if value)
        raise click.UsageError(f"{option} is for a checkpoint, and none is given: a bundle says so itself.")


class PrintedExports:
    """Shows each export's steps, then a line; `what_for` is printed.

    `steps` is None if lower precisions are tried, because the number of their tries is not known in advance.
    """

    def __init__(self, what_for: str, as_json: bool, steps: int | None = STEPS) -> None:
        self._what_for, self._as_json, self._steps = what_for, as_json, steps

    @contextmanager
    def begin(self, net: Path) -> Iterator[Step]:
        """A checkpoint's export begins."""
        with output.progress(f"Exporting {net.name} for {self._what_for}", self._steps) as step:
            yield step

    def end(self, net: Path, made: ServedBundle) -> None:
        """The export is done, or was in the cache."""
        if not self._as_json:
            when = "before, and kept in the cache" if made.seconds is None else f"in {made.seconds:.1f} s"
            output.line(f"{net.name}: exported for {self._what_for} {when}, equal to the original", good=True)
