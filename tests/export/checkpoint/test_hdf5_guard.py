"""A checkpoint is an untrusted file: nothing outside it is opened, nothing enormous is read."""

from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read

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
    graph = read(tmp_path / "net.h5")
    assert graph.parameters == 27
    assert graph.outputs[0].source_name == "pi"


def test_a_link_to_another_file_is_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "secret.h5", "w") as other:
        other["kernel"] = np.ones((9, 3), np.float32)
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi/kernel:0"] = h5py.ExternalLink("secret.h5", "kernel")
    with pytest.raises(CheckpointError, match="'kernel:0' lies in another file, which azx does not open"):
        read(tmp_path / "net.h5")


def test_values_kept_in_a_raw_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(np.ones((9, 3), np.float32).tobytes())
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi"].create_dataset("kernel:0", (9, 3), "f4", external=[(tmp_path / "raw", 0, 108)])
    with pytest.raises(CheckpointError, match="lies in another file"):
        read(tmp_path / "net.h5")


def test_a_weight_that_claims_a_tebibyte_is_refused(tmp_path: Path) -> None:
    with checkpoint(tmp_path / "net.h5") as file:
        file["model_weights/pi"].create_dataset("kernel:0", (1 << 19, 1 << 19), "f4", chunks=(64, 64), fillvalue=0)
    with pytest.raises(CheckpointError, match=r"claims 1,024 GiB: it is no board-game network"):
        read(tmp_path / "net.h5")
