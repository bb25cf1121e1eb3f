from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Azx = Callable[..., subprocess.CompletedProcess[str]]


def cube(check: Any, path: Path) -> Path:
    """A network of 9x9x9 inputs and 82 actions: which game, and channels first or last, the shapes do not tell."""
    from tf_keras import Model, layers

    board = layers.Input((9, 9, 9), name="board")
    flat = layers.Flatten()(layers.Conv2D(4, 3, padding="same")(board))
    heads = [layers.Dense(1, "tanh", name="value_head")(flat), layers.Dense(82, name="policy_head")(flat)]
    saved: Path = check.save_h5(Model(board, heads), path)
    return saved


@pytest.fixture(scope="module")
def ambiguous(check: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cube(check, tmp_path_factory.mktemp("cube") / "cube.h5")


def described(folder: Path, **members: Any) -> Path:
    path = folder / "encoding.json"
    planes = [f"{who}{ago}" for who in ("mover", "opponent") for ago in ("", "@1", "@2", "@3")]
    path.write_text(json.dumps({"game": "gomoku", "board": [9, 9], "planes": [*planes, "ones"], **members}))
    return path


NOTE = (
    "its shapes fit Gomoku and other games: say --game gomoku if it is; its board and its 82 moves "
    "fit Go too, with other planes: say what they are with `azx describe`"
)
# The rest is a figure: --verbose has it.
SHORT = NOTE.partition(";")[0]


@pytest.mark.whole
def test_shapes_that_tell_no_game_are_converted_without_one_and_the_option_is_named(
    ambiguous: Path, azx: Azx, check: Any, tmp_path: Path
) -> None:
    done = azx("export", ambiguous, "--format", "tflite", "-o", tmp_path / "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    assert f"Not known: {SHORT}." in done.stdout
    assert "40 distinct random boards" in done.stdout
    assert f"Next: azx describe {ambiguous} (the game is unknown" in done.stdout
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    assert [manifest[name] for name in ("game", "settings", "encoding", "actions")] == [None] * 4
    told = azx("inspect", ambiguous).stdout
    assert f"Not known: {SHORT}." in told
    assert f"how it sees its board: azx describe {ambiguous} (docs/not-recognised.md)" in told
    shown = json.loads(azx("inspect", ambiguous, "--json").stdout)
    assert (shown["game"], shown["game_note"]) == (None, NOTE)
    for net in (ambiguous, tmp_path / "b"):
        asked = azx("play", net)
        assert asked.returncode == 1
        assert asked.stderr.endswith(f"{NOTE}, or describe its input with --encoding FILE.json.\n")
    asked = azx("match", ambiguous, ambiguous, "--workers", 1)
    assert (asked.returncode, "say --game gomoku" in asked.stderr) == (1, True)


def test_a_named_game_is_read_as_the_network_s_layers_lie(ambiguous: Path, azx: Azx) -> None:
    shown = json.loads(azx("inspect", ambiguous, "--game", "gomoku", "--json").stdout)
    assert (shown["game"], shown["settings"], shown["encoding"]["layout"]) == ("gomoku", {"size": 9}, "channels_last")


def test_a_described_network_is_exported_and_validated_as_described(ambiguous: Path, azx: Azx, tmp_path: Path) -> None:
    encoding = described(tmp_path, layout="channels_first")
    done = azx(
        "export", ambiguous, "--format", "tflite", "--encoding", encoding, "-o", tmp_path / "b", "--positions", 40
    )
    assert done.returncode == 0, done.stderr
    assert "plays gomoku, size 9 (actions: cell_and_pass)" in done.stdout
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    assert (manifest["game"], manifest["settings"], manifest["actions"]) == ("gomoku", {"size": 9}, "cell_and_pass")
    assert manifest["encoding"]["layout"] == "channels_first"
    again = azx("validate", tmp_path / "b", "--against", ambiguous)
    assert again.returncode == 0, again.stderr
    assert "40 distinct legal positions of Gomoku" in again.stdout


def test_a_network_of_no_game_is_proved_on_random_boards(ambiguous: Path, azx: Azx, tmp_path: Path) -> None:
    done = azx("export", ambiguous, "--format", "tflite", "--game", "none", "-o", tmp_path / "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    assert "game unknown" in done.stdout
    assert "40 distinct random boards" in done.stdout


def test_a_description_that_does_not_fit_is_refused(ambiguous: Path, azx: Azx, check: Any, tmp_path: Path) -> None:
    encoding = described(tmp_path, layout="sum")
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", ambiguous, "--format", "pb", "--encoding", encoding))
    assert "it describes an input of shape (9, 9), but the network takes (9, 9, 9)." in said


def test_the_wrong_game_is_refused_with_what_would_fit(checkpoint: Path, azx: Azx, check: Any, tmp_path: Path) -> None:
    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "--format", "pb", "--game", "go"))
    assert "Go networks take (9, 9, 17) or" in said


@pytest.mark.smoke
def test_the_games_are_listed(azx: Azx) -> None:
    shown = azx("games")
    assert shown.returncode == 0
    for game in ("connect4", "tictactoe", "dots_and_boxes", "gomoku", "go", "reversi"):
        assert game in shown.stdout
    told = json.loads(azx("games", "go", "--json").stdout)
    assert told[0]["networks"][0]["settings"]["size"] == 9
    assert azx("games", "chess").returncode == 1


def test_each_game_is_told_with_its_shapes(azx: Azx) -> None:
    shown = azx("games", "dots_and_boxes", "connect4").stdout
    assert "(7, 4)" in shown
    assert "42 by cell or 7 by column" in shown
    assert "flip, transpose, history, value, value_order" in shown


@pytest.mark.parametrize("game", ["gomoku", "go", "dots_and_boxes", "connect4", "tictactoe", "reversi"])
def test_a_game_is_told_on_one_screen(azx: Azx, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = azx("games", game).stdout.splitlines()
    assert len(lines) <= 23
    assert max(len(line) for line in lines) <= 84


def test_a_game_says_that_other_sizes_work(azx: Azx) -> None:
    assert "; other sizes work too: `--json`\n" in azx("games", "go").stdout
    assert "other sizes" not in azx("games", "connect4").stdout
