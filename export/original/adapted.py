"""A checkpoint's architecture made fit for the Keras of today, and kept from importing anything.

Only what never changes an inference is changed: losses, regularizers, constraints and initial
values go, and spellings of old versions become today's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import CodeRefused

# Where Keras may look up a class or a function of its own.
_KERAS_MODULES = ("keras", "tf_keras", "tensorflow", "builtins")


def patched(config: Any) -> Any:
    """A copy of {"class_name", "config"} that tf_keras 2.21 and Keras 3 can build."""
    if isinstance(config, list):
        return [patched(item) for item in config]
    if not isinstance(config, Mapping):
        return config
    if config.get("type") == "ndarray" and "value" in config:  # how Keras before 2.0.6 kept a LeakyReLU's alpha
        return config["value"]
    entry = {key: _patched_value(key, value) for key, value in config.items()}
    if entry.get("class_name") in ("Model", "Container"):
        entry["class_name"] = "Functional"
    if entry.get("class_name") == "Flatten" and isinstance(entry.get("config"), dict):
        # Absent before Keras 2.2, when the order was the tensor's own; today's default is the user's keras.json.
        entry["config"].setdefault("data_format", "channels_last")
    return entry


def _patched_value(key: str, value: Any) -> Any:
    if key.endswith(("_regularizer", "_constraint")):
        return None
    if key.endswith("_initializer"):
        return "zeros"  # every value is read from the file
    if key == "dtype" and is_half(value):
        return "float32"
    return patched(value)


def is_half(dtype: Any) -> bool:
    """Whether a dtype, or a policy for one, computes in 16 bits."""
    name = str(dtype.get("config", {}).get("name", "") if isinstance(dtype, Mapping) else dtype)
    return name.rsplit("_", 1)[-1] in ("float16", "bfloat16")


def halves(config: Any) -> bool:
    """Whether any layer computes in 16 bits."""
    if isinstance(config, Mapping):
        return any((key == "dtype" and is_half(value)) or halves(value) for key, value in config.items())
    return isinstance(config, list) and any(halves(item) for item in config)


def refuse_modules(config: Any, where: str) -> None:
    """Raise CodeRefused where Keras would import a module that is not its own to build an architecture."""
    for entry in _objects(config):
        module = str(entry.get("module") or "keras")
        if module.split(".")[0] not in _KERAS_MODULES:
            name = entry.get("name") or entry["class_name"]
            raise CodeRefused(
                f"{where}: '{name}' is of the module '{module}', which azx does not import unasked: pass --allow-code "
                "if you trust who made the file, or rebuild the network with --builder MODULE:FUNCTION."
            )


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        if "class_name" in value:
            yield value
        for item in value.values():
            yield from _objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)
