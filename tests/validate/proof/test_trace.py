"""What is kept of an artifact's answers: as little as a picture needs, and the worst of it."""

from __future__ import annotations

import numpy as np
import pytest
from proofs import VALUES, of_game, of_no_game

from azx.validate.positions import Positions
from azx.validate.proof.trace import PAIRS, RUNS, exact_trace, pack_numbers, unpack_numbers

HEADS = (VALUES,)


def drawn(count: int, extreme: int = 0) -> Positions:
    boards = np.arange(count * 2, dtype=np.float32).reshape(count, 2)
    return Positions({"main_input": boards}, None, "some", extreme=extreme)


def test_numbers_are_one_line_and_come_back() -> None:
    text = pack_numbers(np.array([[0, 0, 0, 1], [0.25, -1e-7, 0, 0]]), 4)
    assert text == "0*3 1 0.25 -1e-07 0*2"
    assert unpack_numbers(text) == [0, 0, 0, 1, 0.25, -1e-7, 0, 0]


@pytest.mark.parametrize("text", ["1 two", "1*", "1*-3", "0*20000", "1*99999999999999999999", "0*0"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack_numbers(text)


def test_the_largest_error_of_every_run_is_kept_and_the_worst_positions_are_in_order() -> None:
    count = 1234
    truth = {"value_head": np.zeros((count, 1))}
    answer = {"value_head": np.full((count, 1), 1e-8)}
    answer["value_head"][[700, 3, 1230], 0] = [0.5, 0.25, 0.75]
    trace = exact_trace(HEADS, answer, truth, drawn(count, extreme=10), {"value_head": None})
    assert trace is not None
    assert trace["positions"] == count
    assert [(at["kind"], at["position"]) for at in trace["worst"]] == [("extreme", 6), ("drawn", 700), ("drawn", 3)]
    assert unpack_numbers(trace["worst"][1]["input"]) == [1400, 1401]
    head = trace["heads"][0]
    errors = unpack_numbers(head["errors"])
    assert len(errors) == RUNS
    assert sorted(errors)[-4:] == [1e-8, 0.25, 0.5, 0.75]
    exported = unpack_numbers(head["exported"])
    assert len(exported) == len(unpack_numbers(head["original"])) <= PAIRS
    assert {0.25, 0.5, 0.75} <= set(exported)


@pytest.mark.parametrize("answer", [np.full((4, 1), np.nan), np.zeros((4, 2)), np.zeros((3, 1)), None])
def test_an_answer_that_is_none_leaves_no_trace(answer: np.ndarray | None) -> None:
    given = {} if answer is None else {"value_head": answer}
    assert exact_trace(HEADS, given, {"value_head": np.zeros((4, 1))}, drawn(4), {"value_head": None}) is None


def test_the_gate_measures_win_rates_and_divergences_by_kind() -> None:
    _, parity = of_game("connect4")
    trace = next(each["trace"] for each in parity["artifacts"] if each.get("precision") == "int8")
    assert [kind["name"] for kind in trace["kinds"]] == ["self-play", "random legal"]
    assert [(head["head"], head["measure"]) for head in trace["heads"]] == [
        ("value_head", "win-rate error"),
        ("policy_head", "KL"),
    ]
    closest = next(each["gate"]["closest"] for each in parity["artifacts"] if each.get("precision") == "int8")
    assert closest["value"] <= max(max(unpack_numbers(head["errors"])) for head in trace["heads"])


def test_without_a_game_nothing_is_legal_or_illegal() -> None:
    _, parity = of_no_game()
    assert all(at["legal"] is None for each in parity["artifacts"] for at in each["trace"]["worst"])
