"""ONNX models made hostile, one change each: their names, and how each is made of a sound model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

EVIL = "evil"
Change = Callable[[Any], None]

OPERATIONS = {
    "lots": "RandomUniform RandomUniformLike RandomNormal RandomNormalLike Multinomial Bernoulli Dropout",
    "choice": "If Loop Scan SequenceMap",
    "other": "ImageDecoder StringConcat StringSplit StringNormalizer RegexFullMatch SequenceEmpty Optional "
    "TfIdfVectorizer NonMaxSuppression Unique CausalConvWithState MyOwnOperation",
}


def edit(source: Path, target: Path, change: Change) -> None:
    import onnx

    model = onnx.ModelProto.FromString(source.read_bytes())
    change(model)
    target.write_bytes(model.SerializeToString())


def add(operation: str, domain: str = "", **attributes: Any) -> Change:
    def change(model: Any) -> None:
        from onnx import helper

        node = helper.make_node(operation, ["main_input"], [f"{EVIL}:0"], name=EVIL, domain=domain, **attributes)
        model.graph.node.append(node)

    return change


def _outside(location: str) -> Change:
    def change(model: Any) -> None:
        weight = model.graph.initializer[0]
        weight.ClearField("raw_data")
        weight.data_location = 1
        weight.external_data.add(key="location", value=location)

    return change


def _outside_in_an_attribute(model: Any) -> None:
    from onnx import TensorProto, helper

    tensor = TensorProto(name=EVIL, data_type=1, dims=[1], data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="report.html")
    model.graph.node.append(helper.make_node("Constant", [], ["c"], name=EVIL, value=tensor))


def _domain(model: Any) -> None:
    model.opset_import.add(domain="com.microsoft", version=1)


def _version(version: int) -> Change:
    def change(model: Any) -> None:
        model.opset_import[0].version = version

    return change


def _two_versions(model: Any) -> None:
    model.opset_import.add(domain="ai.onnx", version=13)


def _training(model: Any) -> None:
    model.training_info.add()


def _own_function(model: Any) -> None:
    model.functions.add(name=EVIL, domain="mine")


def _sparse(model: Any) -> None:
    model.graph.sparse_initializer.add()


def _default(model: Any) -> None:
    weight = model.graph.initializer[0]
    port = model.graph.input.add(name=weight.name)
    port.type.tensor_type.elem_type = 1


def _sequence(model: Any) -> None:
    model.graph.output.add(name=EVIL).type.sequence_type.elem_type.tensor_type.elem_type = 1


def _text_input(model: Any) -> None:
    model.graph.input.add(name=EVIL).type.tensor_type.elem_type = 8


def _short_weight(model: Any) -> None:
    model.graph.initializer[0].dims[0] += 1


def _text_weight(model: Any) -> None:
    model.graph.initializer.add(name=EVIL, data_type=8, dims=[1], string_data=[b"/etc/passwd"])


def _sized(operation: str, values: Any, place: int = 1) -> Change:
    def change(model: Any) -> None:
        import numpy as np
        from onnx import helper, numpy_helper

        model.graph.initializer.append(numpy_helper.from_array(np.asarray(values), "large"))
        inputs = ["main_input"] * place + ["large"]
        model.graph.node.append(helper.make_node(operation, inputs, [f"{EVIL}:0"], name=EVIL))

    return change


def _graph_attribute(model: Any) -> None:
    from onnx import helper

    node = helper.make_node("Identity", ["main_input"], [f"{EVIL}:0"], name=EVIL)
    node.attribute.append(helper.make_attribute("body", helper.make_graph([], "inner", [], [])))
    model.graph.node.append(node)


def _norm(model: Any) -> None:
    from onnx import helper

    node = helper.make_node("BatchNormalization", ["main_input"] * 5, ["a", "b", "c"], name=EVIL)
    model.graph.node.append(node)


CHANGES: dict[str, Change] = {
    "weights in the report": _outside("report.html"),
    "weights above the folder": _outside("../../etc/passwd"),
    "weights in /etc": _outside("/etc/passwd"),
    "weights in the golden file": _outside("golden.json"),
    "weights in a file of its own": _outside("weights.bin"),
    "weights in another artifact": _outside("small.tflite"),
    "weights in the manifest": _outside("manifest.json"),
    "weights in the figures": _outside("parity.json"),
    "weights in itself": _outside("small.onnx"),
    "weights nowhere": _outside(""),
    "weights of a Constant outside": _outside_in_an_attribute,
    "another domain": _domain,
    "a node of another domain": add("Relu", domain="com.microsoft"),
    "a node of ai.onnx.ml": add("LabelEncoder", domain="ai.onnx.ml"),
    "a node of the training domain": add("Gradient", domain="ai.onnx.preview.training"),
    "an old version": _version(1),
    "a version to come": _version(99),
    "two versions": _two_versions,
    "training": _training,
    "a function": _own_function,
    "sparse weights": _sparse,
    "an input with a value": _default,
    "a sequence": _sequence,
    "an input of text": _text_input,
    "a weight that is too short": _short_weight,
    "a weight of text": _text_weight,
    "a graph in an attribute": _graph_attribute,
    "text in an attribute": add("Relu", file="/etc/passwd"),
    "text in a constant": add("Constant", value_string="a"),
    "a cast to text": add("Cast", to=8),
    "a norm of the batch": _norm,
    "a norm that trains": add("BatchNormalization", training_mode=1),
    "a fill": _sized("ConstantOfShape", [1 << 20, 1 << 20], 0),
    "a tile": _sized("Tile", [1 << 30]),
    "an expansion": _sized("Expand", [1 << 20, 1 << 20]),
    "a range": _sized("Range", 1 << 30),
    "a margin": _sized("Pad", [0, 1 << 30]),
    "a scale": _sized("Resize", [1.0, 1.0, 1e6, 1e6], 2),
    "a size": _sized("Resize", [1, 1, 1 << 20, 1 << 20], 3),
    "margins in an attribute": add("AveragePool", pads=[1 << 20, 1 << 20], kernel_shape=[1, 1]),
}
