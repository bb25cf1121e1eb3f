"""Whose answers count, and when an artifact passes."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import Any

import numpy as np
import pytest

from azx.errors import AzxError, NotRunHere
from azx.export.checkpoint.head import Head
from azx.export.formats.table import FORMATS
from azx.validate import tolerances
from azx.validate.answers import Answers
from azx.validate.positions import Positions
from azx.validate.proof.proof import ArtifactResult, Proof, judge, prove_all
from azx.validate.proof.truth import establish
from azx.validate.run import PendingRun, Run, problems
from azx.validate.runners.runner import Port, Signature
from azx.validate.tolerances import Tolerance, fp32_limit

HEADS = (Head("v", (1,), "tanh", "value", "value_head"), Head("pi", (42,), "linear", "policy", "policy_head"))
VALUE, POLICY = np.array([[0.5], [-0.5]]), np.array([[0.0, 1.0], [2.0, 1.0]])


def answers(by: str, shift: float = 0.0, missing: str | None = None) -> Answers:
    return Answers(by, {} if missing else {"v": VALUE + shift, "pi": POLICY + shift}, (), missing)


def test_keras_is_the_reference_where_the_witness_agrees() -> None:
    truth = establish(HEADS, answers("Keras", 1e-6), answers("witness"))
    assert truth.by == "Keras"
    assert truth.distances["value_head"] == pytest.approx(1e-6, rel=1e-3)
    assert truth.notes == ()


def test_the_witness_decides_where_keras_is_wrong_and_the_report_says_so() -> None:
    truth = establish(HEADS, answers("Keras", 0.1), answers("witness"))
    assert truth.by == "witness"
    assert np.array_equal(truth.expected["value_head"], VALUE)
    assert "Keras disagrees with the float64 witness (value_head by 0.1" in truth.notes[0]
    assert fp32_limit(truth.distances["value_head"]) == 1e-5


def test_a_network_that_rounding_decides_is_refused_and_not_called_wrong() -> None:
    """Where float32 alone is as far from float64 as Keras, no file in float32 could pass, and none would be wrong."""
    with pytest.raises(AzxError, match=r"^rounding to float32 alone moves value_head by 0\.1, policy_head by 0\.1, so"):
        establish(HEADS, answers("Keras", 0.1), answers("witness"), lambda: answers("float32", 0.03))
    truth = establish(HEADS, answers("Keras", 0.1), answers("witness"), lambda: answers("float32", 0.02))
    assert truth.by == "witness"
    assert establish(HEADS, answers("Keras", np.nan), answers("witness"), lambda: answers("float32", 1)).by == "witness"


def test_a_keras_that_answers_nan_is_not_trusted() -> None:
    truth = establish(HEADS, answers("Keras", np.nan), answers("witness"))
    assert truth.by == "witness"


def test_without_a_witness_keras_stands_alone_under_the_strictest_limit() -> None:
    truth = establish(HEADS, answers("Keras"), answers("witness", missing="layer 'x' is new"))
    assert truth.by == "Keras"
    assert truth.notes == ("no float64 witness: layer 'x' is new",)
    assert fp32_limit(truth.distances["value_head"]) == 1e-5


def test_without_keras_the_witness_stands_alone() -> None:
    assert establish(HEADS, answers("Keras", missing="no kernel"), answers("witness")).by == "witness"


def verdict(run: Run) -> ArtifactResult:
    truth = establish(HEADS, answers("Keras"), answers("witness"))
    return judge("net.onnx", "onnx", run, HEADS, truth, None)


def test_an_artifact_that_answers_the_same_passes() -> None:
    assert verdict(Run("runtime 1.0", {"value_head": VALUE, "policy_head": POLICY})).passed


def under_way(together: float, alone: float, asked: list[str]) -> PendingRun:
    """A run whose positions are answered together, off by so much, and again in the file's own form."""

    def begin(name: str, off: float, is_together: bool) -> PendingRun:
        asked.append(name)
        task: Future[Run] = Future()
        outputs = {"value_head": VALUE + off, "policy_head": POLICY}
        task.set_result(Run("runtime 1.0", outputs, seconds=len(asked), together=is_together))
        return PendingRun("net.tfjs", FORMATS["tfjs"], task, again=partial(begin, "alone", alone, False))

    return begin("together", together, True)


@pytest.mark.parametrize(
    ("together", "alone", "passed", "asked"),
    [
        (0.0, 0.01, True, ["together"]),
        (0.01, 0.0, True, ["together", "alone"]),
        (0.01, 0.02, False, ["together", "alone"]),
        (0.01, np.nan, False, ["together", "alone"]),
    ],
)
def test_what_fails_together_is_judged_in_the_files_own_form(
    together: float, alone: float, passed: bool, asked: list[str]
) -> None:
    begun: list[str] = []
    truth = establish(HEADS, answers("Keras"), answers("witness"))
    boards = Positions({"board": np.zeros((2, 1), np.float32)}, None, "two boards")
    proof = prove_all("net", [under_way(together, alone, begun)], HEADS, truth, boards, lambda name: None)
    assert begun == asked
    assert proof.passed is passed
    assert proof.artifacts[0].seconds == len(asked)
    if not passed and alone == 0.02:
        assert "value_head differs by 0.02" in proof.sentences[0]


def test_a_failure_names_the_head_and_the_file() -> None:
    result = verdict(Run("runtime 1.0", {"value_head": VALUE + 0.01, "policy_head": POLICY}))
    assert not result.passed
    assert result.sentences == ["net.onnx: value_head differs by 0.01 where 1e-05 is allowed."]


def test_a_broken_signature_fails_whatever_the_values() -> None:
    run = Run("runtime 1.0", {"value_head": VALUE, "policy_head": POLICY}, ("the outputs come in another order",))
    assert not verdict(run).passed


def test_an_artifact_of_which_nothing_was_compared_fails() -> None:
    assert verdict(Run("runtime 1.0")).sentences == ["net.onnx: nothing was compared."]


def test_a_proof_of_nothing_is_no_proof() -> None:
    assert not Proof("net", 0, "", "", (), ())


def test_the_limit_follows_the_reference_only_above_the_floor() -> None:
    assert fp32_limit(None) == 1e-5
    assert fp32_limit(2e-6) == 1e-5
    assert fp32_limit(1e-4) == pytest.approx(4e-4)


def test_every_tolerance_has_its_reason() -> None:
    entries = [value for value in vars(tolerances).values() if isinstance(value, Tolerance)]
    assert len(entries) == 8
    assert all(len(entry.reason) > 20 for entry in entries)


PORTS = Signature((Port("main_input", (1, 2, 6, 7)),), (Port("value_head", (1, 1)), Port("policy_head", (1, 42))))
DOOR = Port("main_input", (1, 2, 6, 7), "float32")
VALUE_PORT, POLICY_PORT = Port("value_head", (1, 1), "float32"), Port("policy_head", (1, 42), "float32")


@pytest.mark.parametrize(
    ("ports", "told"),
    [
        ((POLICY_PORT, VALUE_PORT), "the outputs come as 'policy_head', 'value_head'"),
        ((VALUE_PORT, Port("pi", (1, 42), "float32")), "output 'policy_head' is missing"),
        ((VALUE_PORT, Port("policy_head", (1, 7), "float32")), "output 'policy_head' has shape (1, 7)"),
        ((VALUE_PORT, Port("policy_head", (1, 42), "float16")), "output 'policy_head' is float16"),
        ((VALUE_PORT, POLICY_PORT, Port("extra", (1, 3), "float32")), "output 'extra' is not in the contract"),
    ],
)
def test_a_signature_that_breaks_the_contract_is_told(ports: tuple[Port, ...], told: str) -> None:
    assert any(clause.startswith(told) for clause in problems(Signature((DOOR,), ports), PORTS))


def test_a_signature_that_keeps_the_contract_has_no_problem() -> None:
    assert problems(Signature((DOOR,), (VALUE_PORT, POLICY_PORT)), PORTS) == []


def elsewhere(outputs: dict[str, Any], **more: Any) -> Run:
    """Right in its first runtime; what a further one answers is given."""
    right = {"value_head": VALUE, "policy_head": POLICY}
    return Run("runtime 1.0", right, also=(Run("other 2.0", outputs, further="Other", **more),))


def test_an_artifact_that_answers_otherwise_in_a_further_runtime_fails_by_its_name() -> None:
    assert verdict(elsewhere({"value_head": VALUE, "policy_head": POLICY})).passed
    found = verdict(elsewhere({"value_head": VALUE + 1e-3, "policy_head": POLICY}))
    assert not found.passed
    assert not found.may_stay
    assert found.sentences[0].startswith("net.onnx in Other: value_head ")
    assert not Proof("net", 2, "", "Keras", (), (found,)).passed


def test_a_further_runtime_that_cannot_load_the_file_is_a_failure_and_one_that_is_missing_is_none() -> None:
    assert verdict(elsewhere({}, damage="'net.onnx' is cut short.")).sentences == ["'net.onnx' is cut short."]
    found = verdict(elsewhere({}, not_run="Node.js not found"))
    proof = Proof("net", 2, "", "Keras", (), (found,))
    assert proof.passed
    assert proof.not_proved == {"net.onnx in Other": "Node.js not found"}
    proof.check_proved(False)
    with pytest.raises(NotRunHere, match=r"^Not every artifact can be proved here: net\.onnx in Other \(Node"):
        proof.check_proved(True)


def test_what_a_further_runtime_finds_counts_where_the_first_is_missing() -> None:
    wrong = {"value_head": VALUE + 1e-3, "policy_head": POLICY}
    missing = verdict(Run("runtime 1.0", not_run="not installed", also=(Run("other 2.0", wrong, further="Other"),)))
    sound = verdict(Run("runtime 1.0", {"value_head": VALUE, "policy_head": POLICY}))
    proof = Proof("net", 2, "", "Keras", (), (sound, missing))
    assert not proof.passed
    assert proof.sentences[0].startswith("net.onnx in Other: value_head ")
