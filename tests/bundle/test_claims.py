"""Lies in manifest.json and golden.json, their hashes brought up to date: which are named, and by what."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.claims.findings import compare, refute_if_current, settle
from azx.bundle.contents.manifest import file_entry
from azx.errors import BundleError
from tests.support.held import Data, Edit, Held

Azx = Callable[..., subprocess.CompletedProcess[str]]

NOT_PROVABLE = None
"""Of a lie that the bundle alone does not show: only the checkpoint does."""
THE_RUN = "the run"
"""Of a lie that no comparison of claims shows without the checkpoint: the artifacts' own run does."""


def head(role: str) -> Callable[[Data], Data]:
    return lambda m: next(each for each in m["outputs"] if each["role"] == role)


def artifact(name: str) -> Callable[[Data], Data]:
    return lambda m: next(each for each in m["artifacts"] if each["format"] == name)


def put(member: str, value: Any) -> Edit:
    """Set a member such as encoding.layout or inputs.0.name."""

    def edit(data: Any) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in member.split(".")]
        for part in way:
            data = data[part]
        data[last] = value

    return edit


def at(find: Callable[[Data], Data], **values: Any) -> Edit:
    return lambda data: find(data).update(values)


def each_row(change: Edit) -> Edit:
    return lambda golden: [change(row) for row in golden["positions"]]


def swap_roles(m: Data) -> None:
    m["outputs"][0]["role"], m["outputs"][1]["role"] = m["outputs"][1]["role"], m["outputs"][0]["role"]


def swap_formats(m: Data) -> None:
    pb, tflite = artifact("pb")(m), artifact("tflite")(m)
    pb["path"], tflite["path"] = tflite["path"], pb["path"]


def move_disc(row: Data) -> None:
    """Put the last empty cell's disc of the mover, wherever discs fall."""
    board = row["inputs"]["main_input"]
    board[board.index(0)] = 1


def exchange_answers(golden: Data) -> None:
    first, second = golden["positions"][:2]
    first["outputs"], second["outputs"] = second["outputs"], first["outputs"]
    for row in (first, second):
        row["best"] = max(row["legal"], key=row["outputs"]["policy_head"].__getitem__)


def worst(row: Data) -> None:
    numbers = row["outputs"]["policy_head"]
    row["best"] = min(row["legal"], key=numbers.__getitem__)


OTHER = {
    "name": "connect4-mover-opponent-bottom-first",
    "encoding": {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"], "flip": True},
    "actions": [row * 7 + column for row in range(5, -1, -1) for column in range(7)],
}
"""The first reading that fits as well as the one that is assumed."""
# name: (the lie, what names it with the checkpoint, what names it without: the same member where nothing is said)
SAME = "the same"
MANIFEST: dict[str, tuple[Edit, str, str | None]] = {
    "planes reversed": (put("encoding.planes", ["opponent", "mover"]), "'encoding.planes' is", "positions[0].inputs"),
    "one plane twice": (put("encoding.planes", ["mover", "mover"]), "positions[0].inputs", SAME),
    "a plane that there is not": (put("encoding.planes", ["mover", "ko"]), "encoding", SAME),
    "planes last": (put("encoding.layout", "channels_last"), "encoding", SAME),
    "planes in a row": (put("encoding.layout", "flat"), "encoding", SAME),
    "planes added up": (put("encoding.layout", "sum"), "encoding", SAME),
    "another board": (put("encoding.board", [7, 6]), "encoding", SAME),
    "a board of no end": (put("encoding.board", [10**6, 10**6]), "encoding", SAME),
    "upside down": (put("encoding.flip", True), "encoding", SAME),
    "columns for rows": (put("encoding.transpose", True), "encoding", SAME),
    "another history": (put("encoding.history", "repeated"), "encoding", SAME),
    "the other's value": (put("encoding.value", "player0"), "encoding", SAME),
    "no encoding": (put("encoding", None), "encoding", SAME),
    "encoding left out": (lambda m: m.pop("encoding"), "encoding", SAME),
    "actions reversed": (put("actions", list(range(41, -1, -1))), "actions", SAME),
    "actions listed as they are": (put("actions", list(range(42))), "actions", SAME),
    "actions too few": (put("actions", [0, 1, 2]), "actions", SAME),
    "actions by column": (put("actions", "column"), "actions", SAME),
    "no actions": (put("actions", None), "actions", SAME),
    "actions left out": (lambda m: m.pop("actions"), "actions", SAME),
    "another game": (put("game", "gomoku"), "encoding", SAME),
    "a smaller game": (put("game", "tictactoe"), "encoding", SAME),
    "a game that there is not": (put("game", "chess"), "game", SAME),
    "no game": (put("game", None), "game", SAME),
    "no game and nothing of it": (
        lambda m: m.update(game=None, settings=None, encoding=None, actions=None),
        "game",
        SAME,
    ),
    "settings that there are not": (put("settings", {"size": 9}), "settings", SAME),
    "a reading that is said to be known": (lambda m: m.pop("assumed"), "'assumed' is null and not ['connect4-", None),
    "fewer readings that fit": (lambda m: m["assumed"]["others"].pop(), "'assumed' is ['connect4-", None),
    "other readings first": (lambda m: m["assumed"]["others"].reverse(), "'assumed' is ['connect4-", None),
    "a reading twice": (put("assumed.others.1", OTHER), "'assumed.others[1]' is", SAME),
    "a reading of no name": (put("assumed.others.0.name", "connect4-upside-down"), "'assumed.others[0].name' is", SAME),
    "a reading of another game": (put("assumed.others.0.name", "go-white-first"), "'assumed.others[0].name' is", SAME),
    "a reading of other planes": (
        put("assumed.others.0.encoding.planes", ["opponent", "mover"]),
        "'assumed.others[0].encoding' is",
        SAME,
    ),
    "a reading of other actions": (put("assumed.others.0.actions", "cell"), "'assumed.others[0].actions' is", SAME),
    "the assumed one beside itself": (
        put("assumed.others.7", {**OTHER, "name": "connect4-mover-opponent", "actions": "cell"}),
        "'assumed.others[7].encoding' is",
        SAME,
    ),
    "a word of the exporter's": (put("chosen", ["--encoding"]), "'assumed' is present", None),
    "linear for tanh": (at(head("value"), activation="linear"), "outputs[0].activation", SAME),
    "sigmoid for tanh": (at(head("value"), activation="sigmoid"), "outputs[0].activation", SAME),
    "softmax for linear": (at(head("policy"), activation="softmax"), "outputs[1].activation", SAME),
    "tanh for linear": (at(head("policy"), activation="tanh"), "outputs[1].activation", SAME),
    "no activation": (at(head("policy"), activation="unknown"), "outputs[1].activation", SAME),
    "policy is other": (at(head("policy"), role="other"), "outputs[1].role", SAME),
    "value is other": (at(head("value"), role="other"), "outputs[0].role", SAME),
    "value is policy": (at(head("value"), role="policy"), "outputs[0].role", SAME),
    "roles exchanged": (swap_roles, "outputs[0].role", SAME),
    "value is a chance": (at(head("value"), value_range="unit"), "outputs[0].value_range", SAME),
    "value is three": (at(head("value"), value_range="wdl"), "outputs[0].value_range", SAME),
    "value in an order": (at(head("value"), order=["loss", "draw", "win"]), "outputs[0].order", SAME),
    "policy has a range": (at(head("policy"), value_range="unit"), "outputs[1].value_range", SAME),
    "logits are probabilities": (at(head("policy"), policy_range="probabilities"), "outputs[1].policy_range", SAME),
    "value has a policy's range": (at(head("value"), policy_range="logits"), "outputs[0].policy_range", SAME),
    "layout flat": (put("inputs.0.layout", "flat"), "inputs[0].layout", SAME),
    "layout board": (put("inputs.0.layout", "board"), "inputs[0].layout", SAME),
    "layout channels last": (put("inputs.0.layout", "channels_last"), "inputs[0].layout", SAME),
    "input of another shape": (put("inputs.0.shape", [6, 7, 2]), "inputs[0].shape", "encoding"),
    "input of another size": (put("inputs.0.shape", [2, 6, 8]), "inputs[0].shape", "encoding"),
    "input of another name": (put("inputs.0.name", "board"), "inputs[0].name", "inputs"),
    "input of another source": (put("inputs.0.source_name", "x"), "inputs[0].source_name", NOT_PROVABLE),
    "input twice": (lambda m: m["inputs"].append(m["inputs"][0]), "inputs", "game"),
    "output of another name": (at(head("policy"), name="pi"), "outputs[1].name", "outputs"),
    "output of another source": (at(head("policy"), source_name="pi"), "outputs[1].source_name", NOT_PROVABLE),
    "output of another shape": (at(head("policy"), shape=[7]), "outputs[1].shape", "actions"),
    "output in another shape": (at(head("policy"), shape=[6, 7]), "outputs[1].shape", THE_RUN),
    "outputs in another order": (lambda m: m["outputs"].reverse(), "outputs[0].name", THE_RUN),
    "an output less": (lambda m: m["outputs"].pop(), "outputs", "actions"),
    "an output more": (lambda m: m["outputs"].append(m["outputs"][1]), "outputs", THE_RUN),
    "another node": (at(head("policy"), pb_node="policy_head/Softmax"), "outputs[1].pb_node", THE_RUN),
    "no node": (at(head("value"), pb_node=""), "outputs[0].pb_node", SAME),
    "another precision": (put("precision", "int8"), "precision", SAME),
    "an artifact's precision": (at(artifact("onnx"), precision="fp16"), "artifacts[1].precision", SAME),
    "wrong opset": (at(artifact("onnx"), opset=9), "artifacts[1].opset", SAME),
    "an opset of no ONNX": (at(artifact("tflite"), opset=17), "artifacts[3].opset", SAME),
    "another runtime": (at(artifact("tflite"), min_runtime_version="99"), "artifacts[3].min_runtime_version", SAME),
    "artifacts exchanged": (swap_formats, "artifacts[2].path", SAME),
    "an artifact twice": (lambda m: m["artifacts"].append(m["artifacts"][0]), "artifacts[5]", SAME),
    "a million threads": (put("threads", 1_000_000), "threads", SAME),
    "two threads": (put("threads", 2), "threads", SAME),
    "ONNX for iOS": (lambda m: put("recommended.ios", artifact("onnx")(m)["path"])(m), "recommended.ios", SAME),
    "none for Android": (lambda m: m["recommended"].pop("android"), "recommended.android", SAME),
    "for a platform of its own": (
        lambda m: put("recommended.watch", artifact("onnx")(m)["path"])(m),
        "recommended.watch",
        SAME,
    ),
    "traced": (put("graph.kind", "traced"), "graph.kind", NOT_PROVABLE),
    "a reason": (put("graph.reason", "layer 'x': why not"), "graph.reason", NOT_PROVABLE),
    "one position": (put("positions.count", 1), "positions.count", SAME),
    "no position": (put("positions.count", 0), "positions.count", SAME),
    "more positions": (put("positions.count", 10**12), "positions.count", SAME),
    "looked through a trillion": (put("positions.looked_through", 10**12), "positions.looked_through", SAME),
    "more extreme ones": (put("positions.extreme", 999), "positions.extreme", NOT_PROVABLE),
    "another seed": (put("positions.seed", 1), "positions.description", SAME),
    "another seed, told": (
        lambda m: m["positions"].update(seed=1, description=m["positions"]["description"].replace("seed 0", "seed 1")),
        "positions[0].inputs",
        SAME,
    ),
    "no seed": (put("positions.seed", None), "positions.seed", SAME),
    "positions of chance": (put("positions.source", "random boards"), "positions.source", SAME),
    "positions of nobody": (put("positions.description", "all there are"), "positions.count", SAME),
    "another file": (put("checkpoint.file", "alphago.h5"), "checkpoint.file", SAME),
    "another checkpoint": (put("checkpoint.sha256", "0" * 64), "checkpoint.sha256", SAME),
    "another Keras": (put("checkpoint.keras_version", "9.0"), "checkpoint.keras_version", NOT_PROVABLE),
    "more parameters": (put("checkpoint.parameters", 10**9), "checkpoint.parameters", NOT_PROVABLE),
    "another azx": (put("azx_version", "9.9.9"), "azx_version", SAME),
    "another name": (put("name", "other"), "artifacts[0].path", SAME),
    "golden.json without a hash": (
        lambda m: m.update(files=[file for file in m["files"] if file["path"] != "golden.json"]),
        "files",
        SAME,
    ),
}
GOLDEN: dict[str, tuple[Edit, str, str | None]] = {
    "values moved": (
        each_row(lambda row: put("outputs.value_head.0", row["outputs"]["value_head"][0] + 0.1)(row)),
        "positions[0].outputs.value_head",
        THE_RUN,
    ),
    "a logit moved": (
        lambda g: put("positions.7.outputs.policy_head.41", 0.1)(g),
        "positions[7].outputs.policy_head",
        THE_RUN,
    ),
    "answers exchanged": (exchange_answers, "positions[0].outputs.policy_head", THE_RUN),
    "wrong best": (each_row(worst), "positions[0].best", SAME),
    "best is a word": (put("positions.3.best", "3"), "positions[3].best", SAME),
    "best is true": (put("positions.3.best", True), "positions[3].best", SAME),
    "no best": (each_row(lambda row: row.pop("best")), "positions[0].best", SAME),
    "no best in one": (lambda g: g["positions"][19].pop("best"), "positions[19].best", SAME),
    "legal null": (each_row(lambda row: row.update(legal=None)), "positions[0].legal", SAME),
    "legal null in one": (put("positions.4.legal", None), "positions[4].legal", SAME),
    "all is legal": (each_row(lambda row: row.update(legal=list(range(42)))), "positions[0].legal", SAME),
    "a legal move less": (lambda g: g["positions"][2]["legal"].pop(), "positions[2].legal", SAME),
    "legal from behind": (lambda g: g["positions"][2]["legal"].reverse(), "positions[2].legal", SAME),
    "one position": (lambda g: g.update(positions=g["positions"][:1]), "positions", SAME),
    "nineteen": (lambda g: g["positions"].pop(), "positions", SAME),
    "one more": (lambda g: g["positions"].append(g["positions"][0]), "positions", SAME),
    "one twenty times": (lambda g: g.update(positions=[g["positions"][0]] * 20), "positions[1].inputs", SAME),
    "the empty board": (
        each_row(lambda row: row["inputs"].update(main_input=[0] * 84)),
        "positions[1].inputs",
        SAME,
    ),
    "in another order": (lambda g: g["positions"].reverse(), "positions[0].inputs", SAME),
    "a disc more": (lambda g: move_disc(g["positions"][5]), "positions[5].inputs", SAME),
    "1e30": (put("positions.1.inputs.main_input.0", 1e30), "positions[1].inputs", SAME),
    "a half": (put("positions.1.inputs.main_input.0", 0.5), "positions[1].inputs", SAME),
    "none": (lambda g: g.update(positions=[]), "positions", "damaged"),
    "no list": (lambda g: g.update(positions=7), "positions", "damaged"),
    "no numbers": (put("positions.0.outputs.value_head", ["1"]), "positions", "damaged"),
    "infinite": (put("positions.0.inputs.main_input.0", 1e300), "positions", "damaged"),
    "no such move": (put("positions.0.legal", [42]), "positions", "damaged"),
    "a newer one": (put("schema_version", 2), "positions", "damaged"),
}


LIES = [
    *((name, "manifest.json", *lie) for name, lie in MANIFEST.items()),
    *((name, "golden.json", *lie) for name, lie in GOLDEN.items()),
]


def test_the_lies_are_many() -> None:
    assert len(LIES) >= 60


def shown(value: object) -> str:
    return "edit" if callable(value) else str(value)[:40]


@pytest.mark.parametrize("against", [True, False], ids=["with the checkpoint", "without it"])
def test_nothing_is_said_against_an_honest_bundle(held: Held, against: bool) -> None:
    held.told(lambda data: None, "manifest.json")
    assert held.claims(against=against).sentences == []


@pytest.mark.whole
@pytest.mark.parametrize(("name", "file", "edit", "with_it", "without"), LIES, ids=shown)
def test_a_lie_is_named_with_the_checkpoint(
    held: Held, name: str, file: str, edit: Edit, with_it: str, without: str | None
) -> None:
    held.told(edit, file)
    found = held.claims(against=True)
    assert any(with_it in sentence for sentence in found.sentences), (name, found)


@pytest.mark.parametrize(("name", "file", "edit", "with_it", "without"), LIES, ids=shown)
def test_without_the_checkpoint_what_rules_and_artifacts_tell_is_named(
    held: Held, name: str, file: str, edit: Edit, with_it: str, without: str | None
) -> None:
    held.told(edit, file)
    if without == "damaged":
        with pytest.raises(BundleError, match=r"is damaged|schema version"):
            held.claims(against=False)
        return
    found = held.claims(against=False)
    if without in (NOT_PROVABLE, THE_RUN):
        assert found.sentences == [], (name, found)
    else:
        member = with_it if without == SAME else str(without)
        assert any(member in sentence for sentence in found.sentences), (name, found)


def test_what_the_checkpoint_alone_tells_is_listed_as_not_provable_without_it(held: Held) -> None:
    held.told(lambda data: None, "manifest.json")
    open_ = {claim.member for claim in held.claims(against=False).unproved}
    assert {"checkpoint.parameters", "graph", "converters", "outputs[].source_name", "encoding", "outputs"} <= open_


def test_that_a_reading_is_assumed_is_told_by_the_checkpoint_alone(held: Held) -> None:
    held.told(lambda data: None, "manifest.json")
    assert held.honest["assumed"]["others"][0] == OTHER
    assert "assumed" in {claim.member for claim in held.claims(against=False).unproved}
    assert "assumed" not in {claim.member for claim in held.claims(against=True).unproved}


def test_a_probe_that_is_said_to_have_stopped_is_held_to_what_the_checkpoint_tells(held: Held) -> None:
    for said in ({"others": [], "stopped": True}, {**held.honest["assumed"], "stopped": True}):
        held.told(put("assumed", said), "manifest.json")
        assert any("as the checkpoint is read again" in sentence for sentence in held.claims(against=True).sentences)


def test_of_a_reading_that_its_exporter_said_it_is_listed_that_nothing_shows_it(held: Held) -> None:
    held.told(lambda m: (m.pop("assumed"), m.update(chosen=["--encoding"])), "manifest.json")
    found = held.claims(against=True)
    assert found.sentences == []
    assert [claim.says for claim in found.unproved if claim.member == "assumed"] == [
        "is missing: the encoding is its exporter's choice (--encoding)"
    ]


def test_a_claim_reads_as_a_sentence() -> None:
    assert settle(compare("threads", 4, 1)).sentences == ["manifest.json: 'threads' is 4 and not 1."]


def test_what_an_older_azx_did_not_write_is_no_lie(held: Held) -> None:
    def older(m: Data) -> None:
        del m["threads"]
        del artifact("tflite")(m)["min_runtime_version"]
        del artifact("onnx")(m)["opset"]

    held.told(older, "manifest.json")
    for against in (True, False):
        assert held.claims(against=against).sentences == []


def test_what_another_version_drew_is_not_provable_and_no_lie() -> None:
    finding = refute_if_current("positions[0].inputs", "has 1 at 0", "golden.json")
    claims = settle([finding], current=False)
    assert claims.false == ()
    assert "another version of azx" in claims.unproved[0].says


@pytest.fixture
def onnx_alone(bundle: Path) -> Path:
    """A bundle of one format, so that a process of its own validates it in little time."""
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text())
    kept = artifact("onnx")(manifest)["path"]
    manifest["artifacts"] = [artifact("onnx")(manifest)]
    manifest["files"] = [file for file in manifest["files"] if file["path"] in (kept, "golden.json")]
    manifest["recommended"] = {"desktop": kept}
    path.write_text(json.dumps(manifest))
    return bundle


def test_a_lie_ends_in_exit_code_3_and_is_in_the_report(onnx_alone: Path, small_checkpoint: Path, azx: Azx) -> None:
    path = onnx_alone / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["encoding"]["planes"].reverse()
    path.write_text(json.dumps(manifest))
    done = azx("validate", onnx_alone, "--against", small_checkpoint, "--positions", 30, "--json")
    assert done.returncode == 3
    assert "golden.json: 'positions[0].inputs' has" in done.stderr
    report = json.loads(done.stdout)
    assert report["passed"] is False
    assert [claim["member"] for claim in report["claims"]["false"]] == ["encoding.planes", "positions[0].inputs"]


def test_without_the_checkpoint_the_verdict_says_what_that_is_worth(onnx_alone: Path, azx: Azx) -> None:
    done = azx("validate", onnx_alone)
    assert done.returncode == 0, done.stderr
    assert "1 artifact, equal to the 20 answers in golden.json" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert "an artifact and golden.json can be forged together" in last
    assert "statements of the bundle are not proved (--verbose lists them)" in last
    assert "'checkpoint.parameters'" not in done.stdout
    assert done.stdout.count("forged") == 1, "one line says it, and not eight"


def test_a_verbose_validation_lists_what_nothing_proves(onnx_alone: Path, azx: Azx) -> None:
    listed = azx("validate", onnx_alone, "--verbose").stdout
    assert "'checkpoint.parameters' can be known only from the checkpoint" in listed
    told = json.loads(azx("validate", onnx_alone, "--json").stdout)["claims"]["not_provable"]
    assert f"{len(told)} statements of the bundle are not proved" in listed
    assert all(f"'{claim['member']}' {claim['says']}" in listed for claim in told)


def test_answers_that_moved_are_not_the_artifacts(onnx_alone: Path, azx: Azx) -> None:
    golden = json.loads((onnx_alone / "golden.json").read_text())
    GOLDEN["values moved"][0](golden)
    (onnx_alone / "golden.json").write_text(json.dumps(golden))
    manifest = json.loads((onnx_alone / "manifest.json").read_text())
    entry = file_entry(onnx_alone, onnx_alone / "golden.json").as_data()
    manifest["files"] = [entry if file["path"] == "golden.json" else file for file in manifest["files"]]
    (onnx_alone / "manifest.json").write_text(json.dumps(manifest))
    done = azx("validate", onnx_alone)
    assert done.returncode == 3
    assert "value_head differs by" in done.stderr
