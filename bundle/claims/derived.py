"""Derives the manifest from the checkpoint again and compares it with the bundle's, member by member."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...errors import AzxError, GameError, HeadError
from ...export.checkpoint.head import POLICY, VALUE, Head
from ...export.checkpoint.layer_graph import LayerGraph
from ...export.graph.freeze import Shapes, freeze, heads_of
from ...export.graph.frozen import Port
from ...export.graph.names import Names, input_names
from ...export.statements.outputs import NOBODY
from ...manifest import Manifest
from ...statement import DOUBTFUL
from ...system.installed import not_run_here
from ..case.detection import Detection, game_of
from ..contents import describe
from .evidence import Evidence, GraphStatements
from .findings import Finding, doubt, is_current, refute, refute_if_current, settle, shorten_value
from .golden import check_golden
from .reading import has_option
from .table import diff

# With more outputs than this, azx does not try every pair as value and policy.
MANY_OUTPUTS = 6
IN_MEMORY = "a Keras model in memory"


def freeze_again(graph: LayerGraph, manifest: Manifest) -> GraphStatements:
    """Freeze a checkpoint again, to check the manifest's statements about the graph.

    Runs in the worker with TensorFlow.
    """
    try:
        # Only one fact about the batch matters: whether it is free. A manifest may state any number.
        made = freeze(graph, partial(find_names, graph, manifest), None if manifest.batch is None else 1)
    except ImportError as error:
        return GraphStatements(missing=str(not_run_here(error)))
    except AzxError as error:
        return GraphStatements(missing=str(error).rstrip("."))
    return GraphStatements(made.outputs, made.fallback)


def find_names(graph: LayerGraph, manifest: Manifest, shapes: Shapes) -> Names:
    """The export options that reproduce the manifest's names of inputs and outputs, or as many as possible.

    HeadError if no options give every output a role. `shapes` are the outputs' in the model's order.
    """
    fitting: list[tuple[int, Names]] = []
    refused: HeadError | None = None
    for names in _options(graph, manifest):
        try:
            heads = heads_of(graph, shapes, names)
        except HeadError as error:
            refused = refused or error
            continue
        fitting.append((_agreement(graph, heads, names, manifest), names))
    if not fitting:
        assert refused is not None  # noqa: S101
        raise refused
    return max(fitting, key=itemgetter(0))[1]  # the first of equals has the fewest options


def _options(graph: LayerGraph, manifest: Manifest) -> Iterator[Names]:
    """The options that could have named the outputs, no options first."""
    sources = [head.source_name for head in graph.outputs]
    claimed = {head.role: head.source_name for head in manifest.outputs if head.source_name in sources}
    few: list[str | None] = [None, *sources] if len(sources) <= MANY_OUTPUTS else [None]
    nobody = {role: [NOBODY] if has_option(manifest, f"--{role}-head") else [] for role in (VALUE, POLICY)}
    values = list(dict.fromkeys([*few, claimed.get(VALUE), *nobody[VALUE]]))
    policies = list(dict.fromkeys([*few, claimed.get(POLICY), *nobody[POLICY]]))
    pairs = sorted(product(values, policies), key=lambda pair: sum(name is not None for name in pair))
    for value, policy in pairs:
        if value != policy or value in (None, NOBODY):
            yield from (Names(value, policy, keep) for keep in (False, True))


def _agreement(graph: LayerGraph, heads: Sequence[Head], names: Names, manifest: Manifest) -> int:
    """The number of the manifest's names and roles that these names reproduce."""
    own = name_inputs(graph, heads, names)
    stated = {head.source_name: head for head in manifest.outputs}
    pairs = [(head, stated[head.source_name]) for head in heads if head.source_name in stated]
    agree = [head.name == said.name for head, said in pairs] + [head.role == said.role for head, said in pairs]
    agree += [port.name == said.name for port, said in zip(own, manifest.inputs, strict=False)]
    return sum(agree)


def name_inputs(graph: LayerGraph, heads: Sequence[Head], names: Names) -> list[Port]:
    """The artifacts' inputs, with a free batch in `shape`."""
    own = input_names([spec.name for spec in graph.inputs], heads, keep_names=names.keep_names)
    return [
        Port(name, (None, *spec.shape), source_name=spec.name) for name, spec in zip(own, graph.inputs, strict=True)
    ]


def check_checkpoint(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check the statements about the original, and about each input and output in the artifacts' order."""
    known, said = evidence.checkpoint, manifest.checkpoint
    if known is None:
        return
    graph, source, inputs, heads = known.graph, known.graph.source, known.inputs, known.heads
    own = replace(describe.checkpoint_of(graph), file=said.file)
    if source.kind == "weights" and said.keras_version != source.written_by:
        # The architecture was given separately, so several options are possible.
        clause = f"is {shorten_value(said.keras_version)}, and weights alone do not show it"
        yield doubt("checkpoint.keras_version", clause)
        own = replace(own, keras_version=said.keras_version)
    if said.file != source.name:
        yield doubt("checkpoint.file", f"is {shorten_value(said.file)}: the same file is named '{source.name}' here")
    for member, stated, derived in (("inputs", manifest.inputs, inputs), ("outputs", manifest.outputs, heads)):
        if len(stated) != len(derived):
            yield refute(member, f"lists {len(stated)}, and the checkpoint has {len(derived)}")
    ports = tuple(describe.input_of(graph, port) for port in inputs)
    proved = ("name", "source_name", "role", "activation", "shape")
    pairs = zip(manifest.outputs, heads, strict=False)
    outputs = tuple(replace(each, **{name: getattr(head, name) for name in proved}) for each, head in pairs)
    described = replace(manifest, checkpoint=own, inputs=ports, outputs=outputs)
    yield from diff(manifest, described, f"as '{source.name}' has it")


def check_file_name(manifest: Manifest) -> Iterator[Finding]:
    """Check that the bundle has the name of its checkpoint's file."""
    from ..case.checkpoint_file import stem_of

    file, name = manifest.checkpoint.file, manifest.name
    if not file.startswith(IN_MEMORY) and stem_of(Path(file)) != name:
        named = shorten_value(stem_of(Path(file)))
        yield refute("checkpoint.file", f"is {shorten_value(file)}, whose bundle would be named {named}")


def check_graph(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check the statements about the frozen graph: whether it is canonical, and which node computes each output."""
    known = evidence.checkpoint
    if known is None:
        return
    made = known.frozen
    if made.missing:
        for member in ("graph", *(f"outputs[{number}].pb_node" for number in range(len(manifest.outputs)))):
            yield doubt(member, f"needs the graph to be frozen: {made.missing}")
        return
    nodes = {head.source_name: head.node for head in made.outputs}
    pairs = zip(manifest.outputs, known.answers.heads, strict=False)
    outputs = tuple(replace(said, pb_node=nodes.get(head.source_name) or "") for said, head in pairs)
    yield from diff(manifest, replace(manifest, graph=describe.graph_of(made.fallback), outputs=outputs), "")


def game_without_options(graph: LayerGraph, heads: Sequence[Head]) -> Detection:
    """The game and encoding that an export detects without any option."""
    try:
        return game_of(graph, heads, None)
    except GameError as error:  # its shapes fit a game in two ways
        return Detection(None, str(error).rstrip("."))


def check_roles(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check outputs whose role only an option of the export can determine."""
    known = evidence.checkpoint
    if known and (known.names.value_head or known.names.policy_head):
        roles = ", ".join(head.role for head in known.heads)
        yield doubt("outputs", f"has the roles {roles}: {_choice(manifest, '--value-head', '--policy-head')}")


def check_degrees(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that outputs of an assumed or unknown role are marked so, unless the role is false."""
    known = evidence.checkpoint
    if known is None:
        return
    by_answers = {head.source_name: head.degree for head in known.alone.heads}
    for number, (stated, head) in enumerate(zip(manifest.outputs, known.heads, strict=False)):
        both = (head.degree, by_answers.get(head.source_name))
        right = {str(degree) if degree in DOUBTFUL else None for degree in both}
        if stated.degree in right:
            continue
        member, option = f"outputs[{number}].degree", f"--{head.role}-head"
        if stated.degree is None and has_option(manifest, option):
            choice = _choice(manifest, option)
            finding = doubt(member, f"is null, {choice}: the checkpoint alone leaves its role open")
        else:
            either = " or ".join(sorted(map(shorten_value, right)))
            finding = refute_if_current(member, f"is {shorten_value(stated.degree)} and not {either}")
        yield replace(finding, unless=(f"outputs[{number}].role",))


def check_choices(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check where the manifest's game differs from the game that the checkpoint alone gives.

    A difference is the exporter's choice and unproved. It is false if golden.json lacks positions of that game.
    """
    known, reading = evidence.checkpoint, evidence.reading
    if known is None or (reading is None and manifest.game):
        return
    alone, which = known.alone.reading, _choice(manifest, "--game", "--encoding")
    if reading is None and alone is not None:
        yield doubt("game", f"is null, {which}: the shapes are {alone.game.title}'s")
    elif reading is not None and alone is None:
        why = known.alone.note or "the shapes determine no game"
        yield doubt("game", f"is {shorten_value(reading.game.name)}, {which}: {why}")
    elif reading is not None and alone is not None:
        rows = settle(check_golden(manifest, evidence), current=is_current(manifest)).false
        lacks_them = any(claim.member.startswith("positions[") for claim in rows)
        for member, ours, theirs in _differences(reading.as_data(), alone.as_data()):
            differs = f"the checkpoint alone gives {shorten_value(theirs)}"
            if lacks_them:
                yield refute(member, f"is {shorten_value(ours)}, but golden.json has no positions of it: {differs}")
            else:
                yield doubt(member, f"is {shorten_value(ours)}, {which}: {differs}")


def _differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The members about the game that differ, with both values; an encoding is compared member by member."""
    for member in ("game", "actions"):
        if ours[member] != theirs[member]:
            yield member, ours[member], theirs[member]
    ours, theirs = ours["encoding"], theirs["encoding"]
    for member in dict.fromkeys((*ours, *theirs)):
        if ours.get(member) != theirs.get(member):
            yield f"encoding.{member}", ours.get(member), theirs.get(member)


def _choice(manifest: Manifest, *options: str) -> str:
    """The clause that the exporter chose one of these options, with those that the manifest records in parentheses."""
    given = [option for option in options if has_option(manifest, option)]
    return f"a choice of the exporter's{' (' * bool(given)}{', '.join(given)}{')' * bool(given)}"
