from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from azx.export.checkpoint.located import FOLDER
from azx.games.rules.tictactoe import TicTacToe
from azx.training import legacy_file
from azx.training.tictactoe.__main__ import (
    best_move,
    build,
    good_moves,
    moves,
    reachable,
    softmax_cross_entropy_with_logits,
    target,
    value,
)
from azx.training.tictactoe.strength import ANSWER, ASKED, count_results


def test_perfect_play_draws_and_the_asked_position_has_four_good_moves() -> None:
    assert value(TicTacToe()) == 0
    assert ASKED.encode().tolist() == [-1, 0, 0, 1, -1, -1, 0, 0, 1]
    assert good_moves(ASKED) == {1: 0, 2: 0, 6: 2, 7: 2}
    assert best_move(ASKED) == ANSWER == 6


def test_the_target_is_shared_by_the_good_moves_and_largest_for_the_best() -> None:
    states = reachable()
    assert len(states) == 4520
    for state in states:
        shares = target(state)
        assert set(np.flatnonzero(shares)) == set(good_moves(state))
        assert shares.sum() == pytest.approx(1)
        assert shares.argmax() == best_move(state)


def test_lost_lines_are_counted_by_playing_every_reply() -> None:
    perfect = {state: best_move(state) for state in reachable()}
    assert [count_results(perfect.__getitem__, side)[-1] for side in (0, 1)] == [0, 0]
    careless = {state: state.legal_actions()[0] for state in perfect}
    results = count_results(careless.__getitem__, 1)
    assert 0 < results[-1] < results.total()


def test_the_shipped_network_never_loses_and_answers_the_asked_position_with_6() -> None:
    tf_keras = pytest.importorskip("tf_keras")
    chosen = moves(tf_keras.models.load_model(FOLDER / "tictactoe.h5", compile=False))
    assert [count_results(chosen.__getitem__, side)[-1] for side in (0, 1)] == [0, 0]
    assert chosen[ASKED] == ANSWER


def test_the_saved_network_answers_as_the_trained_one(tmp_path: Path) -> None:
    tf_keras = pytest.importorskip("tf_keras")
    model = build()
    legacy_file.save(model, tmp_path / "net.h5", {"policy_head": softmax_cross_entropy_with_logits})
    boards = np.stack([ASKED.encode(), TicTacToe().encode()])
    again = tf_keras.models.load_model(tmp_path / "net.h5", compile=False)
    np.testing.assert_allclose(again(boards), model(boards), rtol=1e-5, atol=1e-6)
    assert again.output_shape == (None, 9)
    assert [path.name for path in tmp_path.iterdir()] == ["net.h5"]
