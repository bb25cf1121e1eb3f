"""What a manifest says of gates, `auto` and games, by itself: told of made-up manifests, no network is run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from azx.bundle.claims.findings import Claims, settle
from azx.bundle.claims.gates import check_auto, check_gates, check_marks, check_search, check_strength, played
from azx.manifest import Manifest
from azx.validate.gate.limits import Limits
from azx.validate.gate.verdict import Check, Verdict
from azx.validate.proof.proof import ArtifactResult
from tests.support.manifests import part_with

DRAWN = "1,000 distinct legal positions of Go, seed 3"
PLAYED = "1,000 distinct positions of 12 games of self-play, moves drawn by the policy, seed 3"
SCALES = "500 distinct positions of 7 games of self-play, moves drawn by the policy, seed 17; 250 distinct legal ones"
GATE = {"passed": True, "limits": Limits().as_data(), "positions": [PLAYED, DRAWN]}
EXACT = {"format": "tflite", "path": "net.tflite", "precision": "fp32"}
DYNAMIC = {"format": "tflite", "path": "net.int8-dynamic.tflite", "precision": "int8-dynamic", "gate": GATE}
INT8 = {**DYNAMIC, "path": "net.int8.tflite", "precision": "int8", "calibration": SCALES}
FELL = [{"precision": "int8-dynamic", "why": "value_head: KL, p99 on self-play is outside 0.02"}]


def manifest(*artifacts: dict[str, Any], **members: Any) -> Manifest:
    said = {"positions": {"count": 1000, "seed": 3, "description": DRAWN, "source": "game"}}
    return part_with(Manifest, {**said, "artifacts": list(artifacts), **members})


def told(check: Any, *arguments: Any) -> Claims:
    return settle(check(*arguments))


def with_checkpoint(**known: Any) -> Any:
    """The evidence of a checkpoint, for a check that asks no more of it."""
    return SimpleNamespace(**{"checkpoint": SimpleNamespace(self_play=([PLAYED], SCALES)), **known})


def of_gate(**changes: Any) -> Claims:
    artifact = {**INT8, **{name: value for name, value in changes.items() if name in INT8}}
    artifact["gate"] = {**GATE, **{name: value for name, value in changes.items() if name in GATE}}
    return told(check_gates, manifest(artifact), with_checkpoint())


def test_a_true_gate_is_not_refuted_and_with_the_checkpoint_not_in_doubt() -> None:
    assert (of_gate().false, of_gate().unproved) == ((), ())


@pytest.mark.parametrize(("changes", "member"), [
    ({"limits": {}}, "gate.limits"),
    ({"limits": {"value_max": 0.05}}, "gate.limits"),
    ({"limits": {**GATE["limits"], "value_p98": 0.1}}, "gate.limits"),  # type: ignore[dict-item]
    ({"limits": {**GATE["limits"], "value_max": 5}}, "gate.limits"),  # type: ignore[dict-item]
    ({"passed": False}, "gate.passed"),
    ({"positions": []}, "gate.positions"),
    ({"positions": [DRAWN]}, "gate.positions"),
    ({"positions": [DRAWN, PLAYED]}, "gate.positions"),
    ({"positions": [PLAYED.replace("1,000", "1,000,000"), DRAWN]}, "gate.positions"),
    ({"positions": [PLAYED.replace("12 games", "13 games"), DRAWN]}, "gate.positions"),
    ({"positions": [PLAYED.replace("seed 3", "seed 4"), DRAWN]}, "gate.positions"),
    ({"positions": [PLAYED, DRAWN.replace("1,000", "9,000")]}, "gate.positions"),
    ({"positions": ["the best players' games", DRAWN]}, "gate.positions"),
    ({"calibration": None}, "calibration"),
    ({"calibration": SCALES.replace("500", "50,000")}, "calibration"),
    ({"precision": "int8-dynamic"}, "calibration"),
])  # fmt: skip
def test_a_false_gate_is_named(changes: dict[str, Any], member: str) -> None:
    assert [claim.member for claim in of_gate(**changes).false] == [f"artifacts[0].{member}"]


def test_limits_that_are_sound_and_not_usual_are_a_choice() -> None:
    found = of_gate(limits={**GATE["limits"], "kl_p99": 0.5})  # type: ignore[dict-item]
    assert (found.false, [claim.member for claim in found.unproved]) == ((), ["artifacts[0].gate.limits"])


def test_scales_of_a_users_own_positions_are_listed() -> None:
    found = of_gate(calibration="300 positions from mine.npz")
    assert (found.false, [claim.member for claim in found.unproved]) == ((), ["artifacts[0].calibration"])


@pytest.mark.parametrize(("line", "count"), [
    (PLAYED, 1000), (PLAYED.replace("1,000", "2,000"), 2000), (PLAYED.replace("1,000", "1,000,000"), 1000),
    (PLAYED.replace("1,000", "374") + " (all that were found of 2,000)", 2000),
])  # fmt: skip
def test_a_bundle_of_before_is_judged_on_what_it_was_judged_on(line: str, count: int) -> None:
    assert played(manifest({**DYNAMIC, "gate": {**GATE, "positions": [line, DRAWN]}})) == (count, 3)


def test_what_auto_took_and_left_out_is_true() -> None:
    auto = [{"format": "tflite", "chosen": "int8", "fell": FELL}]
    found = told(check_auto, manifest(EXACT, INT8, auto=auto))
    assert (found.false, [claim.member for claim in found.unproved]) == ((), ["auto[0].fell[0].why"])


@pytest.mark.parametrize(("auto", "member"), [
    ([], "auto"),
    ([{"format": "tflite", "chosen": "int8", "fell": FELL}] * 2, "auto"),
    ([{"format": "pb", "chosen": "fp32", "fell": []}], "auto[0].format"),
    ([{"format": "onnx", "chosen": "fp32", "fell": []}], "auto[0].format"),
    ([{"format": "tflite", "chosen": "fp16", "fell": []}], "auto[0].chosen"),
    ([{"format": "tflite", "chosen": "int4", "fell": []}], "auto[0].chosen"),
    ([{"format": "tflite", "chosen": "int8", "fell": []}], "auto[0].fell"),
    ([{"format": "tflite", "chosen": "int8", "fell": [*FELL, {"precision": "fp16", "why": "x"}]}], "auto[0].fell"),
    ([{"format": "tflite", "chosen": "int8", "fell": [{**FELL[0], "why": ""}]}], "auto[0].fell[0].why"),
])  # fmt: skip
def test_what_auto_did_not_take_is_named(auto: list[dict[str, Any]], member: str) -> None:
    found = told(check_auto, manifest(EXACT, INT8, auto=auto))
    assert member in [claim.member for claim in found.false]


@pytest.mark.parametrize(("used", "false"), [(0.5, True), (0.97, False)])
def test_a_mark_of_failing_on_what_is_inside_is_false_unless_at_the_edge(used: float, false: bool) -> None:
    verdict = Verdict((Check("value_head", "self-play", "KL, p99", used, 1, used, 3, 1000),))
    result = ArtifactResult("net.int8.failing.tflite", "tflite", "LiteRT", 1, (), (), None, precision="int8",
                            gate=verdict, keep_failing=True)  # fmt: skip
    made = manifest({**INT8, "path": "net.int8.failing.tflite", "gate": {**GATE, "passed": False}})
    found = told(check_marks, made, with_checkpoint(artifacts=[result]))
    assert [claim.member for claim in (found.false if false else found.unproved)] == ["artifacts[0].gate.passed"]


@pytest.mark.parametrize(("search", "false"), [
    ({"root": {"kind": "gumbel"}}, []),
    ({"root": {"kind": "gumbel", "considered": 0}}, ["search.root.considered"]),
    ({"root": {"kind": "puct"}, "solver": True}, ["search.solver"]),
])  # fmt: skip
def test_a_search_is_a_choice_and_one_that_is_not_known_is_named(search: dict[str, Any], false: list[str]) -> None:
    found = told(check_search, manifest(EXACT, search=search))
    assert [claim.member for claim in found.false] == false
    assert [claim.member for claim in found.unproved] == ["search"]


TUNED = {"search": {"root": {"kind": "gumbel"}}, "against": {"root": {"kind": "puct"}}, "games": 40, "won": 20,
         "drawn": 8, "lost": 12}  # fmt: skip


@pytest.mark.parametrize(("changes", "false", "open_"), [
    ({}, [], []),
    ({"won": 21}, ["tuned.games"], []),
    ({"search": {"root": {"kind": "gumbel", "considered": 4}}}, [], ["tuned.search"]),
])  # fmt: skip
def test_where_a_search_comes_from_adds_up_and_is_of_that_search(
    changes: dict[str, Any], false: list[str], open_: list[str]
) -> None:
    told_of = manifest(EXACT, search={"root": {"kind": "gumbel"}}, tuned={**TUNED, **changes})
    found = told(check_search, told_of)
    assert [claim.member for claim in found.false] == false
    assert {claim.member for claim in found.unproved} == {"search", "tuned", *open_}


GAMES = {"artifact": "net.int8.tflite", "games": 40, "won": 20, "drawn": 8, "lost": 12,
         "score": {"value": 0.6, "low": 0.5, "high": 0.7}}  # fmt: skip


@pytest.mark.parametrize(("changes", "member"), [
    ({}, None),
    ({"artifact": "other.tflite"}, "strength[0].artifact"),
    ({"won": 30}, "strength[0].games"),
    ({"score": {"value": 0.9, "low": 0.8, "high": 1.0}}, "strength[0].score.value"),
])  # fmt: skip
def test_games_add_up(changes: dict[str, Any], member: str | None) -> None:
    found = told(check_strength, manifest(EXACT, INT8, strength=[{**GAMES, **changes}]))
    assert [claim.member for claim in found.false] == ([member] if member else [])
    assert "strength" in [claim.member for claim in found.unproved]
