"""manifest.json: written by an export, and checked before any other file of a bundle is read."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import BundleError
from ...export.checkpoint.digest import sha256
from ...export.checkpoint.head import Head
from ...export.formats.precisions.precision import FP32
from ...manifest import Artifact, File, Manifest, belongs
from ...statement import Degree
from ...system.exchange import recover
from ...system.near import did_you_mean
from ...system.plain_file import read_plain
from ...validate.proof.calculation import SAME
from .manifest_model import first_fault, read_part

SCHEMA_VERSION = 1
# Members that games add to a manifest after the export.
FROM_GAMES = ("strength", "search", "tuned")
MANIFEST, GOLDEN, PARITY, REPORT = "manifest.json", "golden.json", "parity.json", "report.html"
# The list of measured files, which differ from one export to the next (`listing.py`).
LISTING = "files.json"
UNLISTED = (MANIFEST, PARITY, REPORT, LISTING)
# Bytes for a hundred thousand files; azx does not read a longer manifest.
MOST_BYTES = 16 * 2**20
# No format has a larger file: offsets in FlatBuffers and lengths in protobuf have 31 bits.
MOST_OF_A_FILE = 2**31 - 1


def dump(value: Mapping[str, Any]) -> str:
    """A value as JSON in the form of a bundle's files: one line per member, in the mapping's order."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def text(manifest: Manifest) -> str:
    """manifest.json with checked members in the model's order; the same export gives the same bytes.

    ValueError if a member is unsound.
    """
    data = manifest.as_data()
    if fault := first_fault(data):
        raise ValueError(f"the manifest has no sound '{'.'.join(fault)}'")
    return dump(data)


def digest_of_export(folder: Path) -> str:
    """The SHA-256 of manifest.json without results of games; BundleError if the file is damaged."""
    data = read_manifest(folder).as_data()
    if not data.keys() & set(FROM_GAMES):
        return sha256(folder / MANIFEST)
    as_exported = {name: value for name, value in data.items() if name not in FROM_GAMES}
    return hashlib.sha256(dump(as_exported).encode()).hexdigest()


def file_entries(folder: Path) -> tuple[File, ...]:
    """An entry for each file whose hash the manifest records, in path order."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    unlisted = [folder / name for name in UNLISTED]
    return tuple(file_entry(folder, path) for path in sorted(paths) if path not in unlisted)


def file_entry(folder: Path, path: Path) -> File:
    """The manifest's entry for a file in `folder`."""
    return File(path=path.relative_to(folder).as_posix(), sha256=sha256(path), size=path.stat().st_size)


def is_recorded(path: Path, size: int, digest: str) -> bool:
    """Whether a file has the recorded size, which is quick to check, and the recorded SHA-256."""
    return path.stat().st_size == size and sha256(path) == digest


def heads_in(manifest: Manifest) -> tuple[Head, ...]:
    """The heads that a manifest lists, in the artifacts' order."""
    return tuple(
        Head(
            source_name=head.source_name,
            shape=head.shape,
            activation=head.activation,
            role=head.role,
            degree=Degree(head.degree) if head.degree else Degree.CERTAIN,
            name=head.name,
            node=head.pb_node,
            stated_range=head.policy_range,
        )
        for head in manifest.outputs
    )


def is_sound(artifact: Artifact) -> bool:
    """Whether the manifest says that an artifact equals the original or passes its gate."""
    return artifact.precision == FP32 or (artifact.gate is not None and artifact.gate.passed)


def is_shown(artifact: Artifact) -> bool:
    """Whether the manifest says that an artifact is the checkpoint's calculation for every board."""
    return artifact.calculation is not None and artifact.calculation.verdict == SAME


def sound_exact_last(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """The sound artifacts, float32 last, so that it wins in a mapping by format or platform."""
    return sorted(filter(is_sound, artifacts), key=lambda artifact: artifact.precision == FP32)


def load_manifest(folder: Path) -> Manifest:
    """The manifest of the bundle in `folder`; every listed file is present and unchanged.

    Raises BundleError if the folder is not a bundle, or if its manifest is damaged or newer than this azx. It also
    raises BundleError if a path leaves the folder, or if a file is missing or has another size or hash.
    """
    manifest = read_manifest(folder)
    # Quick checks come first, so that the files of an unsound bundle need not be read.
    for entry in manifest.files:
        _check_size(folder, entry)
        if not _is_plain(inside(folder, entry.path)):
            raise BundleError(f"'{folder}': {entry.path!r} is missing: copy the bundle again, or export it again.")
    for entry in manifest.files:
        if not _as_recorded(folder / entry.path, entry):
            raise BundleError(
                f"'{folder}': {entry.path!r} is not the file that the manifest records (its SHA-256 differs): "
                "copy the bundle again, or export the checkpoint again."
            )
    for artifact in manifest.artifacts:
        _check_within(folder, artifact.path, manifest)
    return manifest


def _check_within(folder: Path, artifact: str, manifest: Manifest) -> None:
    """Raise BundleError for an unlisted file in an artifact's folder, because a runtime could open it."""
    listed = {entry.path for entry in manifest.files}
    for root, folders, files in os.walk(folder / artifact):
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        for name in (*files, *links):
            path = (Path(root) / name).relative_to(folder).as_posix()
            if path not in listed:
                raise BundleError(
                    f"'{folder}': {path!r} lies in an artifact, and the manifest does not list it: "
                    "remove it, or copy the bundle again."
                )


def check_file(folder: Path, entry: File, by: str) -> None:
    """Raise BundleError if a file that `by` lists is missing or has changed."""
    path = inside(folder, entry.path)
    _check_size(folder, entry)
    if not _is_plain(path):
        raise BundleError(f"{str(path)!r} is missing: copy the bundle again, or export the checkpoint again.")
    if not _as_recorded(path, entry):
        raise BundleError(
            f"{str(path)!r} is not the file that the bundle's {by} records (its SHA-256 differs): "
            "copy the bundle again, or export the checkpoint again."
        )


def _check_size(folder: Path, entry: File) -> None:
    """Raise BundleError for an impossible size: reading a sparse file of that size would take minutes."""
    if entry.size > MOST_OF_A_FILE:
        raise BundleError(
            f"'{folder}': the manifest says that {entry.path!r} has {entry.size} bytes, which no format's file "
            "can have: do not use it."
        )


def _is_plain(path: Path) -> bool:
    """Whether the path is a file, and not a folder, pipe or device; False for an impossible name."""
    try:
        return path.is_file()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            return False
        raise _unreadable(path, error) from error


def _as_recorded(path: Path, entry: File) -> bool:
    try:
        return is_recorded(path, entry.size, entry.sha256)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> BundleError:
    return BundleError(f"{str(path)!r} cannot be read ({error.strerror or error}): mend that, then try again.")


def read_manifest(folder: Path) -> Manifest:
    """The manifest without a check of the other files; BundleError as for `load_manifest`."""
    if not folder.is_dir():
        recover(folder)
    if not folder.is_dir():
        meant = did_you_mean(folder)
        raise BundleError(f"There is no bundle at '{folder}'{meant}: give the folder that azx export wrote.")
    missing = f"'{folder}' holds no {MANIFEST}, so it is not a bundle: export it again."
    data = read_json(folder / MANIFEST, missing, MOST_BYTES)
    check_version(folder, "manifest", data)
    fault = first_fault(data)
    if fault is not None:
        where = f" (at {'.'.join(fault)})" if len(fault) > 1 else ""
        raise BundleError(f"'{folder}': its manifest has no sound '{fault[0]}'{where}: export the checkpoint again.")
    manifest = read_part(Manifest, data)
    _check_artifacts(folder, manifest)
    return manifest


def check_version(folder: Path, file: str, data: Mapping[str, Any]) -> None:
    """Raise BundleError for a file of another schema version."""
    version = data.get("schema_version")
    if version is True or version != SCHEMA_VERSION:
        raise BundleError(
            f"'{folder}': its {file} has schema version {version!r} and this azx reads {SCHEMA_VERSION}: "
            "use the azx that wrote it, or export the checkpoint again."
        )


def read_json(
    path: Path, if_missing: str, most_bytes: int = 64 * 2**20, do: str = "export the checkpoint again"
) -> dict[str, Any]:
    """The JSON object in a file that azx wrote; `do` is the advice in the error for a damaged file.

    BundleError if the file is missing, damaged, too long, or not a file.
    """
    try:
        value = parse(read_plain(path, most_bytes).decode())
        # Half of a surrogate pair is valid JSON, but text with it cannot be written.
        json.dumps(value, ensure_ascii=False).encode()
    except FileNotFoundError as error:
        raise BundleError(if_missing) from error
    except OSError as error:
        raise BundleError(f"'{path}' is damaged ({error.strerror or error}): {do}.") from error
    except (ValueError, RecursionError) as error:
        raise BundleError(f"'{path}' is damaged ({type(error).__name__}): {do}.") from error
    if not isinstance(value, dict):
        raise BundleError(f"'{path}' is damaged (it holds no object): {do}.")
    return value


def parse(text: str) -> Any:
    """The value of a JSON text; ValueError also for NaN and Infinity, which Python accepts."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not a number in JSON")

    return json.loads(text, parse_constant=refuse)


def _check_artifacts(folder: Path, manifest: Manifest) -> None:
    """Raise BundleError for a file listed twice, an artifact outside or unhashed, or an unknown recommendation."""
    listed = [entry.path for entry in manifest.files]
    artifacts = [artifact.path for artifact in manifest.artifacts]
    for path in artifacts:
        inside(folder, path)
        if not any(belongs(name, path) for name in listed):
            raise BundleError(f"'{folder}': the manifest has no hash of {path!r}: export the checkpoint again.")
    for platform, path in manifest.recommended.items():
        if path not in artifacts:
            raise BundleError(
                f"'{folder}': the manifest recommends {path!r} for {platform!r}, which is not one of its artifacts: "
                "export the checkpoint again."
            )
    if len(set(listed)) < len(listed):  # each would be read several times
        twice = next(path for path, count in Counter(listed).items() if count > 1)
        raise BundleError(f"'{folder}': the manifest lists {twice!r} more than once: export the checkpoint again.")


def inside(folder: Path, name: str) -> Path:
    """The path of the file `name` in a bundle; BundleError if it leaves the bundle's folder."""
    pure = PurePosixPath(name)
    path = folder / name
    # The rules of every system apply: Windows reads \ as / and C: as a drive.
    sound = not pure.is_absolute() and ".." not in pure.parts and not set(name) & set("\\:\0") and name.strip("./")
    try:
        # The path after following links; a link to itself, or a name that is too long, leads nowhere.
        stays = bool(sound) and path.resolve().is_relative_to(folder.resolve())
        path.exists()
    except (OSError, RuntimeError, ValueError):
        stays = False
    if not stays:
        raise BundleError(f"'{folder}': the manifest names {name!r}, which is outside the bundle: do not use it.")
    return path


def check_artifact(folder: Path, name: str, manifest: Manifest) -> Path:
    """The path of the artifact `name` in the bundle; BundleError if one of its files is not the recorded one."""
    for entry in manifest.files:
        if belongs(entry.path, name):
            check_file(folder, entry, "manifest")
    _check_within(folder, name, manifest)
    return folder / name
