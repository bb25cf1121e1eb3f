"""The checkpoints of a sweep: files, folders, patterns and shipped names, and the name of each one's bundle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from ..bundle.case.checkpoint_file import stem_of
from ..errors import CheckpointError
from ..export.checkpoint.located import find_checkpoint, is_checkpoint_folder, is_checkpoint_name
from ..system.natural_order import NaturalKey, natural_key


@dataclass(frozen=True)
class Item:
    """A checkpoint of a sweep; `name` is its bundle's folder in the sweep's folder."""

    checkpoint: Path
    name: str


def find(sources: Sequence[str | Path]) -> list[Item]:
    """The checkpoints of `sources`, each once and in their order; in a folder version2 comes before version10.

    CheckpointError if a path does not exist, or a folder or pattern has no checkpoint.
    """
    paths: dict[Path, Path] = {}
    for each in sources:
        for path in _expand(each):
            paths.setdefault(path.resolve(), path)
    return [Item(path, name) for path, name in zip(paths.values(), names(list(paths)), strict=True)]


def _expand(source: str | Path) -> Iterator[Path]:
    path = Path(source)
    if not path.exists() and has_magic(str(source)):
        texts = glob(str(source), recursive=True)  # noqa: PTH207 - a Path's glob takes no absolute pattern
        matches = sorted(map(Path, texts), key=in_order)
        if not matches:
            raise CheckpointError(f"Nothing matches '{source}': check the pattern.")
        # A pattern such as runs/** also matches folders, and their files separately.
        files = [whole or match for match in matches if (whole := _folder_of(match)) or not match.is_dir()]
        if not files:
            raise CheckpointError(
                f"'{source}' matches folders alone, none of them a network's: for the files in them give "
                f"'{source}/*.h5'."
            )
        yield from files
        return
    if not path.is_dir() or is_checkpoint_folder(path):
        yield find_checkpoint(source)
        return
    # Hidden files are left out: writers use such names for files that they will rename.
    there = [each for each in path.iterdir() if not each.name.startswith(".")]
    inside = [each for each in there if is_checkpoint_name(each) or (each.is_dir() and is_checkpoint_folder(each))]
    if not inside:
        raise CheckpointError(
            f"'{path}' holds no checkpoint (.h5, .keras, .onnx, .pb, .pt, .pth.tar, .model, or the folder of a "
            "SavedModel or of TF.js): "
            "for those in its folders give a pattern such as 'runs/**/*.h5'."
        )
    yield from sorted(inside, key=in_order)


def _folder_of(path: Path) -> Path | None:
    """The folder of a SavedModel or of TF.js that a path is or lies in; None for anything else."""
    if is_checkpoint_name(path) and path.is_file():
        return None
    # It holds files, and folders of files (variables, assets).
    return next((each for each in (path, *path.parents[:2]) if is_checkpoint_folder(each)), None)


def in_order(path: Path) -> NaturalKey:
    """A sorting key for people: numbers in a name count as numbers."""
    return natural_key(str(path))


def names(paths: Sequence[Path]) -> list[str]:
    """The name of each bundle: its checkpoint's, with the folders above it if names would be equal.

    Names never differ only in case, because some disks ignore it.
    """
    depth, stems = [0] * len(paths), [stem_of(path) for path in paths]
    while True:
        counts = Counter(name.casefold() for name in stems)
        alike = [at for at, name in enumerate(stems) if counts[name.casefold()] > 1]
        if not alike:
            return stems
        for at in alike:
            depth[at] += 1
            stems[at] = _longer(paths[at], depth[at], at)


def _longer(path: Path, depth: int, at: int) -> str:
    """The name with `depth` folders above it; then also with its suffix; at last also with its number."""
    above = [part for part in path.parts[:-1] if part.strip("/\\")]
    joined = "-".join([*above[-depth:], stem_of(path)])
    if depth <= len(above):
        return joined
    name = "-".join([*above, path.name])
    return name if depth == len(above) + 1 else f"{name}-{at + 1}"
