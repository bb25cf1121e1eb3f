"""TensorFlow's elementwise operations in Core AI; one that is missing there is composed of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ....errors import ConversionError
from ...graph.tf_activations import activate
from .operations import Node, Rule
from .tensors import Emitter, Tensor

# TensorFlow's DT_FLOAT, DT_INT32 and DT_BOOL.
_TYPES = {1: np.float32, 3: np.int32, 10: np.bool_}


def rules() -> dict[str, Rule]:
    """The rule of each operation, by TensorFlow's name."""
    plain = {name: _plain(function) for name, function in _PLAIN.items()}
    built = {name: _build_rule(function) for name, function in _BUILT.items()}
    return plain | built | {"Cast": _cast, "AddN": _add_n, "SquaredDifference": _squared_difference}


def _plain(function: str) -> Rule:
    """The rule of an operation that Core AI has."""

    def rule(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
        return emitter.elementwise(getattr(emitter.ops, function), *inputs)

    return rule


def _build_rule(function: Callable[[Any, Node, Any], Any]) -> Rule:
    """The rule of an operation on one tensor that is composed of several."""

    def rule(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
        return emitter.elementwise(lambda x: function(emitter.ops, node, x), inputs[0])

    return rule


def _cast(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    """A cast, for example from a comparison to a factor, or from a board to whole numbers and back."""
    wanted = _TYPES.get(node.attr["DstT"].type)
    if wanted is None:
        raise ConversionError(f"Core AI: Cast '{node.name}' is to none of float32, int32 and booleans.")
    return emitter.elementwise(lambda x: emitter.ops.cast(x, wanted), inputs[0])


def _add_n(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    return reduce(lambda x, y: emitter.elementwise(emitter.ops.broadcasting_add, x, y), inputs)


def _squared_difference(emitter: Emitter, node: Node, inputs: list[Tensor]) -> Tensor:
    apart = emitter.elementwise(emitter.ops.broadcasting_sub, *inputs)
    return emitter.elementwise(lambda x: _square(emitter.ops, node, x), apart)


def _leaky_relu(ops: Any, node: Node, x: Any) -> Any:
    slope = float(node.attr["alpha"].f)
    scaled = ops.broadcasting_mul(x, np.float32(slope))
    if 0 <= slope <= 1:
        return ops.broadcasting_maximum(x, scaled)
    # Relu(x) - slope * Relu(-x)
    below = ops.broadcasting_mul(ops.relu(_negative(ops, node, x)), np.float32(slope))
    return ops.broadcasting_sub(ops.relu(x), below)


def _negative(ops: Any, node: Node, x: Any) -> Any:
    return ops.broadcasting_mul(x, np.float32(-1))


def _elu(ops: Any, node: Node, x: Any) -> Any:
    """max(x, 0) + e^min(x, 0) - 1."""
    below = ops.broadcasting_sub(ops.exp(ops.broadcasting_minimum(x, np.float32(0))), np.float32(1))
    return ops.broadcasting_add(ops.relu(x), below)


def _activation(function: str) -> Callable[[Any, Node, Any], Any]:
    """An activation by the formula that azx writes into TensorFlow graphs."""

    def build(ops: Any, node: Node, x: Any) -> Any:
        def emit(op: str, **operands: Any) -> Any:
            values = operands.values()
            return getattr(ops, _PLAIN[op])(*values) if op in _PLAIN else _BUILT[op](ops, node, *values)

        return activate(emit, np.float32, x, function, ())

    return build


def _sign(ops: Any, node: Node, x: Any) -> Any:
    above, below = ops.broadcasting_greater(x, np.float32(0)), ops.broadcasting_greater(np.float32(0), x)
    return ops.broadcasting_sub(ops.cast(above, np.float32), ops.cast(below, np.float32))


def _square(ops: Any, node: Node, x: Any) -> Any:
    return ops.broadcasting_mul(x, x)


_PLAIN = {
    **{name: f"broadcasting_{name.lower()}" for name in ("Add", "Sub", "Mul", "Maximum", "Minimum", "Pow", "Greater")},
    "AddV2": "broadcasting_add",
    "RealDiv": "broadcasting_divide",
    "SelectV2": "broadcasting_where",
    **{name: name.lower() for name in ("Relu", "Tanh", "Sigmoid", "Exp", "Log", "Sqrt", "Rsqrt", "Erf")},
    "Abs": "abs_",
}
_BUILT: dict[str, Callable[[Any, Node, Any], Any]] = {
    "LeakyRelu": _leaky_relu,
    "Elu": _elu,
    "Selu": _activation("selu"),
    "Relu6": lambda ops, node, x: ops.broadcasting_minimum(ops.relu(x), np.float32(6)),
    "Softplus": _activation("softplus"),
    "Softsign": _activation("softsign"),
    "Sign": _sign,
    "Neg": _negative,
    # Comparisons with NaN are false.
    "IsFinite": lambda ops, node, x: ops.broadcasting_greater(np.float32(np.inf), ops.abs_(x)),
    "Square": _square,
    "Reciprocal": _activation("reciprocal"),
    "Inv": _activation("reciprocal"),
    "Erfc": lambda ops, node, x: ops.broadcasting_sub(np.float32(1), ops.erf(x)),
}
