"""Makes manifest.json and the artifacts' metadata: the parts of a bundle that are the same for each export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ... import manifest as parts
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...export.checkpoint.layer_graph import LayerGraph, input_layout
from ...export.formats.precisions.precision import FP32
from ...export.formats.table import FORMATS, Format
from ...export.graph.frozen import FrozenGraph, Port
from ...games.encoding import USUAL
from ...games.game import Reading
from ...games.known.recognition import conventions
from ...games.value import ORDER, reading_of_value
from ...manifest import Artifact, Manifest
from ...statement import DOUBTFUL
from ...system.installed import distribution
from ...validate.positions import Positions
from ...version import __version__
from ..case.settings import Settings
from .manifest import SCHEMA_VERSION, sound_exact_last
from .manifest_model import read_part
from .playable import problems_of
from .shipped_search import confirmed_search

THREADS = 1
"""Threads for runtimes in apps; more threads make a single position of a board network slower."""
FROM_GAME, FROM_FILE, RANDOM = "game", "file", "random boards"
"""The origins of the proof's positions."""
READING, VALUES = UNUSUAL = ("reading", "value")
"""Metadata that an artifact has only if its shapes alone would mislead a reader."""


def metadata(graph: LayerGraph, frozen: FrozenGraph, reading: Reading | None) -> dict[str, str]:
    """The metadata inside each artifact, a mapping of text to text."""
    layouts = {port.name: input_layout(graph, _shape(port.shape)) for port in frozen.inputs}
    return {
        "azx_version": __version__,
        "game": reading.game.name if reading else "unknown",
        "checkpoint_sha256": graph.source.sha256,
        "input_layout": json.dumps(layouts),
        "output_roles": json.dumps({head.name: head.role for head in frozen.outputs}),
        "output_activations": json.dumps({head.name: head.activation for head in frozen.outputs}),
        "actions": reading.actions if reading else "unknown",
        **unusual(frozen.outputs, reading),
    }


def unusual(heads: Sequence[Head], reading: Reading | None) -> dict[str, str]:
    """The members of UNUSUAL: facts about encoding and value that the artifact's shapes would suggest wrongly.

    Empty for usual networks, whose artifacts thus keep their bytes.
    """
    if reading is None:
        return {}
    reads_otherwise = len(reading.encoding.as_data()) > len(USUAL) or _is_another_way(reading)
    members: dict[str, Any] = {READING: reading.as_data()} if reads_otherwise else {}
    if reading.value_order:
        members[VALUES] = next((value_of(head, reading.value_order) for head in heads if head.role == VALUE), {})
    return {name: json.dumps(value) for name, value in members.items()}


def _is_another_way(reading: Reading) -> bool:
    """Whether the encoding is a known one, but not the one that the shapes suggest."""
    usual = next((e for s in reading.game.shapes for e in s.encodings if e.shape == reading.encoding.shape), None)
    return usual not in (None, reading.encoding) and any(
        way.encoding(usual) == reading.encoding for way in conventions(reading.game) if usual
    )


def _shape(shape: Sequence[int | None]) -> tuple[int, ...]:
    """An input's shape without the batch; no other axis may be free."""
    return tuple(size for size in shape[1:] if size is not None)


def manifest(
    stem: str,
    graph: LayerGraph,
    frozen: FrozenGraph,
    reading: Reading | None,
    positions: Positions,
    settings: Settings,
) -> Manifest:
    """The manifest without artifacts and files, which are added after they are written."""
    tuned = confirmed_search(graph.source.sha256, reading.game.name if reading else None)
    manifest = Manifest(
        schema_version=SCHEMA_VERSION,
        azx_version=__version__,
        name=stem,
        **game_members(reading),
        checkpoint=checkpoint_of(graph),
        inputs=tuple(input_of(graph, port) for port in frozen.inputs),
        outputs=tuple(output_of(head, reading) for head in frozen.outputs),
        batch=settings.batch,
        precision=FP32,
        graph=graph_of(frozen.fallback),
        positions=parts.Positions(
            count=positions.drawn,
            extreme=positions.extreme,
            looked_through=positions.looked_through if positions.extreme else 0,
            seed=positions.seed,
            description=positions.description,
            source=FROM_FILE if settings.inputs else FROM_GAME if reading else RANDOM,
        ),
        chosen=tuple(settings.chosen) or None,
        converters=converter_versions(),
        artifacts=(),
        recommended={},
        threads=THREADS,
        files=(),
        search=tuned.search if tuned else None,
        tuned=tuned,
    )
    return replace(manifest, problems=tuple(problems_of(manifest)))


def game_members(reading: Reading | None) -> dict[str, Any]:
    """The manifest's members about the game, by name; empty if the game is unknown, as their defaults say so."""
    if reading is None:
        return {}
    return {
        "game": reading.game.name,
        "settings": dict(reading.settings),
        **_input_members(reading),
        "assumed": assumed_of(reading),
    }


def _input_members(reading: Reading) -> dict[str, Any]:
    data = reading.as_data()
    actions = data["actions"]
    return {
        "encoding": read_part(parts.Encoding, data["encoding"]),
        "actions": tuple(actions) if isinstance(actions, list) else actions,
    }


def assumed_of(reading: Reading) -> parts.AssumedReading | None:
    """The other readings that fit, if the reading is assumed; None if it is known or the user gave it."""
    if reading.rivals is None:
        return None
    others = (parts.OtherReading(name=name, **_input_members(one)) for name, one in reading.rivals.items())
    return parts.AssumedReading(others=tuple(others), stopped=reading.is_cut_short or None)


def checkpoint_of(graph: LayerGraph) -> parts.Checkpoint:
    """The manifest's entry for the original, from its file."""
    source = graph.source
    return parts.Checkpoint(
        file=source.name, sha256=source.sha256, keras_version=source.written_by, parameters=graph.parameters
    )


def input_of(graph: LayerGraph, port: Port) -> parts.Input:
    """The manifest's entry for an input of the artifacts, without the batch."""
    return parts.Input(
        name=port.name,
        source_name=port.source_name,
        shape=_shape(port.shape),
        dtype=port.dtype,
        layout=input_layout(graph, _shape(port.shape)),
    )


def output_of(head: Head, reading: Reading | None) -> parts.Head:
    """The manifest's entry for an output of the artifacts."""
    value = value_of(head, reading.value_order if reading else None)
    return parts.Head(
        name=head.name,
        source_name=head.source_name,
        role=head.role,
        degree=str(head.degree) if head.degree in DOUBTFUL else None,
        activation=head.activation,
        value_range=value.get("value_range"),
        order=tuple(value["order"]) if "order" in value else None,
        policy_range=head.policy_range if head.role == POLICY else None,
        shape=head.shape,
        pb_node=head.node,
    )


def graph_of(fallback: str | None) -> parts.Graph:
    """How the graph was made; `fallback` is the reason why the network was traced, None if it is canonical."""
    return parts.Graph(kind="traced" if fallback else "canonical", reason=fallback)


def value_of(head: Head, order: Sequence[str] | None) -> dict[str, Any]:
    """The members that say how a value head is read; empty for other heads, and if azx cannot read its width.

    `order` says what three outputs are, None if unknown. GameError if it is known and the head has one output.
    """
    if head.role != VALUE or head.width not in (1, len(ORDER)):
        return {}
    members = reading_of_value(head.width, head.activation, order=order).as_data()
    return {name: value for name, value in members.items() if name != "order" or order}


def converter_versions() -> dict[str, str]:
    """The versions of the installed converters, on which the artifacts' bytes depend."""
    versions = {}
    # In reverse order of the runtimes' names, as in all earlier manifests.
    formats = sorted(FORMATS.values(), key=lambda entry: entry.needs, reverse=True)
    for name in dict.fromkeys(distribution(package) for entry in formats for package in entry.packages):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def artifact_entry(
    entry: Format, stem: str, about: Mapping[str, Any], precision: str = FP32, *, failing: bool = False
) -> Artifact:
    """The manifest's entry for one artifact; `about` (JSON types) has the members that only its format has."""
    path = entry.path(stem, precision, failing=failing)
    return read_part(Artifact, {"format": entry.name, "path": path, "precision": precision, **about})


def recommend_artifacts(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """The artifact that an app of each platform should load: float32, else one that passes its gate.

    It is never in an experimental format. An app's self-test compares it with golden.json within float32's rounding.
    """
    known = [item for item in sound_exact_last(artifacts) if item.format in FORMATS]
    return {FORMATS[item.format].platform: item.path for item in known if not FORMATS[item.format].experimental}
