"""manifest.json: what a bundle holds, written from an export and checked before anything is read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ..errors import BundleError
from ..export.checkpoint.digest import sha256

SCHEMA_VERSION = 1
MANIFEST, GOLDEN, PARITY = "manifest.json", "golden.json", "parity.json"
# A hundred thousand files: anything longer is no manifest, and is not read into memory.
MOST_BYTES = 16 * 2**20


def dump(value: Mapping[str, Any]) -> str:
    """JSON as every file of a bundle has it: sorted where it is ours to sort, one line a member."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def text(manifest: Mapping[str, Any]) -> str:
    """manifest.json, its members checked and in the model's order: the same bytes for the same export."""
    from .manifest_model import Manifest

    return dump(Manifest.model_validate(manifest).as_data())


def file_entries(folder: Path) -> list[dict[str, Any]]:
    """{"path", "sha256", "size"} of each file that the manifest vouches for, in path order."""
    skipped = {MANIFEST, PARITY}
    paths = [path for path in _walk(folder) if path.relative_to(folder).as_posix() not in skipped]
    return [_entry(path, folder) for path in sorted(paths)]


def _walk(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _entry(path: Path, folder: Path) -> dict[str, Any]:
    return {"path": path.relative_to(folder).as_posix(), "sha256": sha256(path), "size": path.stat().st_size}


def load(folder: Path) -> dict[str, Any]:
    """The manifest of the bundle in `folder`, with every file in it present and unchanged.

    Raises BundleError for a folder that is no bundle, a manifest that is damaged or newer than this
    azx, a path that leaves the folder, a missing file, or one whose size or hash is another.
    """
    manifest = read(folder)
    for entry in manifest["files"]:
        _check_file(folder, entry)
    return manifest


def read(folder: Path) -> dict[str, Any]:
    """The manifest alone, its form checked; BundleError as for `load`."""
    if not folder.is_dir():
        raise BundleError(f"There is no bundle at '{folder}': give the folder that azx export wrote.")
    missing = f"'{folder}' holds no {MANIFEST}, so it is no bundle: export it again."
    manifest = read_json(folder / MANIFEST, missing, MOST_BYTES)
    version = manifest.get("schema_version")
    if version is True or version != SCHEMA_VERSION:
        raise BundleError(
            f"'{folder}': its manifest has schema version {version!r} and this azx reads {SCHEMA_VERSION}: "
            "use the azx that wrote it, or export the checkpoint again."
        )
    _check_form(folder, manifest)
    _check_artifacts(folder, manifest)
    return manifest


def _check_form(folder: Path, manifest: Mapping[str, Any]) -> None:
    """BundleError where a member is missing or not what the model says."""
    from .manifest_model import first_fault

    fault = first_fault(manifest)
    if fault is None:
        return
    where = f" (at {'.'.join(fault)})" if len(fault) > 1 else ""
    raise BundleError(f"'{folder}': its manifest has no sound '{fault[0]}'{where}: export the checkpoint again.")


def read_json(path: Path, if_missing: str, most_bytes: int | None = None) -> dict[str, Any]:
    """A JSON object of a bundle; BundleError where it is missing or damaged, is a pipe, or is longer than it may be."""
    if path.exists() and not path.is_file():
        raise BundleError(f"'{path}' is damaged (it is no file): export the checkpoint again.")
    try:
        if most_bytes is not None and path.stat().st_size > most_bytes:
            raise BundleError(f"'{path}' is damaged (it is too long): export the checkpoint again.")
        value = json.loads(path.read_text(encoding="utf8"))
    except FileNotFoundError as error:
        raise BundleError(if_missing) from error
    except (OSError, ValueError, RecursionError) as error:
        raise BundleError(f"'{path}' is damaged ({type(error).__name__}): export the checkpoint again.") from error
    if not isinstance(value, dict):
        raise BundleError(f"'{path}' is damaged (it holds no object): export the checkpoint again.")
    return value


def _check_artifacts(folder: Path, manifest: Mapping[str, Any]) -> None:
    """BundleError for an artifact that leaves the folder or has no hash, and for a recommended one that is none."""
    listed = [entry["path"] for entry in manifest["files"]]
    artifacts = [artifact["path"] for artifact in manifest["artifacts"]]
    for path in artifacts:
        inside(folder, path)
        if not any(name == path or name.startswith(f"{path}/") for name in listed):
            raise BundleError(f"'{folder}': the manifest has no hash of '{path}': export the checkpoint again.")
    for platform, path in manifest["recommended"].items():
        if path not in artifacts:
            raise BundleError(
                f"'{folder}': the manifest recommends '{path}' for '{platform}', which is none of its artifacts: "
                "export the checkpoint again."
            )


def inside(folder: Path, name: str) -> Path:
    """The file `name` of a bundle; BundleError where the path leaves the bundle's folder."""
    pure = PurePosixPath(name)
    leaves = pure.is_absolute() or ".." in pure.parts or bool(set(name) & set("\\:\0")) or not name.strip("./")
    path = folder / name
    if leaves or not _leads_inside(path, folder):
        raise BundleError(f"'{folder}': the manifest names {name!r}, which is outside the bundle: do not use it.")
    return path


def _leads_inside(path: Path, folder: Path) -> bool:
    """Whether a path is below the folder once links are followed; a link to itself leads nowhere."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _check_file(folder: Path, entry: Mapping[str, Any]) -> None:
    path = inside(folder, entry["path"])
    if not path.is_file():
        raise BundleError(f"'{folder}': '{entry['path']}' is missing: copy the bundle again, or export it again.")
    if path.stat().st_size != entry["size"] or sha256(path) != entry["sha256"]:
        raise BundleError(
            f"'{folder}': '{entry['path']}' is not the file that the manifest records (its SHA-256 differs): "
            "copy the bundle again, or export the checkpoint again."
        )
