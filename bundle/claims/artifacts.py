"""Compares the manifest with the artifacts: their metadata, their names, and the platforms they are recommended for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from ...export.checkpoint.head import UNKNOWN, VALUE
from ...export.formats.precisions.precision import FP32
from ...export.formats.table import FORMATS
from ...games.value import ORDER
from ...manifest import Artifact, Manifest, belongs
from ..contents import describe
from ..contents.manifest import GOLDEN, UNLISTED
from .evidence import ArtifactStatements, Evidence
from .findings import Finding, compare, doubt, refute, refute_if_current, shorten_value
from .table import NO_MEMBER, diff

LAYOUTS, ROLES, ACTIVATIONS = "input_layout", "output_roles", "output_activations"
# The members of a format that its file states.
OWN = {"onnx": ("opset",), "tflite": ("min_runtime_version",), "coreai": ("producer",)}


def read_stated(format_name: str, path: Path) -> ArtifactStatements:
    """What the artifact at `path` states; runs in the worker that has the format's packages loaded."""
    entry = FORMATS[format_name]
    try:
        about: dict[str, Any] | None = entry.about(path)
    except Exception:  # a file of another kind, or no parser: each parser has its own errors
        about = None
    return ArtifactStatements(entry.metadata(path), about)


def check_names(manifest: Manifest) -> Iterator[Finding]:
    """Check the artifacts' names and paths, which follow from their formats and precisions."""
    name, paths = manifest.name, [artifact.path for artifact in manifest.artifacts]
    for number, artifact in enumerate(manifest.artifacts):
        member, entry = f"artifacts[{number}]", FORMATS[artifact.format]
        precision = entry.precision_of(artifact.path, name)
        if precision is None:
            called = entry.path(name, artifact.precision) if artifact.precision in entry.precisions else ""
            wanted = called or entry.path(name)
            yield from compare(f"{member}.path", artifact.path, wanted, f"the name of {entry.title} for '{name}'")
        yield from compare(
            f"{member}.precision", artifact.precision, precision[0] if precision else FP32, "as the file is called"
        )
        if paths.index(artifact.path) < number:
            yield refute(member, f"is listed twice ({artifact.path})")


def check_files(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that each artifact's files and golden.json are listed once with a hash, and no other files."""
    listed = [entry.path for entry in manifest.files]
    artifacts = [artifact.path for artifact in manifest.artifacts]
    for member, paths in (("artifacts", artifacts), ("files", listed)):
        if paths != sorted(paths, key=PurePosixPath if member == "files" else None):
            yield refute_if_current(member, "is not in the order of the paths")
    for number, path in enumerate(listed):
        if listed.index(path) < number:
            yield refute(f"files[{number}]", f"is listed twice ({path})")
        elif path != GOLDEN and not any(belongs(path, artifact) for artifact in artifacts):
            yield refute(f"files[{number}]", f"is {shorten_value(path)}, which belongs to no artifact")
    there = [path.relative_to(evidence.folder).as_posix() for path in _files_of(evidence.folder, artifacts)]
    for path in (GOLDEN, *there):
        if path not in listed and path not in UNLISTED:
            yield refute("files", f"has no hash of '{path}'")


def _files_of(folder: Path, artifacts: Sequence[str]) -> Iterator[Path]:
    """The files in the artifacts that are folders."""
    for artifact in artifacts:
        if (folder / artifact).is_dir():
            yield from (path for path in sorted((folder / artifact).rglob("*")) if path.is_file())


def check_stated(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Compare the manifest with each artifact's own statements: its metadata, and the members of its format.

    Members that an artifact lacks are skipped, because an older azx wrote fewer.
    """
    carried = evidence.statements
    if carried is None:
        return
    sound = evidence.reading is not None or not manifest.game
    usual = describe.unusual(evidence.heads, evidence.reading).get(describe.READING) if sound else None
    for number, artifact in enumerate(manifest.artifacts):
        said, member = carried.get(artifact.path, ArtifactStatements()), f"artifacts[{number}]"
        states = f"{artifact.path} itself states"
        if said.about is None:
            for name in (*OWN.get(artifact.format, ()), *artifact.unknown):
                yield doubt(f"{member}.{name}", f"is not stated by {artifact.path}, which cannot be read here")
        else:
            yield from _check_own_members(member, artifact, said.about)
        if not said.metadata:
            any_other = any(each.metadata for each in carried.values())
            untold = f"is not stated by {artifact.path}, whose metadata cannot be read here"
            yield doubt(member if any_other else "azx_version", untold)
        for name, parts, key in (("inputs", manifest.inputs, LAYOUTS), ("outputs", manifest.outputs, ROLES)):
            names, own = sorted({each.name for each in parts}), sorted(_by_name(said.metadata, key))
            if own and names != own:
                yield refute(name, f"is called {shorten_value(names)}, and {states} {shorten_value(own)}")
        line = said.metadata.get(describe.READING)
        if said.metadata and sound and _parse(line) != _parse(usual):
            ours, theirs = (shorten_value(each or "the usual way") for each in (usual, line))
            yield refute("encoding", f"says {ours}, and {states} {theirs}")
        artifacts = list(manifest.artifacts)
        artifacts[number] = _as_stated(artifact, said)
        described = replace(_with_metadata(manifest, said.metadata), artifacts=tuple(artifacts))
        yield from diff(manifest, described, f"as {states}")


def _check_own_members(member: str, artifact: Artifact, about: Mapping[str, Any]) -> Iterator[Finding]:
    """Check the members of the artifact's format: each must equal what the file states, and others are refuted."""
    for name, value in artifact.unknown.items():
        if name in about:
            yield from compare(f"{member}.{name}", value, about[name], f"as {artifact.path} itself states")
        else:
            yield refute_if_current(f"{member}.{name}", NO_MEMBER)


def _as_stated(artifact: Artifact, said: ArtifactStatements) -> Artifact:
    """The artifact as its own file describes it; members that the file does not state are unchanged."""
    own = OWN.get(artifact.format, ())
    stated: dict[str, Any] = {name: None for names in OWN.values() for name in names if name not in own}
    if said.about is not None:
        stated |= {name: said.about.get(name) for name in own}
        layers = said.about.get("float_layers")
        if artifact.precision != FP32:
            stated["float_layers"] = None if layers is None else tuple(layers)
    if said.metadata:
        stated["precision"] = said.metadata.get("precision", FP32)
    return replace(artifact, **stated)


def _with_metadata(manifest: Manifest, metadata: Mapping[str, str]) -> Manifest:
    """The manifest with the members that an artifact's metadata states; the other members are unchanged."""
    layouts, roles, activations = (_by_name(metadata, key) for key in (LAYOUTS, ROLES, ACTIVATIONS))
    game, actions = metadata.get("game", manifest.game), metadata.get("actions")
    ours = "listed" if isinstance(manifest.actions, tuple) else manifest.actions or UNKNOWN
    stated = _by_name(metadata, describe.VALUES).get("order", list(ORDER))
    order = tuple(stated) if isinstance(stated, list) else stated
    return replace(
        manifest,
        azx_version=metadata.get("azx_version", manifest.azx_version),
        game=None if game == UNKNOWN else game,
        actions=manifest.actions if actions in (None, ours) else actions,
        checkpoint=replace(manifest.checkpoint, sha256=metadata.get("checkpoint_sha256", manifest.checkpoint.sha256)),
        inputs=tuple(replace(port, layout=layouts.get(port.name, port.layout)) for port in manifest.inputs),
        outputs=tuple(
            replace(
                head,
                role=roles.get(head.name, head.role),
                activation=activations.get(head.name, head.activation),
                order=order if metadata and head.role == VALUE and head.order is not None else head.order,
            )
            for head in manifest.outputs
        ),
    )


def check_nodes(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that a .pb's nodes are named; whether the names are right, the run of the .pb shows."""
    if evidence.golden is None:
        return
    has_pb = any(artifact.format == "pb" for artifact in manifest.artifacts)
    for number, head in enumerate(manifest.outputs):
        if not head.pb_node:
            yield refute(f"outputs[{number}].pb_node", "names no node")
        elif not has_pb:
            yield doubt(f"outputs[{number}].pb_node", "is of a .pb, and there is none here")


def activations(carried: Mapping[str, ArtifactStatements]) -> dict[str, str]:
    """Each head's activation by name, if an artifact states it."""
    by_head: dict[str, str] = {}
    for each in carried.values():
        by_head |= {name: str(value) for name, value in _by_name(each.metadata, ACTIVATIONS).items()}
    return by_head


def _by_name(metadata: Mapping[str, str], key: str) -> dict[str, Any]:
    """The object in the metadata for each input or output, by name; empty if the value is not an object."""
    value = _parse(metadata.get(key))
    return value if isinstance(value, dict) else {}


def _parse(text: str | None) -> Any:
    """The JSON value of the text, or the text itself if it is not JSON."""
    try:
        return None if text is None else json.loads(text)
    except (ValueError, RecursionError):
        return text
