"""Frozen graphs made hostile, one change each: their names, and how each is made of a sound graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

EVIL = "evil"
Change = Callable[[Any], None]

# What an operation would do, with TensorFlow's names of such operations.
RANDOM = (
    "RandomUniform RandomStandardNormal RandomUniformInt TruncatedNormal Multinomial RandomShuffle RandomGamma "
    "StatelessRandomUniform StatelessRandomNormalV2 StatelessTruncatedNormalV2 StatelessMultinomial RandomPoissonV2"
)
FILES = (
    "WriteFile ReadFile MatchingFiles SaveV2 RestoreV2 ImmutableConst WholeFileReaderV2 TextLineReaderV2 "
    "MergeV2Checkpoints InitializeTableFromTextFileV2 ShardedFilename WriteSummary"
)
PROGRAM = (
    "Timestamp Print PrintV2 Assert CheckNumerics Abort StringFormat DebugIdentityV3 DebugNumericSummaryV2 "
    "ScalarSummary AnonymousIterator"
)
CODE = (
    "PyFunc PyFuncStateless EagerPyFunc RemoteCall PartitionedCall StatefulPartitionedCall SymbolicGradient XlaLaunch "
    "MyOwnOperation TPUExecute CustomAggregator"
)
STATE = (
    "VarHandleOp VariableV2 ReadVariableOp AssignVariableOp AssignAddVariableOp HashTableV2 MutableHashTableV2 "
    "LookupTableFindV2 StackPushV2 QueueDequeueV2 TemporaryVariable CountUpTo"
)
CHOICE = "If StatelessIf While StatelessWhile Switch Merge Enter Exit NextIteration LoopCond Case"
UNWRITTEN = "Empty DynamicStitch ParallelDynamicStitch InplaceUpdate NoOp PlaceholderWithDefault TensorListStack"
OPERATIONS = {
    "lots": RANDOM,
    "files": FILES,
    "program": PROGRAM,
    "code": CODE,
    "state": STATE,
    "choice": CHOICE,
    "other": UNWRITTEN,
}


def edit(source: Path, target: Path, change: Change) -> None:
    from tensorflow.core.framework.graph_pb2 import GraphDef

    graph = GraphDef.FromString(source.read_bytes())
    change(graph)
    target.write_bytes(graph.SerializeToString())


def add(operation: str) -> Change:
    """A node between the input and the first head, which the head waits for."""

    def change(graph: Any) -> None:
        graph.node.add(name=EVIL, op=operation, input=["main_input"])

    return change


def head_of(graph: Any) -> Any:
    return next(node for node in graph.node if node.name == "value_head")


def _control(graph: Any) -> None:
    head_of(graph).input.append("^main_input")


def _function(graph: Any) -> None:
    graph.library.function.add().signature.name = EVIL


def _gradient(graph: Any) -> None:
    graph.library.gradient.add(function_name=EVIL, gradient_func=EVIL)


def _attribute(key: str, **value: Any) -> Change:
    def change(graph: Any) -> None:
        attribute = head_of(graph).attr[key]
        for kind, given in value.items():
            if kind == "func":
                attribute.func.name = given
            else:
                setattr(attribute, kind, given)

    return change


def _device(graph: Any) -> None:
    head_of(graph).device = "/job:worker/replica:0/task:1/device:GPU:0"


def _text(graph: Any) -> None:
    """The metadata, which nothing else reads, read by a node."""
    graph.node.add(name=EVIL, op="Identity", input=["azx_metadata"]).attr["T"].type = 7


def _text_elsewhere(graph: Any) -> None:
    node = graph.node.add(name=EVIL, op="Const")
    node.attr["dtype"].type = 7
    node.attr["value"].tensor.dtype = 7
    node.attr["value"].tensor.string_val.append(b"/etc/passwd")


def constant(graph: Any, name: str, values: Any) -> None:
    import tensorflow as tf

    node = graph.node.add(name=name, op="Const")
    tensor = tf.make_tensor_proto(values)
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)


def _large(operation: str, place: int, values: Any, before: int = 0) -> Change:
    def change(graph: Any) -> None:
        constant(graph, "large", values)
        inputs = ["main_input"] * place + ["large"] + ["main_input"] * before
        graph.node.add(name=EVIL, op=operation, input=inputs)

    return change


def _long_constant(graph: Any) -> None:
    node = graph.node.add(name=EVIL, op="Const")
    node.attr["dtype"].type = 1
    tensor = node.attr["value"].tensor
    tensor.dtype = 1
    for _ in range(3):
        tensor.tensor_shape.dim.add(size=100_000)
    tensor.float_val.append(1.0)


def _batch_norm(**attributes: bool) -> Change:
    def change(graph: Any) -> None:
        node = graph.node.add(name=EVIL, op="FusedBatchNormV3", input=["main_input"] * 5)
        for key, value in attributes.items():
            node.attr[key].b = value

    return change


def _size_by_the_board(graph: Any) -> None:
    graph.node.add(name="size", op="Relu", input=["main_input"])
    graph.node.add(name=EVIL, op="Fill", input=["size", "main_input"])


def _size_by_a_product(graph: Any) -> None:
    constant(graph, "one", [60_000])
    graph.node.add(name="size", op="Mul", input=["one", "one"])
    constant(graph, "two", [60_001])
    graph.node.add(name="more", op="Mul", input=["size", "two"])
    graph.node.add(name=EVIL, op="Fill", input=["more", "main_input"])


CHANGES: dict[str, Change] = {
    "a control edge": _control,
    "a function": _function,
    "a gradient": _gradient,
    "a call in an attribute": _attribute("then_branch", func=EVIL),
    "an attribute from elsewhere": _attribute("T", placeholder="T"),
    "a place beside another": _attribute("_class", s=b"loc:@main_input"),
    "a kernel of its own": _attribute("_kernel", s=b"mine"),
    "to be compiled": _attribute("_XlaMustCompile", b=True),
    "a path": _attribute("filename", s=b"/tmp/marker"),
    "a long word": _attribute("mode", s=b"a" * 10_000),
    "a resource": _attribute("dtype", type=20),
    "a variant": _attribute("T", type=21),
    "a reference": _attribute("T", type=101),
    "text": _attribute("T", type=7),
    "a device": _device,
    "the metadata read": _text,
    "text elsewhere": _text_elsewhere,
    "a fill": _large("Fill", 0, [1 << 20, 1 << 20], 1),
    "a tile": _large("Tile", 1, [1 << 30]),
    "a range": _large("Range", 1, 1 << 30),
    "a larger board": _large("ResizeBilinear", 1, [1 << 20, 1 << 20]),
    "a margin": _large("Pad", 1, [[0, 1 << 30]]),
    "a wide code": _large("OneHot", 1, 1 << 30),
    "a broadcast": _large("BroadcastTo", 1, [1 << 20, 1 << 20]),
    "a transposed convolution": _large("Conv2DBackpropInput", 0, [1, 1 << 15, 1 << 15, 1], 2),
    "a constant of one number": _long_constant,
    "a size of the board": _size_by_the_board,
    "a size by a product": _size_by_a_product,
    "a norm of the batch": _batch_norm(is_training=True),
    "a norm of the batch, unsaid": _batch_norm(),
}
