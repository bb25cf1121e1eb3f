"""Finds and opens what a NET argument means: a checkpoint, or an artifact with the manifest of its bundle."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from ..bundle.case.checkpoint import Checkpoint, as_checkpoint
from ..bundle.case.cost import multiply_adds_of
from ..bundle.case.detection import detect_by_family
from ..bundle.contents.manifest import MANIFEST, check_artifact, read_manifest
from ..bundle.loaded import choose_artifact
from ..errors import CheckpointError, NotRunHere
from ..export.checkpoint.graphs.frozen import is_frozen_graph
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.checkpoint.located import find_checkpoint, shipped_names
from ..export.checkpoint.onnx.file import is_onnx_file
from ..export.checkpoint.tfjs_layers import MODEL, is_tfjs_layers
from ..export.formats.table import FORMATS, Format
from ..export.graph.names import Names
from ..manifest import Manifest
from ..system.exchange import recover
from ..system.temporary import temporary_files_in, temporary_folder
from ..validate.runners.runner import Runner
from ..validate.runners.witness import WitnessRunner
from .network_ports import UNSAID, Ports, ports_of_artifact, ports_of_heads


@dataclass(frozen=True)
class TrainedNetwork:
    """A trained network, which has no manifest; `names` are the user's names of its heads."""

    checkpoint: Checkpoint
    path: Path
    names: Names = UNSAID
    manifest: Manifest | None = None

    def open(self, stack: ExitStack) -> tuple[Runner, Ports]:
        """Run it in TensorFlow, with a free batch, from the graph that every artifact is written from.

        Without TensorFlow the float64 witness answers: correctly, but slower than any runtime.
        """
        from ..export.checkpoint.read import read_checkpoint
        from ..export.graph.freeze import freeze, heads_of, try_simplify

        graph = read_checkpoint(self.path, **self.checkpoint.options)
        work = multiply_adds_of(graph)
        if find_spec("tensorflow") is None and (network := try_simplify(graph).network) is not None:
            heads = heads_of(graph, [head.shape for head in network.outputs], self.names)
            witness = stack.enter_context(WitnessRunner(graph, heads))
            ports = ports_of_heads(graph.source, witness.signature().inputs, heads, work)
            return witness, _read_by_family(ports, graph, heads)
        folder = stack.enter_context(temporary_folder("play"))
        stack.enter_context(temporary_files_in(folder))
        frozen = freeze(graph, self.names, batch=None)
        path = folder / "network.pb"
        FORMATS["pb"].write(frozen, path)
        ports = ports_of_heads(graph.source, frozen.inputs, frozen.outputs, work)
        return stack.enter_context(FORMATS["pb"].open(path)), _read_by_family(ports, graph, frozen.outputs)


def _read_by_family(ports: Ports, graph: LayerGraph, heads: Sequence[Head]) -> Ports:
    """The ports with the reading of the family that the weights belong to, if that reading is known."""
    family = detect_by_family(graph, heads, None)
    return replace(ports, reading=family.reading.as_data()) if family and family.reading else ports


@dataclass(frozen=True)
class Artifact:
    """An exported network; `manifest` is None outside its bundle, `names` are the user's names of its heads."""

    path: Path
    format: Format
    manifest: Manifest | None = None
    names: Names = UNSAID

    def open(self, stack: ExitStack) -> tuple[Runner, Ports]:
        """Run it in its format's own runtime."""
        try:
            runner: Runner = stack.enter_context(self.format.open(self.path))
        except NotRunHere as error:
            raise NotRunHere(f"'{self.path}' cannot be played here: {error}.") from error
        return runner, ports_of_artifact(self.path, self.format, self.manifest, runner.signature(), self.names)


NetworkFile = TrainedNetwork | Artifact


def find_network(net: str | Path | Checkpoint, names: Names = UNSAID) -> NetworkFile:
    """The file that `net` means: a path, or a shipped checkpoint's name.

    For a bundle it is the artifact that runs fastest here. Raises CheckpointError if nothing
    is there, BundleError if the bundle or the artifact is damaged.
    """
    checkpoint = as_checkpoint(net)
    net = checkpoint.place
    recover(Path(net))
    try:
        path = find_checkpoint(net)
    except CheckpointError as error:
        known = ", ".join(shipped_names())
        raise CheckpointError(
            f"There is no network at '{net}': give a checkpoint, an artifact or a bundle, "
            f"or name a shipped one ({known})."
        ) from error
    if path.name == "model.json":
        path = path.parent
    if path.is_dir() and (path / MANIFEST).is_file():
        manifest = read_manifest(path)
        chosen, quickest = choose_artifact(path, manifest)
        return Artifact(check_artifact(path, quickest, manifest), chosen, manifest, names)
    entry = next((entry for entry in FORMATS.values() if path.name.endswith(entry.suffix)), None)
    if entry is None:
        return TrainedNetwork(checkpoint, path, names)
    folder = path.absolute().parent
    beside = read_manifest(folder) if (folder / MANIFEST).is_file() else None
    if beside is not None and path.name in [artifact.path for artifact in beside.artifacts]:
        check_artifact(folder, path.name, beside)
        return Artifact(path, entry, beside, names)
    return TrainedNetwork(checkpoint, path, names) if _is_source(path, entry) else Artifact(path, entry, names=names)


def _is_source(path: Path, entry: Format) -> bool:
    """Whether a file in one of azx's formats was not written by azx."""
    readable = is_onnx_file(path) or is_frozen_graph(path) or is_tfjs_layers(path / MODEL)
    return readable and not entry.metadata(path)
