from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.bundle.case.reading import choose_reading, from_file
from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import by_name, from_description, name_fits, read_as, reading_from, recognise
from azx.games.rules.connect4 import Connect4


@pytest.mark.parametrize(
    ("shape", "width", "actions", "layout"),
    [
        ((2, 6, 7), 42, "cell", "channels_first"),
        ((6, 7, 2), 42, "cell", "channels_last"),
        ((2, 6, 7), 7, "column", "channels_first"),
        ((6, 7, 2), 7, "column", "channels_last"),
        ((2, 6, 7), None, "none", "channels_first"),
    ],
)
def test_connect4_is_recognised_by_its_shapes(
    shape: tuple[int, ...], width: int | None, actions: str, layout: str
) -> None:
    found = recognise([shape], width)
    assert found is not None
    assert (found.game.name, found.actions, found.encoding.layout) == ("connect4", actions, layout)
    assert found.encoding.shape == shape


@pytest.mark.parametrize(
    ("shapes", "width"),
    [
        ([(2, 6, 7)], 43),
        ([(6, 7, 7)], 4),
        ([(2, 7, 7)], 1177),
        ([(3, 3, 1), (9,)], 9),
        ([(2, 6, 7), (2, 6, 7)], 42),
        ([], 42),
        ([(8, 8, 2)], 65),
        ([(2, 8, 8)], 64),
        ([(6, 6)], 37),
        ([(11, 11, 2)], 121),
        ([(2, 15, 15)], 225),
        ([(15, 15, 9)], 226),
        ([(9, 9, 9)], 81),
        ([(9, 9, 9)], 82),
        ([(9, 9)], 82),
        ([(19, 19, 1)], 361),
        ([(9,)], 10),
        ([(9,)], None),
        ([(7, 4)], None),
        ([(15, 15, 9)], None),
    ],
)
def test_other_networks_are_not_guessed_at(shapes: list[tuple[int, ...]], width: int | None) -> None:
    assert recognise(shapes, width) is None


def test_no_two_games_are_told_by_the_same_shapes() -> None:
    told = [pair for game in GAMES.values() for shape in game.shapes for pair in shape.telling]
    assert len(told) == len(set(told))


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_network_tells_its_game(game: str) -> None:
    for shape in GAMES[game].shapes[:1]:
        # Three planes of 8 x 8 with a move a cell may be Gomoku too: of Reversi the network's answers tell.
        is_told = (shape.encodings[0].shape, shape.numberings[0].width) in shape.telling
        assert is_told == (game != "reversi")
    for shape in GAMES[game].shapes:
        for pair in shape.telling:
            found = recognise([pair[0]], pair[1])
            assert found is not None
            assert (found.game.name, found.settings) == (game, shape.settings)


@pytest.mark.parametrize(
    ("shape", "width", "says"),
    [
        (
            (8, 8, 2),
            65,
            "fit Gomoku, Go, Reversi and other games: say --game gomoku or --game go or --game rev",
        ),
        ((9, 9), 82, "fit Gomoku, Go and other games: say --game gomoku or --game go"),
        ((9, 9, 9), 82, "fit Gomoku and other games: say --game gomoku if it is"),
    ],
)
def test_what_shapes_would_fit_is_told_with_the_option(shape: tuple[int, ...], width: int, says: str) -> None:
    assert says in str(name_fits([shape], width))


def test_where_nothing_fits_nothing_is_named() -> None:
    assert name_fits([(7, 7, 5)], 12) is None
    assert name_fits([(8, 8, 2)], None) is None


def test_legal_masks_follow_the_policy_s_numbering() -> None:
    state = Connect4().apply(38)
    cells, columns = recognise([(2, 6, 7)], 42), recognise([(2, 6, 7)], 7)
    assert cells is not None
    assert columns is not None
    assert np.flatnonzero(cells.legal(state)).tolist() == [31, 35, 36, 37, 39, 40, 41]
    assert columns.legal(state).tolist() == [True] * 7
    for _ in range(5):
        state = state.apply(state.landing(3))
    assert np.flatnonzero(~columns.legal(state)).tolist() == [3]


def test_a_game_is_found_by_its_name() -> None:
    assert by_name("connect4").start() == Connect4()


def test_an_unknown_game_names_the_nearest_and_the_known_ones() -> None:
    with pytest.raises(GameError, match=r"game 'conect4' is unknown: did you mean connect4\? azx knows connect4"):
        by_name("conect4")
    with pytest.raises(GameError, match=r"game 'chess' is unknown: azx knows connect4"):
        by_name("chess")


def test_a_game_that_does_not_fit_says_what_would() -> None:
    with pytest.raises(
        GameError, match=r"take \(2, 6, 7\) or \(6, 7, 2\) or .* have 42 or 7 policy outputs, but this one takes"
    ):
        read_as(by_name("connect4"), [(6, 7, 7)], 4)


@pytest.mark.parametrize(
    ("shape", "width", "game", "settings", "layout", "actions"),
    [
        ((9,), 9, "tictactoe", {}, "flat", "cell"),
        ((3, 3), 10, "tictactoe", {}, "sum", "cell_and_pass"),
        ((7, 4), 25, "dots_and_boxes", {"size": 3}, "sum", "edge"),
        ((11, 6), 61, "dots_and_boxes", {"size": 5}, "sum", "edge"),
        ((15, 15, 9), 225, "gomoku", {"size": 15}, "channels_last", "cell"),
        ((9, 15, 15), 225, "gomoku", {"size": 15}, "channels_first", "cell"),
        ((9, 9, 17), 82, "go", {"size": 9}, "channels_last", "point"),
        ((17, 19, 19), 362, "go", {"size": 19}, "channels_first", "point"),
        ((6, 7), 7, "connect4", {}, "sum", "column"),
        ((2, 7, 6), 6, "connect4", {"rows": 7, "columns": 6}, "channels_first", "column"),
        ((5, 5, 17), 26, "go", {"size": 5}, "channels_last", "point"),
        ((17, 8, 8), 65, "go", {"size": 8}, "channels_first", "point"),
    ],
)
def test_each_game_is_recognised_by_its_shapes(
    shape: tuple[int, ...], width: int, game: str, settings: dict[str, Any], layout: str, actions: str
) -> None:
    found = recognise([shape], width)
    assert found is not None
    assert (found.game.name, dict(found.settings), found.encoding.layout, found.actions) == (
        game,
        settings,
        layout,
        actions,
    )
    state = found.start()
    assert found.legal(state).sum() == len(state.legal_actions())


@pytest.mark.parametrize("game", GAMES)
def test_every_encoding_of_the_catalogue_can_be_drawn(game: str) -> None:
    from azx.games.encoding import encode

    for shape in GAMES[game].shapes:
        state = GAMES[game].begin(shape.settings)
        state = state.apply(state.legal_actions()[1])
        for encoding in shape.encodings:
            assert encode(state, encoding).shape == encoding.shape


def test_a_game_that_is_named_is_read_as_named() -> None:
    assert read_as(by_name("go"), [(9, 9)], 82).actions == "point"
    assert read_as(by_name("gomoku"), [(9, 9)], 82).actions == "cell_and_pass"
    assert read_as(by_name("gomoku"), [(2, 19, 19)], 361).settings == {"size": 19}
    assert read_as(by_name("go"), [(5, 5, 2)], 26).settings == {"size": 5}
    assert read_as(by_name("connect4"), [(8, 8, 2)], 8).settings == {"rows": 8, "columns": 8}
    assert read_as(by_name("connect4"), [(6, 7, 2)], 7).settings == {}
    assert choose_reading([(9, 9)], 82, "none", None) is None
    assert choose_reading([(9, 9)], 82, None, None) is None


def test_a_named_game_that_fits_twice_is_read_as_the_layers_lie_or_asked_for() -> None:
    assert read_as(by_name("gomoku"), [(9, 9, 9)], 82, "channels_first").encoding.layout == "channels_first"
    assert choose_reading([(9, 9, 9)], 82, "gomoku", None, "channels_last") is not None
    with pytest.raises(GameError, match=r"fit Gomoku in two ways .* --encoding FILE\.json\."):
        read_as(by_name("gomoku"), [(9, 9, 9)], 81)


def _written(folder: Path, **members: Any) -> Path:
    path = folder / "encoding.json"
    path.write_text(json.dumps(members))
    return path


def test_an_encoding_file_describes_what_the_shapes_do_not_tell(tmp_path: Path) -> None:
    planes = ["mover", "opponent", "mover@1", "opponent@1", "mover@2", "opponent@2", "mover@3", "opponent@3", "ones"]
    path = _written(tmp_path, game="gomoku", layout="channels_first", board=[9, 9], planes=planes)
    found = from_file(path, [(9, 9, 9)], 81)
    assert (found.game.name, dict(found.settings), found.actions) == ("gomoku", {"size": 9}, "cell")
    assert found.encoding.planes == tuple(planes)
    assert choose_reading([(9, 9, 9)], 81, None, path) == found


def test_an_encoding_file_may_list_the_policy_s_index_of_each_action(tmp_path: Path) -> None:
    turned = [action // 7 + action % 7 * 6 for action in range(42)]
    path = _written(tmp_path, game="connect4", layout="sum", board=[6, 7], planes=["signed"], actions=turned)
    found = from_file(path, [(6, 7)], 42)
    state = found.start()
    assert np.flatnonzero(found.legal(state)).tolist() == sorted(turned[action] for action in state.legal_actions())
    again = reading_from(found.as_data(), 42)
    assert again.legal(state).tolist() == found.legal(state).tolist()


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"game": "chess"}, "game 'chess' is unknown"),
        ({"layout": "sum"}, "'game' is missing"),
        ({"game": "connect4"}, "'layout' is missing"),
        ({"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["blue"]}, "no plane 'blue'"),
        ({"game": "connect4", "layout": "sum", "board": [6, 3], "planes": ["signed"]}, r"board is \(6, 3\)"),
        ({"game": "connect4", "layout": "sum", "board": [7, 6], "planes": ["signed"]}, r"shape \(7, 6\)"),
        ({"game": "connect4", "layout": "sum", "board": [6, 8], "planes": ["signed"]}, "use cell, column, or a list"),
        (
            {"game": "connect4", "layout": "flat", "board": [6, 7], "planes": ["signed"]},
            r"shape \(42,\), but the network",
        ),
        (
            {"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["signed"], "actions": [1, 2]},
            "must list 42 indices",
        ),
        (
            {"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["signed"], "actions": "column"},
            "use cell, column, or a list",
        ),
        (
            {"game": "go", "settings": {"size": 20}, "layout": "sum", "board": [6, 7], "planes": ["signed"]},
            "setting size",
        ),
        ({"game": "go", "settings": {"sise": 9}, "layout": "sum", "board": [6, 7], "planes": ["signed"]}, "no setting"),
    ],
)
def test_an_encoding_file_that_does_not_fit_says_why(tmp_path: Path, members: dict[str, Any], says: str) -> None:
    with pytest.raises(GameError, match=says) as caught:
        from_file(_written(tmp_path, **members), [(6, 7)], 42)
    assert "encoding.json" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_description_needs_no_file() -> None:
    described = {"game": "connect4", "layout": "sum", "board": [6, 7], "planes": ["signed"], "actions": "column"}
    assert from_description(described, [(6, 7)], 7) == recognise([(6, 7)], 7)
    with pytest.raises(GameError, match=r"^it describes an input of shape \(6, 7\), but the network takes \(7, 6\)\.$"):
        from_description(described, [(7, 6)], 7)
    with pytest.raises(GameError, match=r"^'game' is missing, name one of connect4"):
        from_description([described], [(6, 7)], 7)


def test_a_file_that_is_no_json_says_so(tmp_path: Path) -> None:
    path = tmp_path / "encoding.json"
    path.write_text("planes")
    with pytest.raises(GameError, match="cannot be read as JSON"):
        from_file(path, [(6, 7)], 42)
    with pytest.raises(GameError, match="cannot be read as JSON"):
        from_file(tmp_path / "none.json", [(6, 7)], 42)


def test_settings_are_held_to_their_choices() -> None:
    assert by_name("go").begin({"size": "13", "komi": "6.5"}).komi == 6.5  # type: ignore[attr-defined]
    with pytest.raises(GameError, match="setting komi: 'much' is not possible, use a number"):
        by_name("go").begin({"komi": "much"})
    with pytest.raises(GameError, match="setting rule: 'swap2' is not possible, use freestyle, renju"):
        by_name("gomoku").begin({"rule": "swap2"})
    with pytest.raises(GameError, match="Tic-tac-toe has no setting 'size'"):
        by_name("tictactoe").begin({"size": 4})


@pytest.mark.parametrize(
    ("told", "shape", "line"),
    [
        ({"layout": "flat"}, (9,), "input: 9 numbers, row by row; +1 player to move, -1 opponent"),
        ({"layout": "sum"}, (3, 3), "input: 9 numbers, 3 x 3; +1 player to move, -1 opponent"),
        (
            {"layout": "flat", "value": "player0", "flip": True},
            (9,),
            "input: 9 numbers, row by row; value player0; row 0 at the bottom; +1 player to move, -1 opponent",
        ),
        ({"layout": "flat", "planes": ["mover", "opponent"]}, (18,), "input: mover, opponent (flat)"),
    ],
)
def test_the_input_is_described_in_words(told: dict[str, Any], shape: tuple[int, ...], line: str) -> None:
    described = {"game": "tictactoe", "board": [3, 3], "planes": ["signed"], "actions": "cell", **told}
    assert from_description(described, [shape], 9).line == line
