"""PyTorch's weights in a builder's module: with a stand-in for PyTorch, and with PyTorch where it is installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch_files import torch_zip

from azx.errors import CheckpointError
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.reference import run_reference
from azx.validate.witness.evaluate import evaluate

random = np.random.default_rng(11)
WEIGHTS = {"fc.weight": random.normal(size=(9, 18)), "fc.bias": random.normal(size=9)}
WEIGHTS = {name: array.astype(np.float32) for name, array in WEIGHTS.items()}

# As much of PyTorch as is asked of it, for a single linear layer; its exporter writes a Gemm.
STAND_IN = """
import contextlib
import numpy as np
__version__ = "9.9"
class Tensor:
    def __init__(self, data): self.data = data
    def detach(self): return self
    def numpy(self): return self.data
class Linear: ...
class Conv2d: ...
class Module:
    def __init__(self): self.state = {}
    def load_state_dict(self, tensors, strict):
        wanted = {"fc.weight": (9, 18), "fc.bias": (9,)}
        for name in set(wanted) & set(tensors):
            if tensors[name].data.shape != wanted[name]: raise RuntimeError("size mismatch for " + name)
        self.state = {name: tensor.data for name, tensor in tensors.items()}
        return [n for n in wanted if n not in tensors], [n for n in tensors if n not in wanted]
    def float(self): return self
    def eval(self): return self
    def modules(self): return [self]
    def __call__(self, board):
        flat = board.data.reshape(len(board.data), 18)
        return {"policy": Tensor(flat @ self.state["fc.weight"].T + self.state["fc.bias"])}
class nn: Module, Linear, Conv2d = Module, Linear, Conv2d
no_grad, from_numpy = contextlib.nullcontext, Tensor
def zeros(*shape): return Tensor(np.zeros(shape, np.float32))
class onnx:
    @staticmethod
    def export(module, boards, file, input_names, output_names, dynamic_axes, opset_version):
        from onnx_models import model
        from pathlib import Path
        nodes = [("Flatten", input_names, ["f"], {"axis": 1})]
        nodes += [("Gemm", ["f", "fc.weight", "fc.bias"], output_names, {"transB": 1})]
        model(Path(file), nodes, module.state, {"board": ("batch", *boards[0].data.shape[1:])}, output_names)
"""
BUILDER = """
import torch
def build(): return Net(), (2, 3, 3)
def no_shape(): return Net()
def no_module(): return 3
class Net(torch.nn.Module):
"""
BODY = "    pass\n"
REAL_BODY = """
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(18, 9)
    def forward(self, board): return {"policy": self.fc(board.flatten(1))}
"""


@pytest.fixture
def torch_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Puts the stand-in, or PyTorch, in place; gives the builder's file."""

    def put(which: str) -> str:
        if which == "stand-in":
            (tmp_path / "torch.py").write_text(STAND_IN)
            monkeypatch.syspath_prepend(str(tmp_path))
            sys.modules.pop("torch", None)
            importlib.invalidate_caches()
        else:
            pytest.importorskip("torch")
        builder = tmp_path / f"built_{which.replace('-', '')}.py"
        builder.write_text(BUILDER + (BODY if which == "stand-in" else REAL_BODY))
        return str(builder)

    yield put
    for name in [each for each in sys.modules if each.startswith("built_")]:
        del sys.modules[name]
    if getattr(sys.modules.get("torch"), "__version__", "") == "9.9":
        del sys.modules["torch"]


def written(folder: Path, weights: Any = WEIGHTS) -> Path:
    path = folder / "own.pt"
    path.write_bytes(torch_zip(weights))
    return path


@pytest.mark.parametrize("which", ["stand-in", "PyTorch"])
def test_a_module_is_read_and_asked(which: str, torch_of: Callable[[str], str], tmp_path: Path) -> None:
    builder = torch_of(which)
    graph = read_checkpoint(written(tmp_path), builder=f"{builder}:build")
    assert (graph.source.kind, graph.source.framework[:7]) == ("torch", "PyTorch")
    boards = random.integers(-1, 2, size=(300, 2, 3, 3)).astype(np.float32)
    expected = boards.reshape(300, 18) @ WEIGHTS["fc.weight"].T + WEIGHTS["fc.bias"]
    told = run_reference(graph, {"board": boards})
    assert told.by.startswith("PyTorch ")
    np.testing.assert_allclose(told.outputs["policy"], expected, atol=1e-5)
    (answer,) = evaluate(graph, {"board": boards.astype(np.float64)}).values()
    np.testing.assert_allclose(answer, expected, atol=1e-5)


@pytest.mark.parametrize(
    ("function", "weights", "said"),
    [
        ("no_module", WEIGHTS, "is not a torch.nn.Module (int)"),
        ("no_shape", WEIGHTS, "give --board ROWSxCOLUMNS, or let it return (module, SHAPE)"),
        ("build", {"fc.weight": WEIGHTS["fc.weight"]}, "it has no 'fc.bias'"),
        ("build", {**WEIGHTS, "more.bias": WEIGHTS["fc.bias"]}, "nothing in the module is called 'more.bias'"),
        ("build", {**WEIGHTS, "fc.weight": WEIGHTS["fc.weight"][:3]}, "size mismatch"),
        ("absent", WEIGHTS, "failed: AttributeError"),
    ],
)
def test_what_is_wrong_with_a_module_is_said(
    function: str, weights: Any, said: str, torch_of: Callable[[str], str], tmp_path: Path
) -> None:
    builder = torch_of("stand-in")
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(written(tmp_path, weights), builder=f"{builder}:{function}")
    assert said in str(error.value)


def test_without_pytorch_a_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azx.export.checkpoint.foreign.torch_module.find_spec", lambda name: None)
    with pytest.raises(CheckpointError, match=r"not installed here: `pip install torch`, or give the network as ONNX"):
        read_checkpoint(written(tmp_path), builder="module:build")
