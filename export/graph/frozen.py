"""FrozenGraph: constants only, final names; the only input of every writer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..checkpoint.head import Head


@dataclass(frozen=True)
class Port:
    """An input or output of an artifact: `shape` has the batch first, None is a free axis.

    `source_name` is its name in the checkpoint. `node` is the node of a frozen .pb that calculates an output
    (value_head/Tanh). Both are empty if unknown.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: str = "float32"
    source_name: str = ""
    node: str = ""


@dataclass(frozen=True)
class FrozenGraph:
    """A frozen TensorFlow graph, as serialised GraphDefs so that it can be sent between processes.

    `graph_def` adds biases with AddV2, because TensorFlow's remapper, which is on by default, calculates Conv2D +
    BiasAdd + Add + LeakyRelu with another slope. `biasadd_graph_def` is the same network with BiasAdd, which TF.js
    fuses. Both have the nodes `inputs[i].name` and `outputs[i].name`. `outputs` is in file order. `fallback` names the
    layer and the reason if the graph was traced from Keras instead.
    """

    graph_def: bytes
    biasadd_graph_def: bytes
    inputs: tuple[Port, ...]
    outputs: tuple[Head, ...]
    fallback: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def batch(self) -> int | None:
        """The batch size, None if it is free."""
        return self.inputs[0].shape[0]

    @property
    def output_ports(self) -> tuple[Port, ...]:
        """The outputs as ports of an artifact."""
        return tuple(
            Port(head.name, (self.batch, *head.shape), source_name=head.source_name, node=head.node)
            for head in self.outputs
        )

    @property
    def ports(self) -> tuple[Port, ...]:
        """The inputs, then the outputs."""
        return (*self.inputs, *self.output_ports)
