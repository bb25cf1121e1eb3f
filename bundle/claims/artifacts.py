"""The manifest held to the artifacts: what they carry about themselves, their names, where they are recommended."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import AzxError
from ...export.checkpoint.head import VALUE, Head
from ...export.formats.precisions.precision import FP32, PRECISIONS
from ...export.formats.table import FORMATS
from ...games.game import Reading
from ...games.value import ORDER
from ...validate.gate.limits import Limits, limits_from
from .. import describe
from ..manifest import GOLDEN, MANIFEST, PARITY, belongs
from .findings import Findings, shown

Manifest = Mapping[str, Any]


@dataclass(frozen=True)
class Stated:
    """What an artifact says of itself: the metadata that azx wrote into it, and what its format alone has (`about`).

    `metadata` is empty and `about` None where it could not be read: its parser is not installed, or it is damaged.
    """

    metadata: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] | None = None


def stated(format_name: str, path: Path) -> Stated:
    """What the artifact at `path` says of itself; for the worker that has the format's packages loaded."""
    entry = FORMATS[format_name]
    try:
        about: dict[str, Any] | None = entry.about(path)
    except Exception:  # a file of another kind, or no parser: every one has errors of its own
        about = None
    return Stated(entry.metadata(path), about)


def check_listing(found: Findings, manifest: Manifest, folder: Path) -> None:
    """Names, places and recommendations of the artifacts, which follow from their formats; and the list of files."""
    name, artifacts = manifest["name"], manifest["artifacts"]
    found.same("precision", manifest["precision"], FP32)
    found.same("threads", manifest.get("threads", describe.THREADS), describe.THREADS, "as azx writes it")
    for number, artifact in enumerate(artifacts):
        member, entry = f"artifacts[{number}]", FORMATS[artifact["format"]]
        told = entry.precision_of(artifact["path"], name)
        if told is None:
            called = entry.path(name, artifact["precision"]) if artifact["precision"] in entry.precisions else ""
            wanted = called or entry.path(name)
            found.same(f"{member}.path", artifact["path"], wanted, f"as {entry.title} of '{name}' is called")
        found.same(f"{member}.precision", artifact["precision"], told[0] if told else FP32, "as the file is called")
        _check_gate(found, member, artifact, failing=bool(told and told[1]))
        if [other["path"] for other in artifacts].index(artifact["path"]) < number:
            found.false(member, f"is listed twice ({artifact['path']})")
    _check_recommended(found, manifest)
    _check_files(found, manifest, folder)


def _check_gate(found: Findings, member: str, artifact: Manifest, *, failing: bool) -> None:
    """What is said of an artifact's gate: none of float32, one of any other, by limits that are a user's to choose."""
    gate = artifact.get("gate")
    if artifact["precision"] == FP32:
        for name in ("gate", "float_layers", "calibration"):
            found.same(f"{member}.{name}", artifact.get(name), None, "as float32 has none")
        return
    if gate is None:
        found.unproved(f"{member}.gate", "is not there: the artifact could not be run where it was written")
        return
    found.same(f"{member}.gate.passed", gate["passed"], not failing, "as the file's name says")
    try:
        limits = limits_from(gate["limits"])
    except AzxError as error:
        found.false(f"{member}.gate.limits", f"are none: {str(error).rstrip('.')}")
        return
    if limits != Limits():
        found.unproved(f"{member}.gate.limits", "is not as usual, a choice of the exporter's")
    known = PRECISIONS.get(artifact["precision"])  # a manifest may say anything
    if known is not None and known.calibrated:
        found.unproved(f"{member}.calibration", "is what gave the scales: no file tells it")


def _check_recommended(found: Findings, manifest: Manifest) -> None:
    derived, told = describe.recommended(manifest["artifacts"]), manifest["recommended"]
    formats = {artifact["path"]: artifact["format"] for artifact in manifest["artifacts"]}
    for platform, path in told.items():
        if derived.get(platform) != path:
            title = FORMATS[formats[path]].title if path in formats else "no artifact"
            found.false(f"recommended.{platform}", f"is {shown(path)}, which is {title}: no app there loads that")
    for platform in derived.keys() - told.keys():
        found.false(f"recommended.{platform}", f"is missing, and {shown(derived[platform])} is for it")


def _check_files(found: Findings, manifest: Manifest, folder: Path) -> None:
    """Every file of an artifact, and golden.json, has its hash here once, and no other file has."""
    listed = [entry["path"] for entry in manifest["files"]]
    artifacts = [artifact["path"] for artifact in manifest["artifacts"]]
    for number, path in enumerate(listed):
        if listed.index(path) < number:
            found.false(f"files[{number}]", f"is listed twice ({path})")
        elif path != GOLDEN and not any(belongs(path, artifact) for artifact in artifacts):
            found.false(f"files[{number}]", f"is {shown(path)}, which is of no artifact")
    there = [path.relative_to(folder).as_posix() for path in _files_of(folder, artifacts)]
    for path in (GOLDEN, *there):
        if path not in listed and path not in (MANIFEST, PARITY):
            found.false("files", f"has no hash of '{path}'")


def _files_of(folder: Path, artifacts: Sequence[str]) -> Iterator[Path]:
    """The files below the folders that are artifacts."""
    for artifact in artifacts:
        if (folder / artifact).is_dir():
            yield from (path for path in sorted((folder / artifact).rglob("*")) if path.is_file())


def check_stated(
    found: Findings, manifest: Manifest, heads: Sequence[Head], reading: Reading | None, carried: Mapping[str, Stated]
) -> None:
    """The manifest held to what each artifact (by its path) carries; `reading` is the claimed one, None where false.

    Members that an artifact does not have are passed over: an older azx wrote fewer.
    """
    sound = reading is not None or not manifest.get("game")
    wanted = {**_metadata(manifest), **(describe.unusual(heads, reading) if sound else {})}
    for number, artifact in enumerate(manifest["artifacts"]):
        said = carried.get(artifact["path"], Stated())
        _check_about(found, f"artifacts[{number}]", artifact, said.about)
        if not said.metadata:
            found.unproved(
                "azx_version" if not any(each.metadata for each in carried.values()) else f"artifacts[{number}]",
                f"is not told by {artifact['path']}, whose metadata cannot be read here",
            )
            continue
        told, of_its_own = said.metadata.get("precision", FP32), f"as {artifact['path']} itself states"
        found.same(f"artifacts[{number}].precision", artifact["precision"], told, of_its_own)
        for key, value in wanted.items():
            if key in said.metadata or key == describe.READING:
                _compare(found, key, value, said.metadata.get(key), artifact["path"])
        if sound and describe.READING in said.metadata and describe.READING not in wanted:
            _compare(found, describe.READING, None, said.metadata[describe.READING], artifact["path"])
        _check_order(found, manifest, said.metadata, artifact["path"])


def _check_order(found: Findings, manifest: Manifest, metadata: Mapping[str, str], path: str) -> None:
    """What a value's three outputs are: the usual order, or the one that the artifact carries."""
    for number, head in enumerate(manifest["outputs"]):
        if head["role"] == VALUE and head.get("order") is not None:
            carried = _parsed(metadata.get(describe.VALUES))
            order = carried.get("order") if isinstance(carried, dict) else list(ORDER)
            found.same(f"outputs[{number}].order", head["order"], order, f"as {path} itself states")


def activations(carried: Mapping[str, Stated]) -> dict[str, str]:
    """Each head's activation, by its name, as an artifact states it; nothing of a head that none tells of."""
    told: dict[str, str] = {}
    for each in carried.values():
        stated = _parsed(each.metadata.get("output_activations"))
        told |= {str(name): str(value) for name, value in stated.items()} if isinstance(stated, dict) else {}
    return told


def _check_about(found: Findings, member: str, artifact: Manifest, about: Mapping[str, Any] | None) -> None:
    of_format = {"onnx": ("opset",), "tflite": ("min_runtime_version",), "coreai": ("producer",)}
    names = of_format.get(artifact["format"], ())
    if about is not None and artifact["precision"] != FP32:
        stated = about.get("float_layers")
        found.same(
            f"{member}.float_layers", artifact.get("float_layers"), stated, f"as {artifact['path']} itself states"
        )
    for name in sum(of_format.values(), ()):
        if name not in names:
            found.same(f"{member}.{name}", artifact.get(name), None, f"as {artifact['path']} has none")
        elif about is None:
            found.unproved(f"{member}.{name}", f"is not told by {artifact['path']}, which cannot be read here")
        elif artifact.get(name) is None:
            found.unproved(f"{member}.{name}", "is not there: an azx of before that member wrote it")
        else:
            found.same(f"{member}.{name}", artifact.get(name), about.get(name), f"as {artifact['path']} itself states")


def _metadata(manifest: Manifest) -> dict[str, str]:
    """What each artifact carries about itself where all that the manifest says is so."""
    actions = manifest.get("actions")
    return {
        "azx_version": manifest["azx_version"],
        "game": manifest.get("game") or "unknown",
        "checkpoint_sha256": manifest["checkpoint"]["sha256"],
        "input_layout": json.dumps({spec["name"]: spec["layout"] for spec in manifest["inputs"]}),
        "output_roles": json.dumps({head["name"]: head["role"] for head in manifest["outputs"]}),
        "output_activations": json.dumps({head["name"]: head["activation"] for head in manifest["outputs"]}),
        "actions": "listed" if isinstance(actions, list) else actions or "unknown",
    }


# The manifest's member for each of the metadata's.
_MEMBERS = {"checkpoint_sha256": "checkpoint.sha256", describe.READING: "encoding"}
# Metadata that has something to say of each input or output by its name.
_EACH = {
    "input_layout": ("inputs", "layout"),
    "output_roles": ("outputs", "role"),
    "output_activations": ("outputs", "activation"),
}


def _compare(found: Findings, key: str, wanted: str | None, carried: str | None, path: str) -> None:
    """One member of an artifact's metadata; text, which holds JSON where it is of several things."""
    if key not in _EACH:
        if _parsed(wanted) != _parsed(carried):
            ours, theirs = (each if each is not None else "the usual way" for each in (wanted, carried))
            found.false(_MEMBERS.get(key, key), f"says {shown(ours)}, and {path} itself states {shown(theirs)}")
        return
    where, member = _EACH[key]
    ours, theirs = _parsed(wanted), _parsed(carried)
    if not isinstance(theirs, dict):
        return
    if sorted(ours) != sorted(theirs):
        found.false(where, f"is called {shown(sorted(ours))}, and {path} itself states {shown(sorted(theirs))}")
    for number, (name, value) in enumerate(ours.items()):
        if name in theirs:
            found.same(f"{where}[{number}].{member}", value, theirs[name], f"as {path} itself states")


def _parsed(text: str | None) -> Any:
    """JSON where the text is JSON, else the text."""
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return text
