"""Game records: what is written is read again, other programs' SGF too, and what is wrong is told by its move."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.state import State
from azx.play.records import read_record, record_text, save_record

ENCODED = json.loads((Path(__file__).parents[2] / "mobile_assets" / "fixtures" / "records.json").read_text())["encoded"]


def random_game(game: str, plies: int, settings: dict[str, int | float | str] | None = None) -> tuple[State, ...]:
    rng, states = np.random.default_rng(3), [GAMES[game].begin(settings)]
    while len(states) <= plies and not states[-1].is_terminal:
        states.append(states[-1].apply(int(rng.choice(states[-1].legal_actions()))))
    return tuple(states)


@pytest.mark.parametrize("suffix", ["sgf", "txt"])
@pytest.mark.parametrize("plies", [0, 7, 2000])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_is_read_again(game: str, plies: int, suffix: str, tmp_path: Path) -> None:
    path, states = tmp_path / f"a game.{suffix}", random_game(game, plies)
    if suffix == "sgf" and game not in ("go", "gomoku", "reversi", "hex"):
        with pytest.raises(GameError, match="SGF is written of Go, Gomoku, Reversi and Hex"):
            record_text(path, GAMES[game], {}, states, None)
        return
    path.write_text(record_text(path, GAMES[game], {}, states, None))
    file = read_record(path)
    assert (file.game, file.record.ignored) == (game, 0)
    again = file.states(GAMES[game].begin(file.record.settings))
    assert [state.last_action for state in again] == [state.last_action for state in states]


def test_sgf_has_size_komi_result_and_passes(tmp_path: Path) -> None:
    start = GAMES["go"].begin({"komi": 6.5})
    states = [start]
    for action in (40, 81, 81):
        states.append(states[-1].apply(action))
    text = record_text(Path("g.sgf"), GAMES["go"], {"komi": 6.5}, states, None)
    assert text == "(;FF[4]CA[UTF-8]AP[azx]GM[1]SZ[9]KM[6.5]RU[Tromp-Taylor]RE[B+74.5];B[ee];W[];B[])\n"
    assert "RE[W+R]" in record_text(Path("g.sgf"), GAMES["go"], {}, states[:2], 0)
    renju = random_game("gomoku", 2, {"rule": "renju", "size": 15})
    text = record_text(Path("g.sgf"), GAMES["gomoku"], {"rule": "renju"}, renju, None)
    assert text.startswith("(;FF[4]CA[UTF-8]AP[azx]GM[4]SZ[15]RU[renju];B[")


def test_sgf_of_another_program_is_read_along_its_main_line(tmp_path: Path) -> None:
    path = tmp_path / "g.sgf"
    path.write_text(
        "(;GM[1]FF[4]SZ[9]KM[5.5]C[a \\] and ( ; in a comment]PB[x]\n"
        "(;B[dd]C[good];W[ff](;B[tt];W[aa](;B[bb])(;B[cc]))(;B[gg]))(;B[ee];W[dd]))"
    )
    file = read_record(path)
    assert (file.record.settings, file.record.ignored) == ({"size": 9, "komi": 5.5}, 3)
    assert file.record.names == ("x", "")
    states = file.states(GAMES["go"].begin(file.record.settings))
    assert [states[0].label(state.last_action) for state in states[1:] if state.last_action is not None] == [
        "D6",
        "F4",
        "pass",
        "A9",
        "B8",
    ]


def test_points_that_are_cleared_before_the_first_move_are_empty(tmp_path: Path) -> None:
    path = tmp_path / "cleared.sgf"
    path.write_text("(;GM[1]SZ[5]AB[aa][bb][cc]AW[dd][ee];AE[bb][ee]AB[ab];B[ba])", encoding="utf8")
    record = read_record(path)
    placed = [("A5", 0), ("D2", 1), ("C3", 0), ("pass", 1), ("A4", 0)]
    assert [(move.name, move.player) for move in record.record.moves[:5]] == placed
    path.write_text("(;GM[1]SZ[5]AB[aa];B[bb];AE[aa])", encoding="utf8")
    with pytest.raises(GameError, match="set nothing up later"):
        read_record(path)


def test_a_bare_list_of_moves_leaves_the_game_open(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_text("3 3\n2 4\n")
    file = read_record(path)
    assert (file.game, [name for name, _ in file.record.moves]) == (None, ["3", "3", "2", "4"])
    assert len(file.states(GAMES["connect4"].begin())) == 5


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.sgf", "(;GM[1]SZ[9];B[dd];W[dd])", r"move 2 is illegal \(that place is occupied\)"),
        ("g.sgf", "(;GM[4]SZ[9];B[dd];B[ee])", "move 2 is the other side's"),
        ("g.sgf", "(;GM[1]SZ[9];B[zz])", "move 1, 'zz', names no move of this game"),
        ("g.sgf", "(;GM[1]SZ[9];B[];W[];B[aa])", "move 3 comes after the end of the game"),
        ("g.sgf", "(;GM[1]SZ[4])", "size: '4' is not possible"),
        ("g.sgf", "(;GM[3])", "SGF of game 3"),
        ("g.sgf", "(;GM[1]SZ[9];B[aa];AB[dd];W[ee])", "set nothing up later"),
        ("g.sgf", "(;GM[1]SZ[9];B[dd]", "it ends within the game"),
        ("g.sgf", "(GM[1])", "it begins without a node"),
        ("g.sgf", "(;GM[1]?)", "character 8 has no place"),
        ("g.txt", "connect4: 3 3 3 3 3 3 3", r"move 7 is illegal \(the column is full\)"),
        ("g.txt", "connect4: 3 x", "move 2, 'x', names no move"),
        ("g.txt", "chess: e4", "is no record of a game"),
        ("g.txt", "", "is no record of a game"),
        ("g.sgf", "()", "it begins without a node"),
        ("g.sgf", "(;GM[1]SZ[9];B[aa];[bb])", "a value has no property"),
        ("g.sgf", "(;GM[1]SZ[9]HA[2];W[bb])", r"give a handicap's points \(AB\)"),
        ("g.txt", "3 " * 2001, "this has 2001 moves"),
        ("g.txt", "3 " * 600_000, "it is of 1 MiB, and azx reads up to 977 KiB of such a file"),
        ("g.txt", "gomoku size=99: H8", "size: '99' is not possible"),
    ],
)
def test_what_is_no_record_is_one_sentence_with_its_move(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)

    def read() -> None:
        file = read_record(path)
        file.states(GAMES[file.game or "connect4"].begin(file.record.settings))

    with pytest.raises(GameError, match=said) as raised:
        read()
    assert str(path) in str(raised.value)
    assert str(raised.value).endswith(".")


def test_a_record_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("before")
    save_record(tmp_path / "g.txt", "connect4: 3\n")
    assert (tmp_path / "g.txt").read_text() == "connect4: 3\n"
    (tmp_path / "taken.txt").mkdir()
    with pytest.raises(GameError, match="cannot be written"):
        save_record(tmp_path / "taken.txt", "connect4: 3\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.txt", "taken.txt"]


@pytest.mark.parametrize("case", ENCODED)
def test_a_file_is_read_in_the_character_set_that_it_names(case: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "g.sgf").write_bytes(bytes.fromhex(case["bytes"]))
    assert read_record(tmp_path / "g.sgf").record.names == (case["name"], "")


@pytest.mark.parametrize("name", ["unicode_escape", "hex", "rot13", "utf-7", "idna", "../x"])
def test_a_codec_that_is_no_character_set_of_people_is_not_used(name: str, tmp_path: Path) -> None:
    (tmp_path / "g.sgf").write_bytes(f"(;GM[1]CA[{name}]SZ[9]PB[+AGE-];B[ee])".encode())
    assert read_record(tmp_path / "g.sgf").record.names == ("+AGE-", "")


def test_a_file_that_is_no_text_is_no_record(tmp_path: Path) -> None:
    (tmp_path / "g.sgf").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(GameError, match="no text in UTF-8"):
        read_record(tmp_path / "g.sgf")
