"""Whether azx ever says as a fact how a network reads its board, or what an output is, and it is not so.

    python benchmarks/statements.py [NAME]...

The trained networks are those that azx ships, shown to the probe as strangers. Their planes are exchanged, their rows
turned over, or both, so that each reads its board as planted: in the ways that azx knows for these shapes, and in
orders that nobody knows. The untrained ones have the same shapes and random weights. What is said is held to what was
planted: `fact` is a reading that is shown, `assumed` one that is said to be; of `none` nothing is assumed either.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from azx.bundle.case.cost import multiply_adds_of
from azx.errors import Undecided
from azx.export.checkpoint.head import POLICY, VALUE
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint
from azx.games.encoding import Encoding
from azx.games.game import Reading
from azx.games.known.hypotheses import hypotheses
from azx.games.known.recognition import by_name, read_as
from azx.statement import Degree, Statement
from azx.validate.reading.budget import WHOLE, boards_within
from azx.validate.reading.probe import detect_encoding
from azx.validate.witness.evaluate import evaluate

# How many unknown orders of planes are planted in each network that has more than two of them.
STRANGE = 6
Network = Callable[[NDArray[np.float32]], Mapping[str, NDArray[Any]]]


@dataclass(frozen=True)
class Planted:
    """A network, the reading that was planted in it (None for an order that azx has no name for), and its title."""

    title: str
    network: Network
    truth: Encoding | None
    trained: bool


def main() -> None:
    """Show every planted network to the probe; a line for each, then the counts."""
    counts = Counter[tuple[bool, str]]()
    for name in sys.argv[1:] or ("tictactoe", "connect4", "reversi", "hex", "gomoku", "go"):
        graph = read_checkpoint(find_checkpoint(name))
        heads = {VALUE: "value_head", POLICY: "policy_head"}
        shape, widths = graph.inputs[0].shape, {VALUE: 1, POLICY: _policy_width(name)}
        usual = read_as(by_name(name), [shape], widths[POLICY], "channels_last")

        def ask(boards: NDArray[np.float32], graph: Any = graph, heads: Any = heads) -> dict[str, NDArray[Any]]:
            answers = evaluate(graph, {graph.inputs[0].name: boards}, np.float32)
            return {role: answers[head] for role, head in heads.items()}

        boards = boards_within(WHOLE, multiply_adds_of(graph))
        for each in _planted(usual, ask, widths):
            began = time.process_time()
            verdict, said = _judge(usual, each, widths, boards)
            counts[each.trained, verdict] += 1
            print(f"{name:10} {verdict:8} {each.title}: {said} ({time.process_time() - began:.0f} s)", flush=True)
    for trained in (True, False):
        told = {verdict: count for (of, verdict), count in counts.items() if of == trained}
        print("trained" if trained else "untrained", dict(sorted(told.items())), sum(told.values()))


def _policy_width(name: str) -> int:
    widths = {"tictactoe": 9, "connect4": 42, "reversi": 65, "hex": 49, "gomoku": 225, "go": 82}
    return widths[name]


def _planted(usual: Reading, ask: Network, widths: Mapping[str, int]) -> Iterator[Planted]:
    """The network as it is, in every other known reading of the same planes, in unknown orders, and untrained."""
    planes = usual.encoding.planes
    rng = np.random.default_rng(11)
    known = [one.reading for one in hypotheses(usual.game, usual.encoding.shape, widths[POLICY])]
    same = [one for one in known if sorted(one.encoding.planes) == sorted(planes)]
    for one in same if len(planes) > 1 else [usual]:
        if one.encoding.layout == usual.encoding.layout and _is_plain(one):
            order = [one.encoding.planes.index(plane) for plane in planes]
            title = f"{', '.join(one.encoding.planes)}{' flipped' if one.encoding.flip else ''}"
            yield Planted(title, _exchange(ask, usual, order, one.encoding.flip), one.encoding, trained=True)
    listed = [one.encoding.planes for one in same]
    for _ in range(STRANGE if len(planes) > 2 else 0):
        order = list(rng.permutation(len(planes)))
        planted = tuple(planes[order.index(at)] for at in range(len(planes)))
        if planted not in listed:
            yield Planted(
                f"order {list(map(int, order))}", _exchange(ask, usual, order, flip=False), None, trained=True
            )
    for seed in range(4):
        yield Planted(f"untrained {seed}", _random(usual, widths, seed), None, trained=False)


def _is_plain(one: Reading) -> bool:
    """Whether its moves are numbered as usual: of a board that lies otherwise only the input is turned over."""
    return not one.encoding.transpose and (not one.encoding.flip or one.actions != "listed")


def _exchange(ask: Network, usual: Reading, order: list[int], flip: bool) -> Network:
    """The network that finds each of its planes where `order` has it, and the rows bottom first if `flip`."""
    axis = 1 if usual.encoding.layout == "channels_first" else -1

    def answer(boards: NDArray[np.float32]) -> Mapping[str, NDArray[Any]]:
        if len(order) > 1:
            boards = np.take(boards, order, axis=axis)
        if flip:
            boards = np.flip(boards, axis=2 if axis == 1 else 1)
        return ask(np.ascontiguousarray(boards))

    return answer


def _random(usual: Reading, widths: Mapping[str, int], seed: int) -> Network:
    """A network of random weights, which looks at nothing in particular."""
    rng = np.random.default_rng(seed)
    size = int(np.prod(usual.encoding.shape))
    first = rng.normal(size=(size, 32)) / np.sqrt(size)
    last = {role: rng.normal(size=(32, width)) for role, width in widths.items()}

    def answer(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
        hidden = np.tanh(boards.reshape(len(boards), -1) @ first)
        return {role: np.tanh(hidden @ weights) for role, weights in last.items()}

    return answer


def _judge(usual: Reading, planted: Planted, widths: Mapping[str, int], boards: int) -> tuple[str, str]:
    """What came of it (fact, WRONG, right, other, none), and the sentence."""
    try:
        found = detect_encoding(usual, planted.network, widths, boards)
    except Undecided as undecided:
        return "none", undecided.figures
    told = found.statement or Statement("board", Degree.UNKNOWN, "nothing is said")
    own = replace(found.encoding, value="mover")
    is_true = planted.truth is not None and own == replace(planted.truth, value="mover")
    if told.degree is Degree.SHOWN:
        return ("fact" if is_true else "WRONG"), told.line
    return ("right" if is_true else "other"), f"{told.line} {', '.join(found.encoding.planes[:3])}"


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
