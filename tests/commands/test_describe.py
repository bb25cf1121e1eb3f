"""`azx describe`: questions, or options for scripts; the file at the end says how the network sees its board."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from click.testing import CliRunner

from azx.bundle.case.reading import from_file
from azx.cli import cli
from azx.games.encoding import encode
from azx.games.known.recognition import in_way

Azx = Callable[..., subprocess.CompletedProcess[str]]


def saved(check: Any, path: Path, shape: tuple[int, ...], policy: int | None, value: int | None = None) -> Path:
    """A seeded network of one hidden layer that answers with so many moves, and a value of one number or of three."""
    import tf_keras

    tf_keras.utils.set_random_seed(7)
    layers = tf_keras.layers
    board = layers.Input(shape, name="board")
    hidden = layers.Dense(16, "relu")(layers.Flatten()(board) if len(shape) > 1 else board)
    heads = [layers.Dense(policy, name="policy")(hidden)] if policy else []
    if value:
        heads.append(layers.Dense(value, "tanh" if value == 1 else "softmax", name="value")(hidden))
    return check.save_h5(tf_keras.Model(board, heads), path)  # type: ignore[no-any-return]


@pytest.fixture
def tictactoe(check: Any, tmp_path: Path) -> Path:
    return saved(check, tmp_path / "ttt.h5", (9,), 9, 1)


def test_a_script_says_everything_and_gets_a_file_that_export_takes(tictactoe: Path, azx: Azx, tmp_path: Path) -> None:
    done = azx("describe", tictactoe, "--pieces", "codes_player0", "--value", "player1", "-o", tmp_path / "e.json")
    assert done.returncode == 0, done.stderr
    found = from_file(tmp_path / "e.json", [(9,)], 9)
    assert (found.game.name, found.encoding.planes, found.encoding.value) == (
        "tictactoe",
        ("codes_player0",),
        "player1",
    )
    assert f"Next: azx export {tictactoe} --encoding {tmp_path / 'e.json'}" in done.stdout
    assert "`--encoding tictactoe-codes-player0-value-player1` says the same" in done.stdout
    assert "Of small samples it finds: wins " in done.stdout
    shown = azx("inspect", tictactoe, "--encoding", tmp_path / "e.json")
    assert "1 who began, 2 who came second" in shown.stdout


def test_what_a_script_leaves_out_is_one_sentence(tictactoe: Path, azx: Azx, check: Any, tmp_path: Path) -> None:
    asked = check.sentence(azx("describe", tictactoe, "-o", tmp_path / "e.json"))
    assert "say how it sees the pieces with --pieces signed or signed_opponent or " in asked
    assert asked.endswith("(then --value).")
    asked = check.sentence(azx("describe", tictactoe, "--pieces", "signed", "-o", tmp_path / "e.json"))
    assert "say whose its value is with --value mover or opponent or player0 or player1" in asked
    assert not (tmp_path / "e.json").exists()


def test_a_file_that_is_there_stays(tictactoe: Path, azx: Azx, check: Any, tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text("mine")
    given = ("describe", tictactoe, "--pieces", "signed", "--value", "mover", "-o", path)
    assert check.sentence(azx(*given)).endswith("replace it with --force.")
    assert path.read_text() == "mine"
    assert azx(*given, "--force").returncode == 0
    assert json.loads(path.read_text())["planes"] == ["signed"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--game", "connect4"], "--game 'connect4' does not fit this network"),
        (["--row-0", "bottom"], "--row-0 'bottom' does not fit this network: use top"),
        (
            ["--value", "black"],
            "--value 'black' does not fit this network: use mover or opponent or player0 or player1",
        ),
        (["--order", "win,draw,loss"], "--order does not matter for this network: leave it out"),
        (["--pieces", "moon"], "there is no plane 'moon'"),
        (["--pieces", "mover,opponent"], "--pieces names 2 planes, but the input has 1: name as many"),
        (["--moves", "column"], "--moves 'column' does not fit this network: use cell"),
    ],
)
def test_an_answer_that_does_not_fit_says_what_would(
    options: list[str], says: str, tictactoe: Path, azx: Azx, check: Any, tmp_path: Path
) -> None:
    assert says in check.sentence(azx("describe", tictactoe, *options, "-o", tmp_path / "e.json"))


def test_a_network_of_no_board_is_refused(check: Any, azx: Azx, tmp_path: Path) -> None:
    other = saved(check, tmp_path / "other.h5", (5,), 3)
    assert "which fit no board of connect4" in check.sentence(azx("describe", other, "-o", tmp_path / "e.json"))


def test_a_network_whose_outputs_have_no_known_shape_is_not_said_to_fit_no_board(
    check: Any, azx: Azx, tmp_path: Path
) -> None:
    from tf_keras import Model, layers

    board = layers.Input((42, 7), name="moves")
    steps = layers.LocallyConnected1D(8, 3, name="steps")(board)
    path = check.save_h5(Model(board, layers.Dense(1, name="policy_head")(steps)), tmp_path / "steps.h5")
    told = check.sentence(azx("describe", path, "-o", tmp_path / "e.json"))
    assert (
        "does not know the shape of output 'policy_head', which lies behind layer 'steps' (LocallyConnected1D): write"
        in told
    )
    assert "fit no board" not in told


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Run `azx describe` as on a terminal, with these answers typed; its output."""

    def run(answers: list[str], *arguments: object) -> str:
        done = CliRunner().invoke(cli, ["describe", *map(str, arguments)], input="".join(f"{one}\n" for one in answers))
        assert done.exit_code == 0, done.output
        return done.output

    with mock.patch("azx.commands.describe._can_ask", return_value=True):
        yield run


def test_questions_are_asked_with_boards_and_figures(check: Any, asked: Callable[..., str], tmp_path: Path) -> None:
    path = saved(check, tmp_path / "net.h5", (6, 7), 7, 3)
    told = asked(["nonsense", "2", "bottom", "3", "loss,draw,win"], path, "-o", tmp_path / "e.json")
    for question in (
        "How does it see the pieces?",
        "Where does row 0 of its input lie?",
        "Whose value",
        "three outputs",
    ):
        assert question in told
    assert "Which game" not in told
    assert "there is no plane 'nonsense'" in told
    assert "blocks" in told
    assert "values" in told
    assert "by chance" in told
    assert "What the network reads if it is bottom:" in told
    data = json.loads((tmp_path / "e.json").read_text())
    assert data == {
        "game": "connect4",
        "actions": "column",
        "layout": "sum",
        "board": [6, 7],
        "planes": ["signed_opponent"],
        "flip": True,
        "value": "player0",
        "value_order": ["loss", "draw", "win"],
    }


def test_the_board_that_is_drawn_is_what_the_network_reads(
    check: Any, asked: Callable[..., str], tmp_path: Path
) -> None:
    from azx.bundle.description.answers import example_state

    path = saved(check, tmp_path / "net.h5", (6, 7), 7)
    told = asked(["1", "2"], path, "-o", tmp_path / "e.json")
    reading = from_file(tmp_path / "e.json", [(6, 7)], 7)
    state = example_state(reading)
    assert state.board_text() in told
    drawn = told.split("What the network reads if it is bottom:\n")[1].splitlines()[1:7]
    numbers = [[0 if cell == "." else int(cell) for cell in line.split()] for line in drawn]
    assert np.array_equal(numbers, encode(state, reading.encoding))


def test_a_game_is_asked_where_shapes_fit_several(check: Any, asked: Callable[..., str], tmp_path: Path) -> None:
    path = saved(check, tmp_path / "net.h5", (9, 5, 5), 26)
    planes = "player0,player1,mover@1,opponent@1,mover@2,opponent@2,last,ones,player0_to_move"
    told = asked(["go", planes], path, "-o", tmp_path / "e.json")
    assert "Which game does it play?" in told
    assert "Name the planes of its input" in told
    reading = from_file(tmp_path / "e.json", [(9, 5, 5)], 26)
    assert (reading.game.name, dict(reading.settings), reading.encoding.layout) == ("go", {"size": 5}, "channels_first")


@pytest.fixture
def two_policies(check: Any, tmp_path: Path) -> Any:
    import tf_keras

    layers = tf_keras.layers
    board = layers.Input((3, 3, 2), name="board")
    heads = [layers.Dense(9, "softmax", name=name)(layers.Flatten()(board)) for name in ("z_player_x", "a_player_o")]
    return check.save_h5(tf_keras.Model(board, heads), tmp_path / "two.h5")


def test_what_the_outputs_are_is_asked_first_where_nothing_says_it(
    two_policies: Path, asked: Callable[..., str], tmp_path: Path
) -> None:
    path = two_policies
    told = asked(["policy", "neither", "tictactoe", "mover,opponent"], path, "-o", tmp_path / "e.json")
    assert "What are the 9 numbers of 'z_player_x' (softmax)?" in told
    assert told.index("What are the 9 numbers of 'a_player_o'") < told.index("How does it see the pieces?")
    assert f"Next: azx export {path} --policy-head z_player_x --encoding" in told


def test_a_script_says_what_the_outputs_are(two_policies: Path, azx: Azx, check: Any, tmp_path: Path) -> None:
    silent = check.sentence(azx("describe", two_policies, "-o", tmp_path / "f.json"))
    assert "nothing says what its outputs are, 'z_player_x' (9), 'a_player_o' (9): say it with --policy-head" in silent


def test_an_author_s_code_is_run_only_with_the_word_for_it(
    tictactoe: Path, azx: Azx, check: Any, tmp_path: Path
) -> None:
    (tmp_path / "author.py").write_text("def encode(board, player):\n    return (board * player).ravel() * -1.0\n")
    code = ("--code", f"{tmp_path / 'author.py'}:encode", "--value", "mover", "-o", tmp_path / "e.json")
    assert check.sentence(azx("describe", tictactoe, *code)).endswith("runs your own Python code: add --allow-code.")
    done = azx("describe", tictactoe, *code, "--allow-code")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "e.json").read_text())["planes"] == ["signed_opponent"]


def test_go_s_orders_of_planes_are_said_by_their_names(azx: Azx, check: Any, tmp_path: Path) -> None:
    said = check.sentence(azx("describe", "go", "-o", tmp_path / "e.json"))
    assert "--pieces go-mover-first or go-interleaved or go-mover-first-white or go-interleaved-white" in said
    done = azx("describe", "go", "--pieces", "go-interleaved", "--value", "mover", "-o", tmp_path / "e.json")
    assert done.returncode == 0, done.stderr
    assert from_file(tmp_path / "e.json", [(9, 9, 17)], 82).encoding.planes[:3] == ("mover", "opponent", "mover@1")
    assert "`--encoding go-interleaved` says the same" in done.stdout


def test_describe_loads_no_tensorflow(tictactoe: Path, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom azx.cli import cli\n"
        f"done = CliRunner().invoke(cli, ['describe', {str(tictactoe)!r}, '--pieces', 'signed', '--value', 'mover', "
        f"'-o', {str(tmp_path / 'e.json')!r}])\n"
        "print(done.exit_code, 'tensorflow' in sys.modules, 'tf_keras' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.strip() == "0 False False", done.stderr


# A network of an unknown reading, what its user says of it, and what the bundle then says.
WALKS: dict[str, tuple[tuple[int, ...], int | None, int | None, list[str], dict[str, Any]]] = {
    "one-hot cells of tic-tac-toe": (
        (27,),
        9,
        1,
        ["--pieces", "empty,mover,opponent", "--layout", "cells", "--value", "mover"],
        {"game": "tictactoe", "planes": ["empty", "mover", "opponent"], "layout": "cells"},
    ),
    "a vector of Connect4 in absolute colours": (
        (42,),
        7,
        1,
        ["--pieces", "signed_player0", "--row-0", "bottom", "--cells", "by-row", "--value", "player0"],
        {"game": "connect4", "planes": ["signed_player0"], "flip": True, "value": "player0", "layout": "flat"},
    ),
    "Connect4 on its side, a move a cell": (
        (7, 6, 2),
        42,
        3,
        [
            "--pieces",
            "opponent,mover",
            "--row-0",
            "top",
            "--moves",
            "as-input",
            "--value",
            "mover",
            "--order",
            "loss,draw,win",
        ],
        {"game": "connect4", "planes": ["opponent", "mover"], "transpose": True, "layout": "channels_last"},
    ),
    "Go on 5 x 5 with nine planes": (
        (9, 5, 5),
        26,
        1,
        [
            "--game",
            "go",
            "--pieces",
            "mover,mover@1,mover@2,mover@3,opponent,opponent@1,opponent@2,opponent@3,ones",
            "--value",
            "mover",
        ],
        {"game": "go", "layout": "channels_first", "board": [5, 5]},
    ),
    "Gomoku on 8 x 8 with the last move": (
        (8, 8, 4),
        64,
        1,
        ["--game", "gomoku", "--pieces", "mover,opponent,last,player0_to_move", "--value", "mover"],
        {"game": "gomoku", "planes": ["mover", "opponent", "last", "player0_to_move"], "board": [8, 8]},
    ),
    "values of the moves of Connect4 on 8 x 8": (
        (8, 8, 1),
        8,
        None,
        ["--game", "connect4", "--pieces", "codes_mover", "--row-0", "top", "--cells", "by-row"],
        {"game": "connect4", "planes": ["codes_mover"], "board": [8, 8], "layout": "channels_last"},
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("walk", WALKS)
def test_a_newcomer_walks_from_a_file_to_a_bundle_that_the_page_can_play(
    walk: str, check: Any, azx: Azx, tmp_path: Path
) -> None:
    from azx.bundle.contents.manifest import read_manifest
    from azx.bundle.contents.playable import problems_of

    shape, policy, value, said, expected = WALKS[walk]
    path = saved(check, tmp_path / "net.h5", shape, policy, value)
    described = azx("describe", path, *said, "-o", tmp_path / "encoding.json")
    assert described.returncode == 0, described.stderr
    for name in re.findall(r"`--encoding (\S+)` says the same", described.stdout):
        named = in_way(name, [shape], policy)
        assert named.as_data() == from_file(tmp_path / "encoding.json", [shape], policy).as_data()
    line = described.stdout.split("Next: azx ")[1].split()
    done = azx(*line, "--format", "onnx", "-o", tmp_path / "bundle", "--positions", 40)
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(tmp_path / "bundle")
    assert problems_of(manifest) == []
    data = manifest.as_data()
    found = {"game": data["game"], **data["encoding"]}
    assert {name: found.get(name) for name in expected} == expected
    reading = from_file(tmp_path / "encoding.json", [shape], policy)
    state = reading.start().apply(reading.start().legal_actions()[0])
    assert reading.legal(state).sum() >= len({action % (policy or 1) for action in state.legal_actions()}) > 0
    assert encode(state, reading.encoding).shape == shape
