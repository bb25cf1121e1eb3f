"""The checkpoint's side: a LayerGraph's layers in the normal form, by Keras' documentation.

It shares no code with export/network, with which the exporter simplifies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce as fold
from math import prod

import numpy as np

from ...export.checkpoint.layer_graph import Call, LayerGraph
from . import attention_layers, layer_norms, layer_windows, linear, moves, pointwise, reductions
from .layer_operations import rule_for
from .layered import FUNCTIONS, AppliedLayer, Rule, board_last, with_activation, with_bias
from .normal import MisfitError, NoRuleError, View, make_input
from .weights import stored


def read_graph(graph: LayerGraph) -> dict[str, View]:
    """Each output of the network in the normal form, by its Keras name; NoRuleError if a layer has no rule."""
    tensors = {spec.tensor: make_input(spec.name, (1, *spec.shape)) for spec in graph.inputs}
    needed = _needed(graph)
    for call in graph.calls:
        if call.output in needed:
            made = _apply(graph, call, tensors)
            several = made if isinstance(made, list) else [made]
            # name#1 is the second output of a layer.
            tensors |= {f"{call.output}#{at}" if at else call.output: view for at, view in enumerate(several)}
    missing = next((head for head in graph.outputs if head.tensor not in tensors), None)
    if missing is not None:
        raise NoRuleError("output", missing.source_name, "a layer with several outputs makes it")
    return {head.source_name: tensors[head.tensor] for head in graph.outputs}


def _needed(graph: LayerGraph) -> set[str]:
    """The tensors on which the outputs depend."""
    needed = {head.tensor.split("#")[0] for head in graph.outputs}
    for call in reversed(graph.calls):
        if call.output in needed:
            needed.update(name.split("#")[0] for name in call.inputs)
    return needed


def _apply(graph: LayerGraph, call: Call, tensors: Mapping[str, View]) -> View | list[View]:
    kind = call.layer.kind.rsplit(">", 1)[-1]
    rule = RULES.get(kind) or rule_for(call.layer.kind)
    if rule is None or any(name not in tensors for name in call.inputs):
        raise NoRuleError(call.layer.kind, call.layer.name)
    layer = AppliedLayer(call, tuple(tensors[name] for name in call.inputs), graph.source.keras_major)
    try:
        return rule(layer, layer.inputs[0])
    except MisfitError as error:
        raise layer.refusal(f"it {error.clause}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise layer.refusal(f"its configuration is not understood ({error})") from error


def _dense(layer: AppliedLayer, view: View) -> View:
    made = linear.dense(view, layer.weight("kernel"), layer.name)
    return with_activation(layer, with_bias(layer, made), layer.config.get("activation"))


def _merge(function: str) -> Callable[[AppliedLayer, View], View]:
    def rule(layer: AppliedLayer, _: View) -> View:
        rank = max(len(view.shape) for view in layer.inputs)
        views = [
            View(view.node, view.index.reshape(1, *(1,) * (rank - len(view.shape)), *view.shape[1:]))
            for view in layer.inputs
        ]
        return fold(lambda one, other: pointwise.combine(function, one, other, layer.name), views)

    return rule


def _flatten(layer: AppliedLayer, view: View) -> View:
    view = board_last(layer, view) if len(view.shape) > 2 else view
    return View(view.node, view.index.reshape(1, -1))


def _reshape(layer: AppliedLayer, view: View) -> View:
    shape = [int(size) for size in layer.config["target_shape"]]
    if prod(size for size in shape if size != -1) == 0:
        raise layer.refusal("a shape with a zero has no rule")
    return moves.reshape(view, [1, *shape], layer.name)


def _softmax(layer: AppliedLayer, view: View) -> View:
    axis = layer.config.get("axis", -1)
    if len(layer.inputs) > 1:
        raise layer.refusal("a mask has no rule")
    return reductions.softmax(view, axis if isinstance(axis, list) else [int(axis)], layer.name)


def _average(layer: AppliedLayer, view: View) -> View:
    total = _merge("add")(layer, view)
    factor = stored(np.float32(1 / len(layer.inputs)))
    return linear.affine(total, factor, linear.zeros(), layer.name)


def _rescaling(layer: AppliedLayer, view: View) -> View:
    scale, offset = (np.asarray(layer.config.get(key, start), np.float32) for key, start in _RESCALING)
    return linear.affine(view, stored(scale), stored(offset), layer.name)


def _repeated(layer: AppliedLayer, view: View) -> View:
    return View(view.node, np.repeat(view.index[:, None], int(layer.config["n"]), axis=1))


def _function(kind: str) -> Rule:
    return lambda layer, view: pointwise.activate(view, FUNCTIONS[kind](layer.config), layer.name)


_RESCALING = (("scale", 1.0), ("offset", 0.0))
_ONLY_TRAINING = (
    *("Dropout", "SpatialDropout1D", "SpatialDropout2D", "GaussianDropout", "GaussianNoise", "AlphaDropout"),
    *("SpatialDropout3D", "ActivityRegularization", "Identity"),
    *("RandomFlip", "RandomRotation", "RandomTranslation", "RandomZoom", "RandomContrast", "RandomBrightness"),
)

RULES: dict[str, Rule] = {
    **layer_windows.RULES,
    **layer_norms.RULES,
    **attention_layers.RULES,
    **dict.fromkeys(_ONLY_TRAINING, lambda _, view: view),
    **{kind: _function(kind) for kind in FUNCTIONS},
    "Dense": _dense,
    "Activation": lambda layer, view: with_activation(layer, view, layer.config.get("activation")),
    "PReLU": lambda layer, view: pointwise.prelu(view, layer.weight("alpha"), layer.name),
    "Softmax": _softmax,
    "Add": _merge("add"),
    "Subtract": _merge("subtract"),
    "Multiply": _merge("multiply"),
    "Maximum": _merge("maximum"),
    "Minimum": _merge("minimum"),
    "Average": _average,
    "Concatenate": lambda layer, _: moves.join(layer.inputs, int(layer.config.get("axis", -1)), layer.name),
    "Flatten": _flatten,
    "Reshape": _reshape,
    "Permute": lambda layer, view: moves.transpose(view, [0, *map(int, layer.config["dims"])], layer.name),
    "Rescaling": _rescaling,
    "RepeatVector": _repeated,
}
