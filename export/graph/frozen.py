"""FrozenGraph: constants only, final names; the one thing that every writer is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TensorSpec:
    """An input of the frozen graph; `shape` has the batch first, None where it is free."""

    name: str
    shape: tuple[int | None, ...]
    dtype: str = "float32"
    source_name: str = ""


@dataclass(frozen=True)
class HeadSpec:
    """An output of the frozen graph.

    `name` is the contract's (value_head, policy_head) and is also an Identity node; `node` is
    the node that computes it (value_head/Tanh); `source_name` is the checkpoint's own name;
    `role` is value, policy or other; `activation` is tanh, linear, softmax, ...
    """

    name: str
    role: str
    shape: tuple[int | None, ...]
    activation: str
    node: str
    source_name: str


@dataclass(frozen=True)
class FrozenGraph:
    """A frozen TensorFlow graph, as serialised GraphDefs so that it travels between processes.

    `graph_def` adds biases with AddV2; `biasadd_graph_def` is the same network with BiasAdd,
    which TF.js fuses (DESIGN: the remapper computes Conv2D+BiasAdd+Add+LeakyRelu wrongly).
    Both have the nodes `inputs[i].name` and `outputs[i].name`. `outputs` is in file order.
    `fallback` names the layer and the reason where the graph was traced from Keras instead.
    """

    graph_def: bytes
    biasadd_graph_def: bytes
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[HeadSpec, ...]
    fallback: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def ports(self) -> tuple[TensorSpec | HeadSpec, ...]:
        """Inputs and then outputs, each with a name and a shape."""
        return (*self.inputs, *self.outputs)

    @property
    def batch(self) -> int | None:
        """The batch size, None where it is dynamic."""
        return self.inputs[0].shape[0]
