"""What is read at the door of a checkpoint: by what it should be, within its limits, or refused in a sentence."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from rings import few

from azx.errors import CheckpointError
from azx.export.checkpoint.architecture import read_architecture
from azx.export.checkpoint.door import trial, walk
from azx.export.checkpoint.door.contents import values
from azx.export.checkpoint.door.limits import FREE_BYTES, WEIGHT_BYTES, Budget, bytes_on_disk
from azx.export.checkpoint.door.members import NotAsWritten, check_members, json_object, version_of
from azx.export.checkpoint.read import read_checkpoint

DENSE = {"name": "pi", "units": 3, "use_bias": False, "batch_input_shape": [None, 9]}


def checkpoint(path: Path, attributes: dict[str, Any] | None = None, **members: Any) -> Path:
    """A full model of one dense layer, with other attributes and other members of its layer."""
    config = {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {**DENSE, **members}}]}
    with h5py.File(path / "net.h5", "w") as file:
        file.attrs.update(keras_version="2.2.4", model_config=json.dumps(config))
        root = file.create_group("model_weights")
        root.attrs["layer_names"] = [b"pi"]
        root.create_group("pi").attrs["weight_names"] = [b"kernel:0"]
        root["pi/kernel:0"] = np.ones((9, 3), np.float32)
        for name, value in (attributes or {}).items():
            (root if name == "layer_names" else file).attrs[name] = value
    return path / "net.h5"


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ({"keras_version": np.bool_(True)}, "'keras_version' of '/' is of type bool and no text"),
        ({"keras_version": h5py.Empty("S5")}, "'keras_version' of '/' is empty and no text"),
        ({"keras_version": b"\xff\xfe"}, "is not text, because its bytes are not UTF-8"),
        ({"keras_version": "soon"}, "its keras_version is 'soon' and no version"),
        ({"keras_version": "17.0"}, "was written by Keras 17.0, and azx knows those up to 3"),
        ({"backend": [1.5]}, "'backend' of '/' is an array"),
        ({"layer_names": h5py.Empty("f4")}, "'layer_names' of '/model_weights' is empty and no list of names"),
        ({"layer_names": 3}, "'layer_names' of '/model_weights' is of type int64 and no list of names"),
        ({"layer_names": [b"a" * 2000]}, "holds a name of over 1,000 letters"),
        ({"training_config": "["}, "training_config is not valid JSON"),
        ({"model_config": '{"a": "\\ud800"}'}, "model_config holds text that is not UTF-8"),
        ({"model_config": '{"a": ' + "9" * 30 + "}"}, "model_config holds a number of over"),
    ],
)
def test_an_attribute_of_the_wrong_kind_is_named(attributes: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(checkpoint(tmp_path, attributes))
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"units": "three"}, r"layer 'pi' \(Dense\): its units is 'three' and no whole number from 1 on"),
        ({"use_bias": "no"}, "its use_bias is 'no' and no true or false"),
        ({"activation": 3}, "its activation is 3 and no activation"),
        ({"batch_input_shape": [None, "nine"]}, r"the shape of an input is \[None, 'nine'\] and no shape"),
        ({"batch_input_shape": [None, 1 << 40]}, "of over 1,048,576 values"),
        ({"name": 7}, "the name of a layer is 7 and no name"),
    ],
)
def test_a_member_of_the_wrong_kind_is_named(members: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=told):
        read_checkpoint(checkpoint(tmp_path, **members))


@pytest.mark.parametrize(
    ("kind", "config", "told"),
    [
        ("BatchNormalization", {"axis": "word"}, "its axis is 'word' and no whole number"),
        ("Conv2D", {"data_format": "word"}, "its data_format is 'word' and no data format"),
        ("Conv2D", {"kernel_size": [3, -1]}, r"its kernel_size is \[3, -1\] and no"),
        ("LeakyReLU", {"alpha": {"value": "steep"}}, "its alpha is"),
        ("Dense", {"activation": {"class_name": "LeakyReLU", "config": {"alpha": []}}}, "its alpha is"),
    ],
)
def test_a_layer_that_azx_knows_has_members_of_their_kinds(kind: str, config: dict[str, Any], told: str) -> None:
    with pytest.raises(NotAsWritten, match=told):
        check_members(kind, config, "odd")
    check_members("SomebodysOwn", config, "odd")


def test_a_budget_is_of_what_the_file_holds(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    budget = Budget(bytes_on_disk(tmp_path / "file"), "'file'")
    budget.spend(FREE_BYTES, "first")
    with pytest.raises(CheckpointError, match="with 'second' its weights claim over 64 MiB"):
        budget.spend(1, "second")
    with pytest.raises(CheckpointError, match="'third' claims 512 MiB: it is not a board-game network"):
        Budget(bytes_on_disk(tmp_path / "file"), "'file'").spend(WEIGHT_BYTES + 1, "third")


def test_json_within_the_limits_is_returned_as_it_is() -> None:
    value = {"a": [1, None, {"b": "é", "c": -0.5}], "d": float("inf")}
    assert json_object(json.dumps(value), "it") == value
    assert [version_of(told, "it") for told in ("2.2.4-tf", "3.0.0.dev2024", "", None)] == [
        *("2.2.4-tf", "3.0.0.dev2024", "", "")
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &a {x: 1}\nb: {<<: *a, class_name: 1, config: 2}\n", "is not YAML as Keras writes it"),
        ("a: " + "[" * 5000 + "]" * 5000, "over 200 lists within one another"),
        ("a: 1" + ":59" * 100_000, "a number of 300001 digits"),
        ("a: [" + "{b: 1}, " * 200_000 + "1]", "YAML of over 1 MiB"),
    ],
)
def test_yaml_that_would_take_hours_is_refused(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text(text)
    with pytest.raises(CheckpointError, match=told):
        read_architecture(tmp_path / "net.yaml", "it")


def endless(path: Path) -> bytes:
    """HDF5 whose list of free places in a group's names leads back to itself: its library walks it for ever."""
    with h5py.File(path, "w") as file:
        for number in range(3):
            file.create_group(f"layer_{number}")
    data = bytearray(path.read_bytes())
    heap = data.find(b"HEAP\0")
    _, free, names = struct.unpack_from("<QQQ", data, heap + 8)
    struct.pack_into("<Q", data, names + free, free)
    path.write_bytes(data)
    return bytes(data)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A process that reads on trial, of the test's own."""
    own = trial._Trial()
    monkeypatch.setattr(trial, "_TRIAL", own)
    yield own
    own.close()


@pytest.mark.whole
def test_a_file_in_which_hdf5_never_ends_is_refused(
    tmp_path: Path, alone: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "AT_ONE", 1.0)
    sentence = (
        "HDF5's library does not come back from one of its objects within 1 s of processor time, where a sound one "
        "takes thousandths: copy the checkpoint again."
    )
    data = endless(tmp_path / "endless.h5")
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(tmp_path / "endless.h5")
    assert str(error.value) == f"'{tmp_path / 'endless.h5'}': {sentence}"
    with zipfile.ZipFile(tmp_path / "net.keras", "w") as archive:
        archive.writestr("config.json", "{}")
        archive.writestr("model.weights.h5", data)
    with pytest.raises(CheckpointError, match=r"model\.weights\.h5: HDF5's library does not come back"):
        read_checkpoint(tmp_path / "net.keras")
    # Another process takes the place of the one that was lost.
    assert read_checkpoint(checkpoint(tmp_path)).calls


def test_a_limit_of_azx_is_named_as_one_and_grows_with_the_file(
    tmp_path: Path, alone: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = checkpoint(tmp_path)
    monkeypatch.setattr(trial, "IN_ALL", -1.0)
    with pytest.raises(CheckpointError) as error:
        alone.read(path, "'net.h5'")
    assert str(error.value) == (
        f"'net.h5' takes HDF5's library over -1 s of processor time, azx's limit for a file of "
        f"{path.stat().st_size >> 10} KiB: save the network again, without its optimizer."
    )
    monkeypatch.undo()
    monkeypatch.setattr(trial, "MEMORY", -(127 << 20))
    with pytest.raises(CheckpointError, match=r"takes HDF5's library over 1 MiB of memory, azx's limit for a file of"):
        alone.read(path, "'net.h5'")
    monkeypatch.undo()
    alone.read(path, "'net.h5'")
    limits = [trial._task_of(bytes(size))[1] for size in (1 << 10, 100 << 20)]
    assert limits[0].memory < limits[1].memory
    assert limits[0].in_all < limits[1].in_all


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (-9, ": the process that reads it first was ended from outside, which says nothing of the file"),
        (-11, ": HDF5's library crashes on it: copy the checkpoint again."),
        (walk.OUT_OF_MEMORY, " takes HDF5's library over 0 KiB of memory, azx's limit for a file of 1 KiB"),
    ],
)
def test_what_ends_the_process_is_told_apart(code: int, told: str) -> None:
    why = trial._why(code, 1 << 10, walk.Task(False, 9, 1.0, 1.0, 0))
    assert why.startswith(told)
    assert "damaged" not in why


HOLDER = """
import sys
from pathlib import Path
from azx.export.checkpoint.door import trial
held = bytearray(int(sys.argv[2]) << 20)
held[::4096] = b"x" * -(-len(held) // 4096)
trial.MEMORY = int(sys.argv[3]) << 20
trial._TRIAL.read(Path(sys.argv[1]), "it")
"""


@pytest.mark.parametrize(("holds", "memory"), few([(250, 0), (3 << 10, 512)]))
def test_a_file_is_read_alike_whatever_the_program_holds(holds: int, memory: int, tmp_path: Path) -> None:
    # A child of a large program begins with that one's peak as its own, by what getrusage says.
    command = [sys.executable, "-P", "-c", HOLDER, str(checkpoint(tmp_path)), str(holds), str(memory)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_after_a_large_file_another_process_reads_the_next(tmp_path: Path, alone: Any) -> None:
    path = tmp_path / "large.h5"
    with h5py.File(path, "w") as file:
        file["weights"] = np.zeros(80 << 20, np.float32)  # zeros that are written
    alone.read(path, "it")
    assert alone._process is None
    alone.read(checkpoint(tmp_path), "it")
    assert alone._process is not None


def test_large_pieces_that_lzf_packed_are_read(tmp_path: Path) -> None:
    written = np.random.default_rng(0).integers(0, 30_000, (512, 1024)).astype(np.float32)
    with h5py.File(tmp_path / "packed.h5", "w") as file:
        file.create_dataset("weights", data=written, chunks=written.shape, compression="lzf")
        packed = file["weights"].id.read_direct_chunk((0, 0))[1]
    assert len(packed) > 1 << 20
    with h5py.File(tmp_path / "packed.h5", "r") as file:
        assert (values(file, "weights", "it", Budget(len(packed), "it")) == written).all()
    # The same, said to be of half as many numbers.
    with h5py.File(tmp_path / "packed.h5", "w") as file:
        half = file.create_dataset("weights", (512, 512), "f4", chunks=(512, 512), compression="lzf")
        half.id.write_direct_chunk((0, 0), packed[: len(packed) // 2 + 4096])
        with pytest.raises(CheckpointError, match="unpacks to more than it is"):
            values(file, "weights", "it", Budget(len(packed), "it"))


def test_a_file_holds_what_was_written_to_it_and_not_its_holes(tmp_path: Path) -> None:
    path = tmp_path / "holes"
    with path.open("wb") as file:
        file.write(b"x" * 8192)
        file.truncate(1 << 30)
    assert bytes_on_disk(path) < 1 << 20
    # A file system that packs, or has written nothing yet, has fewer blocks: they say nothing.
    path.write_bytes(b"x" * (1 << 20))
    assert bytes_on_disk(path) == 1 << 20


def test_where_no_process_can_be_started_a_file_is_read_all_the_same(
    tmp_path: Path, alone: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    assert read_checkpoint(checkpoint(tmp_path)).calls
    assert not alone._is_possible
