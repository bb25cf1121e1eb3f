"""LayerGraph: a checkpoint as written, with Keras' layers and weights, without interpretation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from .head import Head

Array = NDArray[Any]
# Kinds of sources other than Keras files; defined here, so that a check of the kind imports none of their readers.
TFJS, ONNX, FROZEN, META, TORCH = "tfjs", "onnx", "frozen", "meta", "torch"


@dataclass(frozen=True, eq=False)
class Layer:
    """One Keras layer: `kind` is its class name, `weights` are keyed by Keras' short names.

    Known kinds have the names of `WEIGHT_NAMES` in weights.py (kernel, bias, gamma, ...); others are keyed "0", "1",
    ... in the file's order.
    """

    name: str
    kind: str
    config: Mapping[str, Any]
    weights: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Call:
    """One application of a layer to tensors; a shared layer has several calls.

    `inputs` and `output` are tensor names. `arguments` holds the call's other arguments ({"axis": 1} of a TFOpLambda
    concat).
    """

    layer: Layer
    inputs: tuple[str, ...]
    output: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class InputSpec:
    """An input of the network: its Keras name, its tensor, its shape without the batch, its dtype."""

    name: str
    tensor: str
    shape: tuple[int, ...]
    dtype: str = "float32"


@dataclass(frozen=True)
class Source:
    """The source of a graph: the facts that Keras needs to load the same checkpoint again.

    `kind` is one of these:

    - "h5": a full model; "keras": a zip; "saved_model": a folder;
    - "tfjs": a layers model of TensorFlow.js; "onnx": an ONNX model;
    - "frozen": a TensorFlow graph; "meta": the graph of a TensorFlow 1 checkpoint;
    - "torch": a builder's module of PyTorch with the file's weights;
    - "weights": weights whose architecture was given separately.

    `config` is the model's {"class_name", "config"}; `sha256` is that of the file at `path`. `backend` wrote an HDF5
    file (Theano stores its kernels flipped). `beside` is the file with the architecture of weights, if azx found it by
    itself. `agent` is what a Go agent's file says of the network. `pairing` says how Keras paired the weights of a
    builder's model, if azx's own pairing does not cover them. `preset` names the family of networks from whose shapes
    the architecture was made. `title` replaces the file's name if azx itself wrote the file for a model in memory.
    `framework` wrote the file if Keras did not; the layers then have the form of Keras `keras_version`. `reading` is
    how the family's own code encodes the board, in the form of an --encoding file, or a clause with the reason why azx
    cannot. `encoding` is the file's own statement of it, as JSON text (see own_encoding.py), "" without one.
    """

    path: Path
    kind: str
    sha256: str
    keras_version: str
    config: Mapping[str, Any]
    backend: str = "tensorflow"
    builder: str | None = None
    allow_code: bool = False
    beside: Path | None = None
    agent: str | None = None
    pairing: str | None = None
    preset: str | None = None
    title: str | None = None
    framework: str = ""
    reading: Mapping[str, Any] | str | None = None
    encoding: str = ""

    @property
    def written_by(self) -> str:
        """What wrote the file: the version of Keras, or the other framework's name."""
        return self.framework or self.keras_version

    @property
    def name(self) -> str:
        """Its name in a report: its file's name, that of a TF.js model's folder, or its title."""
        return self.title or (self.path.absolute().parent if self.kind == TFJS else self.path).name

    @property
    def keras_major(self) -> int:
        """2 for Keras 2 and tf.keras 2, and for Keras 1 (which is translated); 3 for Keras 3."""
        return max(2, int(self.keras_version.split(".")[0]))


@dataclass(frozen=True, eq=False)
class LayerGraph:
    """A checkpoint as written; `calls` are in an order in which they can run.

    Nested models and Sequential are flattened into calls; InputLayers are in `inputs` only. `outputs` are in the
    model's order, each with its name and its tensor.
    """

    source: Source
    name: str
    calls: tuple[Call, ...]
    inputs: tuple[InputSpec, ...]
    outputs: tuple[Head, ...]
    quirks: tuple[str, ...] = ()

    @property
    def input_shapes(self) -> dict[str, tuple[int, ...]]:
        """Each input's shape without the batch, by its name, in their order."""
        return {spec.name: spec.shape for spec in self.inputs}

    @property
    def parameters(self) -> int:
        """The number of stored weights; a shared layer counts once."""
        layers = {id(call.layer): call.layer for call in self.calls}
        return sum(int(w.size) for layer in layers.values() for w in layer.weights.values())


def board_layout(graph: LayerGraph) -> str | None:
    """channels_first or channels_last, from the first layer that states it; None if none does."""
    for call in graph.calls:
        layout = call.layer.config.get("data_format")
        if layout in ("channels_first", "channels_last") and call.layer.kind != "Flatten":
            return str(layout)
    return None


def input_layout(graph: LayerGraph, shape: tuple[int, ...]) -> str:
    """The manifest's word for the order of an input's axes: channels_first, channels_last, board or flat."""
    if len(shape) == 1:
        return "flat"
    return "board" if len(shape) == 2 else board_layout(graph) or "channels_last"
