"""What a checkpoint may not make azx or Keras do: run code, open another file, fill the memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.errors import CheckpointError, CodeRefused
from azx.export.checkpoint.keras_json import LayerConfig, ModelConfig
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.untrusted import refuse_code


def model(kind: str, config: dict[str, Any]) -> ModelConfig:
    return ModelConfig("net", (LayerConfig("odd", kind, config, ()),), (), ())


HARMFUL = [
    ("Lambda", {"function": ["4wEAAAA=", None, None]}, "a Lambda, Python code inside the file"),
    ("TimeDistributed", {"layer": {"class_name": "Lambda", "config": {}}}, "a Lambda"),
    ("Activation", {"activation": {"class_name": "__lambda__", "config": {"value": "4wEAAAA="}}}, "a Lambda"),
    ("TFOpLambda", {"function": "io.write_file"}, "a call of TensorFlow's 'io.write_file'"),
    ("TFOpLambda", {"function": "raw_ops.WriteFile"}, "a call of TensorFlow's 'raw_ops.WriteFile'"),
    ("TFOpLambda", {"function": "compat.v1.py_func"}, "a call of TensorFlow's 'compat.v1.py_func'"),
    ("TFOpLambda", {"function": "py_function"}, "a call of TensorFlow's 'py_function'"),
    ("ClassMethod", {"method_name": "tf.io.TFRecordWriter.write"}, "a call of"),
    ("TensorFlowOpLayer", {"node_def": 'name: "w"\nop: "WriteFile"\n'}, "a call of TensorFlow's 'WriteFile'"),
    ("TensorFlowOpLayer", {"node_def": {"op": "ReadFile"}}, "a call of TensorFlow's 'ReadFile'"),
]


@pytest.mark.parametrize(("kind", "config", "told"), HARMFUL)
def test_a_layer_that_runs_code_is_refused_by_name(kind: str, config: dict[str, Any], told: str) -> None:
    with pytest.raises(CodeRefused, match="layer 'odd' is ") as error:
        refuse_code(model(kind, config), "'net.h5'", allow_code=False)
    assert told in str(error.value)
    assert "--allow-code" in str(error.value)


@pytest.mark.parametrize(("kind", "config", "told"), HARMFUL)
def test_the_user_can_allow_it(kind: str, config: dict[str, Any], told: str) -> None:
    refuse_code(model(kind, config), "'net.h5'", allow_code=True)


@pytest.mark.parametrize(
    "function",
    [
        "concat",
        "math.subtract",
        "nn.relu",
        "__operators__.add",
        "math.reduce_mean",
        "compat.v1.transpose",
        "compat.v1.pad",
    ],
)
def test_an_operation_that_only_computes_is_read(function: str) -> None:
    refuse_code(model("TFOpLambda", {"function": function}), "'net.h5'", allow_code=False)


def test_an_operation_of_the_old_kind_that_only_computes_is_read() -> None:
    refuse_code(model("TensorFlowOpLayer", {"node_def": {"op": "AddV2"}}), "'net.h5'", allow_code=False)


# A file of one dense layer.
CONFIG = {
    "class_name": "Sequential",
    "config": [
        {
            "class_name": "Dense",
            "config": {"name": "pi", "units": 3, "use_bias": False, "batch_input_shape": [None, 9]},
        }
    ],
}


def checkpoint(path: Path) -> h5py.File:
    """An open full-model file of one dense layer whose kernel is still to be written."""
    file = h5py.File(path, "w")
    file.attrs["keras_version"] = "2.2.4"
    file.attrs["model_config"] = json.dumps(CONFIG)
    weights = file.create_group("model_weights")
    weights.attrs["layer_names"] = [b"pi"]
    weights.create_group("pi").attrs["weight_names"] = [b"kernel:0"]
    return file


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi/kernel:0"] = np.ones((9, 3), np.float32)
    graph = read_checkpoint(tmp_path / "net.h5")
    assert graph.parameters == 27
    assert graph.outputs[0].source_name == "pi"


def test_a_link_to_another_file_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "secret.h5", "w") as other:
        other["kernel"] = np.ones((9, 3), np.float32)
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi/kernel:0"] = h5py.ExternalLink("secret.h5", "kernel")
    with pytest.raises(CheckpointError, match="'kernel:0' lies in another file, which azx does not open"):
        read_checkpoint(tmp_path / "net.h5")


def test_values_kept_in_a_raw_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(np.ones((9, 3), np.float32).tobytes())
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi"].create_dataset("kernel:0", (9, 3), "f4", external=[(tmp_path / "raw", 0, 108)])
    with pytest.raises(CheckpointError, match="lies in another file"):
        read_checkpoint(tmp_path / "net.h5")


def test_a_weight_that_claims_a_tebibyte_is_refused(tmp_path: Path) -> None:
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi"].create_dataset("kernel:0", (1 << 19, 1 << 19), "f4", chunks=(64, 64), fillvalue=0)
    with pytest.raises(CheckpointError, match=r"claims 1,024 GiB: it is not a board-game network"):
        read_checkpoint(tmp_path / "net.h5")
