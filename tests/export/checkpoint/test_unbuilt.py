"""A Sequential model that its builder returns without an input: built from kernel and board, or one sentence."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.original.loader import load

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
MODELS = """
def conv():
    import FAMILY as keras
    k = keras.layers
    return keras.Sequential([k.Conv2D(4, 3, padding="same"), k.Flatten(), k.Dense(7, activation="softmax")])

def dense():
    import FAMILY as keras
    return keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(9, activation="softmax")])

def flat():
    import FAMILY as keras
    return keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(9, activation="softmax")])
"""


@pytest.fixture(params=["tf_keras", "keras"])
def module(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    name = f"azx_unbuilt_{request.param}"
    (tmp_path / f"{name}.py").write_text(MODELS.replace("FAMILY", request.param))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    return importlib.import_module(name)


@pytest.mark.parametrize(
    ("function", "shape", "board"), [("conv", (4, 5, 2), (4, 5)), ("dense", (9,), None)], ids=["conv", "dense"]
)
@pytest.mark.parametrize("name", ["net.weights.h5", "net.h5"])
def test_it_is_built_from_the_first_kernel_and_the_board(
    name: str, function: str, shape: tuple[int, ...], board: tuple[int, int] | None, module: Any, tmp_path: Path
) -> None:
    model = getattr(module, function)()
    feed = np.random.default_rng(1).normal(size=(3, *shape)).astype(np.float32)
    expected = np.asarray(model(feed))
    (model.save_weights if name == "net.weights.h5" else model.save)(tmp_path / name)
    graph = read_checkpoint(tmp_path / name, builder=f"{module.__name__}:{function}", board=board)
    assert [tuple(port.shape) for port in graph.inputs] == [shape]
    np.testing.assert_array_equal(np.asarray(load(graph.source).model(feed)), expected)


@pytest.mark.parametrize(
    ("function", "shape", "says"),
    [
        ("conv", (4, 5, 2), r"begin it with keras\.Input\(\(ROWS, COLUMNS, 2\)\), or give --board ROWSxCOLUMNS"),
        ("flat", (3, 3, 2), r"begin it with keras\.Input\(SHAPE\)"),
    ],
)
def test_what_is_to_be_given_is_one_sentence(
    function: str, shape: tuple[int, ...], says: str, module: Any, tmp_path: Path
) -> None:
    model = getattr(module, function)()
    model(np.zeros((1, *shape), np.float32))
    model.save_weights(tmp_path / "net.weights.h5")
    with pytest.raises(CheckpointError, match=says) as error:
        read_checkpoint(tmp_path / "net.weights.h5", builder=f"{module.__name__}:{function}")
    assert str(error.value).count(". ") == 0
