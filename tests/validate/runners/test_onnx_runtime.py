"""ONNX Runtime: what it lacks says nothing of the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from azx.errors import NotRunHere
from azx.validate.run import run_artifact
from azx.validate.runners.onnx_runtime import OnnxRuntimeRunner
from azx.validate.runners.runner import Signature


def saved(path: Path) -> Path:
    """A sound ONNX file with an Erf of doubles, for which ONNX Runtime has no kernel on the CPU."""
    nodes = [
        helper.make_node("Cast", ["x"], ["wide"], to=TensorProto.DOUBLE),
        helper.make_node("Erf", ["wide"], ["made"]),
        helper.make_node("Cast", ["made"], ["y"], to=TensorProto.FLOAT),
    ]
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 3]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", ports[:1], ports[1:])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def test_an_operation_that_it_lacks_leaves_the_file_not_run(tmp_path: Path) -> None:
    path = saved(tmp_path / "net.onnx")
    with pytest.raises(NotRunHere, match=r"lacks an operation of it \(Could not find an implementation for Erf"):
        OnnxRuntimeRunner(path).open()
    run = run_artifact("onnx", path, {"x": np.zeros((1, 3), np.float32)}, Signature((), ()))
    assert (run.problems, run.damage, run.outputs) == ((), None, {})
    assert run.not_run is not None
