"""Each rule on a network of a few layers: what it lets through, and the nearest thing that it must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import Call, InputSpec, Layer, LayerGraph, Source
from azx.validate.equivalence import onnx
from azx.validate.equivalence.checkpoint import read_graph
from azx.validate.equivalence.match import match
from azx.validate.equivalence.normal import NoRuleError
from azx.validate.equivalence.program import FileNode, LeftOverError, Program, read_program
from azx.validate.equivalence.verdict import NotCompared, OtherCalculation, SameCalculation, Verdict

RNG = np.random.default_rng(3)
LAST = {"data_format": "channels_last", "use_bias": False, "padding": "same"}
Step = tuple[str, Sequence[str], str, Mapping[str, Any]]


def numbers(*shape: int) -> Any:
    return RNG.normal(0, 0.4, shape).astype(np.float32)


def network(shape: tuple[int, ...], *layers: Layer) -> LayerGraph:
    """Layers one behind another."""
    tensors = ["in", *(layer.name for layer in layers)]
    calls = tuple(Call(layer, (tensors[at],), layer.name) for at, layer in enumerate(layers))
    head = Head(source_name="out", tensor=tensors[-1], shape=(), role="policy", activation="linear")
    source = Source(Path("net.h5"), "h5", "", "2.15.0", {})
    return LayerGraph(source, "net", calls, (InputSpec("in", "in", shape),), (head,))


def program(shape: tuple[int, ...], constants: Mapping[str, Any], *steps: Step) -> Program:
    """ONNX' operations, each with its inputs, its output and its attributes; the last one makes the output."""
    nodes = [FileNode(kind, output, tuple(inputs), (output,), given) for kind, inputs, output, given in steps]
    return Program({"in": (1, *shape)}, constants, nodes, {"out": nodes[-1].outputs[0]})


def compared(graph: LayerGraph, artifact: Program) -> Verdict:
    return match(read_graph(graph), read_program(artifact, onnx.RULES, {}))


def convolution(kernel: Any, **config: Any) -> Layer:
    return Layer("conv", "Conv2D", {**LAST, **config}, {"kernel": kernel})


def first(kernel: Any) -> Any:
    """A kernel as ONNX has it, (F, C, h, w)."""
    return kernel.transpose(3, 2, 0, 1)


TO_FIRST: Step = ("Transpose", ["in"], "first", {"perm": [0, 3, 1, 2]})
TO_LAST: Step = ("Transpose", ["made"], "out", {"perm": [0, 2, 3, 1]})


@pytest.mark.parametrize(("pads", "expected"), [([1, 1, 2, 2], SameCalculation), ([2, 2, 1, 1], OtherCalculation)])
def test_an_even_kernel_pads_one_more_behind(pads: list[int], expected: type) -> None:
    kernel = numbers(4, 4, 3, 5)
    conv: Step = ("Conv", ["first", "kernel"], "made", {"pads": pads})
    artifact = program((6, 7, 3), {"kernel": first(kernel)}, TO_FIRST, conv, TO_LAST)
    assert isinstance(compared(network((6, 7, 3), convolution(kernel)), artifact), expected)


def normalised(channels: int) -> tuple[Layer, Any, Any]:
    weights = {"gamma": numbers(channels), "beta": numbers(channels), "moving_mean": numbers(channels)}
    weights["moving_variance"] = np.abs(numbers(channels)) + np.float32(0.5)
    exact = {name: value.astype(np.float64) for name, value in weights.items()}
    scale = exact["gamma"] / np.sqrt(exact["moving_variance"] + 1e-3)
    layer = Layer("norm", "BatchNormalization", {"axis": [3], "epsilon": 1e-3}, weights)
    return layer, scale, exact["beta"] - exact["moving_mean"] * scale


@pytest.mark.parametrize(
    ("ulps", "count", "expected"),
    [(0, 1, SameCalculation), (2, 1, OtherCalculation), (2, 8, NotCompared), (1000, 8, OtherCalculation)],
)
def test_a_normalisation_folds_into_the_convolution_before_it(ulps: int, count: int, expected: type) -> None:
    kernel, (norm, scale, shift) = numbers(3, 3, 2, 4), normalised(4)
    folded, bias = (kernel * scale).astype(np.float32), shift.astype(np.float32)
    folded.flat[:count] += ulps * np.spacing(folded.flat[:count])
    conv: Step = ("Conv", ["first", "kernel", "bias"], "made", {"pads": [1, 1, 1, 1]})
    artifact = program((5, 5, 2), {"kernel": first(folded), "bias": bias}, TO_FIRST, conv, TO_LAST)
    verdict = compared(network((5, 5, 2), convolution(kernel), norm), artifact)
    assert isinstance(verdict, expected), verdict
    if isinstance(verdict, SameCalculation):
        assert verdict.weights == kernel.size + 4
        assert verdict.largest_rounding <= 0.5


@pytest.mark.parametrize(("change", "expected"), [(0.0, SameCalculation), (1e-4, OtherCalculation)])
def test_a_scale_and_a_shift_that_stand_alone_fold_on_both_sides(change: float, expected: type) -> None:
    kernel, (norm, scale, shift) = numbers(3, 3, 2, 4), normalised(4)
    constants = {
        "kernel": first(kernel),
        "scale": scale.astype(np.float32).reshape(4, 1, 1),
        "shift": (shift + change).astype(np.float32).reshape(4, 1, 1),
    }
    conv: Step = ("Conv", ["first", "kernel"], "conv", {"pads": [1, 1, 1, 1]})
    rest: list[Step] = [("Mul", ["conv", "scale"], "scaled", {}), ("Add", ["shift", "scaled"], "made", {})]
    artifact = program((5, 5, 2), constants, TO_FIRST, conv, *rest, TO_LAST)
    assert isinstance(compared(network((5, 5, 2), convolution(kernel), norm), artifact), expected)


@pytest.mark.parametrize(
    ("layout", "expected"), [("channels_first", OtherCalculation), ("channels_last", SameCalculation)]
)
def test_a_permutation_moves_into_a_products_rows(layout: str, expected: type) -> None:
    kernel = numbers(24, 5)
    flat = Layer("flat", "Flatten", {"data_format": "channels_last"})
    dense = Layer("dense", "Dense", {"use_bias": False, "activation": "relu"}, {"kernel": kernel})
    rows = kernel.reshape(3, 4, 2, 5)
    moved = rows.transpose(2, 0, 1, 3) if layout == "channels_last" else rows
    steps: list[Step] = [
        TO_FIRST,
        ("Reshape", ["first", "shape"], "flat", {}),
        ("MatMul", ["flat", "kernel"], "product", {}),
        ("Relu", ["product"], "out", {}),
    ]
    constants = {"kernel": moved.reshape(24, 5), "shape": np.array([1, -1])}
    verdict = compared(network((3, 4, 2), flat, dense), program((3, 4, 2), constants, *steps))
    assert isinstance(verdict, expected)
    assert not isinstance(verdict, SameCalculation) or verdict.to_the_bit == kernel.size


@pytest.mark.parametrize(("slope", "expected"), [(0.25, SameCalculation), (-0.25, OtherCalculation)])
def test_a_maximum_moves_through_a_function_that_rises(slope: float, expected: type) -> None:
    leaky = Layer("leaky", "LeakyReLU", {"alpha": slope})
    pool = Layer("pool", "MaxPooling2D", {"pool_size": [2, 2], "strides": [1, 1], "padding": "same"})
    steps: list[Step] = [
        TO_FIRST,
        ("MaxPool", ["first"], "pooled", {"kernel_shape": [2, 2], "strides": [1, 1], "pads": [0, 0, 1, 1]}),
        ("LeakyRelu", ["pooled"], "made", {"alpha": slope}),
        TO_LAST,
    ]
    assert isinstance(compared(network((4, 4, 2), leaky, pool), program((4, 4, 2), {}, *steps)), expected)


@pytest.mark.parametrize(("padded", "expected"), [(False, SameCalculation), (True, OtherCalculation)])
def test_padding_counts_in_a_mean_over_the_board_and_not_in_a_pool(padded: bool, expected: type) -> None:
    mean = Layer("mean", "GlobalAveragePooling2D", {"data_format": "channels_last"})
    pad: list[Step] = [("Pad", ["in", "pads"], "padded", {})] if padded else []
    reduced: Step = ("ReduceMean", ["padded" if padded else "in"], "out", {"axes": [1, 2], "keepdims": 0})
    constants = {"pads": np.array([0, 1, 1, 0, 0, 1, 1, 0])} if padded else {}
    assert isinstance(compared(network((4, 4, 2), mean), program((4, 4, 2), constants, *pad, reduced)), expected)


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        (["in one half", "half other out"], SameCalculation),
        (["other in half", "one half out"], SameCalculation),
        (["in one half", "half one more", "more other out"], OtherCalculation),
    ],
)
def test_it_does_not_matter_which_two_of_three_are_added_first(sums: Sequence[str], expected: type) -> None:
    kernels = {"k": numbers(4, 4), "l": numbers(4, 4)}
    calls, steps = [], list[Step]()
    for name, kernel in zip(("one", "other"), kernels, strict=True):
        dense = Layer(name, "Dense", {"use_bias": False, "activation": "tanh"}, {"kernel": kernels[kernel]})
        calls.append(Call(dense, ("in",), name))
        steps += [("MatMul", ["in", kernel], f"{name}_product", {}), ("Tanh", [f"{name}_product"], name, {})]
    calls += [Call(Layer("half", "Add", {}), ("one", "other"), "half")]
    calls += [Call(Layer("sum", "Add", {}), ("in", "half"), "sum")]
    graph = network((4,))
    graph = replace(graph, calls=tuple(calls), outputs=(replace(graph.outputs[0], tensor="sum"),))
    for one, other, made in map(str.split, sums):
        steps.append(("Add", [one, other], made, {}))
    assert isinstance(compared(graph, program((4,), kernels, *steps)), expected)


def test_softmax_over_the_board_in_another_order_is_the_same_and_in_other_groups_not() -> None:
    flat, soft = Layer("flat", "Flatten", {"data_format": "channels_last"}), Layer("soft", "Softmax", {"axis": -1})
    constants = {"shape": np.array([1, -1]), "board": np.array([1, 3, 4]), "order": np.array([1, 12])}
    turned: list[Step] = [
        ("Transpose", ["in"], "turned", {"perm": [0, 2, 1]}),
        ("Reshape", ["turned", "shape"], "flat", {}),
        ("Softmax", ["flat"], "soft", {}),
        ("Reshape", ["soft", "back"], "board", {}),
        ("Transpose", ["board"], "straight", {"perm": [0, 2, 1]}),
        ("Reshape", ["straight", "shape"], "out", {}),
    ]
    back = {"shape": constants["shape"], "back": np.array([1, 4, 3])}
    graph = network((3, 4), flat, soft)
    assert isinstance(compared(graph, program((3, 4), back, *turned)), SameCalculation)
    rows: list[Step] = [("Softmax", ["in"], "soft", {"axis": -1}), ("Reshape", ["soft", "shape"], "out", {})]
    assert isinstance(compared(graph, program((3, 4), {"shape": constants["shape"]}, *rows)), OtherCalculation)


def test_an_operation_without_a_rule_is_named() -> None:
    flat = Layer("flat", "Flatten", {"data_format": "channels_last"})
    with pytest.raises(NoRuleError, match=r"no rule for operation Equal \(node 'out'\)"):
        compared(network((3, 4), flat), program((3, 4), {}, ("Equal", ["in", "in"], "out", {})))
    odd = Layer("odd", "Lambda", {})
    with pytest.raises(NoRuleError, match=r"no rule for operation Lambda \(node 'odd'\)"):
        compared(network((3, 4), odd), program((3, 4), {}, ("Relu", ["in"], "out", {})))


@pytest.mark.parametrize(
    ("steps", "constants", "message"),
    [
        ([("Relu", ["in"], "more", {}), ("Tanh", ["in"], "out", {})], {}, "the node 'more' (Relu)"),
        ([("Tanh", ["in"], "out", {})], {"idle": np.ones(3, np.float32)}, "the weight 'idle'"),
    ],
)
def test_what_no_output_uses_is_named(steps: list[Step], constants: Mapping[str, Any], message: str) -> None:
    with pytest.raises(LeftOverError) as raised:
        read_program(program((3, 4), constants, *steps), onnx.RULES, {})
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (("Tanh", ["in"], "out", {"gain": 2.0}), "its attribute 'gain' is not known"),
        (("Tanh", ["in", "in"], "out", {}), "its input 1 is not known"),
        (("Conv", ["in", "kernel"], "out", {}), "that is not finite float32"),
    ],
)
def test_what_a_rule_does_not_read_is_refused(step: Step, message: str) -> None:
    constants = {"kernel": np.full((2, 2, 1, 1), np.nan, np.float32)} if step[0] == "Conv" else {}
    with pytest.raises(NoRuleError, match=message):
        read_program(program((2, 4, 4), constants, step), onnx.RULES, {})


def test_a_file_whose_nodes_read_each_other_is_refused() -> None:
    steps: list[Step] = [("Add", ["in", "out"], "sum", {}), ("Tanh", ["sum"], "out", {})]
    with pytest.raises(NoRuleError, match="it reads its own result"):
        read_program(program((3, 4), {}, *steps), onnx.RULES, {})


@pytest.mark.parametrize(("shape", "behind"), [([1, 5, 4], 1), ([1, 4, 5], 2)])
@pytest.mark.parametrize(("changed", "expected"), [(0, SameCalculation), (1, OtherCalculation)])
def test_a_sum_of_sums_with_zeros_behind_is_one_sum(
    shape: list[int], behind: int, changed: int, expected: type
) -> None:
    """19 scaled numbers and a zero as rows of four or five: a matrix of one column, if each scale is its to the bit."""
    kernel = numbers(19, 1)
    layer = Layer("mean", "Dense", {"use_bias": False, "activation": "linear"}, {"kernel": kernel})
    scale = kernel[:, 0].copy()
    scale[7] *= 1 + changed * 1e-6
    constants = {"scale": scale, "margin": np.array([0, 0, 0, 1]), "shape": np.array(shape)}
    artifact = program(
        (19,),
        constants | {"behind": np.array([behind]), "rest": np.array([1]), "end": np.array([0, -1])},
        ("Mul", ["in", "scale"], "terms", {}),
        ("Pad", ["terms", "margin"], "padded", {}),
        ("Reshape", ["padded", "shape"], "apart", {}),
        ("ReduceSum", ["apart", "behind"], "parts", {"keepdims": 0}),
        ("ReduceSum", ["parts", "rest"], "sum", {"keepdims": 1}),
        ("Reshape", ["sum", "end"], "out", {}),
    )
    assert isinstance(compared(network((19,), layer), artifact), expected)


def test_a_sum_that_leaves_a_place_out_or_takes_one_twice_is_another() -> None:
    layer = Layer("mean", "Dense", {"use_bias": False, "activation": "linear"}, {"kernel": np.ones((9, 1), np.float32)})
    for begin, stop in (([0], [8]), ([1], [9])):
        artifact = program(
            (9,),
            {"begin": np.array(begin), "stop": np.array(stop), "axis": np.array([1])},
            ("Slice", ["in", "begin", "stop", "axis"], "part", {}),
            ("ReduceSum", ["part", "axis"], "out", {"keepdims": 1}),
        )
        assert isinstance(compared(network((9,), layer), artifact), OtherCalculation)
