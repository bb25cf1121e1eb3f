"""golden.json: 20 positions with the answers that every artifact must give, for self-tests without Keras."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError
from ...export.checkpoint.head import POLICY, Head
from ...validate.positions import Positions
from ..case.detection import policy_width
from .manifest import GOLDEN, MOST_BYTES, SCHEMA_VERSION, check_version, read_json

GOLDEN_POSITIONS = 20


def golden(
    positions: Positions, names: Mapping[str, str], truth: Mapping[str, NDArray[Any]], heads: Sequence[Head]
) -> dict[str, Any]:
    """The data of golden.json.

    `names` maps the checkpoint's input names to the artifacts'. `truth` has each head's float64 answers, which are
    rounded to float32. Tensors are flat, in row-major order.
    """
    rows = []
    policy = next((head.name for head in heads if head.role == POLICY), None)
    for row in range(min(GOLDEN_POSITIONS, len(positions))):
        data: dict[str, Any] = {
            "inputs": {names[name]: _numbers(feed[row]) for name, feed in positions.feeds.items()},
            "legal": None if positions.legal is None else np.flatnonzero(positions.legal[row]).tolist(),
            "outputs": {head.name: _numbers(truth[head.name][row]) for head in heads},
        }
        if policy:
            data["best"] = best_of(data["outputs"][policy], data["legal"])
        rows.append(data)
    return {"schema_version": SCHEMA_VERSION, "positions": rows}


def best_of(numbers: Sequence[float], legal: Sequence[int] | None) -> int:
    """The index of the largest float32 among the legal moves, the first if several are equal."""
    values = np.asarray(numbers, np.float32)
    if legal is None:
        return int(values.argmax())
    mask = np.zeros(values.shape, np.bool_)
    mask[list(legal)] = True
    return int(np.where(mask, values, -np.inf).argmax())


def _numbers(values: NDArray[Any]) -> list[float | int]:
    """The shortest decimal of each float32 in `values`, any shape, as a flat list; whole numbers are integers."""
    rounded = [float(str(value)) for value in np.asarray(values, np.float32).ravel()]
    return [int(value) if value.is_integer() else value for value in rounded]


@dataclass(frozen=True, eq=False)
class GoldenFile:
    """The content of golden.json.

    `positions` are fed by the artifacts' names; `answers` has each head's recorded answers, float32 (N, *shape). `rows`
    are the positions as data: their types are checked, their truth is not. `members` are the names of the file's own
    members.
    """

    positions: Positions
    answers: dict[str, NDArray[Any]]
    rows: list[dict[str, Any]]
    members: tuple[str, ...] = ()


def read_golden(folder: Path, shapes: Mapping[str, Sequence[int]], heads: Sequence[Head]) -> GoldenFile:
    """The recorded positions, and each head's recorded answers.

    `shapes` are the inputs' without the batch, by name. BundleError if golden.json is missing, newer than this azx or
    damaged.
    """
    data = read_json(folder / GOLDEN, f"'{folder}' holds no {GOLDEN}: export the checkpoint again.", MOST_BYTES)
    check_version(folder, GOLDEN, data)
    try:
        rows = data["positions"]
        if not rows:
            raise ValueError("it has no positions")
        feeds = {name: _stack_rows(rows, "inputs", name, shape) for name, shape in shapes.items()}
        answers = {head.name: _stack_rows(rows, "outputs", head.name, head.shape) for head in heads}
        boards = Positions(feeds, _legal(rows, policy_width(heads)), f"{len(rows)} recorded positions")
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise BundleError(
            f"'{folder}': {GOLDEN} is damaged ({_reason(error)}): export the checkpoint again."
        ) from error
    return GoldenFile(boards, answers, rows, tuple(data))


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _stack_rows(rows: list[dict[str, Any]], key: str, name: str, shape: Sequence[int]) -> NDArray[np.float32]:
    """One tensor for all positions, float32 (N, *shape); ValueError or TypeError if the rows do not hold it."""
    lists = [row[key][name] for row in rows]
    if any(type(number) not in (int, float) for numbers in lists for number in numbers):
        raise ValueError(f"'{name}' holds more than numbers")
    if any(len(numbers) != prod(shape) for numbers in lists):
        raise ValueError(f"'{name}' does not have {prod(shape)} numbers in every position")
    with np.errstate(all="ignore"):
        flat = np.array(lists, np.float32)
    if not np.isfinite(flat).all():
        raise ValueError(f"a number of '{name}' is not finite")
    return flat.reshape(len(rows), *shape)


def _legal(rows: list[dict[str, Any]], width: int | None) -> NDArray[np.bool_] | None:
    """The legal moves, bool (N, width); None without a policy, or if a row does not list them."""
    if not width:
        return None
    mask = np.zeros((len(rows), width), np.bool_)
    for number, row in enumerate(rows):
        legal = row.get("legal")
        if legal is None:
            continue
        if not isinstance(legal, list) or not legal or any(type(at) is not int or not 0 <= at < width for at in legal):
            raise ValueError(f"position {number} has no legal move, or one beyond the policy's {width}")
        mask[number, legal] = True
    return None if any(row.get("legal") is None for row in rows) else mask
