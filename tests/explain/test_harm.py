"""Networks that 8 bits are bad for: the layer that does the harm is named, and it is the one that float mends."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tensorflow")

from azx.explain.artifact import ArtifactExplanation, Question, explain_artifact
from azx.explain.explain_bundle import questions
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.precisions.calibration import Calibration
from azx.export.formats.precisions.precision import INT8, INT8_DYNAMIC
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze
from azx.export.graph.names import Names
from azx.validate.witness.evaluate import evaluate

Azx = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.filterwarnings("ignore")
MEANS, OUTLIER, SATURATED = "means of 60", "one large weight", "saturated value"


def board_network(kind: str) -> Any:
    """Three convolutions and two heads; what is bad for 8 bits is in one of its layers, or behind all of them."""
    import tf_keras
    from tf_keras import layers

    tf_keras.backend.clear_session()
    tf_keras.utils.set_random_seed(5)
    far = {"moving_mean_initializer": tf_keras.initializers.Constant(60.0)}

    def convolved(x: Any, filters: int, name: str, **norm: Any) -> Any:
        x = layers.Conv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
        return layers.LeakyReLU(0.3)(layers.BatchNormalization(**norm)(x))

    board = layers.Input((6, 7, 2), name="main_input")
    x = convolved(convolved(board, 24, "one"), 24, "two", **(far if kind == MEANS else {}))
    x = convolved(x, 24, "three")
    policy_side, value_side = (layers.Flatten()(convolved(x, 4, name)) for name in ("p", "v"))
    hidden = layers.Dense(16, activation="relu", name="hidden")(value_side)
    value, policy = (
        layers.Dense(1, activation="tanh", name="value_head"),
        layers.Dense(7, activation="softmax", name="policy_head"),
    )
    model = tf_keras.Model(board, [value(hidden), policy(policy_side)])
    if kind == SATURATED:
        value.set_weights([value.get_weights()[0] * 200, *value.get_weights()[1:]])
    if kind == OUTLIER:
        kernel, bias = policy.get_weights()
        kernel *= 4
        kernel[0, 0], bias[0] = 60, -20
        policy.set_weights([kernel, bias])
    return model


def dense_network() -> Any:
    """A single layer that is large enough for 8 bits, all of whose weights but one are lost in them."""
    import tf_keras
    from tf_keras import layers

    tf_keras.backend.clear_session()
    tf_keras.utils.set_random_seed(5)
    board = layers.Input((6, 7, 2), name="main_input")
    x = layers.Flatten(name="flat")(board)
    heads = [layers.Dense(1, activation="tanh", name="value_head")(x), layers.Dense(42, name="policy_head")(x)]
    model = tf_keras.Model(board, heads)
    kernel, bias = model.get_layer("policy_head").get_weights()
    kernel[0, 0] = 120
    model.get_layer("policy_head").set_weights([kernel * 3, bias])
    return model


class Written:
    """A network's TFLite files in one precision: all of it, and with each of its layers in float."""

    def __init__(self, checkpoint: Path, folder: Path, precision: str) -> None:
        entry, self.checkpoint = FORMATS["tflite"], checkpoint
        self.whole = folder / f"net.{precision}.tflite"
        self.whole.write_bytes(b"")
        frozen = freeze(read_checkpoint(checkpoint), Names(), 1)
        boards = self.asked(200).feeds["main_input"].astype(np.float32)
        options: Any = {"precision": precision, "calibration": Calibration({frozen.inputs[0].name: boards}, "drawn")}
        entry.write(frozen, self.whole, **options)
        self.ways = {layer: folder / f"{layer}.{precision}.tflite" for layer in entry.layers(self.whole)}
        entry.write_ways(frozen, {path: [layer] for layer, path in self.ways.items()}, **options)

    def asked(self, count: int = 32) -> Question:
        return questions(self.whole, against=self.checkpoint, count=count)[0]

    def explained(self) -> ArtifactExplanation:
        return explain_artifact(self.asked())

    def error(self, path: Path) -> float:
        """The squared error of a file's answers, in its own runtime."""
        asked = self.asked()
        with FORMATS["tflite"].open(path) as runner:
            answers = runner.run({asked.inputs[name]: feed.astype(np.float32) for name, feed in asked.feeds.items()})
        truth = evaluate(asked.graph, asked.feeds)
        pairs = [(answers[head.name], truth[head.source_name]) for head in asked.heads]
        return sum(float((((answer - wanted) / np.abs(wanted).max()) ** 2).mean()) for answer, wanted in pairs)


@pytest.fixture
def written(check: Any, tmp_path: Path) -> Callable[[str, str], Written]:
    return lambda kind, precision: Written(check.save_h5(board_network(kind), tmp_path / "net.h5"), tmp_path, precision)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("kind", "precision", "layer"),
    [
        (MEANS, INT8, "three"),
        (MEANS, INT8_DYNAMIC, "three"),
        (OUTLIER, INT8, "policy_head"),
        (OUTLIER, INT8_DYNAMIC, "policy_head"),
    ],
)
def test_the_layer_that_harms_most_is_the_one_that_float_mends(
    kind: str, precision: str, layer: str, written: Callable[[str, str], Written]
) -> None:
    net = written(kind, precision)
    found = net.explained()
    assert found.most is not None
    assert (found.most.layer, found.most.is_much) == (layer, True)
    assert found.culprit == found.most.steps
    errors = {name: net.error(path) for name, path in net.ways.items()}
    assert layer in sorted(errors, key=lambda name: errors[name])[:2]
    assert errors[layer] < 0.75 * net.error(net.whole)


@pytest.mark.whole
def test_where_all_layers_harm_alike_none_is_blamed(written: Callable[[str, str], Written]) -> None:
    net = written(SATURATED, INT8)
    found = net.explained()
    assert found.most is not None
    assert not found.most.is_much
    assert found.culprit in ((), found.first and (found.first.step,))
    assert min(net.error(path) for path in net.ways.values()) > 0.25 * net.error(net.whole)


def test_layers_in_float_beside_others_in_8_bits_have_no_say_in_the_band(
    written: Callable[[str, str], Written],
) -> None:
    found = written(SATURATED, INT8_DYNAMIC).explained()
    small = {each.step.layer for each in found.steps if each.step.weighs and each.step.own < 1e-5}
    assert small == {"one", "p", "v", "value_head"}
    assert found.first is None
    assert {each.layer for each in found.harms} == {"two", "three", "hidden", "policy_head"}


def test_auto_falls_back_where_8_bits_lose_all_and_the_report_says_where(azx: Azx, check: Any, tmp_path: Path) -> None:
    checkpoint = check.save_h5(dense_network(), tmp_path / "dense.h5")
    done = azx("export", checkpoint, "-o", "net", "--format", "tflite", "--positions", 60, "--precision", "auto")
    assert done.returncode == 0, done.stderr
    [auto] = json.loads((tmp_path / "net/manifest.json").read_text(encoding="utf8"))["auto"]
    assert auto["chosen"] == "fp16"
    assert [fell["precision"] for fell in auto["fell"]] == ["int8-dynamic", "int8"]
    assert [fell["why"].partition(":")[0] for fell in auto["fell"]] == ["policy_head", "value_head"]
    page = (tmp_path / "net/report.html").read_text(encoding="utf8")
    for fell in auto["fell"]:
        assert f"{fell['precision']}: {fell['why']}" in page


def test_a_failing_file_that_was_kept_is_explained(azx: Azx, check: Any, tmp_path: Path) -> None:
    checkpoint = check.save_h5(dense_network(), tmp_path / "dense.h5")
    chosen = ("--format", "tflite", "--positions", 60, "--precision", "int8-dynamic", "--keep-failing")
    assert azx("export", checkpoint, "-o", "net", *chosen).returncode == 0
    done = azx("explain", "net", "-q", env={"COLUMNS": "200"})
    assert done.returncode == 0, done.stderr
    assert "dense.int8-dynamic.failing.tflite (int8-dynamic)" in done.stdout
    assert "What harms most is policy_head: alone it makes 100% of the answers' squared error" in done.stdout
    told = json.loads(azx("explain", "net", "-q", "--json").stdout)["artifacts"][0]
    assert told["with_exact"]["layer"] == "policy_head"
    assert [each["left"] for each in told["harms"]] == [pytest.approx(0, abs=1e-6)]
