"""Plans an export: the formats in float32, those in lower precisions, and those whose precision `auto` chooses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import AzxError, ConversionError
from ...export.formats.precisions.precision import AUTO, FP32, MixedArtifact
from ...export.formats.table import FORMATS, Format, formats_by_name, list_reasons


@dataclass(frozen=True)
class Plan:
    """What to write: `exact` formats in float32, `approximate` ones in the given precisions, and more.

    `automatic` formats are written in the fastest precision that passes. `mixed` ones are written in a lower precision
    with exactly the given layers in float. `skipped` has the reason for each missing combination, such as "pb int8".
    """

    exact: tuple[Format, ...]
    approximate: tuple[tuple[Format, str], ...] = ()
    automatic: tuple[Format, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)
    mixed: tuple[MixedArtifact, ...] = ()

    @property
    def count(self) -> int:
        """Roughly the number of artifacts to write; `auto` may try more."""
        return len(self.exact) + len(self.approximate) + len(self.automatic) + len(self.mixed)

    @property
    def needs_gate(self) -> bool:
        """Whether a gate must judge any of the artifacts."""
        return bool(self.approximate or self.automatic or self.mixed)

    @property
    def chooses(self) -> bool:
        """Whether a precision, or the layers that stay in float, must be chosen."""
        return bool(self.automatic) or any(precision in entry.mixed for entry, precision in self.approximate)


def plan_formats(
    formats: Sequence[Format], asked: Sequence[str], names: Sequence[str], mixed: Sequence[MixedArtifact] = ()
) -> Plan:
    """The plan for `formats` in the precisions `asked`; `names` are the formats as the user gave them.

    Artifacts of `mixed` in these formats are written too, unless their precision is in `asked`. AzxError if a format
    asked for by name has none of the precisions, if nothing is left to write, or for a mixed artifact in an unwritten
    format.
    """
    wanted = [precision for precision in asked if precision not in (FP32, AUTO)]
    skipped = {
        f"{entry.name} {precision}": entry.no_other
        for entry in formats
        for precision in wanted
        if precision not in entry.precisions
    }
    approximate = tuple(
        (entry, precision) for precision in wanted for entry in formats if precision in entry.precisions
    )
    # float32 stays beside the choice of `auto`, because apps compare it with golden.json.
    exact = tuple(formats) if FP32 in asked or AUTO in asked else ()
    automatic = tuple(entry for entry in formats if len(entry.precisions) > 1) if AUTO in asked else ()
    plan = Plan(exact, approximate, automatic, skipped, _mixed_of(formats, mixed, asked))
    written = {entry.name for entry in plan.exact} | {entry.name for entry, _ in approximate}
    lacking = next(
        (entry for entry in formats if entry.name in formats_by_name(names) and entry.name not in written), None
    )
    if lacking is None and not written:
        lacking = formats[0]
    if lacking is not None:
        has = ", ".join(lacking.precisions)
        raise AzxError(
            f"The format '{lacking.name}' is not written in {' or '.join(wanted)}: {lacking.no_other}, it has {has}."
        )
    return plan


def _mixed_of(
    formats: Sequence[Format], mixed: Sequence[MixedArtifact], asked: Sequence[str]
) -> tuple[MixedArtifact, ...]:
    """The mixed artifacts in the formats to write, unless their precision is written anyway."""
    for each in mixed:
        entry = FORMATS.get(each.format)
        if entry is None or each.precision not in entry.precisions[1:]:
            raise AzxError(f"The format '{each.format}' is not written in {each.precision}.")
        if each.in_float and each.precision not in entry.mixed:
            raise AzxError(f"In {each.precision} no layer of '{each.format}' stays in float: name none.")
    written = {entry.name for entry in formats}
    return tuple(each for each in mixed if each.format in written and each.precision not in asked and AUTO not in asked)


def check_refused(formats: Sequence[str], refused: Mapping[str, str], written: Sequence[Any], source: str) -> None:
    """Raise ConversionError if a format asked for by name is not written, or if no format is.

    `formats` are the formats that the user named; `refused` maps each unwritten one to its converter's reason.
    `written` lists the artifacts of the checkpoint `source`.
    """
    names = formats_by_name(formats)
    asked_for = {what: reason for what, reason in refused.items() if what.split()[0] in names}
    if asked_for:
        part = "format" if any(what in names for what in asked_for) else "precision"
        others = "; all writes the others" if part == "format" else ", or ask for auto"
        raise ConversionError(
            f"'{source}' cannot be written as {list_reasons(asked_for)}: leave that {part} out{others}."
        )
    if not written:
        precisions = list(dict.fromkeys(what.partition(" ")[2] for what in refused))
        where = f"in {' or '.join(precisions)}" if all(precisions) else "in any format"
        raise ConversionError(f"'{source}' cannot be written {where}: {list_reasons(refused)}.")
