"""How many positions a proof takes: 1,000 for a board, fewer for large images, and always what was asked for."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from azx import export_checkpoint, validate_bundle
from azx.bundle.case import positions
from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.export.checkpoint.layer_graph import InputSpec, LayerGraph, Source
from azx.games.known.recognition import recognise


def network(*shapes: tuple[int, ...]) -> LayerGraph:
    """A graph of nothing but inputs."""
    inputs = tuple(InputSpec(f"input{at}", f"input{at}", shape) for at, shape in enumerate(shapes))
    return LayerGraph(Source(Path("net.h5"), "h5", "0" * 64, "2.12.0", {}), "net", (), inputs, ())


@pytest.mark.whole
@pytest.mark.parametrize(
    ("shape", "work", "count"),
    [
        ((48, 48, 3), 320_000_000, 50),
        ((40, 40, 1), 10_000_000_000, 20),
        ((40, 40, 1), 16_000_000, 1000),
        ((96, 96, 3), None, 152),
        ((19, 19, 17), 8_000_000_000, 1000),
        ((32, 32, 3), 8_000_000_000, 1000),
        ((17, 64, 64), 8_000_000_000, 1000),  # channels_last where no layer says otherwise: 17 rows
        ((9,), 8_000_000_000, 1000),
    ],
)
def test_large_images_are_proved_on_as_many_positions_as_their_work_allows(
    shape: tuple[int, ...], work: int | None, count: int
) -> None:
    drawn = parity_positions(network(shape), (), None, Settings(), work)
    assert drawn.drawn == count
    assert (drawn.note is None) == (count == 1000)


def test_a_number_that_was_asked_for_is_obeyed() -> None:
    drawn = parity_positions(network((64, 64, 3)), (), None, Settings(count=70), 10**12)
    assert (len(drawn), drawn.note) == (70, None)


def test_a_known_game_is_always_proved_on_a_thousand() -> None:
    reading = recognise([(2, 6, 7)], 42)
    assert len(parity_positions(network((2, 6, 7)), (), reading, Settings(), 10**12)) == 1000


@pytest.fixture
def images(tmp_path: Path, check: Any) -> Path:
    """A network of 48 x 48 pixels with separable convolutions, in the manner of MobileNet."""
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(11)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = image = layers.Input((48, 48, 3), name="image")
        for filters, stride in ((8, 2), (16, 2), (16, 1)):
            x = layers.DepthwiseConv2D(3, strides=stride, padding="same", use_bias=False)(x)
            x = layers.ReLU(6.0)(layers.BatchNormalization()(layers.Conv2D(filters, 1, use_bias=False)(x)))
        x = layers.GlobalAveragePooling2D()(x)
        heads = [layers.Dense(1, activation="tanh", name="value")(x), layers.Dense(9, name="policy")(x)]
        return Path(check.save_h5(tf_keras.Model(image, heads), tmp_path / "net.h5"))


def test_the_report_says_how_many_and_why(images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "WORK", 5_000_000)
    done = export_checkpoint(images, output=tmp_path / "out", formats=("coreml", "onnx"))
    said = "positions and not 256, because the network takes 0 million multiply-adds a position: say how many"
    assert done.proof.passed
    assert 20 <= done.proof.positions < 256
    assert [f"{done.proof.positions} {said} with --positions"] == [note for note in done.proof.notes if said in note]
    parity = json.loads((tmp_path / "out" / "parity.json").read_text(encoding="utf8"))
    assert (parity["positions"], parity["notes"]) == (done.proof.positions, list(done.proof.notes))
    assert {len(item["heads"]) for item in parity["artifacts"]} == {2}
    again = validate_bundle(tmp_path / "out", against=images).proof
    assert (again.positions, again.passed) == (done.proof.positions, True)
