"""Files that Keras wrote on Windows, whose groups have backslashes in their names."""

from __future__ import annotations

import importlib
import io
import zipfile
from pathlib import Path
from typing import Any

import h5py
import keras
import numpy as np
import pytest
import tf_keras

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
FAMILIES = pytest.mark.parametrize("family", [tf_keras, keras], ids=["tf_keras", "keras"])
FEED = np.random.default_rng(2).normal(size=(3, 4, 5, 2)).astype(np.float32)
BUILDER = """
def make():
    import FAMILY as keras
    k = keras.layers
    inside = keras.Sequential([k.Input((4, 5, 3)), k.Conv2D(3, 3, padding="same"), k.Conv2D(3, 3)], name="tower")
    board = k.Input((4, 5, 2))
    x = k.Flatten()(inside(k.Conv2D(3, 1)(board)))
    return keras.Model(board, [k.Dense(7, activation="softmax", name="pi")(x), k.Dense(1, name="v")(x)])
"""


def as_windows_writes(data: bytes) -> bytes:
    """The same HDF5 file with each group of a layer under one name in the root, up to its `vars`."""
    held = io.BytesIO(data)
    with h5py.File(held, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        folders = [name.removesuffix("/vars") for name in names if name.endswith("/vars") and "/" in name[:-5]]
        for folder in folders:
            file.move(f"{folder}/vars", f"moved/{folder.replace('/', chr(92))}/vars")
        for name in [name for name in file if name not in ("vars", "moved")]:
            del file[name]
        for name in list(file.get("moved", ())):
            file.move(f"moved/{name}", name)
    return held.getvalue()


@pytest.fixture
def model(family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / f"azx_windows_{family.__name__}.py").write_text(BUILDER.replace("FAMILY", family.__name__))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    made = importlib.import_module(f"azx_windows_{family.__name__}").make()
    random = np.random.default_rng(1)
    made.set_weights([random.uniform(0.1, 0.5, weight.shape) for weight in made.get_weights()])
    return made


@FAMILIES
def test_a_keras_archive_is_read_and_keras_itself_runs_it(model: Any, family: Any, tmp_path: Path) -> None:
    model.save(tmp_path / "linux.keras")
    with zipfile.ZipFile(tmp_path / "linux.keras") as old, zipfile.ZipFile(tmp_path / "net.keras", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, as_windows_writes(data) if name.endswith(".h5") else data)
    with zipfile.ZipFile(tmp_path / "net.keras") as archive:
        written = h5py.File(io.BytesIO(archive.read("model.weights.h5")), "r")
        assert any("\\" in name for name in written)
    graph = read_checkpoint(tmp_path / "net.keras")
    assert graph.parameters == model.count_params()
    loaded = load(graph.source)
    np.testing.assert_array_equal(np.asarray(loaded.model(FEED)[0]), np.asarray(model(FEED)[0]))


@FAMILIES
def test_weights_alone_are_read_with_a_builder(model: Any, family: Any, tmp_path: Path) -> None:
    model.save_weights(tmp_path / "linux.weights.h5")
    path = tmp_path / "net.weights.h5"
    path.write_bytes(as_windows_writes((tmp_path / "linux.weights.h5").read_bytes()))
    graph = read_checkpoint(path, builder=f"azx_windows_{family.__name__}:make")
    assert graph.parameters == model.count_params()
    loaded = load(graph.source)
    assert loaded.notes == ()
    np.testing.assert_array_equal(np.asarray(loaded.model(FEED)[0]), np.asarray(model(FEED)[0]))


def test_a_name_whose_folder_is_a_link_leads_nowhere(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["here"] = 1
    before = (tmp_path / "other.h5").read_bytes()
    with h5py.File(tmp_path / "net.weights.h5", "w") as file:
        file["layers"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/")
        file.create_dataset("layers\\dense/vars/0", data=np.ones((3, 3)))
    with pytest.raises(CheckpointError, match="lies in another file"):
        read_checkpoint(tmp_path / "net.weights.h5")
    assert (tmp_path / "other.h5").read_bytes() == before
