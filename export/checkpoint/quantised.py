"""Recognises weights that a training library has quantised: whole numbers, with scales beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import CheckpointError
from .keras_json import LayerConfig, ModelConfig
from .layer_graph import Array

_DO = "give the checkpoint from before that; azx writes lower precisions itself, with --precision int8 or auto"
# TensorFlow Model Optimization begins with a QuantizeLayer and wraps each layer (QuantizeWrapper, QuantizeWrapperV2).
_OF_TFMOT = ("QuantizeWrapper", "QuantizeLayer")


def refuse_quantised(model: ModelConfig, where: str) -> None:
    """Raise CheckpointError, which begins with `where`, if Keras or its toolkit quantised a layer of the model."""
    for layer in model.leaves():
        if mode := _mode(layer):
            raise CheckpointError(f"{where}: layer '{layer.name}' was quantised ({mode}): {_DO}.")


def quantised_clause(stored: Iterable[tuple[str, Array]]) -> str | None:
    """The reason why a layer's weights fit no layer, and advice, if some are 8-bit whole numbers; else None."""
    if any(array.dtype.kind in "iu" and array.dtype.itemsize == 1 for _, array in stored):
        return f"its weights were quantised to 8 bits or fewer: {_DO}"
    return None


def _mode(layer: LayerConfig) -> str | None:
    """How a layer was quantised, in a word or two; None if it was not."""
    if layer.kind.rsplit(">", 1)[-1].startswith(_OF_TFMOT):
        return "by TensorFlow Model Optimization"
    policy = layer.config.get("dtype")
    # Keras also writes a policy as just its name, such as int8_from_float32.
    if isinstance(policy, str):
        mode, separator, _ = policy.partition("_from_")
        return f"by Keras, {mode[:20]}" if separator else None
    settings = policy.get("config") if isinstance(policy, Mapping) else None
    kind = settings.get("mode") if isinstance(settings, Mapping) else None
    return f"by Keras, {kind[:20]}" if isinstance(kind, str) else None
