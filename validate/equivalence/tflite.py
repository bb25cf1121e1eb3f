"""Reads a TFLite file: the tables of its one subgraph, the constants in its buffers, and a rule per operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from . import alike, functions, linear, moves, pointwise, reductions
from .lower import widened
from .normal import MisfitError, NoRuleError, View
from .program import Constant, FileNode, LeftOverError, Program, Rule, Step, arithmetic, make_bias
from .weights import Weights, stored

_FLOAT, _BOOL, _INT8 = 0, 6, 9
# An end of a slice that exceeds any number of boards.
_MANY = 2**31 - 1
_KINDS = {0: "<f4", 1: "<f2", 2: "<i4", 4: "<i8"}
# Bytes for a converter's own description: TensorFlow leaves a buffer of 96 that nothing refers to.
_DESCRIPTION = 128
# Members of an operator's options that have no meaning for float32.
_NO_EFFECT = ("quantizedBiasType", "potScaleInt16", "asymmetricQuantizeInputs")


def read(path: Path, _: Sequence[str]) -> Program:
    """The program of a TFLite file; a tensor's name is its index, because two may have one name."""
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT.InitFromPackedBuf(bytearray(path.read_bytes()), 0)
    if len(model.subgraphs) != 1:
        raise NoRuleError("graph", "", "more than one subgraph")
    graph = model.subgraphs[0]
    made = {int(at) for operator in graph.operators for at in operator.outputs}
    inputs = [int(at) for at in graph.inputs]
    constants = {
        str(at): _numbers(model, tensor)
        for at, tensor in enumerate(graph.tensors)
        if at not in made and at not in inputs and _bytes(model, tensor)
    }
    _refuse_unused_buffers(model, graph)
    nodes = [_node(model, graph, operator) for operator in graph.operators]
    ports = _ports(model, graph)
    shapes = {str(at): _input_shape(graph.tensors[at]) for at in inputs}
    names = _names(model, graph)
    return Program(shapes, constants, nodes, {name: str(at) for name, at in ports.items()}, names)


def _input_shape(tensor: Any) -> tuple[int, ...]:
    if tensor.type != 0:
        raise NoRuleError("input", tensor.name.decode(), "it is not float32")
    signed = tensor.shapeSignature
    return tuple(int(size) for size in (tensor.shape if signed is None or not len(signed) else signed))


def _names(model: Any, graph: Any) -> dict[str, str]:
    """The inputs' names by index: those of the signature, or else those of their tensors."""
    names = {str(int(at)): graph.tensors[int(at)].name.decode() for at in graph.inputs}
    for signature in model.signatureDefs or []:
        names.update({str(int(port.tensorIndex)): port.name.decode() for port in signature.inputs})
    return names


def _ports(model: Any, graph: Any) -> dict[str, int]:
    """The outputs in the graph's order, by the names of the signature, or else by those of their tensors."""
    names = {int(at): graph.tensors[int(at)].name.decode() for at in graph.outputs}
    for signature in (model.signatureDefs or [])[:1]:
        names = {int(port.tensorIndex): port.name.decode() for port in signature.outputs}
    order = [int(at) for at in graph.outputs]
    if set(order) != names.keys() or len(order) != len(names):
        raise MisfitError("signature", "names other outputs than the graph")
    return {names[at]: at for at in order}


def _bytes(model: Any, tensor: Any) -> Any:
    data = model.buffers[tensor.buffer].data
    return b"" if data is None else np.asarray(data, np.uint8).tobytes()


def _numbers(model: Any, tensor: Any) -> Constant:
    scale = None if tensor.quantization is None else tensor.quantization.scale
    if tensor.type == _INT8 and scale is not None and len(scale):
        raise NoRuleError("constant", tensor.name.decode(), "what its weights in 8 bits multiply is rounded as it runs")
    if tensor.type not in _KINDS or (scale is not None and len(scale)) or tensor.sparsity is not None:
        raise NoRuleError("constant", tensor.name.decode(), f"numbers of type {tensor.type} have no rule")
    shape = () if tensor.shape is None else tuple(int(size) for size in tensor.shape)
    return np.frombuffer(_bytes(model, tensor), _KINDS[tensor.type]).reshape(shape)


def _refuse_unused_buffers(model: Any, graph: Any) -> None:
    """Check that each buffer belongs to a tensor or is a description: no operator reads any other buffer."""
    held = {int(tensor.buffer) for tensor in graph.tensors} | {int(entry.buffer) for entry in model.metadata or []}
    for at, buffer in enumerate(model.buffers):
        if at not in held and buffer.data is not None and len(buffer.data) > _DESCRIPTION:
            raise LeftOverError(f"the buffer {at} of {len(buffer.data):,} bytes")


@cache
def _operations() -> dict[int, str]:
    from ai_edge_litert import schema_py_generated as schema

    return {number: name for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}


def _node(model: Any, graph: Any, operator: Any) -> FileNode:
    code = model.operatorCodes[operator.opcodeIndex]
    operation = _operations().get(max(code.builtinCode, code.deprecatedBuiltinCode), "?")
    outputs = tuple(str(int(at)) for at in operator.outputs)
    name = graph.tensors[int(operator.outputs[0])].name.decode()
    if code.customCode is not None or getattr(operator, "builtinOptions2", None) is not None:
        raise NoRuleError(operation, name, "options of a newer kind have no rule")
    given = () if operator.inputs is None else tuple(str(int(at)) if at >= 0 else "" for at in operator.inputs)
    attributes: Mapping[str, Any] = vars(operator.builtinOptions) if operator.builtinOptions else {}
    if operation == "CAST":
        # Its options may be omitted: only the types of its tensors count.
        types = [graph.tensors[int(at)].type for at in (operator.inputs[0], operator.outputs[0])]
        attributes = dict(zip(("inDataType", "outDataType"), types, strict=True))
    return FileNode(operation, name, given, outputs, attributes)


def _activated(step: Step, view: View) -> View:
    """`view` after the activation that the operator fuses."""
    number = step.take("fusedActivationFunction", 0)
    if number not in _FUSED:
        raise step.refusal(f"the activation {number} has no rule")
    made: View = _FUSED[number](view, step.name)
    return made


_FUSED: Mapping[int, Any] = {
    0: lambda view, _: view,
    1: pointwise.relu,
    2: lambda view, name: pointwise.clip(view, -1.0, 1.0, name),
    3: lambda view, name: pointwise.clip(view, 0.0, 6.0, name),
    4: lambda view, name: pointwise.named(view, "tanh", name),
}


def _ruled(rule: Rule) -> Rule:
    def checked(step: Step) -> Any:
        for name in _NO_EFFECT:
            step.take(name)
        # A shuffled order of the weights is possible only for whole numbers.
        if step.take("weightsFormat", 0) or step.take("quantSpec") is not None:
            raise step.refusal("another format of its weights has no rule")
        return rule(step)

    return checked


def _margins(step: Step, view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    padding = step.take("padding")
    if padding == 0:
        return linear.same_margins(view, spans, strides)
    if padding != 1:
        raise step.refusal(f"the padding {padding} has no rule")
    return [(0, 0)] * len(spans)


def _windowed(step: Step, kernel: Weights) -> View:
    strides = [step.take("strideH"), step.take("strideW")]
    holes = [step.take("dilationHFactor", 1), step.take("dilationWFactor", 1)]
    spans = linear.spans(kernel.values.shape[:2], holes, step.name)
    margins = _margins(step, step.view(), spans, strides)
    made = linear.convolution(step.view(), kernel, margins, strides, holes, step.name)
    return _activated(step, _alike(step, make_bias(step, made, 2) if step.has(2) else made))


def _alike(step: Step, view: View) -> View:
    """`view`, or an earlier operator's result that differs from this one only in the activation after it."""
    given = {name: value for name, value in step.node.attributes.items() if name != "fusedActivationFunction"}
    return step.shared.setdefault((step.node.operation, step.node.inputs, repr(sorted(given.items()))), view)


def _conv(step: Step) -> View:
    return _windowed(step, step.weights(1).each(lambda part: part.transpose(1, 2, 3, 0)))


def _depthwise(step: Step) -> View:
    times, channels = step.take("depthMultiplier"), step.view().shape[-1]
    weights = step.weights(1)
    _, *window, filters = weights.values.shape
    if times * channels != filters:
        raise step.refusal(f"{times} times {channels} channels are not {filters}")
    return _windowed(step, linear.by_channel(weights.reshape(*window, channels, times)))


def _dense(step: Step) -> View:
    kernel, view = step.weights(1).each(np.transpose), step.view()
    if not step.take("keepNumDims"):
        view = moves.reshape(view, [1, -1], step.name)
    made = linear.dense(view, kernel, step.name)
    return _activated(step, _alike(step, make_bias(step, made, 2) if step.has(2) else made))


def _batch_matmul(step: Step) -> View:
    step.take("asymmetricQuantizeInputs")
    return alike.matmul(step, flips=(bool(step.take("adjX")), bool(step.take("adjY"))))


def _gather(step: Step) -> View:
    if step.take("batchDims", 0):
        raise step.refusal("boards that gather by themselves have no rule")
    return alike.gathered(step, step.constant(1), int(step.take("axis", 0)))


def _arithmetic(function: str, step: Step) -> View:
    return _activated(step, arithmetic(function, step))


def _reshape(step: Step) -> View:
    stated = step.take("newShape")
    shape = step.whole(1) if step.has(1) else list(stated if stated is not None else [])
    return step.reshaped(step.view(), shape)


def _softmax(step: Step) -> View:
    view = linear.affine(step.view(), stored(np.float32(step.take("beta"))), linear.zeros(), step.name)
    return reductions.softmax(view, [-1], step.name)


def _pool(function: str, step: Step) -> View:
    size = [step.take("filterHeight"), step.take("filterWidth")]
    strides = [step.take("strideH"), step.take("strideW")]
    margins = _margins(step, step.view(), size, strides)
    return _activated(step, reductions.pool(step.view(), function, size, margins, strides, step.name))


def _reduce(function: str, step: Step) -> View:
    return reductions.reduce(step.view(), function, step.whole(1), step.name, keep=bool(step.take("keepDims")))


def _concat(step: Step) -> View:
    views = [step.view(at) for at in range(len(step.values))]
    return _activated(step, moves.join(views, step.take("axis"), step.name))


def _squeeze(step: Step) -> View:
    axes = step.take("squeezeDims")
    if axes is None or not len(axes):
        raise step.refusal("it names no axes")
    return step.without_axes(step.view(), [int(axis) for axis in axes])


def _gelu(step: Step) -> View:
    approximate = bool(step.take("approximate"))
    return pointwise.activate(step.view(), partial(functions.gelu, approximate=approximate), step.name)


def _cast(step: Step) -> View:
    source, target = step.take("inDataType"), step.take("outDataType")
    if target != _FLOAT or source not in (_BOOL, _FLOAT):
        raise step.refusal(f"a cast from type {source} to {target} has no rule")
    return step.view()


def _strided_slice(step: Step) -> View:
    if any(step.take(name) for name in ("ellipsisMask", "newAxisMask", "shrinkAxisMask", "offset")):
        raise step.refusal("its mask has no rule")
    view, begin, end, steps = step.view(), step.whole(1), step.whole(2), step.whole(3)
    masks = step.take("beginMask"), step.take("endMask")
    if set(steps) != {1}:
        raise step.refusal("a step other than 1 has no rule")
    cut = []
    for axis, side in enumerate(view.shape):
        first = None if masks[0] >> axis & 1 else begin[axis]
        last = None if masks[1] >> axis & 1 else end[axis]
        cut.append(slice(first, last).indices(side)[:2])
    everything = bool(masks[1] & 1) or end[0] >= _MANY
    return step.cut(view, [first for first, _ in cut], [last for _, last in cut], all_boards=everything)


_OPERATORS: dict[str, Rule] = {
    "CONV_2D": _conv,
    "DEPTHWISE_CONV_2D": _depthwise,
    "FULLY_CONNECTED": _dense,
    "BATCH_MATMUL": _batch_matmul,
    "GATHER": _gather,
    "ADD": partial(_arithmetic, "add"),
    "SUB": partial(_arithmetic, "subtract"),
    "MUL": partial(_arithmetic, "multiply"),
    "MAXIMUM": partial(arithmetic, "maximum"),
    "MINIMUM": partial(arithmetic, "minimum"),
    "RELU": lambda step: pointwise.relu(step.view(), step.name),
    "RELU6": lambda step: pointwise.clip(step.view(), 0.0, 6.0, step.name),
    "DIV": partial(_arithmetic, "divide"),
    "NEG": alike.negative,
    "SQUARE": alike.square,
    "SQUARED_DIFFERENCE": alike.squared_difference,
    "GREATER": alike.greater,
    "CAST": _cast,
    "DEQUANTIZE": lambda step: widened(step.constant(0)),
    "LEAKY_RELU": alike.leaky,
    "HARD_SWISH": partial(alike.function, "hard_swish"),
    "GELU": _gelu,
    "RELU_N1_TO_1": partial(alike.function, "hard_tanh"),
    "RELU_0_TO_1": lambda step: pointwise.clip(step.view(), 0.0, 1.0, step.name),
    **{name: partial(alike.function, name.lower()) for name in ("EXP", "LOG", "ABS", "SQRT", "RSQRT", "SIGN")},
    "PRELU": lambda step: pointwise.prelu(step.view(), step.weights(1), step.name),
    "TANH": partial(alike.function, "tanh"),
    "LOGISTIC": partial(alike.function, "sigmoid"),
    "ELU": partial(alike.function, "elu"),
    "SOFTMAX": _softmax,
    "LOG_SOFTMAX": lambda step: reductions.log_softmax(step.view(), [-1], step.name),
    "SLICE": alike.slice_by_size,
    "STRIDED_SLICE": _strided_slice,
    "RESHAPE": _reshape,
    "TRANSPOSE": lambda step: moves.transpose(step.view(), step.whole(1), step.name),
    "PAD": alike.pad,
    "PADV2": alike.pad,
    "MAX_POOL_2D": partial(_pool, "max"),
    "AVERAGE_POOL_2D": partial(_pool, "mean"),
    "MEAN": partial(_reduce, "mean"),
    "REDUCE_MAX": partial(_reduce, "max"),
    "REDUCE_MIN": partial(_reduce, "min"),
    "SUM": partial(_reduce, "sum"),
    "CONCATENATION": _concat,
    "SQUEEZE": _squeeze,
    "EXPAND_DIMS": lambda step: step.with_axes(step.view(), step.whole(1)),
}

RULES: dict[str, Rule] = {name: _ruled(rule) for name, rule in _OPERATORS.items()}
