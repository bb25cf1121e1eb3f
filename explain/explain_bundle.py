"""Compares an artifact, or all artifacts of a bundle, with the checkpoint layer by layer.

    results = explain(questions("bundles/connect4", formats=["tflite"]))
    results[0].first.step.layer                                     # "conv2d_7": the first layer outside its band

The artifacts run in the processes that prove them. The comparison runs there too, so that only a small result returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..bundle.case.checkpoint import Checkpoint, as_checkpoint
from ..bundle.case.detection import game_of, policy_width
from ..bundle.case.positions import draw_positions
from ..bundle.contents.manifest import MANIFEST, heads_in, inside, read_manifest
from ..errors import BundleError, CheckpointError
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import FOLDER as SHIPPED
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.read import read_checkpoint
from ..export.formats.precisions.precision import FP32, PRECISIONS
from ..export.formats.table import FORMATS, Format, check_name
from ..export.graph.freeze import heads_of, try_simplify
from ..export.graph.names import input_names
from ..export.network.simplify import shapes
from ..games.known import recognition
from ..manifest import Manifest
from ..system.workers import Workers, load_tensorflow, result
from ..validate.door.look import look_at_all
from ..validate.positions import Positions
from ..validate.proof.calculation import Comparison
from .artifact import TAPPED, ArtifactExplanation, Question, explain_artifact

Step = Callable[[str], None]
# Every layer is compared on this number of positions: enough that few channels stay silent, quick in every runtime.
POSITIONS = 32
# An artifact to explain: its path, its format, its precision.
ArtifactChoice = tuple[Path, Format, str]


def questions(
    target: str | Path,
    *,
    against: str | Path | Checkpoint | None = None,
    formats: Sequence[str] = (),
    precisions: Sequence[str] = (),
    count: int = POSITIONS,
    on_step: Step = lambda name: None,
) -> list[Question]:
    """The question for each artifact, in the manifest's order; reads the checkpoint and draws the positions.

    Args:
        target: a bundle, or one artifact. A bundle's files may differ from those that its manifest records.
        against: the checkpoint (a path, a shipped name, or a Checkpoint that says how it is read). None: the checkpoint
            that the manifest names, beside the bundle or among the shipped ones.
        formats: the formats to explain in a bundle; empty: all.
        precisions: the precisions to explain in a bundle; empty: all.
        count: the number of positions.
        on_step: receives the name of each step.

    Raises:
        BundleError: the bundle or artifact does not exist.
        UnsafeArtifact: an artifact does more than calculate; none was run.
        CheckpointError: the checkpoint is missing or unreadable.
        AzxError: a format is unknown.

    """
    for name in formats:
        check_name(name)
    path = Path(target)
    folder = _bundle_of(path)
    manifest = read_manifest(folder) if folder else None
    chosen = _choose(path, folder, manifest, formats, precisions)
    on_step("looking at the artifacts")
    look_at_all((entry.name, place) for place, entry, _ in chosen)
    on_step("reading the checkpoint")
    checkpoint = as_checkpoint(against)
    place = _place_of(path, folder, manifest, None if checkpoint.path is None else checkpoint.place)
    graph = read_checkpoint(place, **checkpoint.options)
    heads, inputs, boards = _contract(graph, manifest, count)
    traced = try_simplify(graph).reason
    return [
        Question(place, entry.name, precision, graph, heads, inputs, boards.feeds, boards.legal, traced)
        for place, entry, precision in chosen
    ]


def explain(asked: Sequence[Question], on_step: Step = lambda name: None) -> list[ArtifactExplanation]:
    """Compare the inner tensors of artifacts with those of the original; one result per artifact, in order.

    `on_step` receives the name of each step. BundleError if an artifact does not run, UnsupportedLayer if the float64
    witness has no rule for a layer.
    """
    with Workers() as workers:
        if any(_needs_tensorflow(question) for question in asked):
            workers.tensorflow(load_tensorflow)
        explanations = []
        for question in asked:
            on_step(f"explaining {question.path.name}")
            explanations.append(answer(workers, question))
    return explanations


def answer(workers: Workers, question: Question) -> ArtifactExplanation:
    """The findings on one artifact: the first differing bytes, then its layers, from the process of its runtime."""
    explanation = _explain(workers, question)
    if question.precision != FP32:
        return explanation
    names = {head.name: head.source_name for head in question.heads}
    inputs = {name: source for source, name in question.inputs.items()}
    compared = Comparison(question.graph, names, inputs, question.traced)
    calculation = compared.of(question.path, question.format)
    return replace(explanation, calculation=replace(calculation, boards=explanation.positions) if calculation else None)


def _explain(workers: Workers, question: Question) -> ArtifactExplanation:
    if question.format not in TAPPED:
        why = f"the inner tensors of {FORMATS[question.format].title} cannot be seen"
        return ArtifactExplanation(question.path, question.format, question.precision, reason=why)
    submit = workers.tensorflow if _needs_tensorflow(question) else workers.light
    return result(submit(explain_artifact, question), f"explaining {question.path.name}")


def _needs_tensorflow(question: Question) -> bool:
    return FORMATS[question.format].needs_tensorflow and question.format in TAPPED


def _bundle_of(path: Path) -> Path | None:
    """The bundle that the path names, or in which it lies; None for a lone artifact.

    BundleError if nothing is there.
    """
    if not path.exists():
        raise BundleError(f"There is no '{path}': name a bundle's folder, or an artifact.")
    if (path / MANIFEST).is_file():
        return path
    return path.parent if (path.parent / MANIFEST).is_file() else None


def _choose(
    path: Path,
    folder: Path | None,
    manifest: Manifest | None,
    formats: Sequence[str],
    precisions: Sequence[str],
) -> list[ArtifactChoice]:
    if manifest is None or folder is None:
        return [(path, *_format_in_name(path))]
    listed = [
        (inside(folder, entry.path), FORMATS[entry.format], entry.precision)
        for entry in manifest.artifacts
        if entry.format in FORMATS
    ]
    if path != folder:
        return [each for each in listed if each[0] == path] or [(path, *_format_in_name(path))]
    wanted = [
        (place, entry, precision)
        for place, entry, precision in listed
        if (not formats or entry.name in formats) and (not precisions or precision in precisions)
    ]
    if not wanted:
        held = ", ".join(place.name for place, _, _ in listed) or "none"
        raise BundleError(f"'{folder}' holds no such artifact: choose among {held}.")
    return wanted


def _format_in_name(path: Path) -> tuple[Format, str]:
    """The format and the precision in the name of an artifact."""
    entry = next((each for each in FORMATS.values() if path.name.endswith(each.suffix)), None)
    if entry is None:
        known = ", ".join(each.suffix for each in FORMATS.values())
        raise BundleError(f"'{path}' is neither a bundle nor an artifact: give one that ends in {known}.")
    parts = path.name.removesuffix(entry.suffix).split(".")
    return entry, next((each for each in PRECISIONS if each in parts[1:]), FP32)


def _place_of(path: Path, folder: Path | None, manifest: Manifest | None, against: str | Path | None) -> Path:
    """The path of the given checkpoint, else of the one that the manifest names; CheckpointError if it is missing."""
    if against is not None:
        return find_checkpoint(against)
    if manifest is None or folder is None:
        raise CheckpointError(f"'{path}' does not name its checkpoint: give it with --against.")
    name, digest = Path(manifest.checkpoint.file).name, manifest.checkpoint.sha256
    near = [folder / name, folder.resolve().parent / name, Path(name), SHIPPED / name]
    for place in near:
        if place.is_file() and sha256(place) == digest:
            return place
    raise CheckpointError(f"The checkpoint '{name}' of '{folder}' is not beside it: give it with --against.")


def _contract(
    graph: LayerGraph, manifest: Manifest | None, count: int
) -> tuple[Sequence[Head], dict[str, str], Positions]:
    """The artifacts' heads, their input names by the checkpoint's names, and positions."""
    if manifest is None:
        known = shapes(graph)
        heads = heads_of(graph, [known.get(head.tensor, ()) for head in graph.outputs])
        sources = [spec.name for spec in graph.inputs]
        names = dict(zip(sources, input_names(sources, heads), strict=True))
        reading = game_of(graph, heads, None).reading
        return heads, names, draw_positions(graph, reading, count, 0)
    heads = heads_in(manifest)
    names = {port.source_name: port.name for port in manifest.inputs}
    outputs = {head.source_name for head in graph.outputs}
    if {head.source_name for head in heads} - outputs or set(names) != {spec.name for spec in graph.inputs}:
        reason = "has other inputs or outputs than the bundle"
        raise BundleError(f"'{graph.source.path}' {reason}: give the bundle's own checkpoint.")
    reading = recognition.reading_from(manifest.reading, policy_width(heads)) if manifest.game else None
    return heads, names, draw_positions(graph, reading, count, manifest.positions.seed or 0)
