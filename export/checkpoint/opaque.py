"""Wraps a model whose layers Keras does not list (a subclassed keras.Model) as one layer of a Functional model.

Only running it shows what it calculates. So it is traced, and its last operations identify its outputs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import CheckpointError, first_line
from .head import UNKNOWN
from .preset_spelling import Architecture, Network

# An output's activation by its last operation; and the operations that do not change the values.
_ACTIVATIONS = {"Tanh": "tanh", "Softmax": "softmax", "Sigmoid": "sigmoid", "LogSoftmax": "log_softmax", "Relu": "relu"}
_ACTIVATIONS |= dict.fromkeys(("BiasAdd", "MatMul", "Add", "AddV2"), "linear")
# Nothing shows such a layer's activation; without this entry it would count as linear.
_UNTOLD = {"activation": "untold"}
_MOVES = frozenset({"Identity", "Reshape", "Squeeze", "ExpandDims", "Cast", "StopGradient"})


def wrap_model(inner: Any, keras: Any, builder: str) -> tuple[Any, dict[str, Any], tuple[str, ...]]:
    """(Functional model around `inner`, its {"class_name", "config"}, the activation of each output).

    Its outputs are a list. Their names are those in the model's dict of answers, or those of the layers that calculate
    them. Raises CheckpointError if the shape of the input is unknown, or the model cannot be traced.
    """
    shapes = _input_shapes(inner)
    if not shapes:
        raise CheckpointError(
            f"--builder {builder}: its model ({type(inner).__name__}) has no list of layers and was not called yet: "
            "call it on a board of zeros before it is returned, so that the shape of its input is known."
        )
    names = ["board"] if len(shapes) == 1 else [f"board_{at}" for at in range(len(shapes))]
    try:
        ends = _ends(inner, shapes)
        doors = [keras.Input(shape[1:], name=name) for name, shape in zip(names, shapes, strict=True)]
        tensors = _flat(inner(_pack(doors)))
        heads = [
            keras.layers.Activation("linear", name=name)(tensor)
            for (name, _), (_, tensor) in zip(ends, tensors, strict=True)
        ]
        model = keras.Model(_pack(doors), heads)
    except Exception as error:  # the user's code may raise any error
        raise CheckpointError(
            f"--builder {builder}: its model ({type(inner).__name__}) cannot be called on a board of shape "
            f"{tuple(shapes[0][1:])} ({type(error).__name__}: {first_line(error)[:160]})."
        ) from error
    entry = _architecture(inner, list(zip(names, shapes, strict=True)), [name for name, _ in ends])
    return model, {**entry, "keras_version": str(keras.__version__)}, tuple(activation for _, activation in ends)


def _pack(tensors: Sequence[Any]) -> Any:
    return tensors[0] if len(tensors) == 1 else list(tensors)


def _input_shapes(inner: Any) -> list[tuple[int | None, ...]]:
    """The shape of each input, the batch first, from the model's call or build; empty if it had neither."""
    if getattr(inner, "inputs", None):
        return [(None, *tensor.shape[1:]) for tensor in inner.inputs]
    known: Any = getattr(inner, "_build_shapes_dict", None)  # Keras 3: by the names of call's arguments
    known = next(iter(known.values()), None) if known else getattr(inner, "_build_input_shape", None)
    if known is None:
        return []
    several = isinstance(known, (list, tuple)) and known and isinstance(known[0], (list, tuple))
    return [(None, *shape[1:]) for shape in (known if several else [known])]


def _flat(answer: Any) -> list[tuple[str, Any]]:
    """(name, tensor) of each output; the name is empty unless the model returns a dict."""
    if isinstance(answer, Mapping):
        return [(str(key), answer[key]) for key in sorted(answer)]
    return [("", item) for item in answer] if isinstance(answer, (list, tuple)) else [("", answer)]


def _ends(inner: Any, shapes: Sequence[tuple[int | None, ...]]) -> list[tuple[str, str]]:
    """(name, activation) of each output, from the graph that TensorFlow traces."""
    import tensorflow as tf

    names: list[str] = []

    def run(*boards: Any) -> list[Any]:
        ends = _flat(inner(_pack(boards)))
        names[:] = [name for name, _ in ends]
        return [tensor for _, tensor in ends]

    specs = [tf.TensorSpec((1, *shape[1:]), "float32") for shape in shapes]
    outputs = tf.function(run, autograph=False).get_concrete_function(*specs).outputs
    layers = {layer.name for layer in inner._flatten_layers()}
    ends: list[tuple[str, str]] = []
    for at, (name, output) in enumerate(zip(names, outputs, strict=True)):
        operation = output.op
        while operation.type in _MOVES:
            operation = operation.inputs[0].op
        scopes = operation.name.split("/")[1:-1]  # without the model's name
        scope = scopes[-1] if scopes else f"output_{at}"
        shorter = re.sub(r"_\d+$", "", scope)  # Keras 3 opens several scopes per layer, and TensorFlow numbers them
        own = name or (shorter if scope not in layers and shorter in layers else scope)
        own = re.sub(r"[^\w.-]", "_", own)
        taken = {"board", *(other for other, _ in ends)}
        ends.append((f"{own}_{at}" if own in taken else own, _ACTIVATIONS.get(operation.type, UNKNOWN)))
    return ends


def _architecture(
    inner: Any, doors: Sequence[tuple[str, tuple[int | None, ...]]], heads: Sequence[str]
) -> Architecture:
    """Keras' JSON of the wrapped model; the model inside is a layer of its own class, which only the program knows."""
    name = f"{inner.name}_model" if inner.name in (*heads, *(door for door, _ in doors)) else str(inner.name)
    made = Network(f"{name}_wrapped")
    for door, shape in doors:
        made.add("InputLayer", door, [], batch_input_shape=list(shape), dtype="float32")
    made.add(type(inner).__name__, name, [(door, 0) for door, _ in doors], **_UNTOLD)
    for at, head in enumerate(heads):
        made.add("Activation", head, [(name, at)], activation="linear")
    return made.model([door for door, _ in doors], heads)
