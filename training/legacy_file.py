"""Writes a trained network as a full-model .h5 of Keras 2, as people have had it since 2018."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .shards import write_beside

SOFTMAX_AND_TANH = {"policy_head": "categorical_crossentropy", "value_head": "mean_squared_error"}


def save(model: Any, path: Path, losses: Mapping[str, Any] = SOFTMAX_AND_TANH) -> None:
    """Write `model`, compiled with SGD and `losses` (by output name, equally weighted), to `path`.

    The optimizer has made no step, so no slots are stored. The file is written beside `path` and then renamed.
    """
    import tf_keras

    model.compile(
        optimizer=tf_keras.optimizers.legacy.SGD(learning_rate=0.1, momentum=0.9),
        loss=dict(losses),
        loss_weights=dict.fromkeys(losses, 1 / len(losses)),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*HDF5 file.*")
        write_beside(path, lambda beside: model.save(beside, save_format="h5"))
