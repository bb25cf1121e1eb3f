"""A layer of the checkpoint applied to views: the argument of every rule on the checkpoint's side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...export.checkpoint.layer_graph import Call
from ..witness.layer import number
from . import linear, pointwise, reductions
from .functions import PLAIN, bent_relu, elu, hard_sigmoid, leaky
from .normal import NoRuleError, View
from .terms import Function
from .weights import Weights, stored


@dataclass(frozen=True, eq=False)
class AppliedLayer:
    """A layer, the views that it reads, and Keras' major version."""

    call: Call
    inputs: tuple[View, ...]
    keras_major: int

    @property
    def name(self) -> str:
        """The layer's name."""
        return self.call.layer.name

    @property
    def config(self) -> Mapping[str, Any]:
        """The layer's configuration."""
        return self.call.layer.config

    @property
    def channels_first(self) -> bool:
        """Whether the layer's channels come right after the batch."""
        return bool(self.config.get("data_format") == "channels_first")

    def weight(self, name: str) -> Weights:
        """A weight, with the file's numbers."""
        if name not in self.call.layer.weights:
            raise self.refusal(f"it has no weight '{name}'")
        return stored(self.call.layer.weights[name])

    def refusal(self, reason: str) -> NoRuleError:
        """The error to raise if the layer has no rule."""
        return NoRuleError(self.call.layer.kind, self.name, reason)


# The result of a layer: one tensor, or a list with each of its outputs.
Rule = Callable[[AppliedLayer, View], "View | list[View]"]


def board_last(layer: AppliedLayer, view: View) -> View:
    """The view with its channels last."""
    return View(view.node, np.moveaxis(view.index, 1, -1)) if layer.channels_first else view


def board_back(layer: AppliedLayer, view: View) -> View:
    """The inverse of `board_last`."""
    return View(view.node, np.moveaxis(view.index, -1, 1)) if layer.channels_first else view


def with_bias(layer: AppliedLayer, view: View) -> View:
    """`view`, channels last, plus the layer's bias if it has one."""
    if not layer.config.get("use_bias", True):
        return view
    return linear.affine(view, linear.ones(), layer.weight("bias"), layer.name)


def with_activation(layer: AppliedLayer, view: View, activation: Any) -> View:
    """`view` after the activation that a layer names: by a name, by an object with a name, or as a whole layer."""
    if isinstance(activation, Mapping):
        config, kind = activation.get("config"), str(activation.get("class_name")).rsplit(">", 1)[-1]
        if kind in FUNCTIONS and isinstance(config, Mapping):
            return pointwise.activate(view, FUNCTIONS[kind](config), layer.name)
        activation = config
    if activation is not None and not isinstance(activation, str):
        raise layer.refusal("its activation is an object")
    name = (activation or "linear").rsplit(">", 1)[-1]
    if name in ("softmax", "softmax_v2", "log_softmax"):
        along = reductions.log_softmax if name == "log_softmax" else reductions.softmax
        return along(view, [-1], layer.name)
    return pointwise.activate(view, function_named(layer, name), layer.name)


def function_named(layer: AppliedLayer, name: str) -> Function:
    """The function with this Keras name, by the definition of the Keras that wrote the file."""
    if name == "hard_sigmoid":
        # Keras 2: 0.2 x + 0.5; Keras 3: relu6(x + 3) / 6.
        slope = 0.2 if layer.keras_major == 2 else 1 / 6
        return lambda x: hard_sigmoid(x, slope, 0.5)
    if name not in PLAIN:
        raise layer.refusal(f"the activation '{name}' has no rule")
    return PLAIN[name]


def _relu(config: Mapping[str, Any]) -> Function:
    most, slope = config.get("max_value"), number(config.get("negative_slope"))
    threshold, largest = number(config.get("threshold")), np.inf if most is None else number(most)
    if slope and not threshold and most is None:
        return lambda x: leaky(x, slope)
    return lambda x: bent_relu(x, slope, largest, threshold)


def _leaky(config: Mapping[str, Any]) -> Function:
    slope = number(config.get("alpha", config.get("negative_slope")), 0.3)
    return lambda x: leaky(x, slope)


def _elu(config: Mapping[str, Any]) -> Function:
    alpha = number(config.get("alpha"), 1.0)
    return lambda x: elu(x, alpha)


# Layers that are a function of one number.
FUNCTIONS: dict[str, Callable[[Mapping[str, Any]], Function]] = {
    "ReLU": _relu,
    "LeakyReLU": _leaky,
    "ELU": _elu,
    "ThresholdedReLU": lambda config: lambda x: bent_relu(x, 0.0, np.inf, number(config.get("theta"), 1.0)),
}
