"""The keywords of azx's functions as type checkers see them: `make docs` writes this file from the fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ...export.formats.precisions.precision import MixedArtifact
    from ...system.arrays import AnyArray


class ArchitectureOptions(TypedDict, total=False):
    """How to read a file that may hold weights alone."""

    config: str | Path | None
    builder: str | None
    preset: str | None
    board: tuple[int, int] | None


class ReadOptions(ArchitectureOptions, total=False):
    """The options of `Checkpoint`."""

    allow_code: bool


class SettingsOptions(TypedDict, total=False):
    """The options of `Settings`."""

    formats: str | Sequence[str]
    without: str | Sequence[str]
    game: str | None
    encoding: str | Path | None
    batch: int | None
    opset: int
    value_head: str | None
    policy_head: str | None
    keep_names: bool
    inputs: str | Path | AnyArray | Mapping[str, AnyArray] | None
    count: int | None
    seed: int
    require_all: bool
    also: Sequence[str]
    precision: str | Sequence[str]
    mixed: Sequence[MixedArtifact]
    limits: Mapping[str, float] | Sequence[str]
    keep_failing: bool
    calibration: str | Path | AnyArray | Mapping[str, AnyArray] | None
    report: bool
    noted: bool
