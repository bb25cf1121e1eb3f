"""What azx says of outputs and boards: `inspect` as `export`, in short sentences, and on to the app that plays it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rings import few

from azx import export_checkpoint, inspect_checkpoint
from azx.statement import Degree

Azx = Callable[..., subprocess.CompletedProcess[str]]
LONGEST = 25


def build(kind: str) -> Any:
    """A small network of this kind."""
    from tf_keras import Model, layers

    shape = {"chances": (9, 9, 2), "styles": (8, 8, 12), "two alike": (3, 3, 2), "along an axis": (7, 6)}.get(kind)
    board = layers.Input(shape or (6, 7, 2), name="board")
    flat = layers.Flatten()(layers.Conv1D(4, 3)(board) if kind == "along an axis" else board)
    heads = {
        "unnamed": lambda: [layers.Dense(7, "softmax")(flat), layers.Dense(1, "tanh")(flat)],
        "named": lambda: [layers.Dense(7, name="policy_head")(flat), layers.Dense(1, "tanh", name="value_head")(flat)],
        "along an axis": lambda: [layers.Dense(7, name="pi")(flat), layers.Dense(1, "tanh", name="v")(flat)],
        "three classes": lambda: [layers.Dense(7, name="pi")(flat), layers.Dense(3, "softmax", name="wdl")(flat)],
        "chances": lambda: [layers.Dense(2, "sigmoid")(flat)],
        "styles": lambda: [layers.Dense(3, "softmax", name="style")(flat)],
        "two alike": lambda: [layers.Dense(9, "softmax", name=name)(flat) for name in ("z_player_x", "a_player_o")],
        "values of moves": lambda: [layers.Dense(7, name="q_values")(flat)],
    }[kind]()
    return Model(board, heads)


ROLES = {
    "unnamed": {"value_head": Degree.ASSUMED, "policy_head": Degree.ASSUMED},
    "named": {"value_head": Degree.CERTAIN, "policy_head": Degree.CERTAIN},
    "along an axis": {"value_head": Degree.CERTAIN, "policy_head": Degree.CERTAIN},
    "three classes": {"value_head": Degree.CERTAIN, "policy_head": Degree.CERTAIN},
    "chances": {},
    "styles": {},
    "two alike": {},
    "values of moves": {"policy_head": Degree.ASSUMED},
}


@pytest.fixture(scope="module")
def networks(check: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    import tf_keras

    tf_keras.utils.set_random_seed(3)
    folder = tmp_path_factory.mktemp("kinds")
    return {kind: check.save_h5(build(kind), folder / f"{kind.replace(' ', '_')}.h5") for kind in ROLES}


@pytest.mark.parametrize("kind", ROLES)
def test_a_role_is_a_fact_only_by_the_name_in_the_file(kind: str, networks: dict[str, Path]) -> None:
    found = inspect_checkpoint(networks[kind])
    assert {head.name: head.degree for head in found.heads if head.role != "other"} == ROLES[kind]
    assert [each.about for each in found.statements][: len(found.heads)] == [head.source_name for head in found.heads]
    for each in found.statements:
        assert len(each.line.split()) <= LONGEST, each.line
        assert each.instead or each.degree not in (Degree.ASSUMED,)


@pytest.mark.parametrize("kind", few(ROLES))
def test_inspect_says_what_an_export_says(kind: str, networks: dict[str, Path], tmp_path: Path) -> None:
    found = inspect_checkpoint(networks[kind])
    done = export_checkpoint(networks[kind], output=tmp_path / "b", formats="onnx", count=20, report=False)
    assert (done.statements, done.reading, done.game_note) == (found.statements, found.reading, found.game_note)
    assert [(head.name, head.role, head.degree) for head in done.heads] == [
        (head.name, head.role, head.degree) for head in found.heads
    ]
    stated = {head["name"]: head.get("degree") for head in done.manifest["outputs"]}
    doubtful = (Degree.ASSUMED, Degree.UNKNOWN)
    assert stated == {head.name: str(head.degree) if head.degree in doubtful else None for head in found.heads}


def test_the_order_of_three_classes_is_made_up_by_nobody(networks: dict[str, Path]) -> None:
    found = inspect_checkpoint(networks["three classes"])
    assert found.encoding is not None
    assert found.encoding["value"] == "unknown"


def test_a_newcomer_gets_from_the_file_to_an_app_and_no_doubt_is_dropped(
    networks: dict[str, Path], azx: Azx, tmp_path: Path
) -> None:
    net, app = networks["unnamed"], tmp_path / "site"
    app.mkdir()
    seen = azx("inspect", net).stdout
    value, policy = re.findall(r"Assumed: '(\w+)' is taken for the (?:value|policy): ", seen)
    assert f"'{policy}' is taken for the policy: 7 softmax numbers. If not: --policy-head NAME, or none." in seen
    assert "(" not in seen.split("Assumed: connect4-mover-opponent")[1].split("Otherwise")[0]
    figures = azx("inspect", net, "--verbose").stdout
    assert "no reading does clearly better than chance" in figures
    bundle = tmp_path / "b"
    done = azx("export", net, "--format", "tfjs", "--positions", 20, "-o", bundle)
    assert done.returncode == 0, done.stderr
    doubt = "How this network sees the board, and which output is its value and which its policy, is not known"
    assert doubt in (bundle / "report.html").read_text(encoding="utf8")
    placed = azx("install", bundle, app, "--kind", "web")
    assert placed.returncode == 0, placed.stderr
    assert doubt in placed.stdout
    assert doubt in azx("install", "--list", app, "--kind", "web").stdout
    # What the line says to type is taken.
    other = seen.split("Otherwise: --encoding ")[1].split()[0]
    heads = ("--value-head", value, "--policy-head", policy)
    said = azx("inspect", net, "--encoding", other, *heads, "--json")
    assert {each["degree"] for each in json.loads(said.stdout)["statements"]} == {"said"}


@pytest.mark.parametrize(
    ("file", "roles"),
    [
        ("e_same_width.h5", {}),
        ("q_two_chances.h5", {}),
        ("r_three_styles.h5", {}),
        ("chess_openreper.keras", {}),
        ("m_conv1d.h5", {"value": Degree.CERTAIN, "policy": Degree.CERTAIN}),
        ("v_gru.h5", {"value": Degree.CERTAIN, "policy": Degree.CERTAIN}),
        ("s_dueling.h5", {"policy": Degree.ASSUMED}),
        ("ttt_levidyrek.h5", {"policy": Degree.ASSUMED}),
        ("ttt_salendron.h5", {"policy": Degree.ASSUMED}),
    ],
)
def test_of_others_small_files_nothing_false_is_said(file: str, roles: dict[str, Degree], shared_data: Path) -> None:
    found = inspect_checkpoint(shared_data / "cases" / file)
    assert {head.role: head.degree for head in found.heads if head.role != "other"} == roles
    assert all(len(each.line.split()) <= LONGEST for each in found.statements)
    assert not [each for each in found.statements if each.about == "board" and each.degree is Degree.SHOWN]


def test_codes_with_an_empty_cell_of_less_than_nothing_have_a_name(shared_data: Path) -> None:
    file = shared_data / "cases" / "ttt_salendron.h5"
    found = inspect_checkpoint(file, encoding="tictactoe-marks-player0")
    assert found.reading == "input: 9 numbers, row by row; -1 empty, 0 who began, 1 who came second"
    assert found.statements[-1].degree is Degree.SAID
