"""What a file may not make Keras do unasked."""

from __future__ import annotations

from typing import Any

import pytest

from azx.errors import CodeRefused
from azx.export.checkpoint.keras_json import LayerConfig, ModelConfig
from azx.export.checkpoint.untrusted import refuse_code


def model(kind: str, config: dict[str, Any]) -> ModelConfig:
    return ModelConfig("net", (LayerConfig("odd", kind, config, ()),), (), ())


HARMFUL = [
    ("Lambda", {"function": ["4wEAAAA=", None, None]}, "a Lambda, Python code inside the file"),
    ("TimeDistributed", {"layer": {"class_name": "Lambda", "config": {}}}, "a Lambda"),
    ("Activation", {"activation": {"class_name": "__lambda__", "config": {"value": "4wEAAAA="}}}, "a Lambda"),
    ("TFOpLambda", {"function": "io.write_file"}, "a call of TensorFlow's 'io.write_file'"),
    ("TFOpLambda", {"function": "raw_ops.WriteFile"}, "a call of TensorFlow's 'raw_ops.WriteFile'"),
    ("TFOpLambda", {"function": "compat.v1.py_func"}, "a call of TensorFlow's 'compat.v1.py_func'"),
    ("TFOpLambda", {"function": "py_function"}, "a call of TensorFlow's 'py_function'"),
    ("ClassMethod", {"method_name": "tf.io.TFRecordWriter.write"}, "a call of"),
    ("TensorFlowOpLayer", {"node_def": 'name: "w"\nop: "WriteFile"\n'}, "a call of TensorFlow's 'WriteFile'"),
    ("TensorFlowOpLayer", {"node_def": {"op": "ReadFile"}}, "a call of TensorFlow's 'ReadFile'"),
]


@pytest.mark.parametrize(("kind", "config", "told"), HARMFUL)
def test_a_layer_that_runs_code_is_refused_by_name(kind: str, config: dict[str, Any], told: str) -> None:
    with pytest.raises(CodeRefused, match="layer 'odd' is ") as error:
        refuse_code(model(kind, config), "'net.h5'", allow_code=False)
    assert told in str(error.value)
    assert "--allow-code" in str(error.value)


@pytest.mark.parametrize(("kind", "config", "told"), HARMFUL)
def test_the_user_can_allow_it(kind: str, config: dict[str, Any], told: str) -> None:
    refuse_code(model(kind, config), "'net.h5'", allow_code=True)


@pytest.mark.parametrize(
    "function",
    [
        "concat",
        "math.subtract",
        "nn.relu",
        "__operators__.add",
        "math.reduce_mean",
        "compat.v1.transpose",
        "compat.v1.pad",
    ],
)
def test_an_operation_that_only_computes_is_read(function: str) -> None:
    refuse_code(model("TFOpLambda", {"function": function}), "'net.h5'", allow_code=False)


def test_an_operation_of_the_old_kind_that_only_computes_is_read() -> None:
    refuse_code(model("TensorFlowOpLayer", {"node_def": {"op": "AddV2"}}), "'net.h5'", allow_code=False)
