"""azx/index.json: the bundles of an app, with all their files; apps read it to list their games."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from ..bundle.contents.manifest import MANIFEST, UNLISTED, file_entry, inside, parse, read_manifest
from ..bundle.contents.manifest_model import first_fault, read_part
from ..bundle.contents.playable import why_not
from ..errors import BundleError
from ..export.statements.doubts import are_outputs_assumed, say_doubts
from ..manifest import Artifact, File, Manifest, Part, Problem, RelativePath, belongs, limits
from ..system.exchange import recover
from .any_system import fault_of
from .app_artifact import for_platform, goes_along, look_through

INDEX = "index.json"
# In version 1 problems were clauses in English.
VERSION, OLD_VERSION = 2, 1
# Characters that some system's file names, or an address, cannot hold.
FORBIDDEN = frozenset('/\\:*?"<>|#%')


@dataclass(frozen=True, kw_only=True)
class InstalledBundle(Part):
    """A bundle in an app: a folder called `name` beside the index."""

    written_always = frozenset({"problems"})

    name: Annotated[str, "The folder.", limits(minLength=1)]
    title: Annotated[str, "What a list of games shows."]
    game: Annotated[str | None, "A name of `azx games`, null if the game is not known."]
    settings: Annotated[Mapping[str, int | float | str] | None, "As in the manifest."]
    artifact: Annotated[RelativePath | None, "What to play, relative to the folder; null: all of them."]
    format: Annotated[str | None, "Of the artifact; null for all of them."]
    files: Annotated[tuple[File, ...], "Every file of the folder, relative to it, manifest.json first."]
    problems: Annotated[
        tuple[Problem, ...], "Why an app cannot play it (azx.bundle.contents.playable); empty if it can."
    ] = ()
    assumed: Annotated[bool, "Whether its manifest only assumes how its network reads the board."] = False

    outputs_assumed: Annotated[bool, "Whether only shapes identify its value and its policy."] = False

    @property
    def doubts(self) -> tuple[str, ...]:
        """The assumptions about the network, one sentence each."""
        return say_doubts(reading=self.assumed, outputs=self.outputs_assumed)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, kw_only=True)
class Index(Part):
    """The whole file."""

    written_always = frozenset({"schema_version", "bundles"})

    schema_version: Annotated[int, limits(const=2)] = VERSION
    watched: Annotated[bool, "Whether more bundles may come; a page then asks again."] = False
    run: Annotated[bool, "Whether run.json beside it describes a run of `azx train` that the page follows."] = False
    bundles: tuple[InstalledBundle, ...] = ()

    def find(self, name: str) -> InstalledBundle | None:
        """The bundle of that name."""
        return next((entry for entry in self.bundles if entry.name == name), None)

    def without(self, name: str) -> Index:
        """All bundles except this one."""
        return Index(bundles=tuple(entry for entry in self.bundles if entry.name != name))

    def with_bundle(self, entry: InstalledBundle) -> Index:
        """All bundles and this one, which replaces one of the same name; ordered by name."""
        rest = [other for other in self.bundles if other.name != entry.name]
        return Index(bundles=tuple(sorted([*rest, entry], key=lambda item: item.name)))

    def text(self) -> str:
        """The file's text; equal bundles give equal text."""
        return json.dumps(self.as_data(), indent=1, ensure_ascii=False) + "\n"


def read_index(folder: Path) -> Index:
    """The index in `folder`, empty if the file is missing; BundleError if the file is not an index.

    The index of an older azx is converted to this version, with the problems read anew from the bundles' manifests.
    """
    if not folder.is_dir():
        recover(folder)
    path = folder / INDEX
    if path.exists() and not path.is_file():
        raise BundleError(f"'{path}' is no file, so no index that azx wrote: move it away, then install again.")
    try:
        data = parse(path.read_text(encoding="utf8"))
        is_old = data["schema_version"] == OLD_VERSION and data["schema_version"] is not True
        index = _index_in(_without_problems(data) if is_old else data)
    except FileNotFoundError:
        return Index()
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BundleError(f"'{path}' is no index that this azx wrote: move it away, then install again.") from error
    for entry in index.bundles:
        if not is_name(entry.name):
            raise BundleError(f"'{path}' names '{entry.name}', which is no folder beside it: do not use it.")
        for file in entry.files:
            inside(folder / entry.name, file.path)
    if is_old:
        known = tuple(replace(entry, problems=problems_in(folder / entry.name)) for entry in index.bundles)
        return replace(index, bundles=known)
    return index


def _index_in(data: dict[str, Any]) -> Index:
    if "bundles" not in data or first_fault(data, Index) is not None:
        raise ValueError("it is no index")
    return read_part(Index, data)


def _without_problems(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "schema_version": VERSION, "bundles": [{**entry, "problems": []} for entry in data["bundles"]]}


def problems_in(folder: Path) -> tuple[Problem, ...]:
    """Why an app cannot play the bundle in `folder`; empty if it can, or if the manifest cannot be read."""
    try:
        return tuple(why_not(read_manifest(folder)))
    except BundleError:
        return ()


def as_name(text: str) -> str:
    """`text` itself if it can be a bundle's folder, else the nearest name that can."""
    if is_name(text):
        return text
    plain = "".join("_" if mark in FORBIDDEN or not mark.isprintable() else mark for mark in text)
    plain = plain[:100].strip(". ")
    return plain if is_name(plain) else "bundle"


def free_name(text: str, taken: Container[str]) -> str:
    """`as_name` of a text; a name that is taken gets a number."""
    stem = name = as_name(text)
    number = 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}"
    return name


def is_name(name: str) -> bool:
    """Whether `name` can be a bundle's folder on every system and in an address."""
    plain = bool(name) and len(name) <= 100 and name.isprintable() and not set(name) & FORBIDDEN
    return plain and fault_of(name) is None and name.strip() == name and not name.startswith(".") and name != INDEX


def write_index(folder: Path, index: Index) -> None:
    """Write the index into a folder that no app sees yet; an empty index is not written."""
    if index.bundles:
        (folder / INDEX).write_text(index.text(), encoding="utf8", newline="\n")


def describe(bundle: Path, manifest: Manifest, name: str, artifact: Artifact | None) -> InstalledBundle:
    """The entry of `bundle` under `name`, with one artifact, or with all of them if `artifact` is None.

    `app_artifact.goes_along` decides what accompanies an artifact.
    """
    others = [item.path for item in manifest.artifacts if artifact and not goes_along(item, artifact)]
    # The files of the artifacts, and those that belong to none (golden.json).
    carried = [
        File(path=listed.path, sha256=listed.sha256, size=listed.size)
        for listed in manifest.files
        if listed.path not in UNLISTED and not any(belongs(listed.path, other) for other in others)
    ]
    return InstalledBundle(
        name=name,
        title=title_of(manifest, name),
        game=manifest.game,
        settings=manifest.settings,
        artifact=artifact.path if artifact else None,
        format=artifact.format if artifact else None,
        files=(file_entry(bundle, bundle / MANIFEST), *carried),
        problems=tuple(why_not(manifest)),
        assumed=manifest.assumed is not None,
        outputs_assumed=are_outputs_assumed(manifest),
    )


def describe_for(
    bundle: Path, manifest: Manifest, name: str, platform: str | None, precision: str | None = None
) -> InstalledBundle:
    """The entry of `bundle` in an app of `platform`, as `for_platform` chooses; all it carries is looked through.

    BundleError if the artifact is missing, UnsafeArtifact if one does more than calculate.
    """
    artifact = for_platform(bundle, manifest, platform, precision)
    look_through(bundle, manifest, artifact)
    return describe(bundle, manifest, name, artifact)


def describe_all(
    bundles: Sequence[Path], manifests: Sequence[Manifest], platform: str
) -> Iterator[tuple[Path, InstalledBundle]]:
    """Each bundle with its entry in an app of `platform`, under a name of its own; errors as `describe_for`."""
    taken = set[str]()
    for bundle, manifest in zip(bundles, manifests, strict=True):
        name = free_name(manifest.name, taken)
        taken.add(name)
        yield bundle, describe_for(bundle, manifest, name, platform)


def title_of(manifest: Manifest, name: str) -> str:
    """The game's title, with the bundle's name if that adds anything."""
    from ..games.known.catalogue import GAMES

    game = manifest.game
    if game not in GAMES:
        return name
    return GAMES[game].title if name == game else f"{GAMES[game].title} ({name})"
