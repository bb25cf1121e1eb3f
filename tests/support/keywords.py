"""bundle/case/keywords.py, written from the fields: `python -P tests/support/keywords.py` writes it.

Editors and type checkers read a TypedDict; they cannot derive one from a dataclass.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.case.option import Option, options_of
from azx.bundle.case.settings import Settings

PLACE = Path(__file__).parents[2] / "bundle" / "case" / "keywords.py"
HEAD = '''"""The keywords of azx's functions as type checkers see them: `make docs` writes this file from the fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ...export.formats.precisions.precision import MixedArtifact
    from ...system.arrays import AnyArray
'''
# Nothing of it is run where a checkpoint is only inspected.
RUN = ("allow_code",)


def written() -> str:
    """The file."""
    reading = [each for each in options_of(Checkpoint) if each.keyword not in RUN]
    running = [each for each in options_of(Checkpoint) if each.keyword in RUN]
    parts = [
        _typed(
            "ArchitectureOptions(TypedDict, total=False)", "How to read a file that may hold weights alone.", reading
        ),
        _typed("ReadOptions(ArchitectureOptions, total=False)", "The options of `Checkpoint`.", running),
        _typed("SettingsOptions(TypedDict, total=False)", "The options of `Settings`.", list(options_of(Settings))),
    ]
    return "\n\n".join([HEAD, *parts])


def _typed(name: str, about: str, options: list[Option]) -> str:
    return "\n".join([f"class {name}:", f'    """{about}"""', "", *_members(options), ""])


def _members(options: list[Option]) -> Iterator[str]:
    for each in options:
        yield f"    {each.keyword}: {each.takes}"


if __name__ == "__main__":
    PLACE.write_text(written(), encoding="utf-8")
