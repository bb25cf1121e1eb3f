"""What is no Keras checkpoint is named for what it is, by its content and whatever it is called."""

from __future__ import annotations

import io
import json
import pickle
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.protobuf import top_fields
from azx.export.checkpoint.read import read_checkpoint


def zipped(*names: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return data.getvalue()


def arrays() -> bytes:
    data = io.BytesIO()
    np.savez(data, kernel=np.ones((3, 3)))
    return data.getvalue()


def tarred() -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("net.h5"))
    return data.getvalue()


def as_text(value: object) -> bytes:
    return json.dumps(value).encode()


class Bomb:
    """A pickle that would leave a file behind if it were opened."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (Path("opened"),)


TORCH_BEFORE_ZIP = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2) + pickle.dumps(1001, protocol=2)
ARCHITECTURE = {"class_name": "Sequential", "config": []}
FILES: dict[str, tuple[bytes, str]] = {
    "pytorch": (zipped("archive/data.pkl", "archive/data/0"), "a PyTorch file"),
    "torchscript": (zipped("net/code/net.py", "net/data.pkl"), "a PyTorch file"),
    "pytorch before zip": (TORCH_BEFORE_ZIP, "a PyTorch file"),
    "pickle": (pickle.dumps(Bomb()), "a Python pickle, which can run code and is never opened"),
    "old pickle": (pickle.dumps({"w": 1}, protocol=0), "a Python pickle"),
    "npz": (arrays(), "a file of NumPy arrays"),
    "npy": (b"\x93NUMPY\x01\x00", "a file of NumPy arrays"),
    "tflite": (b"\x1c\x00\x00\x00TFL3" + bytes(40), "a TFLite model"),
    "gzip": (b"\x1f\x8b\x08\x00", "compressed with gzip"),
    "tar": (tarred(), "a tar archive"),
    "zip of a checkpoint": (zipped("net/best.h5"), "a zip archive with 'best.h5' in it"),
    "zip of a SavedModel": (zipped("net/saved_model.pb"), "a zip archive with a SavedModel in it"),
    "zip of Core ML": (zipped("net.mlpackage/Manifest.json"), "a Core ML model"),
    "web page": (b"\n<!DOCTYPE html><html></html>", "a web page and not the file itself"),
    "TF.js": (as_text({"format": "layers-model", "weightsManifest": []}), "a TF.js model"),
    "architecture": (as_text(ARCHITECTURE), "an architecture without weights"),
    "architecture as YAML": (b"backend: tensorflow\nclass_name: Model\n", "an architecture without weights"),
    "checkpoint's note": (b'model_checkpoint_path: "model.ckpt"\n', "a TensorFlow checkpoint"),
    "safetensors": (b"\x40\0\0\0\0\0\0\0" + b'{"w":{}}', "a safetensors file"),
    "SavedModel's protobuf": (b"\x08\x01\x12\x02\x0a\x00", "a TensorFlow SavedModel"),
    "Core ML before packages": (b"\x08\x04\x12\x02\x0a\x00\xa2\x1f\x00", "a Core ML model"),
    "something else": (b"hello, world", "not an HDF5 file"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_named_for_what_it_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    content, expected = FILES[name]
    path = tmp_path / "net.h5"
    path.write_bytes(content)
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path)
    assert str(error.value).startswith(f"'{path}' is {expected}")
    assert str(error.value).count("\n") == 0
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["saved_model.pb", "variables/variables.index"], "a TensorFlow SavedModel"),
        (["Manifest.json", "Data/com.apple.CoreML/model.mlmodel"], "a Core ML model"),
        (["checkpoint", "cp.ckpt.index", "cp.ckpt.data-00000-of-00001"], "a TensorFlow checkpoint"),
        (["manifest.json", "parity.json"], "a bundle that azx wrote"),
        (["photo.jpg"], "a folder with 0 checkpoints"),
    ],
)
def test_a_folder_is_named_for_what_it_is(names: list[str], expected: str, tmp_path: Path) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(CheckpointError, match=expected):
        read_checkpoint(tmp_path)


def test_a_folder_with_one_checkpoint_is_read_whatever_lies_beside_it(tmp_path: Path) -> None:
    shutil.copy(find_checkpoint("tictactoe"), tmp_path / "net.h5")
    (tmp_path / "checkpoint").touch()
    assert read_checkpoint(tmp_path).parameters


@pytest.mark.parametrize("name", ["cp.ckpt", "cp.ckpt.data-00000-of-00001"])
def test_the_files_of_a_tensorflow_checkpoint_are_known_by_their_index(name: str, tmp_path: Path) -> None:
    (tmp_path / "cp.ckpt.index").write_bytes(b"\x00" * 40 + bytes.fromhex("57fb808b247547db"))
    (tmp_path / "cp.ckpt.data-00000-of-00001").write_bytes(np.ones(9, "float32").tobytes())
    for given in (name, "cp.ckpt.index"):
        with pytest.raises(CheckpointError, match=r"is a TensorFlow checkpoint \(\.index, \.data\)"):
            read_checkpoint(find_checkpoint(tmp_path / given))


@pytest.mark.parametrize(
    ("name", "what"), [("pb", "a frozen TensorFlow graph"), ("onnx", "an ONNX model"), ("tflite", "a TFLite model")]
)
def test_what_azx_writes_is_known_under_another_name(
    name: str, what: str, exported: Callable[..., Any], tmp_path: Path
) -> None:
    import tf_keras

    from azx.export.formats.table import FORMATS

    board = tf_keras.layers.Input((9,))
    model = tf_keras.Model(board, tf_keras.layers.Dense(9, "softmax", name="policy")(board))
    if FORMATS[name].unavailable():
        pytest.skip(name)
    FORMATS[name].write(exported(model).frozen, tmp_path / "written.h5")
    with pytest.raises(CheckpointError, match=what):
        read_checkpoint(tmp_path / "written.h5")


def test_a_file_of_keras_before_1_is_named(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "old.h5", "w") as file:
        file.attrs["nb_layers"] = 1
        file["layer_0/param_0"] = np.ones((3, 3))
    with pytest.raises(CheckpointError, match=r"written by Keras before 1\.0"):
        read_checkpoint(tmp_path / "old.h5")


@pytest.mark.parametrize(
    "config",
    [
        {"class_name": "Graph", "config": {"nodes": {}}},
        {"class_name": "Sequential", "config": [{"class_name": "Convolution2D", "config": {"name": "c"}}]},
    ],
)
def test_a_model_of_keras_1_is_named_before_its_shape_is_looked_at(config: Any, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "old.h5", "w") as file:
        file.attrs["model_config"] = json.dumps(config)
        file.create_group("model_weights").attrs["layer_names"] = [b"c"]
    with pytest.raises(CheckpointError, match="written by Keras 1,"):
        read_checkpoint(tmp_path / "old.h5")


@pytest.mark.parametrize("content", [b"", b"\x08", b"\x0a\x05ab", b"\x00\x01", b"\xff" * 20, b"\x0b\x0c"])
def test_what_is_no_message_has_no_fields(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    assert not top_fields(tmp_path / "file")
