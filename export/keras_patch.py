"""A checkpoint's architecture made fit for the Keras of today, and kept from running anything.

Only what never changes an inference is changed: losses, regularizers, constraints and initial
values go, and spellings of old versions become today's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from azx.export.errors import CodeRefused

_LAMBDAS = frozenset({"Lambda", "__lambda__"})
# Where Keras may look up a class or a function of its own.
_KERAS_MODULES = ("keras", "tf_keras", "tensorflow", "builtins")
# TFOpLambda names any function of TensorFlow, those that write files too: these only compute.
_COMPUTING = ("math.", "nn.", "linalg.", "__operators__.", "keras.backend.", "keras.activations.", "image.", "bitwise.")
_NOT_COMPUTING = ("py_function", "numpy_function", "py_func", "load", "print", "save", "write", "read", "file")


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


def refuse_code(config: Any, where: str) -> None:
    """Raise CodeRefused where loading or running an architecture would run code that is not Keras' own."""
    for entry in _objects(config):
        reason = _code(entry)
        if reason:
            name = entry.get("name") or (entry.get("config") or {}).get("name") or entry.get("class_name")
            raise CodeRefused(
                f"{where}: '{name}' {reason}, which azx does not run unasked: pass --allow-code if you trust "
                "who made the file, or rebuild the network with --builder MODULE:FUNCTION."
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


def _code(entry: Mapping[str, Any]) -> str | None:
    """What code an object of the architecture would run, None where it is Keras' own."""
    if str(entry["class_name"]).rsplit(">", 1)[-1] in _LAMBDAS:
        return "is a Lambda, Python code inside the file"
    module = entry.get("module")
    if module and str(module).split(".")[0] not in _KERAS_MODULES:
        return f"is of the module '{module}'"
    config = entry.get("config")
    function = config.get("function") if isinstance(config, Mapping) else None
    if entry["class_name"] in ("TFOpLambda", "SlicingOpLambda", "ClassMethod") and not _computes(str(function)):
        return f"calls TensorFlow's '{function}'"
    return None


def _computes(function: str) -> bool:
    name = function.removeprefix("compat.v1.")
    harmless = not any(word in name for word in _NOT_COMPUTING)
    return harmless and ("." not in name or name.startswith(_COMPUTING))
