"""How a network reads its board is shown by its answers, and not guessed."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from rings import few

from azx import inspect_checkpoint
from azx.bundle.case.detection import game_of
from azx.bundle.contents.describe import assumed_of
from azx.errors import Undecided
from azx.export.checkpoint.head import POLICY, VALUE
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of
from azx.games.encoding import MOVER, PLAYER0, Encoding, encode
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import in_way, reading_from, recognise
from azx.games.rules.connect4 import COLUMNS, ROWS, Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.games.state import State
from azx.games.tactics import draw_positions, only_block, only_win
from azx.games.value import ORDER
from azx.statement import Degree, Statement
from azx.validate.reading.positions import KINDS, LOST, classify, probe_positions
from azx.validate.reading.probe import detect_encoding
from azx.validate.reading.sign_test import mcnemar

BOTTOM = "row 0 at the bottom"
Policy = Callable[[NDArray[np.float32]], NDArray[Any]]


def connect4(width: int | None, shape: tuple[int, ...] = (2, 6, 7)) -> Reading:
    found = recognise([shape], width)
    assert found is not None
    return found


def seeing(flip: bool, width: int) -> Policy:
    """Wins or blocks where it can, for networks whose row 0 is on top, or the bottom if `flip`."""

    def cell(board: NDArray[np.float32]) -> tuple[int, int]:
        own, other = (plane[::-1] if flip else plane for plane in board)
        for mine in (own, other):
            for column in range(COLUMNS):
                empty = [row for row in range(ROWS) if not own[row, column] and not other[row, column]]
                if empty and four(mine, empty[-1], column):
                    return empty[-1], column
        return 0, 3

    def four(discs: NDArray[np.float32], row: int, column: int) -> bool:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + step * down, column + step * right) for step in range(-3, 4)]
            held = [
                at == (row, column) or (0 <= at[0] < ROWS and 0 <= at[1] < COLUMNS and bool(discs[at])) for at in line
            ]
            if any(all(held[first : first + 4]) for first in range(4)):
                return True
        return False

    def answer(board: NDArray[np.float32]) -> NDArray[np.float32]:
        row, column = cell(board)
        index = column if width == COLUMNS else (ROWS - 1 - row if flip else row) * COLUMNS + column
        found: NDArray[np.float32] = np.eye(width, dtype=np.float32)[index]
        return found

    return lambda boards: np.stack([answer(board) for board in boards])


def said_of(reading: Reading) -> Statement:
    assert reading.statement is not None
    return reading.statement


def policy_of(policy: Policy) -> Callable[[NDArray[np.float32]], dict[str, NDArray[Any]]]:
    return lambda boards: {"policy": policy(boards)}


@pytest.mark.parametrize("width", [7, 42])
@pytest.mark.parametrize("flip", [False, True])
def test_a_network_is_read_the_way_it_plays(flip: bool, width: int) -> None:
    found = detect_encoding(connect4(width), policy_of(seeing(flip, width)), {POLICY: width})
    assert (found.encoding.planes, found.encoding.flip) == (("mover", "opponent"), flip)
    assert found.line.startswith(f"input: mover, opponent (channels_first{', ' + BOTTOM if flip else ''}). Shown: its ")
    assert said_of(found).degree is Degree.SHOWN
    assert said_of(found).figures.startswith("tested on ")
    assert found.shows == {POLICY}
    again = reading_from(found.as_data(), width)
    assert (again.encoding, again.legal(Connect4()).tolist()) == (found.encoding, found.legal(Connect4()).tolist())


def test_cells_that_are_numbered_from_below_are_listed() -> None:
    found = detect_encoding(connect4(42), policy_of(seeing(flip=True, width=42)), {POLICY: 42})
    assert found.as_data()["actions"][:8] == [35, 36, 37, 38, 39, 40, 41, 28]
    assert np.flatnonzero(found.legal(Connect4())).tolist() == list(range(7))


def test_swapped_planes_are_told_by_who_wins_where_both_could() -> None:
    sees = seeing(flip=False, width=7)
    swapped = detect_encoding(connect4(7), policy_of(lambda boards: sees(boards[:, ::-1])), {POLICY: 7})
    assert swapped.encoding.planes == ("opponent", "mover")


@pytest.mark.parametrize("strictly", [False, True])
def test_absolute_colours_are_told_by_who_wins_where_both_could(strictly: bool) -> None:
    """Whose turn it is follows from the number of discs.

    A network that takes only one more for the sign that the second player is to move plays as well if the mover is
    shown as the first one. None of the mover's colours would play the other way round.
    """
    sees = seeing(flip=False, width=7)

    def absolute(boards: NDArray[np.float32]) -> NDArray[Any]:
        discs = boards.sum(axis=(2, 3))
        theirs = discs[:, 0] > discs[:, 1] if strictly else discs[:, 0] != discs[:, 1]
        return sees(np.where(theirs[:, None, None, None], boards[:, ::-1], boards))

    found = detect_encoding(connect4(7), policy_of(absolute), {POLICY: 7})
    assert found.encoding.planes == ("player0", "player1")
    moves = re.search(r"player0-player1 finds (\d+)%", said_of(found).figures)
    assert moves is not None
    assert int(moves[1]) > 95


def test_where_a_network_plays_alike_in_several_readings_one_is_taken_and_the_others_are_named() -> None:
    """It does not look at its third plane, so that nothing can show what stands there."""
    sees = seeing(flip=False, width=7)
    encoding = Encoding("channels_first", (6, 7), ("mover", "opponent", "ones"))
    asked = Reading(connect4(7).game, encoding, connect4(7).numbering)
    found = detect_encoding(asked, policy_of(lambda boards: sees(boards[:, :2])), {POLICY: 7})
    assert found.encoding.planes[:2] == ("mover", "opponent")
    assert said_of(found).degree is Degree.ASSUMED
    assert said_of(found).instead.startswith("--encoding connect4-mover-opponent-")
    assert "; it plays alike if read as connect4-mover-opponent-" in said_of(found).figures
    assert found.rivals


def test_a_network_that_blocks_where_it_could_win_is_not_read_with_swapped_colours() -> None:
    """In wins and blocks alone its swapped reading is as good, and where both could win it is better."""
    sees = seeing(flip=False, width=7)

    def blocks(boards: NDArray[np.float32]) -> NDArray[Any]:
        # It blocks wherever there is something to block, and sees two of three wins of its own.
        block = sees(boards[:, ::-1])
        sees_win = boards.reshape(len(boards), -1).sum(axis=1) % 3 > 0
        return np.where(sees_win[:, None], block, np.eye(7)[3])

    with pytest.raises(Undecided, match=r"how it reads the board is not known: say --encoding connect4-") as caught:
        detect_encoding(connect4(7), policy_of(blocks), {POLICY: 7})
    assert caught.value.figures.startswith("tested on ")


@pytest.mark.parametrize("width", few([7, 42]))
def test_a_network_that_sees_nothing_is_not_guessed_at(width: int) -> None:
    """Among them one that always prefers the same move: blind, it finds more on one side than on the other."""
    rng = np.random.default_rng(width)
    for _ in range(6):
        weights, liking = rng.normal(size=(84, width)) * rng.integers(2), rng.normal(size=width)
        seen = policy_of(lambda boards, w=weights, b=liking: boards.reshape(-1, 84) @ w + b)  # type: ignore[misc]
        found = detect_encoding(connect4(width), seen, {POLICY: width})
        assert found == connect4(width)
        assert re.fullmatch(
            r"tested on \d+ positions: no reading does clearly better than chance, \d+% of the moves by chance",
            said_of(found).figures,
        )
        assert said_of(found).degree is Degree.ASSUMED
        assert len(said_of(found).line.split()) <= 25
        flat = Reading(found.game, Encoding("flat", (6, 7), ("signed",)), found.numbering)
        seen = policy_of(lambda boards, w=weights, b=liking: boards @ w[:42] + b)  # type: ignore[misc]
        with pytest.raises(Undecided, match=r"is not known: say --encoding connect4-"):
            detect_encoding(flat, seen, {POLICY: width})


def test_a_network_without_a_policy_and_a_value_cannot_be_asked() -> None:
    def never(boards: NDArray[np.float32]) -> NDArray[Any]:
        raise AssertionError

    with pytest.raises(Undecided, match="say --encoding connect4-mover-opponent") as caught:
        detect_encoding(connect4(None), policy_of(never), {})
    assert caught.value.figures == "it has no policy and no value to ask"


def test_the_boards_are_limited_and_that_is_said() -> None:
    found = detect_encoding(connect4(7), policy_of(seeing(False, 7)), {POLICY: 7}, boards=20)
    too_large = "as the network is too large to be asked for more"
    assert said_of(found).figures.startswith(f"stopped after 0 positions, {too_large}")
    assert "the network is too large to be tested" in said_of(found).sentence
    kept = assumed_of(found)
    assert kept is not None
    assert kept.stopped


def test_the_only_known_way_of_a_shape_is_assumed_where_nothing_shows_it() -> None:
    """Of Dots and Boxes azx has no positions; of Hex it has, and an untrained network shows nothing on them."""
    boxes, hexagons = recognise([(7, 4)], 25), recognise([(7, 7, 6)], 49)
    rng = np.random.default_rng(4)
    weights = rng.normal(size=(294, 49)).astype(np.float32)
    for found, width in ((boxes, 25), (hexagons, 49)):
        assert found is not None
        asked = detect_encoding(found, policy_of(lambda boards: boards.reshape(-1, 294) @ weights), {POLICY: width})
        assert asked == found
        assert said_of(asked).degree is Degree.ASSUMED
        assert (asked.rivals, asked.shows) == ({}, frozenset())


@pytest.mark.parametrize(("exchanged", "degree"), [((), Degree.ASSUMED), ((0, 4), None), ((2, 5), Degree.ASSUMED)])
def test_nine_planes_in_another_order_are_no_fact(exchanged: tuple[int, ...], degree: Degree | None) -> None:
    """A network that sees five in a row on the planes of now, and looks at no older ones: nothing shows their order."""
    found = recognise([(15, 15, 9)], 225)
    assert found is not None
    planes = list(range(9))
    if exchanged:
        one, other = exchanged
        planes[one], planes[other] = planes[other], planes[one]

    def sees(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        own, their = boards[..., planes[0]], boards[..., planes[4]]
        return {POLICY: np.stack([2 * fives(a, b) + fives(b, a) for a, b in zip(own, their, strict=True)])}

    asked = detect_encoding(found, sees, {POLICY: 225})
    told = said_of(asked)
    assert told.degree is Degree.ASSUMED
    if degree is None:
        # The opponent first is a known family, of which there are two: by player and in turn.
        assert asked.encoding.planes[0] == "opponent"
        assert "opponent" in told.sentence
    else:
        assert asked.encoding.planes[0] == "mover"


def fives(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
    """1 at each empty point where one more stone makes five in a row, (225,)."""
    size = len(mine)
    found = np.zeros((size, size))
    for row, column, (down, right) in product(range(size), range(size), ((0, 1), (1, 0), (1, 1), (1, -1))):
        ends = row + 4 * down, column + 4 * right
        if not (ends[0] < size and 0 <= ends[1] < size):
            continue
        line = [(row + step * down, column + step * right) for step in range(5)]
        empty = [at for at in line if not mine[at] and not theirs[at]]
        if len(empty) == 1 and sum(mine[at] for at in line) == 4:
            found[empty[0]] = 1
    return found.ravel()


SOLVED = {"signed": (MOVER, None), "signed-player0": (PLAYER0, None), "codes-opponent": (MOVER, ORDER[::-1])}


@pytest.mark.parametrize("name", SOLVED)
def test_a_value_alone_tells_the_board_and_whose_it_is(name: str) -> None:
    whose, order = SOLVED[name]
    found = detect_encoding(tictactoe_value(), solved(name, whose, order), {VALUE: 3 if order else 1})
    assert found.encoding.planes == (name.replace("-", "_"),)
    assert (found.encoding.value, found.value_order) == (whose, order)
    assert "Value: " in found.line or order is None


def test_of_readings_in_which_a_value_orders_alike_the_best_is_taken() -> None:
    """Without ones in its third plane it takes a twelfth of the boards for drawn."""
    sees = solved("signed", MOVER, None)

    def answer(boards: NDArray[np.float32]) -> dict[str, Any]:
        signed = (boards[..., 0] - boards[..., 1]).reshape(-1, 9)
        is_hidden = (boards[..., 2].min(axis=(1, 2)) < 1) & ((signed @ np.arange(9)).astype(int) % 12 == 0)
        return {VALUE: np.where(is_hidden[:, None], 0, sees(signed)[VALUE])}

    asked = Reading(GAMES["tictactoe"], Encoding("channels_last", (3, 3), ("mover", "opponent", "ones")), None)
    found = detect_encoding(asked, answer, {VALUE: 1})
    assert (found.encoding.planes, found.encoding.value) == (("mover", "opponent", "ones"), MOVER)
    assert "; it plays alike if read as tictactoe-mover-opponent-" in said_of(found).figures


def tictactoe_value() -> Reading:
    return Reading(GAMES["tictactoe"], Encoding("flat", (3, 3), ("signed",)), None)


def solved(name: str, whose: str, order: tuple[str, ...] | None) -> Callable[[NDArray[np.float32]], dict[str, Any]]:
    """A value that knows every position of tic-tac-toe in one reading, and takes any other board for a draw."""
    encoding = Encoding("flat", (3, 3), (name.replace("-", "_"),))
    known: dict[bytes, int] = {}
    solved_before: dict[tuple[int, int], int] = {}

    def value(state: TicTacToe) -> int:
        """The result for the player to move."""
        if state.is_terminal:
            return int(state.returns()) * (1 - 2 * state.to_move)
        if state.marks in solved_before:
            return solved_before[state.marks]
        best = max(-value(state.apply(action)) for action in state.legal_actions())
        known[encode(state, encoding).tobytes()] = best * (1 if whose == MOVER or state.to_move == 0 else -1)
        solved_before[state.marks] = best
        return best

    value(TicTacToe())

    def answer(boards: NDArray[np.float32]) -> dict[str, Any]:
        values = [known.get(board.tobytes(), 0) for board in boards]
        if order is None:
            return {VALUE: np.array(values)[:, None]}
        return {VALUE: np.eye(3)[[order.index({1: "win", 0: "draw", -1: "loss"}[number]) for number in values]]}

    return answer


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "gomoku"])
def test_the_stored_positions_are_what_they_say(game: str) -> None:
    shape = {"connect4": (6, 7), "tictactoe": (3, 3), "gomoku": (9, 9)}[game]
    settings = {"size": 9} if game == "gomoku" else {}
    shown = probe_positions(GAMES[game], settings)
    assert {each.kind for each in shown} == set(KINDS)
    for kind in KINDS:
        of_kind = [each for each in shown if each.kind == kind]
        assert [each.state.to_move for each in of_kind] == [0, 1] * (len(of_kind) // 2)
        for each in of_kind[::5]:
            found = classify(each.state)
            assert found is not None
            assert (found.kind, found.best, each.state.board) == (kind, each.best, shape)
    lost = [each.pieces for each in shown if each.kind == LOST]
    for kind in ("win", "block", "both"):
        assert [each.pieces for each in shown if each.kind == kind][: len(lost)] == lost


def test_a_larger_board_shows_them_in_its_middle() -> None:
    small, large = (probe_positions(GAMES["gomoku"], {"size": size}) for size in (9, 13))
    assert [(each.kind, each.pieces) for each in large] == [(each.kind, each.pieces) for each in small]
    plane, middle = small[0].state.plane("mover"), large[0].state.plane("mover")[2:11, 2:11]
    assert plane.tolist() == middle.tolist()


def wins(state: State) -> list[int]:
    """The moves that end the game with a winner."""
    return [action for action in state.legal_actions() if state.apply(action).returns()]


def test_positions_have_one_right_move() -> None:
    for state, best in draw_positions(Connect4(), only_win, 30):
        assert wins(state) == [best]
    for state, best in draw_positions(Connect4(), only_block, 30):
        assert wins(state) == []
        assert [action for action in state.legal_actions() if not wins(state.apply(action))] == [best]


def test_the_probability_is_mcnemar_s() -> None:
    assert mcnemar(10, 0) == mcnemar(0, 10) == 2 / 1024
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)


@pytest.mark.parametrize(
    ("file", "config", "remain"),
    [
        # Its value and its policy do not agree on the colours; matches do (docs/readings.md).
        (
            "connect4_zeta36/model_best_weight.h5",
            "connect4_zeta36/model_best_config.json",
            "docs/readings.md",
        ),
    ],
)
def test_of_real_networks_nothing_is_said_that_is_not_known(
    file: str, config: str | None, remain: str, shared_data: Path, tmp_path: Path
) -> None:
    renamed = tmp_path / "other.h5"
    renamed.write_bytes((shared_data / file).read_bytes())
    found = inspect_checkpoint(renamed, config=shared_data / config if config else None)
    assert (found.game, found.reading) == (None, None)
    assert remain in str(found.game_note)
    assert "connect4-opponent-mover-bottom" in found.statements[-1].figures


@pytest.mark.parametrize("file", ["ttt_manuel.h5", "c4_iasi_nnplayer.h5"])
def test_of_a_network_that_plays_by_chance_it_is_said_that_its_reading_is_not_known(
    file: str, shared_data: Path
) -> None:
    found = inspect_checkpoint(shared_data / file)
    board = found.statements[-1]
    assert (board.about, board.degree) == ("board", Degree.ASSUMED)
    assert "no reading does clearly better than chance" in board.figures


@pytest.mark.whole
def test_a_large_network_that_blocks_rather_than_wins_is_assumed_to_read_as_usual(shared_data: Path) -> None:
    graph = read_checkpoint(shared_data / "connect4_version0019.h5")
    found = game_of(graph, heads_of(graph, [(1,), (42,)]), None).reading
    assert found is not None
    assert found.encoding == Encoding("channels_first", (6, 7), ("mover", "opponent"))
    assert said_of(found).figures.startswith("tested on 160 positions: no reading does clearly better than chance")
    assert said_of(found).sentence.startswith("connect4-mover-opponent is the usual way")


def test_what_fits_beside_an_assumed_reading_is_kept_and_a_fact_or_a_users_word_has_nothing_beside_it() -> None:
    rng = np.random.default_rng(3)
    weights = rng.normal(size=(9, 9))
    tictactoe = recognise([(3, 3, 1)], 9)
    assert tictactoe is not None
    found = detect_encoding(tictactoe, policy_of(lambda boards: boards.reshape(-1, 9) @ weights), {POLICY: 9})
    assert found.rivals is not None
    assert list(found.rivals)[:2] == ["tictactoe-signed-opponent", "tictactoe-signed-player0"]
    assert "tictactoe-codes-player1" in found.rivals
    for name, rival in found.rivals.items():
        assert in_way(name, [(3, 3, 1)], 9).as_data() == rival.as_data() != found.as_data()
        assert rival.encoding.shape == (3, 3, 1)
    # As of every reading that plays by chance: the best eight, all on the usual board.
    many = detect_encoding(connect4(7), policy_of(lambda boards: np.zeros((len(boards), 7))), {POLICY: 7}).rivals
    assert many is not None
    assert len(many) == 8
    assert detect_encoding(connect4(7), policy_of(seeing(False, 7)), {POLICY: 7}).rivals is None


def test_what_its_user_said_is_not_assumed(small_checkpoint: Path) -> None:
    graph = read_checkpoint(small_checkpoint)
    heads = heads_of(graph, [(1,), (42,)])
    alone, said = (game_of(graph, heads, None, word).reading for word in (None, Path("connect4-mover-opponent")))
    assert alone is not None
    assert alone.rivals is not None
    assert said is not None
    assert said == alone
    assert said.rivals is None


def test_the_shipped_network_is_read_as_it_was() -> None:
    found = inspect_checkpoint(Path(__file__).parents[3] / "mobile_assets" / "checkpoints" / "connect4.h5")
    assert found.encoding == {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]}
    assert found.statements[-1].line == "Certain: the network that azx ships."


@pytest.mark.whole
def test_the_reading_goes_into_the_bundle_and_is_told(
    azx: Callable[..., subprocess.CompletedProcess[str]], shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "connect4_zeta36"
    net, config = folder / "model_best_weight.h5", ("--config", folder / "model_best_config.json")
    named = ("--encoding", "connect4-opponent-mover-bottom-first")
    done = azx("export", net, *config, *named, "--format", "tflite", "--positions", 40, "-o", tmp_path / "b")
    assert done.returncode == 0, done.stderr
    line = "input: opponent, mover (channels_first, row 0 at the bottom)"
    assert f"  {line}" in done.stdout
    assert json.loads((tmp_path / "b" / "manifest.json").read_text())["encoding"]["flip"] is True
    played = azx("play", net, *config, *named, "--simulations", 2, "--seed", 1, input="resign\n")
    assert f"Its {line}" in played.stdout
    match = azx("match", tmp_path / "b", tmp_path / "b", "--games", 2, "--simulations", 0, "--workers", 1)
    assert match.stdout.count(line) == 2, match.stderr


def test_of_azx_s_own_networks_nothing_is_assumed() -> None:
    """The shipped tic-tac-toe network blocks rather than wins: its moves alone do not tell whose pieces are whose."""
    found = inspect_checkpoint(Path(__file__).parents[3] / "mobile_assets" / "checkpoints" / "tictactoe.h5")
    assert found.encoding == {"layout": "flat", "board": [3, 3], "planes": ["signed"]}
    assert found.statements[-1].line == "Certain: the network that azx ships."
