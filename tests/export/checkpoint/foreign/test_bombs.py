"""Small files of other frameworks that would fill the memory of who reads them: a sentence, and no room is made."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from onnx_models import Array, NodeOf, model
from torch_files import torch_zip

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint

MOST = 640 << 20
FLAT: NodeOf = ("Flatten", ["board"], ["flat"], {"axis": 1})
SUM: list[NodeOf] = [("ReduceSum", ["made"], ["one"], {"keepdims": 0}), ("Add", ["flat", "one"], ["policy"], {})]
LARGE, COLUMN = 10**9, np.ones((10**5, 1), np.float32)


def sizes(*values: int) -> Array:
    return np.array(values, np.int64)


# What the graph makes of numbers in the file, and those numbers.
MADE: dict[str, tuple[list[NodeOf], dict[str, Array]]] = {
    "filled": ([("ConstantOfShape", ["s"], ["made"], {})], {"s": sizes(10**5, 10**5)}),
    "expanded": ([("Expand", ["w", "s"], ["made"], {})], {"w": COLUMN, "s": sizes(10**5, 10**5)}),
    "tiled": ([("Tile", ["w", "s"], ["made"], {})], {"w": COLUMN, "s": sizes(1, LARGE)}),
    "counted": (
        [("Range", ["a", "b", "c"], ["made"], {})],
        {name: np.array(value, np.float32) for name, value in (("a", 0), ("b", LARGE), ("c", 1))},
    ),
    "an outer sum": ([("Add", ["w", "v"], ["made"], {})], {"w": COLUMN, "v": COLUMN.T.copy()}),
    "an outer choice": (
        [("Greater", ["w", "n"], ["if"], {}), ("Where", ["if", "w", "v"], ["made"], {})],
        {"w": COLUMN, "n": np.zeros(1, np.float32), "v": COLUMN.T.copy()},
    ),
    "gathered": (
        [("Gather", ["w", "at"], ["made"], {})],
        {"w": np.ones((2, 10**5), np.float32), "at": np.zeros(10**5, np.int64)},
    ),
    "doubled": (
        [("Concat", [f"w{at}", f"w{at}"], [f"w{at + 1}"], {"axis": 0}) for at in range(40)]
        + [("Identity", ["w40"], ["made"], {})],
        {"w0": np.ones(4, np.float32)},
    ),
    "a little, often": (
        [("Expand", ["w", "s"], ["wide"], {})]
        + [("Neg", ["wide" if at == 0 else f"n{at}"], [f"n{at + 1}"], {}) for at in range(300)]
        + [("Identity", ["n300"], ["made"], {})],
        {"w": np.ones(1, np.float32), "s": sizes(1 << 20)},
    ),
}


def refusal(path: Path) -> str:
    """What is said of a file, for which less than `MOST` bytes are taken."""
    tracemalloc.start()
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST, f"{peak >> 20} MiB"
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("case", MADE)
def test_a_graph_makes_no_more_numbers_than_a_network_has(case: str, tmp_path: Path) -> None:
    nodes, weights = MADE[case]
    path = model(tmp_path / "net.onnx", [FLAT, *nodes, *SUM], weights, {"board": ("batch", 2, 3, 3)}, ["policy"])
    assert "makes over " in refusal(path)


@pytest.mark.parametrize(("member", "said"), [("data/0", "cut off"), ("data.pkl", "save it again without compression")])
def test_a_zip_that_unpacks_to_400_mebibytes_is_not_unpacked(member: str, said: str, tmp_path: Path) -> None:
    whole = zipfile.ZipFile(io.BytesIO(torch_zip({"fc.weight": np.zeros((4, 4), np.float32)})))
    path = tmp_path / "net.pt"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        for name in whole.namelist():
            with bomb.open(name, "w") as file:
                if not name.endswith(member):
                    file.write(whole.read(name))
                    continue
                for _ in range(400):
                    file.write(bytes(1 << 20))
    assert path.stat().st_size < 8 << 20
    assert said in refusal(path)
