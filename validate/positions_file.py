"""A user's own positions: `--inputs FILE.npz`, or arrays of a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, first_line
from ..export.checkpoint.layer_graph import InputSpec
from ..system.arrays import AnyArray, as_array
from .npz import read_arrays
from .positions import OWN, Feeds, Part, Positions

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class GivenArrays:
    """Positions that a program gives as arrays, under the names that they would have in an .npz."""

    arrays: Arrays

    def __str__(self) -> str:
        return "the positions given"


# The types of a function's `inputs`: the path of an .npz, an array for a network with one input, or arrays by name.
GivenPositions = str | Path | AnyArray | Mapping[str, AnyArray]


def as_given(given: GivenPositions | GivenArrays | None) -> Path | GivenArrays | None:
    """A path unchanged, and arrays of any library as NumPy's.

    GameError if an array cannot be read.
    """
    if given is None or isinstance(given, GivenArrays):
        return given
    if isinstance(given, (str, Path)):
        return Path(given)
    named = given if isinstance(given, Mapping) else {"inputs": given}
    return GivenArrays({str(name): _as_numbers(str(name), array) for name, array in named.items()})


def _as_numbers(name: str, array: AnyArray) -> NDArray[Any]:
    try:
        return as_array(array)
    except Exception as error:  # another library's array may raise any error
        kind = type(array).__name__
        raise GameError(
            f"the positions given: '{name}' is not an array ({kind}, {first_line(error)}), give (N, *shape)."
        ) from error


def from_user(
    path: Path | GivenArrays,
    inputs: Sequence[InputSpec],
    source_names: Sequence[str] = (),
    policy_width: int | None = None,
) -> Positions:
    """The positions in `path`, an .npz or a program's arrays with one (N, *shape) for each input.

    An array has the name of its input or the checkpoint's own name (`source_names`, in the order of `inputs`). If the
    network has one input, a single array may have any name. An optional `legal` is bool (N, policy_width), or a list of
    action numbers for each position, padded with -1. The feeds are keyed by `inputs`' names and cast to their dtypes.

    Raises GameError if the file is not an .npz, or if an array is missing, empty or of another shape. It also raises
    GameError for NaN, and for numbers that the input's dtype cannot hold.
    """
    arrays = path.arrays if isinstance(path, GivenArrays) else read_arrays(path)
    origin = "arrays of a program" if isinstance(path, GivenArrays) else path.name
    names = {spec.name: own for spec, own in zip(inputs, source_names, strict=False)}
    boards = {name: array for name, array in arrays.items() if name != "legal"}
    feeds = {spec.name: _feed(path, boards, spec, names.get(spec.name), len(inputs) == 1) for spec in inputs}
    count = _count(path, feeds)
    legal = _legal(path, arrays["legal"], count, policy_width) if "legal" in arrays and policy_width else None
    return Positions(feeds, legal, f"{count:,} positions from {origin}", parts=(Part(OWN, count, None),))


def _feed(
    path: Path | GivenArrays, boards: Arrays, spec: InputSpec, source_name: str | None, alone: bool
) -> NDArray[Any]:
    """One input's array (N, *shape), checked and cast to the input's dtype."""
    name = next((name for name in (spec.name, source_name) if name in boards), None)
    if name is None and alone and len(boards) == 1:
        name = next(iter(boards))
    if name is None:
        held = ", ".join(boards) or "nothing"
        raise GameError(f"{path}: there is no array for input '{spec.name}' (it holds {held}), give one that name.")
    array = boards[name]
    if array.shape[1:] != spec.shape or not array.ndim:
        wanted = ", ".join(["N", *map(str, spec.shape)])
        raise GameError(f"{path}: array '{name}' is of shape {array.shape}, input '{spec.name}' needs ({wanted}).")
    return _cast(path, name, array, spec.dtype)


def _cast(path: Path | GivenArrays, name: str, array: NDArray[Any], dtype: str) -> NDArray[Any]:
    if array.dtype.kind not in "fiub":
        raise GameError(f"{path}: array '{name}' holds {array.dtype}, give real numbers.")
    if not np.isfinite(array).all():
        raise GameError(f"{path}: array '{name}' holds NaN or infinity, give finite numbers.")
    with np.errstate(all="ignore"):
        cast = array.astype(dtype)
    if np.dtype(dtype).kind in "iub" and not np.array_equal(cast.astype(np.float64), array.astype(np.float64)):
        raise GameError(f"{path}: array '{name}' holds numbers that {dtype} cannot, give whole numbers in its range.")
    if not np.isfinite(cast).all():
        raise GameError(f"{path}: array '{name}' holds numbers too large for {dtype}, give smaller ones.")
    return cast


def _count(path: Path | GivenArrays, feeds: Feeds) -> int:
    counts = {name: len(feed) for name, feed in feeds.items()}
    if len(set(counts.values())) > 1:
        listing = ", ".join(f"'{name}' {count}" for name, count in counts.items())
        raise GameError(f"{path}: the arrays hold different numbers of positions ({listing}), give each as many.")
    count = next(iter(counts.values()))
    if not count:
        raise GameError(f"{path}: the arrays hold no positions, give at least one.")
    return count


def _legal(path: Path | GivenArrays, array: NDArray[Any], count: int, width: int) -> NDArray[np.bool_]:
    """The mask (count, width) from a mask or from lists of action numbers."""
    if array.ndim != 2 or len(array) != count or array.dtype.kind not in "iub":
        raise GameError(
            f"{path}: 'legal' is {array.dtype} {array.shape}, give bool ({count}, {width}) or action numbers."
        )
    is_mask = array.shape[1] == width and (array.dtype.kind == "b" or bool(np.isin(array, (0, 1)).all()))
    mask = array.astype(np.bool_) if is_mask else _from_numbers(path, array, width)
    if not mask.any(axis=1).all():
        row = int(np.flatnonzero(~mask.any(axis=1))[0])
        raise GameError(f"{path}: 'legal' allows no move in position {row}, leave positions out that are over.")
    return mask


def _from_numbers(path: Path | GivenArrays, array: NDArray[Any], width: int) -> NDArray[np.bool_]:
    if array.dtype.kind == "b" or array.max(initial=-1) >= width or array.min(initial=0) < -1:
        raise GameError(f"{path}: 'legal' of shape {array.shape} does not fit {width} actions, give bool (N, {width}).")
    mask = np.zeros((len(array), width), dtype=np.bool_)
    row, at = np.nonzero(array >= 0)
    mask[row, array[row, at]] = True
    return mask
