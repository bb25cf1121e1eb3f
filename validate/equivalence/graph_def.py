"""Rules of TensorFlow's operations; a frozen .pb and a TF.js model are both graphs of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from functools import reduce as fold

from . import alike, functions, linear, moves, pointwise, reductions, terms
from .normal import MisfitError, View
from .program import LeftOverError, Rule, Step, Value, arithmetic, make_bias
from .weights import Weights

# Attributes that only give the type of the numbers, and those that only advise how to run an operation.
_TYPES = ("T", "Tperm", "Tshape", "Tidx", "Tpaddings", "Tdim", "Tmultiples", "Index", "dtype", "N")
_NO_EFFECT = ("_input_shapes", "_output_shapes", "use_cudnn_on_gpu", "TArgs", "num_args", "num_host_args", "shape")
# Attributes that TensorFlow's optimizer leaves on a node.
_MARK = ("_grappler_", "_has_manual_control_dependencies")
_NUMBERS = ("DT_FLOAT", "DT_INT32", "DT_INT64")
# The steps that a fused operation may do after its product, and which of them read an input.
_READS = frozenset({"BiasAdd", "Prelu"})


def input_names(given: Sequence[str]) -> tuple[str, ...]:
    """The tensors that a node reads, without the number of the output, which is 0."""
    return tuple(name.removesuffix(":0") for name in given)


def ruled(rule: Rule) -> Rule:
    """`rule` after a check of the attributes that every TensorFlow operation has."""

    def checked(step: Step) -> Value | list[Value]:
        for name in (*_NO_EFFECT, *(name for name in step.node.attributes if name.startswith(_MARK))):
            step.take(name)
        for name in _TYPES:
            kind = step.take(name)
            if isinstance(kind, str) and kind not in _NUMBERS:
                raise step.refusal(f"numbers of {kind} have no rule")
        if any(name.startswith("^") or ":" in name for name in step.node.inputs):
            raise step.refusal("an order without a tensor, or a second output, has no rule")
        return rule(step)

    return checked


def _board_last(step: Step) -> None:
    if step.take("data_format", "NHWC") != "NHWC":
        raise step.refusal("only channels last have a rule")
    if step.take("filter_format", "HWIO") != "HWIO":
        raise step.refusal("a kernel that lies otherwise has no rule")


def _inner(step: Step, name: str) -> list[int]:
    """A list of four numbers, one per axis; those of the batch and the channels are 1."""
    values = step.take(name) or [1, 1, 1, 1]
    if len(values) != 4 or values[0] != 1 or values[3] != 1:
        raise step.refusal(f"{name} {values} have no rule")
    return list(values[1:3])


def _margins(step: Step, view: View, spans: Sequence[int], strides: Sequence[int]) -> list[tuple[int, int]]:
    padding, given = step.take("padding"), step.take("explicit_paddings") or []
    if padding == "SAME":
        return linear.same_margins(view, spans, strides)
    if padding == "EXPLICIT" and len(given) == 8 and not any((*given[:2], *given[6:])):
        return [(given[2], given[3]), (given[4], given[5])]
    if padding != "VALID" or given:
        raise step.refusal(f"the padding {padding} has no rule")
    return [(0, 0)] * len(spans)


def _conv(step: Step) -> View:
    return _windowed(step, step.weights(1))


def _depthwise(step: Step) -> View:
    return _windowed(step, linear.by_channel(step.weights(1)))


def _windowed(step: Step, kernel: Weights) -> View:
    _board_last(step)
    view = step.view()
    strides, holes = _inner(step, "strides"), _inner(step, "dilations")
    spans = linear.spans(kernel.values.shape[:2], holes, step.name)
    return linear.convolution(view, kernel, _margins(step, view, spans, strides), strides, holes, step.name)


def _matmul(step: Step) -> View:
    if any(step.take(name) for name in ("transpose_a", "grad_a", "grad_b", "adj_x", "adj_y")):
        raise MisfitError(step.name, "takes boards together")
    return alike.matmul(step, flips=(False, bool(step.take("transpose_b"))))


def _batch_matmul(step: Step) -> View:
    if isinstance(step.value(0), View) and isinstance(step.value(1), View):
        for name in ("Tx", "Ty", "Tout", "grad_x", "grad_y"):
            step.take(name)
        return alike.matmul(step, flips=(bool(step.take("adj_x")), bool(step.take("adj_y"))))
    return _matmul(step)


def _gather(step: Step) -> View:
    axis = step.whole(2)[0]
    if any(step.take(name) for name in ("batch_dims", "validate_indices")):
        raise step.refusal("its way of gathering has no rule")
    for name in ("Tparams", "Tindices", "Taxis"):
        step.take(name)
    return alike.gathered(step, step.constant(1), axis)


def _fused(product: Rule, step: Step) -> View:
    """A product with the operations that the file fuses after it, in the order that it names."""
    made = product(step)
    at = 2
    for operation in step.take("fused_ops") or []:
        if not isinstance(made, View):
            raise step.refusal("its product is not a tensor")
        made = _fused_step(step, made, operation, at)
        at += operation in _READS
    if at != len(step.values):
        raise LeftOverError(f"an input of '{step.name}'")
    # Without LeakyRelu among them, its slope has no meaning.
    step.take("leakyrelu_alpha")
    step.take("epsilon")
    if not isinstance(made, View):
        raise step.refusal("its product is not a tensor")
    return made


def _fused_step(step: Step, view: View, operation: str, at: int) -> View:
    if operation == "BiasAdd":
        return make_bias(step, view, at)
    if operation == "Prelu":
        return pointwise.prelu(view, step.weights(at), step.name)
    if operation == "LeakyRelu":
        slope = step.take("leakyrelu_alpha", 0.2)
        return pointwise.activate(view, lambda x: functions.leaky(x, slope), step.name)
    if operation not in FUSED:
        raise step.refusal(f"{operation} behind it has no rule")
    return FUSED[operation](view, step.name)


def _bias_add(step: Step) -> View:
    _board_last(step)
    return make_bias(step, step.view(), 1)


def _pool(function: str, step: Step) -> View:
    _board_last(step)
    size, strides = _inner(step, "ksize"), _inner(step, "strides")
    margins = _margins(step, step.view(), size, strides)
    return reductions.pool(step.view(), function, size, margins, strides, step.name)


def _reduce(function: str, step: Step) -> View:
    return reductions.reduce(step.view(), function, step.whole(1), step.name, keep=bool(step.take("keep_dims")))


def _concat(step: Step) -> View:
    *parts, axis = range(len(step.values))
    return moves.join([step.view(at) for at in parts], step.whole(axis)[0], step.name)


def _squeeze(step: Step) -> View:
    axes = step.take("squeeze_dims") or step.take("axis") or []
    if not axes:
        raise step.refusal("it names no axes")
    return step.without_axes(step.view(), axes)


def _sum(step: Step) -> View:
    views = [step.view(at) for at in range(len(step.values))]
    return fold(lambda one, other: pointwise.combine("add", one, other, step.name), views)


def _log_of_more(step: Step) -> View:
    return pointwise.activate(step.view(), lambda x: terms.apply("log", terms.affine(x, 1.0, 1.0)), step.name)


def _cast(step: Step) -> View:
    """The cast of a comparison to 1 or 0; its input is the only value here that is not float32."""
    source, target = step.take("SrcT"), step.take("DstT")
    step.take("Truncate")
    if target != "DT_FLOAT" or source not in ("DT_BOOL", "DT_FLOAT"):
        raise step.refusal(f"a cast from {source} to {target} has no rule")
    return step.view()


def _function(name: str, step: Step) -> View:
    return FUSED[name](step.view(), step.name)


def _named(function: str, view: View, name: str) -> View:
    return pointwise.named(view, function, name)


FUSED: dict[str, Callable[[View, str], View]] = {
    "Relu": pointwise.relu,
    "Relu6": lambda view, name: pointwise.clip(view, 0.0, 6.0, name),
    **{name: partial(_named, name.lower()) for name in ("Elu", "Tanh", "Sigmoid", "Selu", "Softplus", "Softsign")},
}
# Further operations that are a function of one number.
_NAMED = ("Exp", "Log", "Abs", "Sqrt", "Rsqrt", "Reciprocal", "Erf", "Sign")

_OPERATIONS: dict[str, Rule] = {
    "Conv2D": _conv,
    "DepthwiseConv2dNative": _depthwise,
    "MatMul": _matmul,
    **dict.fromkeys(("BatchMatMul", "BatchMatMulV2"), _batch_matmul),
    "GatherV2": _gather,
    "_FusedConv2D": partial(_fused, _conv),
    "FusedDepthwiseConv2dNative": partial(_fused, _depthwise),
    "_FusedMatMul": partial(_fused, _matmul),
    "BiasAdd": _bias_add,
    "Add": partial(arithmetic, "add"),
    "AddV2": partial(arithmetic, "add"),
    "Sub": partial(arithmetic, "subtract"),
    "Mul": partial(arithmetic, "multiply"),
    "Maximum": partial(arithmetic, "maximum"),
    "Minimum": partial(arithmetic, "minimum"),
    "RealDiv": partial(arithmetic, "divide"),
    "Div": partial(arithmetic, "divide"),
    "Neg": alike.negative,
    "Square": alike.square,
    "SquaredDifference": alike.squared_difference,
    "Greater": alike.greater,
    "Cast": _cast,
    "AddN": _sum,
    "Log1p": _log_of_more,
    "Expm1": lambda step: pointwise.activate(
        step.view(), lambda x: terms.affine(terms.apply("exp", x), 1.0, -1.0), step.name
    ),
    "LeakyRelu": partial(alike.leaky, default=0.2),
    "Prelu": lambda step: pointwise.prelu(step.view(), step.weights(1), step.name),
    **{name: partial(_function, name) for name in FUSED},
    **{name: lambda step, name=name: _named(name.lower(), step.view(), step.name) for name in _NAMED},  # type: ignore[misc]
    "Softmax": lambda step: reductions.softmax(step.view(), [-1], step.name),
    "LogSoftmax": lambda step: reductions.log_softmax(step.view(), [-1], step.name),
    "Slice": alike.slice_by_size,
    "Reshape": lambda step: step.reshaped(step.view(), step.whole(1)),
    "Transpose": lambda step: moves.transpose(step.view(), step.whole(1), step.name),
    "Pad": alike.pad,
    "PadV2": alike.pad,
    "MaxPool": partial(_pool, "max"),
    "AvgPool": partial(_pool, "mean"),
    "Mean": partial(_reduce, "mean"),
    "Max": partial(_reduce, "max"),
    "Sum": partial(_reduce, "sum"),
    "Min": partial(_reduce, "min"),
    "ConcatV2": _concat,
    "Squeeze": _squeeze,
    "ExpandDims": lambda step: step.with_axes(step.view(), step.whole(1)),
    "Identity": alike.identity,
}

RULES: dict[str, Rule] = {name: ruled(rule) for name, rule in _OPERATIONS.items()}
