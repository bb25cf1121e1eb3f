"""Asks an artifact again, in the other ways that apps use.

The proof's first way asks every position. A file may be right only in that way: with the batch of a proof, by the names
of its tensors, or by its first subgraph. So some positions are asked once more in each way that an app could use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, first_line
from ..games.random_play import below, generator
from .runners.runner import FREE_BATCH, Answer, Runner, Tensors

# The number of positions asked again besides those of golden.json and the extreme ones.
SHARE = 60
# A random stream that is separate from the positions', for every seed.
SAMPLE_SEED = 2**37
PLAINLY = "plainly"
Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class RepeatedRun:
    """An artifact's answers if some positions are asked in another way.

    `way` names it, as in "by its signature, 1 at a time". `outputs` has (n, ...) by output for the n rows asked;
    `fault` is a clause if it did not run.
    """

    way: str
    outputs: Tensors = field(default_factory=dict)
    fault: str | None = None


@dataclass(frozen=True, eq=False)
class Sample:
    """The positions to ask again, `rows` bool (N,).

    `some` is a number of positions per call, for files with a free batch.
    """

    rows: Rows
    some: int


def draw_sample(fixed: Rows, among: range, seed: int) -> Sample:
    """The sample of N positions: the `fixed` ones, bool (N,), and SHARE more that the seed chooses `among` all.

    The same seed gives the same sample.
    """
    rng = generator(seed + SAMPLE_SEED)
    others = [row for row in among if not fixed[row]]
    rows = fixed.copy()
    for _ in range(min(SHARE, len(others))):
        rows[others.pop(below(rng, len(others)))] = True
    return Sample(rows, 2 + below(rng, FREE_BATCH - 2))


def ask_again(
    runner: Runner, feeds: Mapping[str, NDArray[Any]], nodes: Mapping[str, str], sample: Sample
) -> tuple[RepeatedRun, ...]:
    """The answers to the sample of the feeds, {input: (N, ...)}, in every other way.

    `nodes` are the names of the outputs' nodes, in formats that have such names. If the file's batch is free, each way
    gets one position at a time, then several; the plain way gets every size that azx uses.
    """
    some = {name: feed[sample.rows] for name, feed in feeds.items()}
    batch = runner.signature().inputs[0].shape[0]
    sizes = [1, sample.some] if batch is None else [batch]
    ways: list[tuple[str, Answer]] = [(PLAINLY, runner.run_batch)] if batch is None else []
    ways += runner.other_ways(nodes)
    again = [
        _ask(f"{way}, {size} at a time" if batch is None else way, runner, answer, some, size)
        for way, answer in ways
        for size in sizes
    ]
    return (*again, *(_ask_at_every_size(runner, some) if batch is None else ()))


def _ask_at_every_size(runner: Runner, feeds: Mapping[str, NDArray[Any]]) -> Iterator[RepeatedRun]:
    """The answers of a file with a free batch, at each size up to the largest that azx uses.

    A file may be wrong at a single size. The rows repeat until each size was asked; each pass through all rows is one
    `RepeatedRun`.
    """
    count = len(next(iter(feeds.values())))
    sizes = range(2, FREE_BATCH + 1)
    times = -(-sum(sizes) // count)
    rows = np.arange(times * count) % count
    way = f"{PLAINLY}, at each size up to {FREE_BATCH}"
    ends = [0, *np.cumsum(sizes).tolist(), len(rows)]
    try:
        parts = [
            runner.run_batch({name: feed[rows[at:end]] for name, feed in feeds.items()})
            for begin, stop in pairwise(ends)
            for at, end in pairwise([*range(begin, stop, FREE_BATCH), stop])
        ]
        outputs = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    except Exception as error:  # a runtime raises whatever it likes
        yield _fault(way, error)
    else:
        for time in range(times):
            yield RepeatedRun(way, {name: each[time * count : (time + 1) * count] for name, each in outputs.items()})


def _ask(way: str, runner: Runner, answer: Answer, feeds: Mapping[str, NDArray[Any]], size: int) -> RepeatedRun:
    try:
        return RepeatedRun(way, runner.in_steps(answer, feeds, size))
    except Exception as error:  # a runtime raises whatever it likes
        return _fault(way, error)


def _fault(way: str, error: Exception) -> RepeatedRun:
    """The way without answers, and the clause that says why."""
    ran_into = f"does not run ({type(error).__name__}: {first_line(error)[:200]})"
    return RepeatedRun(way, fault=str(error).rstrip(".") if isinstance(error, AzxError) else ran_into)


def join_faults(again: Sequence[RepeatedRun], find: Callable[[RepeatedRun], Sequence[str]]) -> Iterator[str]:
    """A clause for each way in which the answers are wrong; `find` gives the clauses about one way's answers."""
    for each in again:
        for clause in [each.fault] if each.fault else find(each):
            yield f"asked {each.way}: {clause}"
