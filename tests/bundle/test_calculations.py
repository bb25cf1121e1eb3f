"""What a bundle says of its files' bytes: shown at export, compared again with the checkpoint, recorded without it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from azx import ExportResult, export_checkpoint, validate_bundle
from azx.bundle.contents.manifest import file_entry, read_manifest, text
from azx.bundle.validate import NotEqualBundle
from azx.explain.explain_bundle import explain, questions
from azx.manifest import Calculation, Manifest
from azx.validate.proof.calculation import Comparison, say_calculation

Azx = Callable[..., subprocess.CompletedProcess[str]]
RECORDED = "Recorded by whoever made this bundle, and not checked here: the same calculation for every board: "
DIFFERS = "small net é.onnx: not the same calculation: the kernel of "


def rewrite(bundle: Path, change: Callable[[Manifest], Manifest] = lambda manifest: manifest) -> None:
    """Write the manifest anew, with the hashes of the files as they are, and what its author then says."""
    manifest = read_manifest(bundle)
    files = tuple(file_entry(bundle, bundle / each.path) for each in manifest.files)
    (bundle / "manifest.json").write_text(text(change(replace(manifest, files=files))), encoding="utf8")


def move_a_weight(bundle: Path) -> None:
    """One weight of the ONNX file is four units in the last place away: no answer shows it."""
    import onnx
    from onnx import numpy_helper

    path = next(bundle.glob("*.onnx"))
    model = onnx.load(path)
    kernel = next(each for each in model.graph.initializer if len(each.dims) == 4)
    values = np.array(numpy_helper.to_array(kernel))
    values.ravel()[7] += 4 * np.spacing(values.ravel()[7])
    kernel.CopyFrom(numpy_helper.from_array(values, kernel.name))
    onnx.save(model, path)


def test_an_export_shows_it_of_every_file_and_measures_rounding_alone(small_bundle: Path) -> None:
    manifest = read_manifest(small_bundle)
    parity = json.loads((small_bundle / "parity.json").read_text(encoding="utf8"))
    page = (small_bundle / "report.html").read_text(encoding="utf8")
    assert manifest.positions.count == 256
    for artifact in manifest.artifacts:
        told = artifact.calculation
        assert told is not None
        assert (told.verdict, told.boards) == ("same", 256)
        assert 0 < (told.to_the_bit or 0) < (told.weights or 0)
        assert 0 < (told.largest_rounding or 0) <= 1.5
        [proved] = [each for each in parity["artifacts"] if each["file"] == artifact.path]
        assert proved["calculation"]["sentence"] == say_calculation(told)
        assert say_calculation(told)[1:] in page
    assert parity["could_hide"] is None


def test_a_weight_that_no_answer_shows_is_found_and_its_claim_is_false(
    azx: Azx, bundle: Path, small_checkpoint: Path
) -> None:
    move_a_weight(bundle)
    rewrite(bundle)
    with pytest.raises(NotEqualBundle) as error:
        validate_bundle(bundle, against=small_checkpoint)
    result = error.value.result
    [onnx] = [each for each in result.proof.artifacts if each.format == "onnx"]
    assert all(head.passed for head in onnx.heads), "what a sample says"
    assert [sentence.startswith(DIFFERS) for sentence in onnx.sentences] == [True]
    assert str(error.value).startswith(DIFFERS)
    assert [claim.member for claim in result.claims.false] == ["artifacts[1].calculation.verdict"]
    assert result.claims.false[0].says.startswith("is 'same' and not 'differs': the kernel of ")
    # Without the checkpoint the sentence is its author's, and is called so.
    done = azx("validate", bundle)
    assert done.returncode == 0, done.stderr
    assert f"  Each of the 5 files:\n    {RECORDED}" in done.stdout
    assert done.stdout.count(RECORDED) == 1
    assert "equal to the 20 answers in golden.json" in done.stdout
    assert "an artifact and golden.json can be forged together" in done.stdout
    told = json.loads(azx("validate", bundle, "--json").stdout)
    unproved = {claim["member"] for claim in told["claims"]["not_provable"]}
    assert {f"artifacts[{number}].calculation" for number in range(5)} <= unproved
    assert [sentence.startswith(RECORDED) for sentence in told["recorded"].values()] == [True] * 5
    [explained] = explain(questions(bundle, against=small_checkpoint, formats=["onnx"], count=2))
    assert explained.calculation is not None
    assert f"small net é.onnx: {say_calculation(explained.calculation)}." == onnx.sentences[0]


def test_a_report_of_what_is_recorded_says_that_nothing_was_compared(azx: Azx, bundle: Path) -> None:
    page = bundle / "page.html"
    assert azx("report", bundle, "-o", page).returncode == 0
    assert "nothing was compared again" in page.read_text(encoding="utf8")


LIES: dict[str, dict[str, Any]] = {
    "verdict": {"verdict": "tried", "reason": "nobody knows"},
    "operations": {"operations": 2},
    "to_the_bit": {"to_the_bit": 10**9},
    "largest_rounding": {"largest_rounding": None},
    "reason": {"reason": "none"},
    "weights": {"weights": None},
}


@pytest.mark.parametrize("member", LIES)
def test_what_a_manifest_says_of_a_sound_file_is_compared_again(
    member: str, bundle: Path, small_checkpoint: Path, here: Any
) -> None:
    from azx.bundle.claims import calculations
    from azx.bundle.claims.findings import settle
    from azx.export.checkpoint.read import read_checkpoint

    manifest = read_manifest(bundle)
    outputs = {head.name: head.source_name for head in manifest.outputs}
    inputs = {port.name: port.source_name for port in manifest.inputs}
    first = manifest.artifacts[0]
    assert first.calculation is not None
    own = Comparison(read_checkpoint(small_checkpoint), outputs, inputs).of(bundle / first.path, first.format)
    assert own is not None
    for lie, wanted in (({}, False), (LIES[member], True)):
        told = replace(first, calculation=replace(first.calculation, **lie))
        lying = replace(manifest, artifacts=(told, *manifest.artifacts[1:]))
        evidence: Any = SimpleNamespace(checkpoint=SimpleNamespace(compared={first.path: own}), golden=None)
        found = settle(calculations.check_calculations(lying, evidence))
        assert found.is_false(f"artifacts[0].calculation.{member}") == wanted


@pytest.fixture(scope="module")
def without_a_rule(tmp_path_factory: pytest.TempPathFactory, check: Any) -> Path:
    """A network of a layer that is exported and has no rule."""
    import tf_keras
    from tf_keras import layers

    board = layers.Input((3, 3, 2), name="main_input")
    hidden = layers.SimpleRNN(4)(layers.Reshape((9, 2))(board))
    heads = [layers.Dense(1, "tanh", name="value_head")(hidden), layers.Dense(9, name="policy_head")(hidden)]
    return Path(check.save_h5(tf_keras.Model(board, heads), tmp_path_factory.mktemp("no rule") / "net.h5"))


def test_what_has_no_rule_is_tried_and_said_so(azx: Azx, without_a_rule: Path) -> None:
    done = azx("export", without_a_rule, "--format", "onnx", "--game", "none", "--positions", "30")
    assert done.returncode == 0, done.stderr
    tried = "Tried on 30 boards, and not shown for every other: no rule for operation SimpleRNN (node '"
    assert tried in done.stdout
    assert "1 artifact, equal to the original: tried on 30 boards" in done.stdout
    assert "Fewer than 1 in 10 random boards can be over the limit (95 %)." in done.stdout
    assert "for every board:" not in done.stdout


def test_without_a_rule_it_takes_as_many_positions_as_ever(without_a_rule: Path, tmp_path: Path) -> None:
    done = export_checkpoint(without_a_rule, output=tmp_path / "net", formats="onnx", game="none", report=False)
    assert_tried(done)


def test_without_the_match_that_was_expected_it_takes_more_positions(
    small_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Calculation(verdict="tried", boards=0, reason="rounded too often")
    monkeypatch.setattr(Comparison, "of", lambda self, path, format_name: tried)
    assert_tried(export_checkpoint(small_checkpoint, output=tmp_path / "net", formats="onnx", report=False))


def assert_tried(done: ExportResult) -> None:
    [artifact] = done.contents.artifacts
    assert done.contents.positions.count == done.proof.positions == 1000
    assert artifact.calculation is not None
    assert (artifact.calculation.verdict, artifact.calculation.boards) == ("tried", 1000)
    assert [head.positions for head in done.proof.artifacts[0].heads] == [1000 + done.proof.extreme] * 2


@pytest.mark.whole
def test_a_file_that_is_shown_stays_beside_one_that_is_tried(tmp_path: Path) -> None:
    folder = tmp_path / "tictactoe"
    export_checkpoint("tictactoe", output=folder, formats=("onnx",), report=False)
    done = export_checkpoint("tictactoe", output=folder, formats=("tflite",), precision="fp16", report=False)
    assert done.kept == ("tictactoe.onnx",)
    kept = done.contents.artifact("tictactoe.onnx")
    assert kept is not None
    assert kept.calculation is not None
    assert (done.contents.positions.count > 256, kept.calculation.boards) == (True, 256)
    again = export_checkpoint("tictactoe", output=folder, formats=("tfjs",), report=False)
    assert set(again.kept) == {"tictactoe.fp16.tflite", "tictactoe.onnx"}
    assert validate_bundle(folder, against="tictactoe").passed
