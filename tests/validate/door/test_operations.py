"""The lists of operations that the door and the three apps go by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azx.validate import door
from azx.validate.door.allowed import allowed

FORMATS = ("pb", "tflite", "onnx", "coreml", "tfjs")
HOSTILE = {
    "pb": "RandomUniform WriteFile ReadFile MatchingFiles Timestamp Print PrintV2 Assert PyFunc PyFuncStateless "
    "EagerPyFunc VarHandleOp VariableV2 ImmutableConst If While StatelessIf StatelessWhile PartitionedCall Empty NoOp "
    "DynamicStitch PlaceholderWithDefault CheckNumerics StatelessRandomUniformV2 HashTableV2 DebugIdentityV3",
    "tflite": "CUSTOM DELEGATE CALL CALL_ONCE IF WHILE VAR_HANDLE READ_VARIABLE ASSIGN_VARIABLE RANDOM_UNIFORM "
    "RANDOM_STANDARD_NORMAL MULTINOMIAL HASHTABLE UNIDIRECTIONAL_SEQUENCE_LSTM STABLEHLO_CUSTOM_CALL SVDF",
    "onnx": "RandomUniform RandomNormalLike Multinomial Bernoulli Dropout If Loop Scan SequenceMap ImageDecoder",
    "coreml": "random_uniform random_normal random_bernoulli random_categorical cond while_loop classify read_state "
    "coreml_update_state make_list list_write",
    "tfjs": "RandomUniform RandomStandardNormal Multinomial Print If While Switch Merge Enter HashTable NoOp "
    "PlaceholderWithDefault TensorArrayV3",
}


def test_each_list_is_sorted_and_names_each_operation_once() -> None:
    lists = json.loads((Path(door.__file__).parent / "operations.json").read_text())
    assert sorted(lists) == sorted(FORMATS)
    for names in lists.values():
        assert names == sorted(set(names))


def test_no_list_has_an_operation_that_does_more_than_calculate() -> None:
    for name in FORMATS:
        assert not allowed(name) & set(HOSTILE[name].split()), name


def test_a_format_without_a_list_allows_nothing() -> None:
    assert not allowed("coreai")


def test_what_azx_runs_in_numpy_is_on_core_mls_list() -> None:
    pytest.importorskip("coremltools")
    from azx.validate.runners.mil.interpreter import KERNELS

    assert set(KERNELS) <= allowed("coreml")


def test_what_azx_writes_of_a_network_is_on_each_list() -> None:
    """The operations of the canonical graph and of every activation, by TensorFlow's names."""
    from azx.export.graph import build, tf_activations

    written = {*tf_activations.SINGLE.values(), *build._COMBINE.values(), *build._REDUCE.values()}
    written |= {kind for kind, _, _ in build._WINDOWED.values()}
    written |= {"Placeholder", "Const", "Identity", "MatMul", "AddV2", "BiasAdd", "Reshape", "Transpose", "ConcatV2"}
    assert written | {"Pad", "Slice", "MaxPool", "AvgPool", "Elu", "Neg", "Cast", "Greater"} <= allowed("pb")
    assert written <= allowed("tfjs")
