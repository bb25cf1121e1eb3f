"""Equal checkpoints of a sweep under several names: one is exported and proved, the others become copies."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress

from ..bundle.copied import copy_bundle
from ..errors import AzxError
from ..export.checkpoint.foreign.beside import checkpoint_digest
from .done import key_of
from .exported import failed_outcome
from .outcome import PROVED, Outcome, of_bundle
from .recipe import Recipe
from .sources import Item


def find_twins(items: Sequence[Item], recipe: Recipe, is_done: Callable[[Item], bool]) -> dict[str, Item]:
    """For each repeated item, by its name, the item to copy: it has the same bytes, and so the same bundle.

    That is one that `is_done`, else the first, which is then exported. Only files are compared: by size, by contents,
    and last by everything that an export depends on. Empty with a builder.
    """
    files = [item for item in items if item.checkpoint.is_file()]
    # Compare by size first and contents last; the versions of a training run all have one size.
    alike = _groups([files], lambda item: (item.checkpoint.suffix, item.checkpoint.stat().st_size))
    alike = _groups(alike, lambda item: checkpoint_digest(item.checkpoint))
    twins: dict[str, Item] = {}
    for group in _groups(alike, lambda item: key_of(item, recipe, by_name=False)):
        first = next(filter(is_done, group), group[0])
        twins |= {item.name: first for item in group if item is not first}
    return twins


def _groups(groups: Iterable[Sequence[Item]], what: Callable[[Item], Hashable | None]) -> list[list[Item]]:
    """The items of each group that share a value, if there are several; items without a value are left out."""
    by_value: dict[tuple[int, Hashable], list[Item]] = {}
    for number, group in enumerate(groups):
        for item in group:
            with suppress(AzxError, OSError):
                if (value := what(item)) is not None:
                    by_value.setdefault((number, value), []).append(item)
    return [group for group in by_value.values() if len(group) > 1]


def copy_twin(item: Item, first: Outcome, recipe: Recipe) -> Outcome | None:
    """The bundle of `first` under its twin's name; None if `first` has none, or the twin's file changed meanwhile."""
    manifest, bundle = first.manifest, first.folder
    if first.code or manifest is None or bundle is None:
        return None
    started, folder, settings = time.perf_counter(), bundle.with_name(item.name), recipe.settings
    try:
        if checkpoint_digest(item.checkpoint) != manifest.checkpoint.sha256:
            return None
        copy_bundle(bundle, folder, item.checkpoint, report=settings.report, noted=settings.noted)
        return of_bundle(item, PROVED, folder, seconds=time.perf_counter() - started, skipped=first.skipped)
    except (AzxError, OSError) as error:
        return failed_outcome(item, error, time.perf_counter() - started)
