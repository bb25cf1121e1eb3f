from __future__ import annotations

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from azx.export.checkpoint.located import FOLDER
from azx.games.rules.dots_and_boxes import DotsAndBoxes, start
from azx.learning.solvers.dots_and_boxes import Table, keeps_result, margin, result
from azx.training.dots_and_boxes import network
from azx.training.dots_and_boxes.data import EDGE_CELLS, ILLEGAL, Games, examples, forced_positions
from azx.training.dots_and_boxes.values import table


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(3, tmp_path_factory.mktemp("values"))


def random_state(rng: np.random.Generator) -> DotsAndBoxes:
    state, edges = start(), int(rng.integers(24))
    while state.edges.bit_count() < edges:
        state = state.apply(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.whole
def test_examples_are_the_tensor_and_the_exact_targets_of_the_state(values: Table) -> None:
    rng = np.random.default_rng(3)
    games = Games(values, rng)
    for state in (random_state(rng) for _ in range(100)):
        mover = state.scores[state.to_move], state.scores[1 - state.to_move]
        own, other = (np.array([count], np.int8) for count in mover)
        edges = np.array([state.edges], np.int32)
        if state.must_pass:
            made = forced_positions(edges, own, other, -values[edges])
        else:
            made = examples(edges, own, other, games.worth(edges))
        lead = mover[0] - mover[1]
        worth = {a: -margin(values, state.apply(a)) - lead for a in state.legal_actions()}
        assert np.array_equal(made.boards[0], state.encode())
        assert made.values[0, 0] == result(values, state)
        assert [worth.get(action, ILLEGAL) for action in range(25)] == made.worth[0].tolist()
        assert np.flatnonzero(made.policies[0] >= 0).tolist() == list(state.legal_actions())
        assert np.flatnonzero(made.policies[0] > 0).tolist() == list(keeps_result(values, state))
        assert made.policies[0][made.policies[0] > 0].sum() == pytest.approx(1)
        best = [action for action in worth if worth[action] == max(worth.values())]
        assert set(np.flatnonzero(made.policies[0] == made.policies[0].max())) == set(best)


@pytest.mark.whole
def test_positions_of_the_games_are_those_that_play_can_reach(values: Table) -> None:
    made = Games(values, np.random.default_rng(5)).examples(300)
    taken, drawn = made.boards[:, :2, 3].sum(axis=1), made.boards.reshape(-1, 28)[:, EDGE_CELLS]
    sets = (drawn.astype(np.int64) << np.arange(24)).sum(axis=1)
    closed = [sum(box & int(s) == box for box in _all_boxes()) for s in sets]
    assert taken.tolist() == closed
    assert set(np.unique(made.boards[:, 2, 3])) == {0, 1}
    assert len(made.values) > 2000


def _all_boxes() -> list[int]:
    above = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    return [1 << a | 1 << a + 3 | 1 << 12 + a + a // 3 | 1 << 13 + a + a // 3 for a in above]


def test_the_eight_symmetries_of_the_edges_are_a_group_that_keeps_boxes() -> None:
    permutations = network.edge_permutations()
    known = {tuple(row) for row in permutations.tolist()}
    assert len(known) == 8
    assert all(tuple(one[other].tolist()) in known for one in permutations for other in permutations)
    boxes = set(_all_boxes())
    for row in permutations.tolist():
        assert {sum(1 << row[edge] for edge in range(24) if box >> edge & 1) for box in boxes} == boxes


def test_the_network_answers_a_turned_position_with_the_turned_answer() -> None:
    pytest.importorskip("tf_keras")
    net = network.Network(seed=3)
    rng = np.random.default_rng(4)
    edges = rng.integers(2, size=24).astype(np.float32)
    board = np.zeros(28, np.float32)
    for permutation in network.edge_permutations():
        turned = board.copy()
        turned[EDGE_CELLS[permutation]] = edges
        said = net(turned.reshape(1, 7, 4))
        if permutation.tolist() == list(range(24)):
            first = said
        turned_back = np.append(said.policy.numpy()[0, :24][permutation], said.policy.numpy()[0, 24])
        np.testing.assert_allclose(turned_back, first.policy.numpy()[0], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(said.value, first.value, rtol=1e-4, atol=1e-5)


def test_the_saved_network_answers_as_the_trained_one_and_looks_like_people_s_files(tmp_path: Path) -> None:
    tf_keras = pytest.importorskip("tf_keras")
    net = network.Network(seed=5)
    boards = np.stack([random_state(np.random.default_rng(seed)).encode() for seed in range(5)])
    network.save(net, tmp_path / "net.h5")
    policy, value = tf_keras.models.load_model(tmp_path / "net.h5", compile=False)(boards, training=False)
    said = net(boards)
    logits = said.policy.numpy() - said.policy.numpy().max(axis=1, keepdims=True)
    expected = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(policy, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(value, said.value, rtol=1e-4, atol=1e-5)
    assert [path.name for path in tmp_path.iterdir()] == ["net.h5"]
    check_file(tmp_path / "net.h5")


def test_the_shipped_checkpoint_looks_like_people_s_files() -> None:
    check_file(FOLDER / "dots_and_boxes.h5")


def check_file(path: Path) -> None:
    """A legacy full model of dense layers: policy first, SGD, no optimizer slots, 2.2 MB at most."""
    with h5py.File(path) as file:
        training = json.loads(file.attrs["training_config"])
        config = json.loads(file.attrs["model_config"])["config"]
        assert "optimizer_weights" not in file
    assert [layer[0] for layer in config["output_layers"]] == ["policy_head", "value_head"]
    assert training["optimizer_config"]["class_name"] == "SGD"
    assert {layer["class_name"] for layer in config["layers"]} == {"InputLayer", "Flatten", "Dense", "Add"}
    assert path.stat().st_size < 2_200_000
