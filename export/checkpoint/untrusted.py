"""Keeps an untrusted file from running code; `door` guards against all other dangers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...errors import CodeRefused
from .door.members import mappings_in
from .keras_json import LayerConfig, ModelConfig

_LAMBDAS = frozenset({"Lambda", "__lambda__"})
# tf.* functions that only calculate. A TFOpLambda may name any other, for example tf.io.write_file.
_PURE = re.compile(
    r"(math|nn|linalg|__operators__|keras\.(activations|backend|ops)|image|signal)\.\w+"
    r"|(concat|stack|unstack|split|reshape|transpose|expand_dims|squeeze|tile|pad|cast|identity|where|slice|gather"
    r"|strided_slice|reverse|roll|reduce_\w+|add|subtract|multiply|divide|maximum|minimum|abs|sign|square|sqrt|pow|exp"
    r"|tanh|sigmoid|matmul|zeros_like|ones_like|clip_by_value|stop_gradient|shape|one_hot|argmax|cumsum|broadcast_to"
    r"|fill|range|truediv|einsum|tensordot|norm|boolean_mask|meshgrid|repeat|searchsorted|sort|argsort|round|eye"
    r"|greater|less|equal|greater_equal|less_equal|not_equal|logical_\w+|negative|scalar_mul|add_n)"
)
# TensorFlow operations with an effect outside the graph; tf.keras 2.2 and 2.3 wrote operations as graph nodes.
_EFFECTS = re.compile(r"(Read|Write|Py|Load|Save|Restore|Merge\w*Checkpoint|Print|Log|Assert|Iterator|Queue|Decode)")


def refuse_code(model: ModelConfig, where: str, allow_code: bool) -> None:
    """Raise CodeRefused, naming the layer, if a file would make Keras run code, unless the user allows it."""
    for layer in () if allow_code else model.leaves():
        what = _code_of(layer)
        if what is not None:
            raise CodeRefused(
                f"{where}: layer '{layer.name}' is {what}, which azx does not run: "
                "pass --allow-code if you trust who made it, or rebuild the network without it."
            )


def _code_of(layer: LayerConfig) -> str | None:
    """The code that Keras would run to build the layer; None if the layer only calculates.

    An operation written as a layer may name any function of TensorFlow. Keras looks it up by that name and calls it
    while building the model.
    """
    # A Lambda, a layer that wraps one, or a layer with a serialised function.
    kinds = (layer.kind, *(str(inner.get("class_name", "")) for inner in mappings_in(layer.config)))
    if any(map(is_lambda, kinds)):
        return "a Lambda, Python code inside the file"
    config, operation = layer.config, None
    if layer.kind in ("TFOpLambda", "ClassMethod", "InstanceMethod", "InstanceProperty"):
        name = str(config.get("function") or config.get("method_name") or config.get("attr_name"))
        if not _PURE.fullmatch(name.removeprefix("tf.").removeprefix("compat.v1.")):
            operation = name
    elif layer.kind == "TensorFlowOpLayer":  # tf.keras 2.2 and 2.3: a NodeDef as JSON, or as protobuf text
        node = config.get("node_def")
        match = re.search(r'op: "(\w+)"', str(node))
        name = str(node.get("op")) if isinstance(node, Mapping) else match[1] if match else ""
        if _EFFECTS.match(name):
            operation = name
    return None if operation is None else f"a call of TensorFlow's '{operation}'"


def is_lambda(kind: str) -> bool:
    """Whether layers of this class are Python code inside the file."""
    return kind.rsplit(">", 1)[-1] in _LAMBDAS
