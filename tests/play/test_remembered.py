"""Answers that are kept: each board is asked once, and a match's games are those without a memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.games.rules.connect4 import Connect4
from azx.games.rules.tictactoe import TicTacToe
from azx.match.games import Rules, blocks, play_block
from azx.match.openings import openings
from azx.play.network import open_network
from azx.play.remembered import RememberedAnswers
from azx.validate.runners.onnx_runtime import OnnxRuntimeRunner
from azx.validate.runners.runner import Tensors


class Asked:
    """A network whose answers are the sums of its boards; `batches` are those that it was asked."""

    def __init__(self) -> None:
        self.batches: list[list[float]] = []

    def run(self, boards: NDArray[np.float32]) -> Tensors:
        sums = boards.reshape(len(boards), -1).sum(axis=1)
        self.batches.append(sums.tolist())
        return {"value": sums[:, None]}


def boards(*numbers: float) -> NDArray[np.float32]:
    return np.array([[number] for number in numbers], np.float32)


def answers(memory: RememberedAnswers, *numbers: float) -> Sequence[float]:
    found: Sequence[float] = memory.run(boards(*numbers))["value"].ravel().tolist()
    return found


def test_each_board_is_asked_once_in_one_batch_and_answered_in_its_place() -> None:
    network = Asked()
    memory = RememberedAnswers(network.run)
    assert answers(memory, 1, 2, 1) == [1, 2, 1]
    assert answers(memory, 3, 2, 4, 3) == [3, 2, 4, 3]
    assert answers(memory, 4, 1) == [4, 1]
    assert [sorted(batch) for batch in network.batches] == [[1, 2], [3, 4]]


def test_the_oldest_go_where_there_is_no_more_room_and_are_asked_again() -> None:
    network = Asked()
    memory = RememberedAnswers(network.run, room=2 * (4 + 4))
    assert answers(memory, 1, 2) == [1, 2]
    # Known when it was asked, and driven out by what is new in the same batch.
    assert answers(memory, 1, 3) == [1, 3]
    assert answers(memory, 2, 3) == [2, 3]
    assert answers(memory, 1) == [1]
    assert network.batches == [[1, 2], [3], [1]]


def test_what_an_answer_is_changed_to_afterwards_is_not_remembered() -> None:
    memory = RememberedAnswers(Asked().run)
    memory.run(boards(1, 2))["value"][:] = 9
    memory.run(boards(1))["value"][:] = 9
    assert answers(memory, 1, 2) == [1, 2]


def test_games_are_the_same_with_far_fewer_questions(small_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, questions = Rules(simulations=24, proves=True), 0
    (block,) = blocks(2, openings(Connect4(), 2, (1, 4), 0).lines, size=2)
    usual = OnnxRuntimeRunner.run_batch

    def count(self: OnnxRuntimeRunner, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        nonlocal questions
        questions += 1
        return usual(self, feeds)

    with open_network(next(small_bundle.glob("*.onnx"))) as network:
        monkeypatch.setattr(OnnxRuntimeRunner, "run_batch", count)
        played = list(play_block(Connect4(), (network, network), block, rules))
        without, questions = questions, 0
        with network.remembering(), network.remembering():
            assert list(play_block(Connect4(), (network, network), block, rules)) == played
        assert 0 < questions < 0.7 * without
        questions = 0
        # Nothing is known any more.
        network.evaluate([Connect4()] * 3)
        assert questions == 3


def test_boards_that_are_turned_by_chance_are_asked_each_time() -> None:
    with open_network("tictactoe", symmetry="random") as network, network.remembering():
        found = network.evaluate([TicTacToe().apply(1)] * 16)
        assert len({answer.policy.tobytes() for answer in found if answer.policy is not None}) > 1
