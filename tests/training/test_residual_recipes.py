from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from golden.cases import GO_KO

from azx import inspect_checkpoint
from azx.export.checkpoint.located import FOLDER as CHECKPOINTS
from azx.games.known.catalogue import GAMES
from azx.games.rules import go as go_rules
from azx.games.rules import gomoku as gomoku_rules
from azx.training import recipe, residual_network
from azx.training.go import __main__ as go
from azx.training.go.gnugo import GnuGo, GnuGoError
from azx.training.gomoku import __main__ as gomoku
from azx.training.gomoku.data import NO_ADVICE, Games
from azx.training.residual_network import Design

MOST_BYTES = 10_200_000
GAME = {"level": 1, "even_from": 4, "moves": list(GO_KO), "advice": [81, *GO_KO[1:]]}


def test_go_examples_are_what_the_network_reads_with_the_result_of_the_game() -> None:
    made = go.examples([GAME], [0])
    state = go_rules.start(9)
    for ply, action in enumerate(GO_KO):
        np.testing.assert_array_equal(made.boards[ply], state.encode())
        assert made.values[ply] == (-1 if state.to_move == 0 else 1)  # white wins this one by 10.5
        state = state.apply(action)
    assert made.moves.tolist() == [81, *GO_KO[1:]]
    assert made.decided.tolist() == [False] * 4 + [True] * (len(GO_KO) - 4)
    black, white = state.areas()
    assert made.owners[0].sum() == len(black) - len(white)
    assert made.owners[1].sum() == len(white) - len(black)


def test_a_go_game_that_azx_does_not_allow_or_that_does_not_end_is_left_out() -> None:
    occupied, open_ended = {**GAME, "moves": [0, 0]}, {**GAME, "moves": [0, 1]}
    assert len(go.examples([GAME, occupied, open_ended], range(3))) == len(GO_KO)


@pytest.mark.parametrize("turn", range(8))
def test_a_turned_go_example_is_that_of_the_turned_game(turn: int) -> None:
    moves = [int(go.TURNS[turn].actions[action]) for action in GO_KO]
    plain, turned = go.examples([GAME], [0]), go.examples([{**GAME, "moves": moves, "advice": moves}], [0])
    boards, advice, _, owners, _ = plain.turn(np.arange(1, len(GO_KO)), turn)
    np.testing.assert_array_equal(boards, turned.boards[1:])
    assert advice.tolist() == moves[1:]
    np.testing.assert_array_equal(owners, turned.owners[1:].reshape(-1, 81))


def played() -> Games:
    moves = np.array([112, 113, 97, 99, 127, 142, 82, 67, 52], np.uint8)
    best = moves.copy()
    best[:2] = NO_ADVICE
    scores = np.zeros(len(moves), np.int16)
    return Games(np.array([9], np.int16), np.array([2], np.uint8), moves, best, scores)


def test_gomoku_examples_are_what_the_network_reads_where_the_teacher_spoke() -> None:
    made, state = gomoku.examples(played(), [0]), gomoku_rules.start()
    for ply, action in enumerate(played().moves):
        if ply >= 2:
            np.testing.assert_array_equal(made.boards[ply - 2], state.encode())
            assert made.moves[ply - 2] == action
        state = state.apply(int(action))
    assert len(made) == len(played().moves) - 2


def test_each_batch_of_an_epoch_has_other_examples() -> None:
    class Numbers:
        def __len__(self) -> int:
            return 3 * recipe.BATCH + 5

        def batch(self, rows: np.ndarray[Any, Any], rng: np.random.Generator | None) -> list[np.ndarray[Any, Any]]:
            return [rows]

    drawn = np.concatenate([batch[0] for batch in recipe.shuffle_batches(Numbers(), np.random.default_rng(1))])
    assert len(drawn) == len(set(drawn.tolist())) == 3 * recipe.BATCH
    train, held = recipe.split(100)
    assert sorted([*train, *held]) == list(range(100))


@pytest.mark.parametrize("actions", [25, 26])
def test_the_saved_network_answers_as_the_trained_one_with_a_softmax(actions: int, tmp_path: Path) -> None:
    tf_keras = pytest.importorskip("tf_keras")
    design = Design("small", board=5, planes=3, actions=actions, filters=8, blocks=1, ownership=actions == 26)
    trained = residual_network.trainable(design)
    rng = np.random.default_rng(3)
    trained.set_weights([weight + 0.05 * rng.random(weight.shape) for weight in trained.get_weights()])
    residual_network.save(design, trained, tmp_path / "net.h5")
    boards = (rng.random((4, 5, 5, 3)) < 0.3).astype(np.float32)
    logits, value = (np.asarray(output) for output in trained(boards, training=False)[:2])
    policy, saved = tf_keras.models.load_model(tmp_path / "net.h5", compile=False)(boards, training=False)
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    # The tower was trained in bfloat16 and is saved in float32.
    np.testing.assert_allclose(policy, expected, atol=0.02)
    np.testing.assert_allclose(saved, value, atol=0.05)
    assert [path.name for path in tmp_path.iterdir()] == ["net.h5"]


@pytest.mark.parametrize("game", sorted({*GAMES} - {"hex", "reversi"}))
def test_every_checkpoint_of_a_recipe_is_a_legacy_file_of_its_game(game: str) -> None:
    path = CHECKPOINTS / f"{game}.h5"
    with h5py.File(path) as file:
        training = json.loads(file.attrs["training_config"])
        assert "optimizer_weights" not in file
    assert training["optimizer_config"]["class_name"] == "SGD"
    found = inspect_checkpoint(path)
    assert found.game == game
    assert found.encoding == GAMES[game].encoding.as_data()
    assert found.fallback is None


def test_the_shipped_checkpoints_are_small_together() -> None:
    assert sum(path.stat().st_size for path in CHECKPOINTS.glob("*.h5")) < MOST_BYTES


def test_gnu_go_s_points_are_the_game_s() -> None:
    program = GnuGo.__new__(GnuGo)
    program.size = 9
    for action in range(82):
        assert program.action(program.vertex(action)) == action
    assert program.vertex(0) == "A9"
    assert program.vertex(80) == "J1"
    assert program.action("resign") == 81


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/games:/usr/bin") is None, reason="gnugo is not installed")
def test_gnu_go_plays_by_the_rules_of_azx() -> None:
    state = go_rules.start(9)
    with GnuGo(9, level=1, seed=3) as program:
        while not state.is_terminal:
            action = program.generate(state.to_move)
            assert action in state.legal_actions()
            state = state.apply(action)
        with pytest.raises(GnuGoError, match="'nonsense'"):
            program.ask("nonsense")
    assert state.returns() in (1, -1)
