from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from azx.errors import GameError
from azx.export.checkpoint.layer_graph import InputSpec
from azx.validate.positions_file import as_given, from_user

BOARD = InputSpec("main_input", "main_input:0", (2, 6, 7))
FLAT = InputSpec("flat", "flat:0", (9,), "int32")


def saved(folder: Path, **arrays: Any) -> Path:
    path = folder / "my boards.npz"
    np.savez(path, **arrays)
    return path


def boards(count: int = 3) -> NDArray[np.uint8]:
    return np.asarray(np.arange(count * 84).reshape(count, 2, 6, 7) % 5 == 0, np.uint8)


@pytest.mark.parametrize("name", ["main_input", "input_1", "anything"])
def test_one_input_is_found_by_either_name_or_alone(tmp_path: Path, name: str) -> None:
    found = from_user(saved(tmp_path, **{name: boards()}), [BOARD], ["input_1"])
    assert found.feeds["main_input"].dtype == np.float32
    assert np.array_equal(found.feeds["main_input"], boards())
    assert found.legal is None
    assert found.description == "3 positions from my boards.npz"


def test_several_inputs_are_found_by_their_names(tmp_path: Path) -> None:
    path = saved(tmp_path, main_input=boards(), input_2=np.ones((3, 9)))
    found = from_user(path, [BOARD, FLAT], ["input_1", "input_2"])
    assert found.feeds["flat"].dtype == np.int32


def test_legal_moves_are_read_as_a_mask_or_as_numbers(tmp_path: Path) -> None:
    mask = np.zeros((3, 42), dtype=bool)
    mask[0, [1, 5]] = mask[1, 41] = mask[2, [0, 2]] = True
    numbers = np.array([[1, 5], [41, -1], [0, 2]])
    for legal in (mask, mask.astype(np.uint8), numbers):
        found = from_user(saved(tmp_path, main_input=boards(), legal=legal), [BOARD], policy_width=42)
        assert found.legal is not None
        assert np.array_equal(found.legal, mask)


def test_the_recorded_positions_are_read(shared_data: Path) -> None:
    found = from_user(shared_data / "connect4_version0019.expected.npz", [BOARD], policy_width=42)
    assert found.feeds["main_input"].shape == (1000, 2, 6, 7)
    assert found.legal is not None
    assert found.legal.any(axis=1).all()


def with_nan() -> NDArray[np.float32]:
    array = boards().astype(np.float32)
    array[1, 0, 0, 0] = np.nan
    return array


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"main_input": boards()[0]}, r"is of shape \(2, 6, 7\), input 'main_input' needs \(N, 2, 6, 7\)"),
        ({"main_input": boards().transpose(0, 2, 3, 1)}, r"is of shape \(3, 6, 7, 2\)"),
        ({"main_input": boards()[:0]}, "hold no positions"),
        ({"main_input": with_nan()}, "holds NaN or infinity"),
        ({"main_input": boards() + 1j}, "holds complex128, give real numbers"),
        ({"main_input": boards().astype(object)}, "not an .npz of plain numbers"),
        ({"main_input": np.full((1, 2, 6, 7), 1e300)}, "too large for float32"),
        ({"a": boards(), "b": boards()}, r"no array for input 'main_input' \(it holds a, b\)"),
        ({}, r"no array for input 'main_input' \(it holds nothing\)"),
        ({"main_input": boards(), "legal": np.ones((2, 42), bool)}, r"'legal' is bool \(2, 42\)"),
        ({"main_input": boards(), "legal": np.ones((3, 41), bool)}, r"'legal' of shape \(3, 41\) does not fit 42"),
        ({"main_input": boards(), "legal": np.full((3, 2), 42)}, r"'legal' of shape \(3, 2\) does not fit 42"),
        ({"main_input": boards(), "legal": np.zeros((3, 42), bool)}, "'legal' allows no move in position 0"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_the_reason(
    tmp_path: Path, arrays: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=sentence):
        from_user(saved(tmp_path, **arrays), [BOARD], policy_width=42)


def test_fractions_do_not_become_integers_silently(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="holds numbers that int32 cannot"):
        from_user(saved(tmp_path, flat=np.full((2, 9), 0.5)), [FLAT])


def test_inputs_of_different_lengths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"different numbers of positions \('main_input' 3, 'flat' 2\)"):
        from_user(saved(tmp_path, main_input=boards(), flat=np.ones((2, 9))), [BOARD, FLAT])


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 cut off", b"\x93NUMPY\x01\x00"])
def test_what_is_no_npz_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "boards.npz"
    path.write_bytes(content)
    with pytest.raises(GameError, match=r"not an \.npz of plain numbers"):
        from_user(path, [BOARD])


def test_a_single_npy_array_is_no_npz(tmp_path: Path) -> None:
    path = tmp_path / "boards.npy"
    np.save(path, boards())
    with pytest.raises(GameError, match=r"not an \.npz of plain numbers"):
        from_user(path, [BOARD])


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, main_input=boards())
    content = bytearray(path.read_bytes())
    content[200:230] = b"\xff" * 30
    path.write_bytes(content)
    with pytest.raises(GameError, match=r"not an \.npz of plain numbers"):
        from_user(path, [BOARD])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="the file does not exist"):
        from_user(tmp_path / "absent.npz", [BOARD])


class Tensor:
    """An array as PyTorch has it: with a gradient, on a device, and NumPy's only through `__array__`."""

    def __init__(self, numbers: NDArray[Any], bare: bool = False) -> None:
        self.numbers, self.bare = numbers, bare

    def detach(self) -> Tensor:
        return Tensor(self.numbers, bare=True)

    def __array__(self, *args: Any, **how: Any) -> NDArray[Any]:
        if not self.bare:
            raise RuntimeError("call detach() first")
        return self.numbers


class Capsule:
    """An array that speaks DLPack alone."""

    def __init__(self, numbers: NDArray[Any]) -> None:
        self.numbers = numbers

    def __dlpack__(self, **how: Any) -> Any:
        return self.numbers.__dlpack__(**how)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize("kind", [np.asarray, Tensor, Capsule, lambda numbers: numbers.tolist()])
def test_arrays_of_any_kind_are_positions(kind: Any) -> None:
    numbers = boards().astype(np.float32)
    given = as_given(kind(numbers))
    assert given is not None
    found = from_user(given, [BOARD])
    assert np.array_equal(found.feeds["main_input"], numbers)
    assert found.description == "3 positions from arrays of a program"
    named = as_given({"main_input": kind(numbers), "legal": [[1, 5], [41, -1], [0, 2]]})
    assert named is not None
    legal = from_user(named, [BOARD], policy_width=42).legal
    assert legal is not None
    assert np.argwhere(legal).tolist() == [[0, 1], [0, 5], [1, 41], [2, 0], [2, 2]]


def test_what_is_no_array_is_refused_by_its_name() -> None:
    with pytest.raises(GameError, match=r"the positions given: 'inputs' is not an array \(list, .*\), give \(N"):
        as_given([[1, 2], [3]])
    given = as_given([[1.0, 2.0]])
    assert given is not None
    with pytest.raises(GameError, match="array 'inputs' is of shape"):
        from_user(given, [BOARD])
