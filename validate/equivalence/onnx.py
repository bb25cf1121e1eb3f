"""Reads an ONNX file: its protobuf, its constants, and a rule for each of its operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..door.schemas import message
from . import alike, functions, linear, lower, moves, pointwise, reductions
from .normal import MisfitError, NoRuleError, View
from .program import Constant, FileNode, Program, Rule, Step, Value, arithmetic
from .terms import Term
from .weights import Weights, stored

_TYPES = {1: "<f4", 3: "<i1", 6: "<i4", 7: "<i8", 10: "<f2", 11: "<f8"}
_LISTS = {1: "float_data", 3: "int32_data", 6: "int32_data", 7: "int64_data", 10: "", 11: "double_data"}
_FLOAT, _INT, _STRING, _TENSOR, _FLOATS, _INTS = 1, 2, 3, 4, 6, 7


def read(path: Path, _: Sequence[str]) -> Program:
    """The program of an ONNX file; NoRuleError if a constant has an unknown type."""
    model = message("ModelProto").FromString(path.read_bytes())
    graph = model.graph
    if any(entry.domain in ("", "ai.onnx") and entry.version < _OLDEST for entry in model.opset_import):
        raise NoRuleError("graph", "", f"operations of a set before {_OLDEST} have no rule")
    constants = {tensor.name: _numbers(tensor) for tensor in graph.initializer}
    if len(constants) != len(graph.initializer):
        raise NoRuleError("initializer", "", "two have one name")
    nodes = [_node(node) for node in graph.node]
    inputs = {port.name: _shape(port) for port in graph.input if port.name not in constants}
    return Program(inputs, constants, nodes, {port.name: port.name for port in graph.output})


def _shape(port: Any) -> tuple[int, ...]:
    if port.type.tensor_type.elem_type != 1:
        raise NoRuleError("input", port.name, "it is not float32")
    return tuple(dim.dim_value for dim in port.type.tensor_type.shape.dim)


def _numbers(tensor: Any) -> Constant:
    if tensor.data_type not in _TYPES:
        raise NoRuleError("constant", tensor.name, f"numbers of type {tensor.data_type} have no rule")
    kind = _TYPES[tensor.data_type]
    listed = getattr(tensor, _LISTS[tensor.data_type], ())
    if tensor.raw_data and len(listed):
        raise NoRuleError("constant", tensor.name, "it holds its numbers twice")
    flat = np.frombuffer(tensor.raw_data, kind) if tensor.raw_data else np.array(list(listed), kind)
    return flat.reshape(tuple(tensor.dims))


def _node(node: Any) -> FileNode:
    attributes = {each.name: _attribute(node, each) for each in node.attribute}
    return FileNode(node.op_type, node.name, tuple(node.input), tuple(node.output), attributes)


def _attribute(node: Any, attribute: Any) -> Any:
    kinds = {_FLOAT: "f", _INT: "i", _STRING: "s", _FLOATS: "floats", _INTS: "ints"}
    if attribute.type == _TENSOR:
        return _numbers(attribute.t)
    if attribute.type not in kinds:
        raise NoRuleError(node.op_type, node.name, f"its attribute '{attribute.name}' has an unknown kind")
    value = getattr(attribute, kinds[attribute.type])
    if attribute.type == _STRING:
        return value.decode("utf-8", "replace")
    return list(value) if attribute.type in (_FLOATS, _INTS) else value


# Operations that are a function of one number, and nothing else.
_NAMED = (
    *("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Selu", "Mish", "Exp", "Log", "Abs", "Sqrt", "Reciprocal"),
    *("Erf", "Sign"),
)
_TO_FLOAT = 1
# An end of a slice that exceeds any number of boards.
_MANY = 2**31 - 1
# From this operator set on, softmax runs along one axis.
_OLDEST = 13


def _margins(step: Step, view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    """The zeros before and after each axis of the board, in a channels-last view."""
    rank = len(spans)
    auto, pads = step.take("auto_pad", "NOTSET"), step.take("pads")
    if auto == "SAME_UPPER":
        return linear.same_margins(view, spans, strides)
    if auto not in ("NOTSET", "VALID"):
        raise step.refusal(f"auto_pad {auto} has no rule")
    pads = pads if pads and auto == "NOTSET" else [0] * 2 * rank
    if len(pads) != 2 * rank:
        raise MisfitError(step.name, f"has pads {pads}, which do not fit {view.shape}")
    return list(zip(pads[:rank], pads[rank:], strict=True))


def _conv(step: Step) -> View:
    view = alike.channels_last(step.view())
    kernel = step.weights(1).each(lambda part: np.moveaxis(part, (0, 1), (-1, -2)))
    *size, depth, _ = kernel.values.shape
    strides, holes = step.take("strides") or [1] * len(size), step.take("dilations") or [1] * len(size)
    if step.take("kernel_shape", size) != size or step.take("group", 1) * depth != view.shape[-1]:
        raise MisfitError(step.name, "has a kernel of another shape than it states")
    spans = linear.spans(size, holes, step.name)
    made = linear.convolution(view, kernel, _margins(step, view, spans, strides), strides, holes, step.name)
    if step.has(2):
        made = linear.affine(made, linear.ones(), step.weights(2), step.name)
    return alike.channels_first(made)


def _gemm(step: Step) -> View:
    if step.take("alpha", 1.0) != 1 or step.take("beta", 1.0) != 1:
        raise step.refusal("a factor has no rule")
    if step.take("transA", 0):
        raise MisfitError(step.name, "takes boards together")
    kernel = step.weights(1)
    if step.take("transB", 0):
        kernel = kernel.each(np.transpose)
    made = linear.dense(step.view(), kernel, step.name)
    return linear.affine(made, linear.ones(), step.weights(2), step.name) if step.has(2) else made


def _multiply(step: Step) -> Value:
    left, right = step.value(0), step.value(1)
    if not isinstance(left, View) and not isinstance(right, View):
        return lower.scaled(left, right, step.name)
    return arithmetic("multiply", step)


def _two(function: str, step: Step) -> View:
    if len(step.values) != 2:
        raise step.refusal("only two inputs have a rule")
    return arithmetic(function, step)


def _clip(step: Step) -> View:
    view = step.view()
    for at, name, side in ((1, "min", "maximum"), (2, "max", "minimum")):
        limit = step.weights(at) if step.has(at) else step.take(name)
        if limit is not None:
            limit = limit if isinstance(limit, Weights) else stored(np.float32(limit))
            view = pointwise.with_constant(side, view, limit, step.name, first=False)
    return view


def _reshape(step: Step) -> View:
    if step.take("allowzero", 0):
        raise step.refusal("allowzero has no rule")
    view, shape = step.view(), step.whole(1)
    if shape and shape[0] == 0 and -1 not in shape:
        shape[0] = -1  # the same number of boards
    shape = [view.shape[at] if size == 0 else size for at, size in enumerate(shape)]
    return step.reshaped(view, shape)


def _flatten(step: Step) -> View:
    if step.take("axis", 1) != 1:
        raise step.refusal("an axis other than 1 has no rule")
    return moves.reshape(step.view(), [1, -1], step.name)


def _squeeze(step: Step) -> View:
    axes = step.take("axes") or (step.whole(1) if step.has(1) else None)
    if axes is None:
        raise step.refusal("it names no axes")
    return step.without_axes(step.view(), axes)


def _unsqueeze(step: Step) -> View:
    return step.with_axes(step.view(), step.take("axes") or step.whole(1))


def _pad(step: Step) -> View:
    if step.take("mode", "constant") != "constant" or (step.has(2) and step.constant(2).any()) or step.has(3):
        raise step.refusal("only zeros have a rule")
    pads = step.take("pads") or step.whole(1)
    half = len(pads) // 2
    return moves.pad(step.view(), list(zip(pads[:half], pads[half:], strict=True)), step.name)


def _pool(function: str, step: Step) -> View:
    view, size = alike.channels_last(step.view()), step.take("kernel_shape")
    strides = step.take("strides") or [1] * len(size)
    margins = _margins(step, view, size, strides)
    counts = step.take("count_include_pad", 0) and function == "mean" and any(map(any, margins))
    if counts or step.take("ceil_mode", 0) or step.take("storage_order", 0):
        raise step.refusal("its way of counting has no rule")
    if any(hole != 1 for hole in step.take("dilations") or []):
        raise step.refusal("a dilation has no rule")
    return alike.channels_first(reductions.pool(view, function, size, margins, strides, step.name))


def _global_pool(function: str, step: Step) -> View:
    view = step.view()
    return reductions.reduce(view, function, range(2, len(view.shape)), step.name, keep=True)


def _reduce(function: str, step: Step) -> View:
    axes = step.take("axes") or (step.whole(1) if step.has(1) else None)
    step.take("noop_with_empty_axes")  # it has no effect if axes are given
    if not axes:
        raise step.refusal("it names no axes")
    return reductions.reduce(step.view(), function, axes, step.name, keep=bool(step.take("keepdims", 1)))


def _softmax(along: Callable[..., View], step: Step) -> View:
    axis = step.take("axis", -1)
    return along(step.view(), [axis], step.name)


def _with_alpha(make: Callable[..., Term], default: float, step: Step) -> View:
    alpha = step.take("alpha", default)
    return pointwise.activate(step.view(), lambda x: make(x, alpha), step.name)


def _hard_sigmoid(step: Step) -> View:
    slope, offset = step.take("alpha", 0.2), step.take("beta", 0.5)
    return pointwise.activate(step.view(), lambda x: functions.hard_sigmoid(x, slope, offset), step.name)


def _thresholded(step: Step) -> View:
    limit = step.take("alpha", 1.0)
    return pointwise.activate(step.view(), lambda x: functions.bent_relu(x, 0.0, np.inf, limit), step.name)


def _cast(step: Step) -> Value:
    kind = step.take("to")
    value = step.value(0)
    if isinstance(value, np.ndarray) and kind == _TO_FLOAT:
        return lower.widened(value)
    if kind != _TO_FLOAT or not isinstance(value, View):
        raise step.refusal(f"a cast to type {kind} has no rule")
    return value


def _power(step: Step) -> View:
    if float(step.weights(1).values.reshape(()).item()) != 2:
        raise step.refusal("an exponent other than 2 has no rule")
    return pointwise.combine("multiply", step.view(), step.view(), step.name)


def _slice(step: Step) -> View:
    view = step.view()
    axes = step.whole(3) if step.has(3) else list(range(len(view.shape)))
    if step.has(4) and set(step.whole(4)) != {1}:
        raise step.refusal("a step other than 1 has no rule")
    begin, end = [0] * len(view.shape), list(view.shape)
    for axis, first, last in zip(axes, step.whole(1), step.whole(2), strict=True):
        begin[axis], end[axis], _ = slice(first, last).indices(view.shape[axis])
    boards = [last for axis, last in zip(axes, step.whole(2), strict=True) if axis == 0]
    return step.cut(view, begin, end, all_boards=all(last >= _MANY for last in boards))


RULES: dict[str, Rule] = {
    "Conv": _conv,
    "MatMul": alike.matmul,
    "Gemm": _gemm,
    "Gather": lambda step: alike.gathered(step, step.constant(1), int(step.take("axis", 0))),
    "Add": partial(arithmetic, "add"),
    "Sub": partial(arithmetic, "subtract"),
    "Mul": _multiply,
    "Div": partial(arithmetic, "divide"),
    "Max": partial(_two, "maximum"),
    "Min": partial(_two, "minimum"),
    "Neg": alike.negative,
    "Pow": _power,
    "Greater": alike.greater,
    "Cast": _cast,
    **{name: partial(alike.function, name.lower()) for name in _NAMED},
    "HardSwish": partial(alike.function, "hard_swish"),
    "LeakyRelu": partial(_with_alpha, functions.leaky, 0.01),
    "Elu": partial(_with_alpha, functions.elu, 1.0),
    "Celu": partial(_with_alpha, functions.celu, 1.0),
    "HardSigmoid": _hard_sigmoid,
    "ThresholdedRelu": _thresholded,
    "PRelu": lambda step: pointwise.prelu(step.view(), step.weights(1), step.name),
    "Clip": _clip,
    "Softmax": partial(_softmax, reductions.softmax),
    "LogSoftmax": partial(_softmax, reductions.log_softmax),
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Transpose": lambda step: moves.transpose(step.view(), step.take("perm"), step.name),
    "Concat": lambda step: moves.join([step.view(at) for at in range(len(step.values))], step.take("axis"), step.name),
    "Pad": _pad,
    "Slice": _slice,
    "MaxPool": partial(_pool, "max"),
    "AveragePool": partial(_pool, "mean"),
    "GlobalAveragePool": partial(_global_pool, "mean"),
    "GlobalMaxPool": partial(_global_pool, "max"),
    "ReduceMean": partial(_reduce, "mean"),
    "ReduceMax": partial(_reduce, "max"),
    "ReduceSum": partial(_reduce, "sum"),
    "ReduceMin": partial(_reduce, "min"),
    "Identity": alike.identity,
    "Constant": lambda step: np.asarray(step.take("value")),
}
