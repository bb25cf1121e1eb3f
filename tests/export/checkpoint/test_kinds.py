"""What is no Keras checkpoint is named for what it is, by its content and whatever it is called."""

from __future__ import annotations

import io
import json
import pickle
import shutil
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.protobuf import top_fields
from azx.export.checkpoint.read import read_checkpoint


def zipped(*names: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return data.getvalue()


def zip64(data: bytes, pointed: int = 0, size: int = 0) -> bytes:
    """A zip archive with the record and the locator of Zip64 before its end, as PyTorch writes every file.

    `size` is what the record says of the list of files, if not the truth.
    """
    at = data.rfind(b"PK\5\6")
    count, length, start = struct.unpack("<10xHII", data[at : at + 20])
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size or length, start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, pointed or at, 1)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:at] + record + locator + end


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
    "pytorch with a Zip64 end": (zip64(zipped("archive/data.pkl", "archive/data/0")), "a PyTorch file"),
    "zip64 of a checkpoint": (zip64(zipped("net/best.h5")), "a zip archive with 'best.h5' in it"),
    "zip64 cut off": (zip64(zipped("net/data.pkl"), size=1 << 40), "a zip archive that is truncated or damaged"),
    "zip64 of a long list": (
        zip64(b"PK\3\4" + bytes(6 << 20) + zipped("net/data.pkl"), size=5 << 20),
        "a zip archive whose list of files is of over 4 MiB",
    ),
    "zip64 elsewhere": (zip64(zipped("net/data.pkl"), pointed=1 << 50), "a PyTorch file"),
    "torchscript": (zipped("net/code/net.py", "net/data.pkl"), "a PyTorch file"),
    "pytorch before zip": (TORCH_BEFORE_ZIP, "a PyTorch file"),
    "pickle": (pickle.dumps(Bomb()), "a Python pickle that azx does not read (it names '"),
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


def test_a_real_file_of_pytorch_is_named() -> None:
    path = Path(__file__).parents[4] / "shared/data/connect2_polarolouis.pth.tar"
    if not path.is_file():
        pytest.skip(f"no {path}")
    with pytest.raises(NoArchitecture, match="is of PyTorch and holds weights without an architecture"):
        read_checkpoint(path)


@pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy keyword:DeprecationWarning")
def test_a_keras_archive_with_a_zip64_end_is_read(tmp_path: Path) -> None:
    import keras

    keras.Sequential([keras.Input((9,)), keras.layers.Dense(9, name="policy")]).save(tmp_path / "net.keras")
    (tmp_path / "long.keras").write_bytes(zip64((tmp_path / "net.keras").read_bytes()))
    assert read_checkpoint(tmp_path / "long.keras").parameters == 90


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["saved_model.pb", "variables/variables.index"], "a TensorFlow SavedModel"),
        (["Manifest.json", "Data/com.apple.CoreML/model.mlmodel"], "a Core ML model"),
        (["checkpoint", "cp.ckpt.index", "cp.ckpt.data-00000-of-00001"], "a TensorFlow checkpoint"),
        (["manifest.json", "parity.json"], "a bundle that azx wrote"),
        (["photo.jpg"], "a folder without a .h5 or .keras file"),
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
    ("name", "what"), [("pb", "a frozen TensorFlow graph"), ("onnx", None), ("tflite", "a TFLite model")]
)
def test_what_azx_writes_is_known_under_another_name(
    name: str, what: str | None, exported: Callable[..., Any], tmp_path: Path
) -> None:
    import tf_keras

    from azx.export.formats.table import FORMATS

    board = tf_keras.layers.Input((9,))
    model = tf_keras.Model(board, tf_keras.layers.Dense(9, "softmax", name="policy")(board))
    if FORMATS[name].unavailable():
        pytest.skip(name)
    FORMATS[name].write(exported(model).frozen, tmp_path / "written.h5")
    if what is None:
        assert read_checkpoint(tmp_path / "written.h5").source.framework.startswith("ONNX of")
        return
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
