"""Adapts a file's architecture, inputs and outputs to today's Keras.

Only members that never change inference are changed in an architecture: losses, regularizers, constraints and initial
values are removed, and old spellings become today's. Inputs are packed as the model's author had them (one, a list or a
dict), and outputs are unpacked in the file's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import CodeRefused

# The modules in which Keras may look up a class or a function.
_KERAS_MODULES = ("keras", "tf_keras", "tensorflow", "builtins")


def patch_config(config: Any) -> Any:
    """A copy of {"class_name", "config"} that tf_keras 2.21 and Keras 3 can build."""
    if isinstance(config, list):
        return [patch_config(item) for item in config]
    if not isinstance(config, Mapping):
        return config
    if config.get("type") == "ndarray" and "value" in config:  # how Keras before 2.0.6 wrote a LeakyReLU's alpha
        return config["value"]
    entry: dict[Any, Any] = {}
    for key, value in config.items():
        if key.endswith(("_regularizer", "_constraint")):
            entry[key] = None
        elif key.endswith("_initializer"):
            entry[key] = "zeros"  # every value is read from the file
        elif key == "dtype" and is_half(value):
            entry[key] = "float32"
        else:
            entry[key] = patch_config(value)
    if entry.get("class_name") in ("Model", "Container"):
        entry["class_name"] = "Functional"
    if entry.get("class_name") == "Flatten" and isinstance(entry.get("config"), dict):
        # Absent before Keras 2.2, when the order was the tensor's own; today's default comes from the user's
        # keras.json.
        entry["config"].setdefault("data_format", "channels_last")
    return entry


def is_half(dtype: Any) -> bool:
    """Whether a dtype, or a policy's dtype, has 16 bits."""
    name = str(dtype.get("config", {}).get("name", "") if isinstance(dtype, Mapping) else dtype)
    return name.rsplit("_", 1)[-1] in ("float16", "bfloat16")


def halves(config: Any) -> bool:
    """Whether any layer calculates in 16 bits."""
    if isinstance(config, Mapping):
        return any((key == "dtype" and is_half(value)) or halves(value) for key, value in config.items())
    return isinstance(config, list) and any(halves(item) for item in config)


def refuse_modules(config: Any, where: str) -> None:
    """Raise CodeRefused if Keras would import a foreign module to build an architecture."""
    if isinstance(config, Mapping):
        module = str(config.get("module") or "keras")
        if "class_name" in config and module.split(".")[0] not in _KERAS_MODULES:
            name = config.get("name") or config["class_name"]
            raise CodeRefused(
                f"{where}: '{name}' is of the module '{module}', which azx does not import: pass --allow-code "
                "if you trust who made the file, or rebuild the network with --builder MODULE:FUNCTION."
            )
    for item in config.values() if isinstance(config, Mapping) else config if isinstance(config, list) else ():
        refuse_modules(item, where)


def pack_inputs(entry: Mapping[str, Any], model: Any, tensors: Sequence[Any]) -> Any:
    """`tensors`, given in the file's order, packed for a call of the Keras model: one, a list or a dict.

    `entry` is the model's {"class_name", "config"}.
    """
    layout = _layout(entry, "input_layers")
    if isinstance(layout, Mapping):
        return _pack(layout, iter(tensors))
    single = layout is None or not isinstance(model.input, (list, tuple))  # a Sequential has one input and no layout
    return tensors[0] if single else list(tensors)


def _pack(layout: Any, waiting: Iterator[Any]) -> Any:
    if isinstance(layout, Mapping):
        return {key: _pack(item, waiting) for key, item in layout.items()}
    if _is_tensor(layout):
        return next(waiting)
    return [_pack(item, waiting) for item in layout]


def flat_inputs(entry: Mapping[str, Any], model: Any) -> list[Any]:
    """The symbolic inputs of a Keras model, in the order in which the file lists them."""
    layout = _layout(entry, "input_layers")
    return list(_flat(layout, model.input)) if isinstance(layout, Mapping) else list(model.inputs)


def flat_outputs(entry: Mapping[str, Any], answer: Any) -> list[Any]:
    """The result of a call as a list, in the file's order of the outputs.

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
