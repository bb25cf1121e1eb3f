"""Makes Keras' training step faster with TensorFlow: fused batch normalisation, and bfloat16 where there are units.

Neither changes what is learnt. Other backends have their own ways, and are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ..self_play.bfloat16 import is_multiplied_here

BFLOAT16 = "auto_mixed_precision_onednn_bfloat16"


def fuse_normalisations(model: Any) -> None:
    """Let the batch normalisations of `model` be computed by one operation in training; Keras writes a dozen.

    Its layers stay what they are, so copies and files of the model are the usual ones.
    """
    import keras

    if keras.backend.backend() != "tensorflow":
        return
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization) and len(layer.input.shape) == 4:
            layer.call = partial(_normalise, layer, layer.call)


def _normalise(layer: Any, usual: Any, inputs: Any, training: bool | None = None, mask: Any = None) -> Any:
    """The layer's output; in training it also updates the moving mean and variance."""
    import tensorflow as tf

    if not training:
        return usual(inputs, training=training, mask=mask)
    normalised, mean, variance, *_ = tf.raw_ops.FusedBatchNormV3(
        x=inputs,
        scale=layer.gamma.value,
        offset=layer.beta.value,
        mean=[],
        variance=[],
        epsilon=layer.epsilon,
        is_training=True,
    )
    for moving, new in ((layer.moving_mean, mean), (layer.moving_variance, variance)):
        moving.assign(moving * layer.momentum + new * (1 - layer.momentum))
    return normalised


@contextmanager
def bfloat16_steps() -> Iterator[None]:
    """Let TensorFlow compute convolutions and products in bfloat16 within the block; weights and sums stay float32."""
    import keras

    if keras.backend.backend() != "tensorflow" or not is_multiplied_here():
        yield
        return
    import tensorflow as tf

    before = tf.config.optimizer.get_experimental_options().get(BFLOAT16, False)
    tf.config.optimizer.set_experimental_options({BFLOAT16: True})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({BFLOAT16: before})
