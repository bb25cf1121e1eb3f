"""TensorFlow's operations in ONNX' words: one that has none is refused by name, whatever its name is."""

from __future__ import annotations

import pytest

from azx.export.checkpoint.graphs.definition import GraphNode
from azx.export.checkpoint.graphs.translator import Translator
from azx.export.checkpoint.onnx.values import NoForm


@pytest.mark.parametrize("kind", ["Rank", "Known", "Constant", "Windowed", "Numbers", "Where"])
def test_an_operation_without_a_form_is_none_that_azx_knows(kind: str) -> None:
    node = GraphNode("net/some", kind, ("board", "other"), {})
    with pytest.raises(NoForm, match="azx does not know it"):
        Translator(lambda name: None, lambda name: 2).nodes(node)


def test_an_operation_with_a_rule_is_translated() -> None:
    (made,) = Translator(lambda name: None, lambda name: 2).nodes(GraphNode("net/leaky", "LeakyRelu", ("board",), {}))
    assert (made.kind, made.inputs, made.attributes["alpha"]) == ("LeakyRelu", ("board",), pytest.approx(0.2))
