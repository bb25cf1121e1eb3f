from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from azx.export.checkpoint.located import FOLDER
from azx.games.rules.connect4 import Connect4
from azx.training.connect4 import network as connect4_network
from azx.training.connect4.__main__ import Examples, examples, split
from azx.training.connect4.data import FULL_COLUMN, Positions
from azx.training.connect4.strength import raw
from azx.training.recipe import shuffle_batches
from azx.training.strength import wilson
from azx.training.trainer import one_cycle


def solved(state: Connect4, scores: list[int]) -> Positions:
    own, other = state.discs[state.to_move], state.discs[1 - state.to_move]
    return Positions(np.array([own], np.uint64), np.array([other], np.uint64), np.array([scores], np.int8))


def after(*columns: int) -> Connect4:
    state = Connect4()
    for column in columns:
        state = state.apply(state.landing(column))
    return state


def test_the_targets_are_the_result_and_the_moves_that_keep_it() -> None:
    made = examples(solved(after(3), [-2, 0, 4, 9, 9, 1, -3]))
    assert made.values.tolist() == [[1.0]]
    assert np.array_equal(made.boards[0].transpose(2, 0, 1), after(3).encode())
    policy = made.policies[0]
    assert sorted(np.flatnonzero(policy >= 0).tolist()) == list(after(3).legal_actions())
    assert policy[[35, 36, 37, 31, 39, 40, 41]].tolist() == pytest.approx([0, 0, 1 / 8, 3 / 8, 3 / 8, 1 / 8, 0])


def test_a_full_column_is_no_target_also_in_a_lost_position() -> None:
    made = examples(solved(after(3, 3, 3, 3, 3, 3), [-4, -4, -4, FULL_COLUMN, -4, -4, -2]))
    assert made.values.tolist() == [[-1.0]]
    assert (made.policies[0, 3::7] == -1).all()
    assert made.policies[0, 41] == pytest.approx(1 / 12 + 1 / 2)


def test_a_mirrored_example_is_that_of_the_mirrored_position() -> None:
    one = examples(solved(after(0, 0, 5), [1, 2, 3, 4, 5, 6, 7]))
    other = examples(solved(after(6, 6, 1), [7, 6, 5, 4, 3, 2, 1]))
    turned = one.mirror(np.array([True]))
    assert np.array_equal(turned.boards, other.boards)
    assert np.array_equal(turned.policies, other.policies)
    assert np.array_equal(one.mirror(np.array([False])).boards, one.boards)


def test_batches_hold_every_example_once() -> None:
    boards = np.zeros((600, 6, 7, 2), np.uint8)
    numbers = np.arange(600, dtype=np.float32).reshape(-1, 1)
    data = Examples(boards, numbers, np.zeros((600, 42), np.float32))
    seen = np.concatenate([values for _, values, _ in shuffle_batches(data, np.random.default_rng(0))])
    assert len(np.unique(seen)) == len(seen) == 512


def test_no_position_and_no_mirror_image_is_both_trained_on_and_held_out() -> None:
    rng = np.random.default_rng(1)
    discs = rng.random((5000, 6, 7)) < 0.2
    both = np.concatenate([discs, discs[:, :, ::-1]])
    numbers = (both.reshape(-1, 42) * (1 << np.arange(42, dtype=np.uint64))).sum(axis=1).astype(np.uint64)
    made = Positions(numbers, np.zeros_like(numbers), np.tile(np.arange(5000), 2).reshape(-1, 1))  # type: ignore[arg-type]
    train, held = split(made)
    assert not set(train.scores[:, 0].tolist()) & set(held.scores[:, 0].tolist())
    assert 0.01 < len(held) / len(made) < 0.04


def test_the_rate_goes_up_and_comes_down_to_nothing() -> None:
    assert one_cycle(0) == pytest.approx(0.05)
    assert one_cycle(0.05) == pytest.approx(1)
    assert one_cycle(1) == pytest.approx(0)


def test_the_interval_is_wilson_s() -> None:
    assert wilson(90, 100) == pytest.approx((0.8256, 0.9448), abs=1e-4)


def test_strength_counts_the_moves_that_keep_the_value() -> None:
    scores = np.array([[3, 0, 5, -1, -1, -1, -1], [-3, -5, -5, -5, -5, -5, -5]], np.int16)
    lines = list(raw(scores, [35, 36], np.array([0.5, 0.5])))
    assert "100.0%" in lines[0]
    assert lines[0].endswith("of 2")
    assert lines[1].endswith("of 1")
    assert "  0.0%" in lines[2]
    assert " 50.0%" in lines[3]


def test_the_saved_network_answers_as_the_trained_one_and_looks_like_people_s_files(tmp_path: Path) -> None:
    pytest.importorskip("tf_keras")
    rng = np.random.default_rng(2)
    boards = (rng.random((3, 2, 6, 7)) < 0.3).astype(np.float32)
    trained = connect4_network.build("channels_last")
    trained.set_weights([weight + 0.05 * rng.random(weight.shape) for weight in trained.get_weights()])
    connect4_network.save(trained, tmp_path / "net.h5")
    expected = trained(boards.transpose(0, 2, 3, 1), training=False)
    import tf_keras

    found = tf_keras.models.load_model(tmp_path / "net.h5", compile=False)(boards, training=False)
    for ours, theirs in zip(found, expected, strict=True):
        # A small answer is what large terms leave: float32 knows it to 1e-6 of the largest one, and no better.
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-6 * float(np.abs(theirs).max()))
    assert [path.name for path in tmp_path.iterdir()] == ["net.h5"]
    check_file(tmp_path / "net.h5")


def test_the_shipped_checkpoint_looks_like_people_s_files() -> None:
    check_file(FOLDER / "connect4.h5")


def check_file(path: Path) -> None:
    """A legacy full model: channels_first, custom loss, SGD, no optimizer slots, 3.8 MB."""
    with h5py.File(path) as file:
        training = json.loads(file.attrs["training_config"])
        layers = json.loads(file.attrs["model_config"])["config"]["layers"]
        assert "optimizer_weights" not in file
    assert training["loss"]["policy_head"] == "softmax_cross_entropy_with_logits"
    assert training["optimizer_config"]["class_name"] == "SGD"
    convolutions = [layer["config"] for layer in layers if layer["class_name"] == "Conv2D"]
    assert len(convolutions) == 13
    assert {c["data_format"] for c in convolutions} == {"channels_first"}
    assert {layer["name"] for layer in layers} >= {"main_input", "value_head", "policy_head"}
    assert 3_500_000 < path.stat().st_size < 4_000_000
