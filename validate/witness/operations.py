"""Operations that Keras writes as layers: TFOpLambda (tf.concat, x + y, ...) and Keras 3's `ops`, in float64."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import activations
from .layer import LayerCall, Result, Rule, Values, roomy

# An operation's parameters in order, by their name in TensorFlow, and in Keras 3 if that differs; and the function for
# them. If a parameter is missing, the function's own default counts.
Operation = tuple[tuple[str, ...], Callable[..., Result]]

_SAME_PARAMETER = {
    **dict.fromkeys(
        ("x1", "a", "input", "input_tensor", "tensor", "features", "logits", "t", "value", "condition"), "x"
    ),
    **dict.fromkeys(("x2", "b", "x_y"), "y"),
    **dict.fromkeys(("values", "xs", "arrays", "inputs"), "tensors"),
    "newshape": "shape",
    "perm": "axes",
    "multiples": "repeats",
    "paddings": "pad_width",
    **dict.fromkeys(("num_or_size_splits", "indices_or_sections"), "parts"),
    **dict.fromkeys(("slice_spec", "key"), "where"),
    **dict.fromkeys(("clip_value_min", "x_min", "min_value"), "low"),
    **dict.fromkeys(("clip_value_max", "x_max", "max_value"), "high"),
    "alpha": "negative_slope",
    **dict.fromkeys(("dim", "keep_dims", "axis1"), "axis"),
    "indices": "places",
    **dict.fromkeys(("num_classes", "depth"), "count"),
    "equation": "subscripts",
}
# These arguments change how a value is stored or named, or training, but not the value itself.
_NO_EFFECT = frozenset({"name", "trainable", "function", "conjugate", "num", "sparse", "validate_shape", "initial"})


def _axes(axis: Any, x: Values) -> tuple[int, ...]:
    """The axes to reduce; ValueError if the batch is among them, since positions would mix."""
    if axis is None:
        raise ValueError("it reduces over the batch")
    axes = tuple(int(item) % x.ndim for item in (axis if isinstance(axis, Sequence) else [axis]))
    if 0 in axes:
        raise ValueError("it reduces over the batch")
    return axes


def _reduction(function: Callable[..., Any]) -> Operation:
    def run(x: Values, axis: Any = None, keepdims: bool = False) -> Values:
        return np.asarray(function(x, axis=_axes(axis, x), keepdims=bool(keepdims)), dtype=np.float64)

    return ("x", "axis", "keepdims"), run


def _unary(function: Callable[[Values], Any]) -> Operation:
    return ("x",), lambda x: np.asarray(function(np.asarray(x)), dtype=np.float64)


def _binary(function: Callable[[Any, Any], Any]) -> Operation:
    return ("x", "y"), lambda x, y: np.asarray(function(_float(x), _float(y)), dtype=np.float64)


def _float(value: Any) -> Values:
    return np.asarray(value, dtype=np.float64)


def _matmul(x: Any, y: Any, transpose_a: bool = False, transpose_b: bool = False) -> Values:
    x, y = _float(x), _float(y)
    return np.asarray(np.matmul(x.swapaxes(-1, -2) if transpose_a else x, y.swapaxes(-1, -2) if transpose_b else y))


def _cast(x: Values, dtype: Any = "float32") -> Values:
    name = str(dtype.get("config", dtype) if isinstance(dtype, Mapping) else dtype)
    if "bool" in name:
        return np.asarray(x != 0, dtype=np.float64)
    return np.asarray(np.trunc(x) if "int" in name else x)


def _l2_normalize(x: Values, axis: Any = -1, epsilon: float = 1e-12) -> Values:
    squares = (x**2).sum(axis=_axes(axis, x), keepdims=True)
    return np.asarray(x / np.sqrt(np.maximum(squares, epsilon)))


def _pad(x: Values, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Values:
    if str(mode).lower() != "constant":
        raise ValueError(f"padding mode '{mode}' is not known")
    pads = [tuple(pair) for pair in pad_width]
    longer = math.prod((size + sum(pair)) / max(size, 1) for size, pair in zip(x.shape, pads, strict=True))
    return np.pad(roomy(x, longer), pads, constant_values=constant_values or 0)


def _squeeze(x: Values, axis: Any = None) -> Values:
    if axis in (None, []):
        axis = [index for index in range(1, x.ndim) if x.shape[index] == 1]
    return np.squeeze(x, tuple(axis) if isinstance(axis, Sequence) else int(axis))


def _split(x: Values, parts: Any, axis: int = 0, *, keras: bool = False) -> list[Values]:
    """The parts: TensorFlow gives their sizes, Keras 3 (like NumPy) the places of the cuts."""
    if isinstance(parts, Sequence) and not keras:
        parts = np.cumsum(parts)[:-1]
    return [np.asarray(part) for part in np.split(x, parts, axis=int(axis))]


def index_of(where: Any) -> tuple[Any, ...]:
    """The index of x[...] from Keras' form: slices as {"start", "stop", "step"}, possibly in an object."""
    index: list[Any] = []
    for item in where if isinstance(where, Sequence) else [where]:
        if not isinstance(item, Mapping):
            index.append(item)
        elif item.get("class_name") in ("__ellipsis__", "ellipsis"):
            index.append(Ellipsis)
        else:
            ends = item.get("config", item)
            index.append(slice(ends["start"], ends["stop"], ends["step"]))
    return tuple(index)


def _getitem(x: Values, where: Any) -> Values:
    return np.asarray(x[index_of(where)])


def _einsum(x: Any, y: Any, subscripts: str) -> Values:
    return np.asarray(np.einsum(subscripts, _float(x), _float(y), optimize=True))


def _whole_axis(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, Sequence) else axis


def _one_hot(x: Values, count: Any, axis: Any = -1) -> Values:
    made = np.asarray(x[..., None] == np.arange(int(count)), dtype=np.float64)
    return np.moveaxis(made, -1, int(axis))


def _log_sum_exp(x: Values, axis: Any = None, keepdims: bool = False) -> Values:
    axes = _axes(axis, x)
    most = x.max(axis=axes, keepdims=True)
    made = most + np.log(np.exp(x - most).sum(axis=axes, keepdims=True))
    return np.asarray(made if keepdims else np.squeeze(made, axes))


def _normalize(x: Values, axis: Any = -1, order: Any = 2, epsilon: Any = 1e-12) -> Values:
    if order != 2:
        raise ValueError(f"the length of order {order} is not known")
    return _l2_normalize(x, axis, 1e-12 if epsilon is None else epsilon)


def _rms_normalization(x: Values, scale: Any = None, axis: Any = -1, epsilon: Any = None) -> Values:
    mean = np.square(x).mean(axis=_axes(axis, x), keepdims=True)
    made = x / np.sqrt(mean + (1e-6 if epsilon is None else epsilon))
    return np.asarray(made if scale is None else made * _float(scale))


# NumPy has these functions under the same names.
_OF_TWO = (
    "add subtract multiply divide maximum minimum greater greater_equal less less_equal equal not_equal "
    "logical_and logical_or"
)
_OF_ONE = "logical_not abs negative sign exp expm1 log log1p sqrt square reciprocal floor"
_ACTIVATIONS = (
    "relu relu6 elu selu sigmoid tanh softplus softsign silu mish hard_silu soft_shrink hard_shrink sparse_plus "
    "sparse_sigmoid"
)
OPERATIONS: dict[str, Operation] = {
    **{name: _binary(getattr(np, name)) for name in _OF_TWO.split()},
    **{name: _unary(getattr(np, name)) for name in _OF_ONE.split()},
    **{name: _reduction(getattr(np, name)) for name in ("mean", "sum", "max", "min", "prod", "std")},
    "variance": _reduction(np.var),
    "pow": _binary(np.power),
    "squared_difference": _binary(lambda x, y: (x - y) ** 2),
    "matmul": (("x", "y", "transpose_a", "transpose_b"), _matmul),
    "rsqrt": _unary(lambda x: 1 / np.sqrt(x)),
    "erf": _unary(activations.erf),
    "identity": _unary(lambda x: x),
    "stop_gradient": _unary(lambda x: x),
    "softmax": (("x", "axis"), lambda x, axis=-1: activations.softmax(x, -1 if axis is None else int(axis))),
    "log_softmax": (("x", "axis"), lambda x, axis=-1: activations.log_softmax(x, -1 if axis is None else int(axis))),
    "leaky_relu": (
        ("x", "negative_slope"),
        lambda x, negative_slope=0.2: activations.leaky_relu(x, float(negative_slope)),
    ),
    "gelu": (("x", "approximate"), lambda x, approximate=False: activations.gelu(x, bool(approximate))),
    "l2_normalize": (("x", "axis", "epsilon"), _l2_normalize),
    "clip": (("x", "low", "high"), lambda x, low, high: np.clip(x, _float(low), _float(high))),
    "cast": (("x", "dtype"), _cast),
    "where": (("condition", "x", "y"), lambda condition, x, y: np.where(condition != 0, _float(x), _float(y))),
    "add_n": (("tensors",), lambda tensors: np.sum(tensors, axis=0)),
    "concat": (("tensors", "axis"), lambda tensors, axis=-1: np.concatenate(tensors, axis=int(axis))),
    "stack": (("tensors", "axis"), lambda tensors, axis=0: np.stack(tensors, axis=int(axis))),
    "split": (("x", "parts", "axis"), _split),
    "unstack": (("x", "axis"), lambda x, axis=0: [np.asarray(part) for part in np.moveaxis(x, int(axis), 0)]),
    "getitem": (("x", "where"), _getitem),
    "reshape": (("x", "shape"), lambda x, shape: x.reshape([int(size) for size in shape])),
    "batch_flatten": (("x",), lambda x: x.reshape(len(x), -1)),
    "transpose": (("x", "axes"), lambda x, axes=None: x.transpose(axes)),
    "expand_dims": (("x", "axis"), lambda x, axis: np.expand_dims(x, tuple(np.atleast_1d(axis)))),
    "squeeze": (("x", "axis"), _squeeze),
    "tile": (
        ("x", "repeats"),
        lambda x, repeats: np.tile(roomy(x, math.prod(np.atleast_1d(repeats).tolist())), repeats),
    ),
    "repeat": (
        ("x", "repeats", "axis"),
        lambda x, repeats, axis=None: np.repeat(roomy(x, float(np.max(repeats))), repeats, axis=axis),
    ),
    "swapaxes": (("x", "axis", "axis2"), lambda x, axis, axis2: np.asarray(np.swapaxes(x, axis, axis2))),
    "einsum": (("x", "y", "subscripts"), _einsum),
    "one_hot": (("x", "count", "axis"), _one_hot),
    "flip": (("x", "axis"), lambda x, axis: np.asarray(np.flip(x, _whole_axis(axis)))),
    "roll": (("x", "shift", "axis"), lambda x, shift, axis: np.roll(x, shift, _whole_axis(axis))),
    "take": (("x", "places", "axis"), lambda x, places, axis: np.take(x, _float(places).astype(np.int64), int(axis))),
    "moveaxis": (("x", "source", "destination"), lambda x, source, destination: np.moveaxis(x, source, destination)),
    "logsumexp": (("x", "axis", "keepdims"), _log_sum_exp),
    "normalize": (("x", "axis", "order", "epsilon"), _normalize),
    "rms_normalization": (("x", "scale", "axis", "epsilon"), _rms_normalization),
    "ones_like": _unary(np.ones_like),
    "zeros_like": _unary(np.zeros_like),
    "pad": (("x", "pad_width", "mode", "constant_values"), _pad),
    **{name: _unary(activations.FUNCTIONS[name]) for name in _ACTIVATIONS.split()},
}

_SAME_OPERATION = {
    "add_v2": "add",
    "sub": "subtract",
    "mul": "multiply",
    **dict.fromkeys(("truediv", "true_divide", "div", "realdiv"), "divide"),
    "power": "pow",
    "neg": "negative",
    "absolute": "abs",
    "swish": "silu",
    "hard_swish": "hard_silu",
    "amax": "max",
    "amin": "min",
    "var": "variance",
    "concatenate": "concat",
    "clip_by_value": "clip",
    "get_item": "getitem",
    "reduce_logsumexp": "logsumexp",
    "select": "where",
    "where_v2": "where",
}


def operation_name(applied: LayerCall) -> str:
    """The operation's canonical name: math.reduce_mean and ops.Mean are both "mean"."""
    written = str(applied.config.get("function") or applied.layer.kind)
    name = written.rsplit(".", 1)[-1]
    if applied.layer.kind.startswith("ops."):
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    name = name.removeprefix("reduce_")
    return _SAME_OPERATION.get(name, name)


def stated_arguments(
    arguments: Mapping[str, Any], inputs: Sequence[Any], names: Sequence[str]
) -> tuple[dict[str, Any], bool]:
    """A call's arguments by name, without those that are None or False; and whether the call has more than `names`."""
    positional = resolve(list(arguments.get("args", ())), inputs)
    named = {key: resolve(value, inputs) for key, value in arguments.items() if key != "args"}
    written = dict(zip(names, positional, strict=False)) | named
    stated = {key: value for key, value in written.items() if value is not None and value is not False}
    return stated, len(positional) > len(names)


def resolve(value: Any, inputs: Sequence[Any]) -> Any:
    """An argument with {"tensor": i} replaced by the i-th input and constants by their values."""
    if isinstance(value, Mapping) and set(value) == {"tensor"}:
        return inputs[value["tensor"]]
    if isinstance(value, Mapping) and value.get("class_name") in ("__tensor__", "__numpy__"):
        return _float(value["config"]["value"])
    if isinstance(value, list):
        return [resolve(item, inputs) for item in value]
    return value


def bind_arguments(applied: LayerCall, parameters: tuple[str, ...]) -> dict[str, Any]:
    """The operation's parameters by the names used here, from the call and from the configuration."""
    positional = list(resolve(applied.arguments.get("args", ()), applied.inputs))
    if parameters[0] == "tensors" and not (positional and isinstance(positional[0], list)):
        positional = [positional]  # Keras 2 writes each tensor of tf.concat as an argument
    if "subscripts" in parameters and positional and isinstance(positional[0], str):
        positional = [*positional[1:], positional[0]]  # TensorFlow writes the letters first
    bound = dict(zip(parameters, positional, strict=False))
    # An object of Keras 3's `ops` has arguments in its configuration; its dtype is the layer's, not an argument.
    configured = {key: value for key, value in applied.config.items() if key != "dtype"}
    for source in (configured if applied.layer.kind.startswith("ops.") else {}, applied.arguments):
        for key, written in source.items():
            if key == "args" or key in _NO_EFFECT:
                continue
            value = resolve(written, applied.inputs)
            name = key if key in parameters else _SAME_PARAMETER.get(key, key)
            if name in parameters:
                bound.setdefault(name, value)
            elif value is not None:
                raise applied.refusal(f"argument '{key}' is not known")
    return bound


def _operation(applied: LayerCall) -> Result:
    name = operation_name(applied)
    if name not in OPERATIONS:
        raise applied.refusal(f"operation '{applied.config.get('function') or name}' is not known")
    parameters, function = OPERATIONS[name]
    bound = bind_arguments(applied, parameters)
    if name == "split" and applied.layer.kind.startswith("ops."):
        bound["keras"] = True
    return function(**bound)


_KERAS_3 = (
    "Add Subtract Multiply Divide TrueDivide Power Maximum Minimum Greater GreaterEqual Less LessEqual Equal NotEqual "
    "LogicalAnd LogicalOr LogicalNot Matmul Absolute Negative Sign Exp Expm1 Log Log1p Sqrt Rsqrt Square Reciprocal "
    "Floor Erf Identity Mean Sum Max Min Amax Amin Prod Var Std Softmax LogSoftmax LeakyRelu Gelu Clip Cast Where "
    "Concatenate Stack Split Unstack GetItem Reshape Transpose ExpandDims Squeeze Tile Repeat Swapaxes Pad "
    "Relu Relu6 Elu Selu Sigmoid Tanh Softplus Softsign Silu Mish HardSilu Einsum OneHot Flip Roll Take Moveaxis "
    "Logsumexp Normalize RMSNormalization OnesLike ZerosLike SoftShrink HardShrink SparsePlus SparseSigmoid"
)

RULES: dict[str, Rule] = {
    "TFOpLambda": _operation,
    "SlicingOpLambda": _operation,
    **{f"ops.{name}": _operation for name in _KERAS_3.split()},
}
