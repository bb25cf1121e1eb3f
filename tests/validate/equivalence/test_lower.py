"""Weights of a lower precision: each within half a step of its scale, and the nearest thing that is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rings import few
from sibling import sibling

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import Call, InputSpec, Layer, LayerGraph, Source
from azx.validate.equivalence import compare, onnx
from azx.validate.equivalence.checkpoint import read_graph
from azx.validate.equivalence.match import match
from azx.validate.equivalence.normal import NoRuleError
from azx.validate.equivalence.program import FileNode, Program, read_program
from azx.validate.equivalence.verdict import NotCompared, OtherCalculation, SameCalculation, Verdict

made = sibling(__file__, "architectures")
KERNEL = np.random.default_rng(5).normal(0, 0.4, (40, 30)).astype(np.float32)
PRECISIONS = {"onnx": ("fp16", "int8-weights"), "tfjs": ("fp16", "int8-weights"), "tflite": ("fp16",)}
PRECISIONS["coreml"] = ("fp16", "int8-weights")


def compared(constants: dict[str, Any], *nodes: FileNode) -> Verdict:
    layer = Layer("dense", "Dense", {"use_bias": False}, {"kernel": KERNEL})
    head = Head(source_name="out", tensor="dense", activation="linear")
    source = Source(Path("net.h5"), "h5", "", "2.15.0", {})
    graph = LayerGraph(source, "net", (Call(layer, ("in",), "dense"),), (InputSpec("in", "in", (40,)),), (head,))
    product = FileNode("MatMul", "product", ("in", "kernel"), ("out",))
    program = Program({"in": (1, 40)}, constants, [*nodes, product], {"out": "out"})
    return match(read_graph(graph), read_program(program, onnx.RULES, {}))


def in_codes(codes: Any, scale: Any) -> Verdict:
    cast = FileNode("Cast", "cast", ("codes",), ("wide",), {"to": 1})
    scaled = FileNode("Mul", "scaled", ("wide", "scale"), ("kernel",))
    return compared({"codes": codes.astype(np.int8), "scale": scale.astype(np.float32)}, cast, scaled)


def coded() -> tuple[Any, Any]:
    scale = np.abs(KERNEL).max(0) / np.float32(127)
    return np.rint(KERNEL / scale), scale


def test_codes_within_half_a_step_match_and_one_step_further_not() -> None:
    codes, scale = coded()
    verdict = in_codes(codes, scale)
    assert isinstance(verdict, SameCalculation)
    assert verdict.in_fewer_bits == KERNEL.size
    codes[3, 4] += 1
    assert isinstance(in_codes(codes, scale), OtherCalculation)


def test_a_scale_of_other_weights_does_not_match() -> None:
    codes, scale = coded()
    assert isinstance(in_codes(codes, scale * 1.02), OtherCalculation)


def test_a_scale_that_is_wider_than_its_weights_need_is_refused() -> None:
    # Codes of nothing but -1, 0 and 1 would be within half a step too, and another network.
    scale = np.abs(KERNEL).max(0)
    with pytest.raises(NoRuleError, match="wider than its weights need"):
        in_codes(np.rint(KERNEL / scale), scale)
    assert isinstance(in_codes(np.zeros_like(KERNEL), scale), OtherCalculation)


def test_half_precision_is_its_own_rounding_and_no_more() -> None:
    half = KERNEL.astype(np.float16)
    cast = FileNode("Cast", "cast", ("half",), ("kernel",), {"to": 1})
    assert isinstance(compared({"half": half}, cast), SameCalculation)
    half[3, 4] = np.nextafter(half[3, 4], np.float16(np.inf))
    half[3, 4] = np.nextafter(half[3, 4], np.float16(np.inf))
    assert isinstance(compared({"half": half}, cast), OtherCalculation)


@pytest.mark.parametrize("artifact_format", few(PRECISIONS, 0))
def test_written_in_a_lower_precision(tmp_path: Path, artifact_format: str) -> None:
    graph = large()
    outputs, inputs = made.ports(graph)
    for precision in PRECISIONS[artifact_format]:
        path = made.write(graph, artifact_format, tmp_path, 1, precision)
        verdict = compare(path, artifact_format, graph, outputs, inputs)
        assert isinstance(verdict, SameCalculation), str(verdict)
        assert verdict.in_fewer_bits >= 1024


def large() -> LayerGraph:
    """The first network with weights enough to be stored smaller, and no means of which Core ML makes a batch_norm."""
    for seed in range(60):
        graph: LayerGraph = made.architecture(seed)
        weights = [weight for call in graph.calls for weight in call.layer.weights.values()]
        kinds = {call.layer.kind for call in graph.calls}
        if max(weight.size for weight in weights) >= 1024 and not kinds & {"LayerNormalization", "GroupNormalization"}:
            return graph
    raise AssertionError


@pytest.mark.whole
def test_what_is_rounded_as_it_runs_is_not_compared(tmp_path: Path) -> None:
    graph = large()
    path = made.write(graph, "tflite", tmp_path, 1, "int8-dynamic")
    verdict = compare(path, "tflite", graph, *made.ports(graph))
    assert isinstance(verdict, NotCompared)
    assert "rounded as it runs" in str(verdict)
