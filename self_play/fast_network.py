"""The network of one generation as an evaluator: an ONNX graph in memory.

ONNX Runtime runs it on one thread, or for many boards at once TensorFlow in bfloat16, where the processor has units for
that (`bfloat16.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..games.encoding import MOVER, encode_all, is_turned
from ..games.evaluator import Evaluation
from ..games.game import Reading
from ..games.state import State
from ..games.value import ValueReading
from .bfloat16 import Answers, Half, in_bfloat16, is_multiplied_here

POLICY, VALUE = "policy_head", "value_head"
# Bytes of remembered boards and answers, and Python's overhead for each.
ROOM, BESIDE = 1 << 26, 600


class FastNetwork:
    """Answers states by the bytes of an ONNX graph with `main_input`, `policy_head` (logits) and `value_head`."""

    name = "the network in training"

    def __init__(self, graph: bytes, reading: Reading, *, exact: bool = False) -> None:
        """`exact` is for a judge: the answers are computed in float32, as those of the kept file."""
        single = _in_float32(graph)
        half = in_bfloat16(graph) if not exact and is_multiplied_here() else None
        self._ask = single if half is None else _by_number(half, single)
        self._reading, self._indices = reading, reading.indices_by_turn
        # Whose value the network gives, if not the mover's.
        whose = reading.encoding.value
        self._value = ValueReading("tanh", whose=whose) if whose != MOVER else None
        self._known: dict[tuple[bytes, bool], Evaluation] = {}

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """An answer for each unfinished state: logits by the game's actions, and the mover's value.

        Each board is computed only once, because a third of the boards in a network's games are repeated.
        """
        if not states:
            return []
        boards = encode_all(states, self._reading.encoding)
        if self._reading.encoding.turned:
            turns = [is_turned(state, self._reading.encoding) for state in states]
        else:
            turns = [False] * len(states)
        keys = [(board.tobytes(), turned) for board, turned in zip(boards, turns, strict=True)]
        if len(self._known) * (boards[0].nbytes + 4 * self._indices.shape[1] + BESIDE) > ROOM:
            self._known.clear()
        new = {key: row for row, key in enumerate(keys) if key not in self._known}
        if new:
            rows = list(new.values())
            answers = self._evaluate(boards[rows], np.array([turns[row] for row in rows], np.int64))
            self._known.update(zip(new, answers, strict=True))
        answers = [self._known[key] for key in keys]
        if self._value is None:
            return answers
        own_values = np.array([answer.value for answer in answers])
        values = self._value.seen_by_mover(own_values, [state.to_move for state in states]).tolist()
        return [answer._replace(value=value) for answer, value in zip(answers, values, strict=True)]

    def _evaluate(self, boards: NDArray[np.float32], turns: NDArray[np.int64]) -> list[Evaluation]:
        policies, values = self._ask(boards)
        rows = policies.reshape(len(boards), -1)
        if self._reading.encoding.turned:
            policies = np.take_along_axis(rows, self._indices[turns], axis=1)
        else:
            policies = rows.take(self._indices[0], axis=1)  # a seventh of the time
        numbers = np.asarray(values, np.float64).reshape(-1).tolist()
        return [Evaluation(value, policy, logits=True) for value, policy in zip(numbers, policies, strict=True)]


def _in_float32(graph: bytes) -> Answers:
    """The graph's function from boards to its policies and values, by ONNX Runtime."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def ask(boards: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        answers: list[NDArray[np.float32]] = session.run([POLICY, VALUE], {"main_input": boards})
        return answers

    return ask


def _by_number(half: Half, single: Answers) -> Answers:
    """The faster of two functions for each number of boards."""
    return lambda boards: (single if len(boards) < half.fewest else half.ask)(boards)
