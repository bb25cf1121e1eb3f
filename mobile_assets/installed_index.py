"""azx/index.json: which bundles an app holds, with every file of theirs; apps read it to list their games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from ..bundle.exchange import recover
from ..bundle.manifest import MANIFEST, PARITY, belongs, file_entry, inside, parse
from ..bundle.manifest_model import File, Part, RelativePath
from ..bundle.playable import why_not
from ..errors import BundleError
from .any_system import fault_of

INDEX = "index.json"
# What some system's file names or an address could not hold.
FORBIDDEN = frozenset('/\\:*?"<>|#%')
# A browser plays the TF.js artifact; in LiteRT.js, which it may fetch later, TFLite ones of these precisions.
LITE = ("fp32", "int8-dynamic")


class Installed(Part):
    """A bundle as an app has it: a folder called `name` beside the index."""

    name: str = Field(min_length=1, description="The folder.")
    title: str = Field(description="What a list of games shows.")
    game: str | None = Field(description="A name of `azx games`, null where the game is not known.")
    settings: dict[str, int | float | str] | None = Field(description="As in the manifest.")
    artifact: RelativePath | None = Field(description="What to load, relative to the folder; null: all of them.")
    format: str | None = Field(description="Of the artifact; null where there are all.")
    files: list[File] = Field(description="Every file of the folder, relative to it, manifest.json first.")
    problems: list[str] | None = Field(
        default=None,
        description="Why an app cannot play it, a clause each as azx.bundle.playable tells them; empty where it can.",
    )

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


class Index(Part):
    """The whole file."""

    schema_version: Literal[1] = 1
    watched: bool = Field(default=False, description="Whether other bundles may come: a page then asks again.")
    bundles: list[Installed] = Field(default_factory=list)

    def find(self, name: str) -> Installed | None:
        """The bundle of that name."""
        return next((entry for entry in self.bundles if entry.name == name), None)

    def without(self, name: str) -> Index:
        """All bundles but one."""
        return Index(bundles=[entry for entry in self.bundles if entry.name != name])

    def with_bundle(self, entry: Installed) -> Index:
        """All bundles with this one among them, in place of the one of its name, in the order of the names."""
        rest = [other for other in self.bundles if other.name != entry.name]
        return Index(bundles=sorted([*rest, entry], key=lambda item: item.name))

    def text(self) -> str:
        """The file's text: the same for the same bundles."""
        data = self.model_dump()
        if not self.watched:
            del data["watched"]
        # Of an entry that an older azx wrote nobody knows here whether it can be played: it goes on saying nothing.
        for entry in data["bundles"]:
            if entry["problems"] is None:
                del entry["problems"]
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def read_index(folder: Path) -> Index:
    """The index in `folder`, empty where there is none; BundleError for a file that is no index."""
    if not folder.is_dir():
        recover(folder)
    path = folder / INDEX
    if path.exists() and not path.is_file():
        raise BundleError(f"'{path}' is no file, so no index that azx wrote: move it away, then install again.")
    try:
        data = parse(path.read_text(encoding="utf8"))
        # To the model true is 1, and no bundles are none.
        if data["schema_version"] is True or "bundles" not in data:
            raise ValueError("it is no index")
        index = Index.model_validate(data)
    except FileNotFoundError:
        return Index()
    except (ValidationError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BundleError(f"'{path}' is no index that this azx wrote: move it away, then install again.") from error
    for entry in index.bundles:
        if not is_name(entry.name):
            raise BundleError(f"'{path}' names '{entry.name}', which is no folder beside it: do not use it.")
        for file in entry.files:
            inside(folder / entry.name, file.path)
    return index


def as_name(text: str) -> str:
    """`text` itself where it can be a bundle's folder, else the nearest name that can."""
    if is_name(text):
        return text
    plain = "".join("_" if mark in FORBIDDEN or not mark.isprintable() else mark for mark in text)
    plain = plain[:100].strip(". ")
    return plain if is_name(plain) else "bundle"


def is_name(name: str) -> bool:
    """Whether `name` can be a bundle's folder on every system and in an address."""
    plain = bool(name) and len(name) <= 100 and name.isprintable() and not set(name) & FORBIDDEN
    return plain and fault_of(name) is None and name.strip() == name and not name.startswith(".") and name != INDEX


def write_index(folder: Path, index: Index) -> None:
    """Write the index into a folder that no app sees yet; one of nothing is not written."""
    if index.bundles:
        (folder / INDEX).write_text(index.text(), encoding="utf8", newline="\n")


def describe(bundle: Path, manifest: Mapping[str, Any], name: str, artifact: Mapping[str, Any] | None) -> Installed:
    """The entry of `bundle` under `name`, with one artifact, or with all of them where it is None.

    With the TF.js artifact go those that a browser may run in LiteRT.js.
    """
    path = None if artifact is None else str(artifact["path"])
    others = [item["path"] for item in manifest["artifacts"] if artifact and not _goes_along(item, artifact)]
    # Those of the artifacts, and those that belong to none (golden.json).
    carried = [
        File(path=listed["path"], sha256=listed["sha256"], size=listed["size"])
        for listed in manifest["files"]
        if listed["path"] not in (PARITY, MANIFEST) and not any(belongs(listed["path"], other) for other in others)
    ]
    return Installed(
        name=name,
        title=title_of(manifest, name),
        game=manifest.get("game"),
        settings=manifest.get("settings"),
        artifact=path,
        format=None if artifact is None else artifact["format"],
        files=[File(**file_entry(bundle, bundle / MANIFEST)), *carried],
        problems=why_not(manifest),
    )


def _goes_along(item: Mapping[str, Any], artifact: Mapping[str, Any]) -> bool:
    """Whether an artifact of the bundle comes with the one that an app loads."""
    if item["path"] == artifact["path"]:
        return True
    if (artifact["format"], item["format"]) != ("tfjs", "tflite") or item.get("precision", "fp32") not in LITE:
        return False
    gate = item.get("gate")
    return gate is None or bool(gate["passed"])


def title_of(manifest: Mapping[str, Any], name: str) -> str:
    """The game's title, and the bundle's name where it says more than that."""
    from ..games.catalogue import GAMES

    game = manifest.get("game")
    if game not in GAMES:
        return name
    return GAMES[game].title if name == game else f"{GAMES[game].title} ({name})"
