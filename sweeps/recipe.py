"""How every checkpoint of a sweep is exported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import NoneType
from typing import Any

from ..bundle.case.checkpoint import Checkpoint
from ..bundle.case.settings import Settings
from ..errors import AzxError
from .sources import Item

# The settings whose value is a file.
FILES = ("encoding", "inputs", "calibration")


@dataclass(frozen=True)
class Recipe:
    """Each checkpoint is read like `like`, and exported with the same settings; AzxError if they hold arrays.

    `verify` is for a cluster: this machine proves each returned bundle against the checkpoint before publishing it.
    """

    like: Checkpoint = field(default_factory=Checkpoint)
    settings: Settings = field(default_factory=Settings)
    verify: bool = False

    def __post_init__(self) -> None:
        for name in FILES:
            if not isinstance(getattr(self.settings, name), (Path, NoneType)):
                raise AzxError(
                    f"A sweep knows `{name}` by the bytes of a file, which its workers read: save the arrays with "
                    "numpy.savez and give that."
                )

    def checkpoint(self, item: Item) -> Checkpoint:
        """The checkpoint of an item."""
        return self.like.at(item.checkpoint)

    @property
    def files(self) -> dict[str, Path]:
        """The options that may name a file: `config`, and those of FILES."""
        named = {"config": self.like.config, **{name: getattr(self.settings, name) for name in FILES}}
        return {name: Path(value) for name, value in named.items() if value}

    def with_files(self, paths: Mapping[str, Path | None]) -> Recipe:
        """The same recipe with its files in other places."""
        members: dict[str, Any] = {name: path for name, path in paths.items() if name in FILES}
        like = replace(self.like, config=paths["config"]) if "config" in paths else self.like
        return replace(self, like=like, settings=replace(self.settings, **members))
