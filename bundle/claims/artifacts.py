"""Compares the manifest with the artifacts: their metadata, their names, and the platforms they are recommended for."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from ...export.checkpoint.head import UNKNOWN, VALUE, Head
from ...export.formats.precisions.precision import FP32
from ...export.formats.table import FORMATS
from ...games.game import Reading
from ...games.value import ORDER
from ...manifest import Artifact, Manifest, belongs
from ..contents import describe
from ..contents.manifest import GOLDEN, UNLISTED
from .findings import Findings, shorten_value
from .gates import check_auto, check_gate
from .table import NO_MEMBER, diff

ACTIVATIONS = "output_activations"


@dataclass(frozen=True)
class ArtifactStatements:
    """What an artifact states about itself: the metadata that azx wrote, and its format's own members (`about`).

    `metadata` is empty and `about` None if the file could not be read: its parser is missing, or the file is damaged.
    """

    metadata: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] | None = None


def read_stated(format_name: str, path: Path) -> ArtifactStatements:
    """What the artifact at `path` states; runs in the worker that has the format's packages loaded."""
    entry = FORMATS[format_name]
    try:
        about: dict[str, Any] | None = entry.about(path)
    except Exception:  # a file of another kind, or no parser: each parser has its own errors
        about = None
    return ArtifactStatements(entry.metadata(path), about)


def check_listing(findings: Findings, manifest: Manifest, folder: Path) -> None:
    """Check the artifacts' names, paths and recommendations, which follow from their formats; and the list of files."""
    name, artifacts = manifest.name, manifest.artifacts
    findings.same("precision", manifest.precision, FP32)
    findings.same("threads", manifest.threads, describe.THREADS, "as azx writes it")
    for number, artifact in enumerate(artifacts):
        member, entry = f"artifacts[{number}]", FORMATS[artifact.format]
        precision = entry.precision_of(artifact.path, name)
        if precision is None:
            called = entry.path(name, artifact.precision) if artifact.precision in entry.precisions else ""
            wanted = called or entry.path(name)
            findings.same(f"{member}.path", artifact.path, wanted, f"the name of {entry.title} for '{name}'")
        findings.same(
            f"{member}.precision", artifact.precision, precision[0] if precision else FP32, "as the file is called"
        )
        check_gate(findings, member, manifest, artifact, failing=bool(precision and precision[1]))
        if [other.path for other in artifacts].index(artifact.path) < number:
            findings.refute(member, f"is listed twice ({artifact.path})")
    check_auto(findings, manifest)
    _check_recommended(findings, manifest)
    _check_files(findings, manifest, folder)


def _check_recommended(findings: Findings, manifest: Manifest) -> None:
    derived, stated = describe.recommend_artifacts(manifest.artifacts), manifest.recommended
    formats = {artifact.path: artifact.format for artifact in manifest.artifacts}
    for platform, path in stated.items():
        if derived.get(platform) != path:
            title = FORMATS[formats[path]].title if path in formats else "no artifact"
            findings.refute(
                f"recommended.{platform}", f"is {shorten_value(path)}, which is {title}: no app there loads that"
            )
    for platform in derived.keys() - stated.keys():
        findings.refute(f"recommended.{platform}", f"is missing, and {shorten_value(derived[platform])} is for it")


def _check_files(findings: Findings, manifest: Manifest, folder: Path) -> None:
    """Check that each artifact's files and golden.json are listed once with a hash, and no other files."""
    listed = [entry.path for entry in manifest.files]
    artifacts = [artifact.path for artifact in manifest.artifacts]
    for member, paths in (("artifacts", artifacts), ("files", listed)):
        if paths != sorted(paths, key=PurePosixPath if member == "files" else None):
            findings.refute_if_current(member, "is not in the order of the paths")
    for number, path in enumerate(listed):
        if listed.index(path) < number:
            findings.refute(f"files[{number}]", f"is listed twice ({path})")
        elif path != GOLDEN and not any(belongs(path, artifact) for artifact in artifacts):
            findings.refute(f"files[{number}]", f"is {shorten_value(path)}, which is of no artifact")
    there = [path.relative_to(folder).as_posix() for path in _files_of(folder, artifacts)]
    for path in (GOLDEN, *there):
        if path not in listed and path not in UNLISTED:
            findings.refute("files", f"has no hash of '{path}'")


def _files_of(folder: Path, artifacts: Sequence[str]) -> Iterator[Path]:
    """The files in the artifacts that are folders."""
    for artifact in artifacts:
        if (folder / artifact).is_dir():
            yield from (path for path in sorted((folder / artifact).rglob("*")) if path.is_file())


def check_stated(
    findings: Findings,
    manifest: Manifest,
    heads: Sequence[Head],
    reading: Reading | None,
    carried: Mapping[str, ArtifactStatements],
) -> None:
    """Compare the manifest with the metadata in each artifact, by its path.

    `reading` is the claimed one, None if false. Members that an artifact lacks are skipped, because an older azx wrote
    fewer.
    """
    sound = reading is not None or not manifest.game
    unusual = describe.unusual(heads, reading) if sound else {}
    for number, artifact in enumerate(manifest.artifacts):
        said, member = carried.get(artifact.path, ArtifactStatements()), f"artifacts[{number}]"
        _check_own_members(findings, member, artifact, said)
        described = replace(manifest, artifacts=_describe_artifacts(findings, manifest, number, said))
        if not said.metadata:
            any_other = any(each.metadata for each in carried.values())
            untold = f"is not told by {artifact.path}, whose metadata cannot be read here"
            findings.doubt(member if any_other else "azx_version", untold)
        else:
            described = _with_metadata(findings, described, said.metadata, artifact.path)
            reading_line = said.metadata.get(describe.READING)
            if sound and _parse(reading_line) != _parse(unusual.get(describe.READING)):
                ours, theirs = (
                    shorten_value(each or "the usual way") for each in (unusual.get(describe.READING), reading_line)
                )
                findings.refute("encoding", f"says {ours}, and {artifact.path} itself states {theirs}")
        diff(findings, manifest, described, f"as {artifact.path} itself states")


def _check_own_members(findings: Findings, member: str, artifact: Artifact, said: ArtifactStatements) -> None:
    """Check the members of the artifact's format: each must equal what the file states, and others are refuted."""
    for name, value in artifact.unknown.items():
        if said.about is None:
            findings.doubt(f"{member}.{name}", f"is not told by {artifact.path}, which cannot be read here")
        elif name in said.about:
            findings.same(f"{member}.{name}", value, said.about[name], f"as {artifact.path} itself states")
        else:
            findings.refute_if_current(f"{member}.{name}", NO_MEMBER)


def _describe_artifacts(
    findings: Findings, manifest: Manifest, number: int, said: ArtifactStatements
) -> tuple[Artifact, ...]:
    """The manifest's artifacts, with entry `number` as its own file describes it."""
    artifact = manifest.artifacts[number]
    own = {"onnx": ("opset",), "tflite": ("min_runtime_version",), "coreai": ("producer",)}.get(artifact.format, ())
    described: dict[str, Any] = dict.fromkeys(("opset", "min_runtime_version", "producer"))
    for name in own if said.about is None else ():
        described[name] = getattr(artifact, name)
        untold = f"is not told by {artifact.path}, which cannot be read here"
        findings.doubt(f"artifacts[{number}].{name}", untold)
    if said.about is not None:
        described |= {name: said.about.get(name) for name in own}
        layers = said.about.get("float_layers")
        if artifact.precision != FP32:
            described["float_layers"] = None if layers is None else tuple(layers)
    if said.metadata:
        described["precision"] = said.metadata.get("precision", FP32)
    return tuple(replace(each, **described) if at == number else each for at, each in enumerate(manifest.artifacts))


def _with_metadata(findings: Findings, manifest: Manifest, metadata: Mapping[str, str], path: str) -> Manifest:
    """The manifest with the members that an artifact's metadata states; the other members are unchanged."""
    layouts, roles, activations = (_by_name(metadata, key) for key in ("input_layout", "output_roles", ACTIVATIONS))
    for member, names, own in (
        ("inputs", {port.name for port in manifest.inputs}, layouts),
        ("outputs", {head.name for head in manifest.outputs}, roles),
    ):
        if own and names != set(own):
            findings.refute(
                member,
                f"is called {shorten_value(sorted(names))}, and {path} itself states {shorten_value(sorted(own))}",
            )
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
                order=order if head.role == VALUE and head.order is not None else head.order,
            )
            for head in manifest.outputs
        ),
    )


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
