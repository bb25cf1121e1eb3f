"""GTP: what a controller says, and what comes back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from boards import answers, talk

from azx.engine.gtp_board import handicap_points


def test_answers_have_the_commands_number_and_an_empty_line() -> None:
    assert talk("gtp", "go", "7 protocol_version", "name", "8 foo bar", "# only a remark", "quit") == [
        "=7 2", "", "= azx", "", "?8 unknown command", "", "=", "",
    ]  # fmt: skip


def test_a_move_is_played_and_an_illegal_one_is_refused_without_a_change() -> None:
    said = answers("go", "play b D4", "play w d4", "play w Z9", "play x pass", "genmove w", "showboard")
    assert said[0] == "="
    assert said[1].startswith("? illegal move: d4 is illegal")
    assert said[2].startswith("? illegal move: Z9 is illegal")
    # x is black, who has just moved: white passes before, as two moves of one colour are allowed.
    assert said[3] == "="
    assert re.fullmatch(r"= ([A-HJ]\d|pass)", said[4])


def test_a_repeated_board_is_an_illegal_move() -> None:
    moves = ["b D5", "w E5", "b E4", "w F4", "b E6", "w F6", "b J1", "w G5", "b F5", "w E5"]
    said = answers("go", *(f"play {move}" for move in moves))
    # Black takes at F5, and white may not take back at once.
    assert said[:-1] == ["="] * 9
    assert said[-1].startswith("? illegal move: E5")


def test_a_board_that_the_network_does_not_read_is_unacceptable() -> None:
    said = answers("go", "boardsize 19", "boardsize 9", "boardsize nine", "boardsize", "komi 6.5", "get_komi", "komi x")
    assert said[0].startswith("? unacceptable size")
    assert said[1:2] + said[4:6] == ["=", "=", "= 6.5"]
    assert all(line.startswith("? syntax error") for line in (said[2], said[3], said[6]))


def test_undo_takes_back_the_pass_that_a_second_move_of_one_colour_added() -> None:
    said = talk("gtp", "go", "play b C3", "play b D4", "undo", "play w E5", "undo", "undo", "undo", "showboard")
    assert said[:12] == ["=", ""] * 6
    assert said[12] == "? cannot undo"
    assert not set("XO") & set("".join(said[14:]).split("A B C")[0])


def test_the_game_goes_on_after_two_passes() -> None:
    said = answers("go", "play b E5", "play w pass", "play b pass", "play w D5", "undo", "genmove b")
    assert said[:5] == ["="] * 5
    assert said[5].startswith("= ")


@pytest.mark.parametrize(
    ("stones", "points"),
    [(2, ["C3", "G7"]), (4, ["C3", "G7", "G3", "C7"]), (5, ["C3", "G7", "G3", "C7", "E5"])],
)
def test_a_handicap_is_placed_and_white_moves(stones: int, points: list[str]) -> None:
    said = answers(
        "go", f"fixed_handicap {stones}", "gogui-rules_side_to_move", "fixed_handicap 2", "undo", "showboard"
    )
    # Columns first: GTP's own table has D4 Q16 for two stones on 19 x 19.
    assert sorted(said[0][2:].split()) == sorted(points)
    assert said[1:3] == ["= white", "? board not empty"]


def test_the_fixed_handicap_is_that_of_the_protocol() -> None:
    assert handicap_points(19, 2) == ["D4", "Q16"]
    assert handicap_points(19, 9) == ["D4", "Q16", "Q4", "D16", "D10", "Q10", "K4", "K16", "K10"]


def test_free_handicaps_are_refused_as_a_whole() -> None:
    said = answers("go", "set_free_handicap C3 C3", "set_free_handicap C3 G7 E5", "gogui-rules_side_to_move")
    assert said[0].startswith("? bad vertex list")
    assert said[1:] == ["=", "= white"]


def test_points_and_dead_stones_are_counted() -> None:
    said = answers("go", "play b E5", "final_score", "final_status_list dead", "final_status_list x")
    assert said[1:3] == ["= B+73.5", "= "] or said[1:3] == ["= B+73.5", "="]
    assert said[3].startswith("? syntax error")


def test_a_record_is_read_up_to_a_move_and_written(tmp_path: Path) -> None:
    file = tmp_path / "a game.sgf"
    file.write_text("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc];B[gg])")
    said = answers("go", f"loadsgf {file} 2", "printsgf", "get_komi", f"loadsgf {tmp_path / 'none.sgf'}", "loadsgf")
    assert "KM[6.5]" in said[1]
    # The position before that move.
    assert ";B[ee])" in said[1]
    assert said[2] == "= 6.5"
    assert said[3].startswith("? cannot load file")
    assert said[4].startswith("? syntax error")


def test_a_record_of_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "hex.sgf").write_text("(;GM[11]SZ[7];B[a1])")
    said = answers("go", f"loadsgf {tmp_path / 'hex.sgf'}", "showboard")
    assert said[0].startswith("? cannot load file")


def test_leela_zeros_analysis_reports_in_ten_thousandths() -> None:
    said = talk("gtp", "go", "lz-analyze b 10", "1 name")
    info = r"info move \S+ visits \d+ winrate \d+ prior \d+ lcb \d+ order \d+ pv \S+( [A-HJ]\d| pass)*"
    assert said[0] == "="
    assert re.fullmatch(rf"{info}( {info})*", said[1])
    assert said[-4:] == ["", "=1 azx", ""][-4:] or said[-3:] == ["", "=1 azx", ""]


def test_katagos_analysis_reports_as_sabaki_reads_it() -> None:
    said = talk("gtp", "go", "kata-analyze W interval 10 maxmoves 2 rootInfo true ownership true", "showboard")
    line = said[1]
    moves = line.split("rootInfo")[0].split("info ")[1:]
    assert len(moves) == 2
    for move in moves:
        # Sabaki: names and values in turn, then pv and the moves to the end.
        values, _, variation = move.partition(" pv ")
        words = values.split()
        told = dict(zip(words[::2], words[1::2], strict=True))
        assert "." in told["winrate"]
        assert int(told["visits"]) > 0
        assert re.fullmatch(r"((pass|[A-HJ]\d)\s*)+", variation)
    assert "rootInfo visits" in line
    # The question about white, who is not to move, changes nothing.
    assert "X" not in "".join(said[2:]).split("A B C")[0]


def test_a_generated_move_is_reported_and_played() -> None:
    for command in ("lz-genmove_analyze b 10", "kata-genmove_analyze b 10 maxmoves 3"):
        said = talk("gtp", "go", command, "all_legal w", "undo", "undo")
        played = next(line for line in said if line.startswith("play ")).split()[1]
        assert said[0] == "="
        assert said[1].startswith("info move ")
        legal = next(line for line in said if line.startswith("= ")).split()
        assert played == "pass" or played not in legal
        assert "? cannot undo" in said


def test_what_an_analysis_does_not_know_is_refused() -> None:
    said = answers("go", "kata-analyze b 10 avoid b D4 3", "lz-genmove_analyze", "lz-genmove_analyze 10")
    assert [line[0] for line in said] == ["?"] * 3


def test_levels_and_simulations_are_options_of_the_protocol() -> None:
    said = answers(
        "go", "level 3", "level", "level 9", "level none", "azx-simulations 12", "azx-simulations",
        "azx-simulations -1", "kata-set-param maxVisits 1000000000", "kata-get-param maxVisits",
        "lz-setoption name visits value 9", "azx-simulations", "kata-set-param ponderingEnabled true",
        "kata-get-param ponderingEnabled",
    )  # fmt: skip
    assert said[1] == "= 3"
    assert said[2].startswith("? there is no level")
    assert said[5] == "= 12"
    assert said[6].startswith("?")
    assert said[8] == "= 100000"
    assert said[10] == "= 9"
    assert said[11].startswith("? invalid parameter")
    assert said[12] == "= false"


def test_clocks_are_set_in_all_dialects() -> None:
    said = answers(
        "go", "time_settings 60 10 1", "time_left b 3 0", "kgs-time_settings canadian 60 300 25",
        "kata-time_settings fischer 60 2", "kgs-time_settings none", "kgs-time_settings sand 3", "time_settings 5",
        "time_left b",
    )  # fmt: skip
    assert [line[0] for line in said] == ["="] * 5 + ["?"] * 3


def test_hex_is_played_from_the_top_and_a_finished_game_is_over() -> None:
    moves = [f"play {'b' if at % 2 == 0 else 'w'} {'ab'[at % 2]}{at // 2 + 1}" for at in range(13)]
    said = answers("hex", *moves, "gogui-rules_final_result", "genmove w", "play w g7")
    assert said[13] == "= B+"
    assert said[14] == "? the game is over"
    assert said[15].startswith("? illegal move")


def test_hex_has_no_pass_and_reversi_has_a_forced_one() -> None:
    assert answers("hex", "play w a1")[0].startswith("? illegal move: it is black's turn")
    assert answers("reversi", "play b d3", "play w pass")[1].startswith("? illegal move: pass is illegal")


def test_in_hex_the_first_stone_is_taken_over() -> None:
    said = answers("hex", "play b b1", "play w swap-pieces", "play w swap-pieces", "showboard", rule="swap")
    assert said[:2] == ["=", "="]
    assert said[2].startswith("? illegal move")


def test_two_gtp_names_of_a_point_in_gomoku_leave_i_out() -> None:
    said = answers("gomoku", "play b J8", "play w I8", "all_legal w")
    assert said[0] == "="
    assert said[1].startswith("? illegal move")
    assert " J8 " not in said[2]
    assert " J9 " in said[2]
