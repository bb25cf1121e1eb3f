"""Gomocup's protocol, NBoard's and UGI: what a program says, and what comes back."""

from __future__ import annotations

import re

import pytest
from boards import talk

from azx.engine.nboard import states_of
from azx.errors import GameError
from azx.games.known.recognition import by_name

CELL = re.compile(r"\d+,\d+")
GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)


def moves_of(said: list[str]) -> list[str]:
    return [line for line in said if CELL.fullmatch(line)]


def test_gomocups_game_is_played() -> None:
    said = talk("gomocup", "gomoku", "START 15", "BEGIN", "TURN 9,9", "RESTART", "TURN 7,7", "END", "BEGIN")
    assert said.count("OK") == 2
    assert len(moves_of(said)) == 3
    assert all(line.startswith("MESSAGE ") for line in said if line != "OK" and not CELL.fullmatch(line))


def test_what_gomocup_cannot_have_is_an_error_and_the_game_goes_on() -> None:
    said = talk(
        "gomocup", "gomoku", "BEGIN", "START 20", "START x", "RECTSTART 15,20", "START 15", "TURN 7,7", "TURN 7,7",
        "TURN 15,0", "TURN 3", "TAKEBACK 5,5", "FOO 3", "TURN 9,9",
    )  # fmt: skip
    bad = [line.split()[0] for line in said if line.startswith(("ERROR", "UNKNOWN"))]
    assert bad == ["ERROR"] * 8 + ["UNKNOWN"]
    assert len(moves_of(said)) == 2


@pytest.mark.parametrize(
    ("stones", "is_good"),
    [
        (["7,7,1", "8,8,2"], True),
        (["7,7,2"], True),
        (["7,7,1"], False),
        (["7,7,1", "7,7,2"], False),
        (["7,7,5"], False),
        (["a,b,c"], False),
    ],
)
def test_a_board_is_set_up_from_its_stones(stones: list[str], is_good: bool) -> None:
    said = talk("gomocup", "gomoku", "START 15", "BOARD", *stones, "DONE", "ABOUT")
    assert bool(moves_of(said)) is is_good
    assert any(line.startswith("ERROR") for line in said) is not is_good
    # All lines up to DONE belong to the command.
    assert said[-1].startswith('name="azx"')


def test_gomocups_options_set_the_rule_the_clock_and_the_level() -> None:
    said = talk(
        "gomocup", "gomoku", "START 15", "INFO rule 1", "INFO rule 4", "INFO timeout_turn 20",
        "INFO time_left 2147483647", "INFO level 2", "INFO simulations 3", "INFO folder /somewhere", "INFO level 99",
        "BEGIN",
    )  # fmt: skip
    assert said[1].startswith("MESSAGE azx does not play exactly five")
    assert sum(line.startswith("ERROR") for line in said) == 1
    assert len(moves_of(said)) == 1


def test_a_taken_back_move_can_be_played_again() -> None:
    said = talk("gomocup", "gomoku", "START 15", "YXBOARD", "7,7,2", "DONE", "TAKEBACK 7,7", "TURN 7,7")
    assert said[:2] == ["OK", "OK"]
    assert len(moves_of(said)) == 1


def test_nboards_game_is_read_and_answered() -> None:
    said = talk(
        "nboard", "reversi", "nboard 2", f"set game {GAME}", "set depth 6", "ping 1", "go", "hint 2", "learn", "quit"
    )
    assert "pong 1" in said
    assert any(re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", line) for line in said)
    hints = [line for line in said if line.startswith("search ")]
    assert all(re.fullmatch(r"search ([A-H][1-8]|PA)+ -?\d+\.\d\d 0 \d+ \d+ visits", line) for line in hints)
    assert hints
    assert said[-1] == "learned"


def test_nboard_does_not_play_the_move_that_it_answers() -> None:
    said = talk("nboard", "reversi", f"set game {GAME}", "go", "go", "move D6//1.5", "move D6")
    moves = [line for line in said if line.startswith("===")]
    assert len(moves) == 2
    assert sum(line.startswith("status azx: D6 is illegal") for line in said) == 1


def test_a_game_in_ggf_may_begin_from_any_board_and_passes_may_be_left_out() -> None:
    start = by_name("reversi").begin()
    states = states_of(start, GAME)
    assert len(states) == 9
    assert states[0] is start
    other = states_of(start, f"(;GM[Othello]BO[8 {'-' * 27}O*{'-' * 6}*O{'-' * 27} O];)")
    assert other[0].to_move == 1
    # White cannot turn any disc: the pass is added if the text does not have it.
    board = f"8 *O-{'-' * 58}-O* O"
    (first,) = states_of(start, f"(;GM[Othello]BO[{board}];)")
    assert first.legal_actions() == (64,)
    assert len(states_of(start, f"(;GM[Othello]BO[{board}]B[C1];)")) == 3


@pytest.mark.parametrize("text", ["", "nothing", "(;BO[8 --- *];)", "(;BO[6 x];)", "(;B[Z9];)", "(;B[A1];)"])
def test_other_games_in_ggf_are_refused(text: str) -> None:
    with pytest.raises(GameError):
        states_of(by_name("reversi").begin(), text)


def test_ugi_answers_in_the_order_of_its_specification() -> None:
    said = talk(
        "ugi", "connect4", "ugi", "setoption name Simulations value 8", "isready", "uginewgame", "position startpos",
        "query p1turn", "go nodes 20", "position startpos moves 3 3", "query p1turn", "query gameover", "query result",
        "go movetime 20", "position startpos moves 0 1 0 1 0 1 0", "query gameover", "query result", "go", "quit",
    )  # fmt: skip
    assert said[0].startswith("id name azx")
    assert said.index("ugiok") < said.index("readyok")
    assert [line for line in said if line.startswith("response")] == [
        f"response {word}" for word in ("true", "true", "false", "none", "true", "p1win")
    ]
    best = [line.split()[1] for line in said if line.startswith("bestmove")]
    assert all(word in "0123456" for word in best[:2])
    assert best[2] == "none"
    nodes = [int(line.split()[7]) for line in said if line.startswith("info depth")]
    # All that the search visited, not the best move's part.
    assert nodes[0] >= 19
    assert any(re.fullmatch(r"info depth \d+ score cp -?\d+ nodes \d+ time \d+ pv \d( \d)*", line) for line in said)


def test_ugi_refuses_what_it_cannot_do_and_goes_on() -> None:
    said = talk(
        "ugi", "dots_and_boxes", "position startpos moves 0 99", "position fen x", "position", "foo", "setoption x",
        "setoption name Level value 12", "setoption name Color value 1", "query", "position startpos moves 0 1", "go",
    )  # fmt: skip
    assert sum(line.startswith("info string") for line in said) == 8
    assert said[-1].startswith("bestmove ")


def test_ugi_says_no_move_where_the_other_side_has_another_position() -> None:
    said = talk(
        "ugi", "connect4", "position startpos moves 3", "position fen 7/7/7/7/7/3x3 o", "go nodes 2", "go nodes -1",
        "position startpos moves 3", "go nodes 2", "go nodes -1", "go nodes", "position startpos moves 9", "uginewgame",
        "go movetime 0",
    )  # fmt: skip
    best = [line.split()[1] for line in said if line.startswith("bestmove")]
    # Each `go` has an answer: the other side waits for one.
    assert [word == "none" for word in best] == [True, True, False, True, True, False]
    assert "info string the last position was refused: send another one" in said


def test_every_game_has_a_protocol_and_plays_a_whole_game_by_ugi() -> None:
    for game in ("tictactoe", "dots_and_boxes", "connect4", "reversi"):
        moves: list[str] = []
        for _ in range(200):
            asked = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
            said = talk("ugi", game, asked, "query gameover", "go nodes 2")
            if "response true" in said:
                break
            moves.append(next(line for line in said if line.startswith("bestmove")).split()[1])
        else:
            pytest.fail(f"{game} does not end")
