"""A model's inputs and outputs in the shape that its author gave them: one, a list or a dict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def packed_inputs(entry: Mapping[str, Any], model: Any, tensors: Sequence[Any]) -> Any:
    """`tensors`, in the file's order, as the Keras model is to be called with: one, a list or a dict.

    `entry` is the model's {"class_name", "config"}.
    """
    layout = _layout(entry, "input_layers")
    if isinstance(layout, Mapping):
        return _packed(layout, iter(tensors))
    single = layout is None or not isinstance(model.input, (list, tuple))  # a Sequential has one input and no layout
    return tensors[0] if single else list(tensors)


def _packed(layout: Any, waiting: Iterator[Any]) -> Any:
    if isinstance(layout, Mapping):
        return {key: _packed(item, waiting) for key, item in layout.items()}
    if _is_tensor(layout):
        return next(waiting)
    return [_packed(item, waiting) for item in layout]


def flat_inputs(entry: Mapping[str, Any], model: Any) -> list[Any]:
    """The symbolic inputs of a Keras model, in the order in which the file lists them."""
    layout = _layout(entry, "input_layers")
    return list(_flat(layout, model.input)) if isinstance(layout, Mapping) else list(model.inputs)


def flat_outputs(entry: Mapping[str, Any], answer: Any) -> list[Any]:
    """What a model returned, as a list in the order in which the file lists the outputs.

    A dict is read in the file's order, not sorted by key as TensorFlow would.
    """
    layout = _layout(entry, "output_layers")
    if isinstance(layout, Mapping):
        return list(_flat(layout, answer))
    return list(answer) if isinstance(answer, (list, tuple)) else [answer]


def _flat(layout: Any, answer: Any) -> Iterator[Any]:
    if isinstance(layout, Mapping):
        for key, item in layout.items():
            yield from _flat(item, answer[key])
    elif _is_tensor(layout):
        yield answer
    else:
        for item, part in zip(layout, answer, strict=True):
            yield from _flat(item, part)


def _layout(entry: Mapping[str, Any], key: str) -> Any:
    config = entry.get("config")
    return config.get(key) if isinstance(config, Mapping) else None


def _is_tensor(layout: Any) -> bool:
    return isinstance(layout, list) and bool(layout) and isinstance(layout[0], str)
