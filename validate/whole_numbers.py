"""Inputs that an Embedding or a one_hot reads: which of their numbers it reads, and the number of rows of its table.

A checkpoint does not state the range of an input, but the float64 witness shows it: every number of the inputs is made
different, and the witness shows what the Embedding gets. If a number of the input arrives unchanged, it selects a row:
it ranges from 0 to the number of the table's last row. So azx needs no list of the layers that do not change numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, UnsupportedLayer
from ..export.checkpoint.head import Head
from ..export.checkpoint.layer_graph import Call, LayerGraph
from .witness.evaluate import evaluate

Feeds = Mapping[str, NDArray[Any]]
Rows = dict[str, NDArray[np.int64]]

# Kinds of layers that read whole numbers from 0 on, with the number of values that each accepts.
_READERS: dict[str, Callable[[Call], int]] = {
    "Embedding": lambda call: len(next(iter(call.layer.weights.values()))),
    "CategoryEncoding": lambda call: int(call.layer.config["num_tokens"]),
    "ops.OneHot": lambda call: _whole(call.layer.config.get("num_classes")),
    # one_hot(indices, depth): the depth by name, or after the tensor.
    "TFOpLambda": lambda call: _whole(call.arguments.get("depth", call.arguments.get("args", [None])[-1])),
}
# Kinds that cannot read a number out of range.
_STRICT = frozenset({"Embedding", "CategoryEncoding"})


def _whole(number: Any) -> int:
    """A positive whole number unchanged; 0, for unknown, for anything else."""
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0


def _reads_rows(call: Call) -> bool:
    """Whether a call reads whole numbers from 0 up to a known limit."""
    kind, function = call.layer.kind, str(call.layer.config.get("function", ""))
    is_reader = kind in _READERS and (kind != "TFOpLambda" or function.rsplit(".", 1)[-1] == "one_hot")
    return is_reader and _READERS[kind](call) > 0


@dataclass(frozen=True, eq=False)
class _Reader:
    """The input of one Embedding: the numbers of each input that arrive unchanged (`rows`), or numbers made from them.

    `inputs` are those on which it depends; `part` is the graph up to it, None if it cannot be calculated here.
    """

    call: Call
    inputs: frozenset[str]
    part: LayerGraph | None
    rows: Rows
    as_fed: bool

    @property
    def limit(self) -> int:
        """The number of rows in the table."""
        return _READERS[self.call.layer.kind](self.call)


def rows_of(graph: LayerGraph) -> Rows:
    """The number of the table's rows for each number that arrives unchanged at an Embedding; 0 for other numbers.

    int64 of the input's shape, by its name; inputs without such numbers are missing.
    """
    tables: Rows = {}
    for read in (_read(graph, call) for call in graph.calls if _reads_rows(call)):
        for name, rows in read.rows.items():
            before = tables.get(name, np.zeros_like(rows))
            tables[name] = np.where((rows > 0) & (before > 0), np.minimum(rows, before), np.maximum(rows, before))
    return tables


def fits(rows: Rows, feeds: Feeds) -> bool:
    """Whether every number that an Embedding reads is one of its rows."""
    return all(_inside(feeds[name], limit).all() for name, limit in rows.items() if name in feeds)


def check(graph: LayerGraph, feeds: Feeds) -> None:
    """Raise GameError if an Embedding of `graph` would read a row that it lacks, or an unknown row.

    `feeds` has (N, *shape) for each `InputSpec.name`. Float inputs are accepted if their numbers change on the way to
    an Embedding: operations that make whole numbers from floats can keep them in range.
    """
    whole = {spec.name for spec in graph.inputs if np.dtype(spec.dtype).kind in "iu"}
    # For a number outside its vector one_hot makes zeros, which a network may use on purpose.
    strict = (call for call in graph.calls if _reads_rows(call) and call.layer.kind in _STRICT)
    for read in (_read(graph, call) for call in strict):
        where = f"'{graph.source.path}': layer '{read.call.layer.name}' reads whole numbers from 0 to {read.limit - 1}"
        for name, rows in read.rows.items():
            if not _inside(feeds[name], rows).all():
                wrong = feeds[name][~_inside(feeds[name], rows)][0]
                raise GameError(f"{where}, and input '{name}' holds {wrong:g}: give positions with --inputs FILE.npz.")
        if read.as_fed or not read.inputs <= whole:
            continue
        if read.part is None or not _in_range(read.part, feeds, read.limit):
            named = ", ".join(f"'{name}'" for name in sorted(read.inputs))
            raise GameError(
                f"{where}, made of input {named} in a way that does not tell what to feed: "
                "give positions with --inputs FILE.npz."
            )


def _inside(feed: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The numbers of (N, *shape) that are valid rows; numbers that no Embedding reads count as valid."""
    return np.asarray((rows == 0) | ((feed >= 0) & (feed < rows) & (feed == np.trunc(feed))))


def _in_range(part: LayerGraph, feeds: Feeds, limit: int) -> bool:
    try:
        made = next(iter(evaluate(part, feeds).values()))
    except UnsupportedLayer:
        return False
    return bool(((made >= 0) & (made < limit)).all())


def _read(graph: LayerGraph, call: Call) -> _Reader:
    """The input of `call`; evaluated twice, so that a number that reaches an Embedding by chance does not count."""
    calls, needed = [], set(call.inputs)
    for other in reversed(graph.calls):
        if other.output in {tensor.split("#")[0] for tensor in needed}:
            needed.update(other.inputs)
            calls.append(other)
    part = replace(graph, calls=tuple(calls[::-1]), outputs=(Head("indices", tensor=call.inputs[0]),))
    inputs = frozenset(spec.name for spec in graph.inputs if spec.tensor in needed)
    numbers = sum(int(np.prod(spec.shape)) for spec in graph.inputs)
    try:
        codes = np.arange(1, numbers + 1)
        first, second = (evaluate(part, _as_feeds(graph, each))["indices"].ravel() for each in (codes, codes[::-1]))
    except UnsupportedLayer:
        return _Reader(call, inputs, None, {}, as_fed=False)
    direct = (first + second == numbers + 1) & np.isin(first, codes)
    limits = np.zeros(numbers, np.int64)
    limits[first[direct].astype(np.int64) - 1] = _READERS[call.layer.kind](call)
    rows = {name: part[0] for name, part in _as_feeds(graph, limits).items() if part.any()}
    return _Reader(call, inputs, part, rows, as_fed=bool((direct | (first == second)).all()))


def _as_feeds(graph: LayerGraph, numbers: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """`numbers` (n,), one for each input number of a position, as feeds (1, *shape) of one position."""
    feeds, at = {}, 0
    for spec in graph.inputs:
        size = int(np.prod(spec.shape))
        feeds[spec.name] = numbers[at : at + size].reshape(1, *spec.shape)
        at += size
    return feeds
