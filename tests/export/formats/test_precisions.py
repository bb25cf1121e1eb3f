"""Every format in every precision that it has: the same bytes each time, float32 at the door, smaller, and near."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rings import few

from azx.errors import ConversionError
from azx.export.checkpoint.located import FOLDER
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.precisions.calibration import Calibration
from azx.export.formats.precisions.precision import FP16, FP32, INT8, INT8_DYNAMIC, INT8_WEIGHTS
from azx.export.formats.precisions.weights import quantize, to_half
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze
from azx.export.graph.frozen import FrozenGraph
from azx.export.graph.names import Names

PAIRS = [(entry.name, precision) for entry in FORMATS.values() for precision in entry.precisions if precision != FP32]
LARGEST = {FP16: 0.52, INT8_WEIGHTS: 0.35, INT8_DYNAMIC: 0.3, INT8: 0.3}


@pytest.fixture(scope="module")
def frozen() -> FrozenGraph:
    """The shipped network of Dots and Boxes: dense layers alone, large enough to be quantized and quick to convert."""
    return freeze(read_checkpoint(FOLDER / "dots_and_boxes.h5"), Names(), 1)


@pytest.fixture(scope="module")
def boards() -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).integers(0, 2, (40, 7, 4)).astype(np.float32)


def size(path: Path) -> int:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


def contents(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path.parent).as_posix(): file.read_bytes() for file in files}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "precision"), few(PAIRS, 3))
def test_a_precision_is_smaller_near_and_the_same_bytes_each_time(
    name: str, precision: str, frozen: FrozenGraph, boards: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    entry = FORMATS[name]
    if entry.unavailable():
        pytest.skip(f"{entry.title} cannot be written here")
    calibration = Calibration({frozen.inputs[0].name: boards}, "random boards")
    written = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / entry.path("net", precision)
        entry.write(frozen, path, precision=precision, calibration=calibration)
        written.append(path)
    assert contents(written[0]) == contents(written[1])
    exact = tmp_path / entry.path("net")
    entry.write(frozen, exact)
    assert size(written[0]) < LARGEST[precision] * size(exact)
    answers = []
    for path in (exact, written[0]):
        with entry.open(path) as runner:
            signature = runner.signature()
            assert {port.dtype for port in (*signature.inputs, *signature.outputs)} == {"float32"}
            assert [port.name for port in signature.outputs] == [port.name for port in frozen.outputs]
            answers.append(runner.run({frozen.inputs[0].name: boards}))
    values = [answer["value_head"] for answer in answers]
    assert not np.array_equal(*values)
    if precision in (FP16, INT8_WEIGHTS):
        assert np.abs(values[0] - values[1]).mean() < 0.1


MIXED = [(entry.name, precision) for entry in FORMATS.values() for precision in entry.mixed]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "precision"), MIXED)
def test_what_stays_in_float_is_read_from_the_file_and_takes_half_the_bytes(
    name: str, precision: str, frozen: FrozenGraph, boards: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    entry, calibration = FORMATS[name], Calibration({frozen.inputs[0].name: boards}, "random boards")
    if entry.unavailable():
        pytest.skip(f"{entry.title} cannot be written here")
    kept = ["dense", "policy_head"]
    ways: dict[str, list[str]] = {"whole": [], "mixed": kept, "again": kept}
    paths = {tmp_path / f"{folder}{entry.suffix}": way for folder, way in ways.items()}
    entry.write_ways(frozen, paths, precision=precision, calibration=calibration)
    whole, mixed, again = paths
    assert list(contents(mixed).values()) == list(contents(again).values())
    assert set(kept) <= set(entry.layers(whole))
    assert set(entry.layers(mixed)) == set(entry.layers(whole)) - set(kept)
    told = entry.about(mixed)
    assert set(kept) <= set(told["float_layers"])
    assert told.get("min_runtime_version") == entry.about(whole).get("min_runtime_version")
    more = sum(entry.layers(whole)[layer] for layer in kept)
    # Core ML's computes in float32, and its weights are stored so.
    assert 0 < size(mixed) - size(whole) < (3 if name == "coreml" else 1.1) * more + 4096
    answers = []
    for path in (whole, mixed):
        with entry.open(path) as runner:
            answers.append(runner.run({frozen.inputs[0].name: boards})["policy_head"])
    assert not np.array_equal(*answers)
    entry.write(frozen, tmp_path / f"exact{entry.suffix}")
    assert "float_layers" not in entry.about(tmp_path / f"exact{entry.suffix}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "precision"), [pair for pair in MIXED if pair[1] != INT8])
def test_all_layers_but_one_in_float_are_nearer_to_float32_than_none(
    name: str, precision: str, frozen: FrozenGraph, tmp_path: Path
) -> None:
    entry, boards = FORMATS[name], np.random.default_rng(1).integers(0, 2, (200, 7, 4)).astype(np.float32)
    if entry.unavailable():
        pytest.skip(f"{entry.title} cannot be written here")
    whole, one, exact = (tmp_path / f"{folder}{entry.suffix}" for folder in ("whole", "one", "exact"))
    entry.write(frozen, whole, precision=precision)
    entry.write_ways(frozen, {one: [*entry.layers(whole)][:-1]}, precision=precision)
    entry.write(frozen, exact)
    values = []
    for path in (exact, whole, one):
        with entry.open(path) as runner:
            values.append(runner.run({frozen.inputs[0].name: boards})["value_head"])
    assert np.abs(values[2] - values[0]).mean() < 0.5 * np.abs(values[1] - values[0]).mean()


def test_a_network_too_small_for_8_bits_is_refused_and_not_called_so(tmp_path: Path) -> None:
    small = freeze(read_checkpoint(FOLDER / "tictactoe.h5"), Names(), 1)
    with pytest.raises(ConversionError, match="no layer has enough weights for int8-dynamic"):
        FORMATS["tflite"].write(small, tmp_path / "net.tflite", precision=INT8_DYNAMIC)
    assert not list(tmp_path.iterdir())


def test_int8_without_positions_is_a_sentence(frozen: FrozenGraph, tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match="calibration"):
        FORMATS["tflite"].write(frozen, tmp_path / "net.tflite", precision=INT8)


def test_weights_in_8_bits_have_a_scale_for_each_channel_and_keep_their_zeros() -> None:
    values = np.array([[0.0, 1.0, -2.0], [0.0, 0.0, 0.001]], np.float32)
    found = quantize(values, 0)
    assert found.codes.tolist() == [[0, 64, -127], [0, 0, 127]]
    assert np.abs(found.values - values).max() < 0.5 * found.scale.max()
    assert quantize(np.zeros((2, 2), np.float32), 1).values.tolist() == [[0, 0], [0, 0]]


def test_half_precision_holds_no_infinity() -> None:
    assert np.isfinite(to_half(np.array([1e9, -1e9], np.float32))).all()
