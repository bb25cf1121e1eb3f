"""A model that Keras quantised is called that, and its reader is sent to the checkpoint from before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("mode", ["int8", "int4", "float8"])
@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_a_model_that_keras_quantised_is_called_that(mode: str, suffix: str, tmp_path: Path) -> None:
    import keras

    model = keras.Sequential([keras.Input((9,)), keras.layers.Dense(16), keras.layers.Dense(9, name="policy")])
    model.quantize(mode)
    path = tmp_path / f"net{suffix}"
    model.save(path)
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path)
    said = str(error.value)
    assert "' was quantised (by Keras, " in said
    assert mode in said
    assert said.endswith(
        "give the checkpoint from before that; azx writes lower precisions itself, with --precision int8 or auto."
    )
    # With the architecture of the float model the whole numbers themselves show it.
    if mode != "float8":
        config = tmp_path / "model.json"
        plain = keras.Sequential([keras.Input((9,)), keras.layers.Dense(16), keras.layers.Dense(9, name="policy")])
        config.write_text(plain.to_json())
        with pytest.raises(CheckpointError, match="its weights were quantised to 8 bits or fewer: give the checkpoint"):
            read_checkpoint(path, config=config)


def test_a_layer_that_the_toolkit_wrapped_is_called_quantised(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"class_name": "Dense", "config": {"name": "policy", "units": 9}}
    layers = [
        {"class_name": "InputLayer", "config": {"name": "board", "batch_input_shape": [None, 9]}},
        {"class_name": "QuantizeLayer", "config": {"name": "quantize_layer"}},
        {"class_name": "QuantizeWrapperV2", "config": {"name": "quant_policy", "layer": inner}},
    ]
    with h5py.File(tmp_path / "net.h5", "w") as file:
        file.attrs["keras_version"] = "2.12.0"
        file.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": {"name": "n", "layers": layers}})
        file.create_group("model_weights").attrs["layer_names"] = [b"quant_policy"]
        file["model_weights/quant_policy"] = h5py.Empty("f")
    with pytest.raises(
        CheckpointError, match=r"layer 'quantize_layer' was quantised \(by TensorFlow Model Optimization\)"
    ):
        read_checkpoint(tmp_path / "net.h5")
