"""Resizing, and what chooses or moves numbers by their place, in saved MIL programs, against TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from azx.errors import NotRunHere
from azx.export.formats.to_coreml import quiet

with quiet():
    import tensorflow as tf
    from coremltools.converters.mil.mil import Builder as mb  # noqa: N813 - its own customary name

Array = Any
RANDOM = np.random.default_rng(21)
BOARD = RANDOM.normal(size=(2, 4, 6, 7)).astype(np.float32)
ROWS = RANDOM.normal(size=(3, 8)).astype(np.float32)
CODES = np.array([[0.0, 2.0, 1.0], [1.0, 0.0, 2.0]], np.float32)


class Case(NamedTuple):
    """`build` adds operations to a MIL program; `expected` computes the same in TensorFlow."""

    build: Callable[..., Any]
    expected: Callable[..., Any]
    x: Array = BOARD


def nhwc(function: Callable[..., Any]) -> Callable[[Array], Array]:
    """A TensorFlow function of channels-last tensors, for channels-first ones."""
    return lambda x: np.transpose(function(np.transpose(x, (0, 2, 3, 1))), (0, 3, 1, 2))


def tf_resize(kind: str, rows: int, columns: int, *, corners: bool, centres: bool) -> Callable[[Array], Array]:
    resize = getattr(tf.raw_ops, f"Resize{kind}")
    return nhwc(
        lambda x: resize(images=x, size=[rows, columns], align_corners=corners, half_pixel_centers=centres).numpy()
    )


def hot(axis: int, x: Any) -> Any:
    codes = mb.cast(x=x, dtype="int32")
    return mb.one_hot(indices=codes, one_hot_vector_size=3, axis=axis, on_value=np.float32(2), off_value=np.float32(-1))


def ordered(ascending: bool, output: int) -> Callable[[Any], Any]:
    def build(x: Any) -> Any:
        made = mb.topk(x=x, k=3, axis=1, ascending=ascending)[output]
        return mb.cast(x=made, dtype="fp32") if output else made

    return build


PLACES = np.array([[0, 3], [2, 1]], np.int32)
CASES = {
    "twice as large": Case(
        lambda x: mb.upsample_bilinear(x=x, scale_factor_height=2, scale_factor_width=3, align_corners=False),
        tf_resize("Bilinear", 12, 21, corners=False, centres=True),
    ),
    "by a fraction": Case(
        lambda x: mb.upsample_bilinear(
            x=x,
            scale_factor_height=np.float32((8 + 1e-4) / 6),
            scale_factor_width=np.float32((10 + 1e-4) / 7),
            align_corners=False,
        ),
        tf_resize("Bilinear", 8, 10, corners=False, centres=True),
    ),
    "corner to corner": Case(
        lambda x: mb.upsample_bilinear(x=x, scale_factor_height=2, scale_factor_width=2, align_corners=True),
        tf_resize("Bilinear", 12, 14, corners=True, centres=False),
    ),
    "to a size": Case(
        lambda x: mb.resize_bilinear(x=x, target_size_height=9, target_size_width=4, sampling_mode="DEFAULT"),
        tf_resize("Bilinear", 9, 4, corners=False, centres=False),
    ),
    "to a size, corner to corner": Case(
        lambda x: mb.resize_bilinear(
            x=x, target_size_height=9, target_size_width=4, sampling_mode="STRICT_ALIGN_CORNERS"
        ),
        tf_resize("Bilinear", 9, 4, corners=True, centres=False),
    ),
    "to the nearest": Case(
        lambda x: mb.resize_nearest_neighbor(x=x, target_size_height=9, target_size_width=4),
        tf_resize("NearestNeighbor", 9, 4, corners=False, centres=True),
    ),
    "one_hot": Case(lambda x: hot(-1, x), lambda x: tf.one_hot(x.astype(int), 3, 2.0, -1.0), CODES),
    "one_hot in between": Case(lambda x: hot(1, x), lambda x: tf.one_hot(x.astype(int), 3, 2.0, -1.0, axis=1), CODES),
    "cumsum": Case(lambda x: mb.cumsum(x=x, axis=1), lambda x: tf.cumsum(x, 1), ROWS),
    "cumsum from behind": Case(
        lambda x: mb.cumsum(x=x, axis=1, exclusive=True, reverse=True),
        lambda x: tf.cumsum(x, 1, exclusive=True, reverse=True),
        ROWS,
    ),
    "gather_nd": Case(lambda x: mb.gather_nd(x=x, indices=PLACES % 3), lambda x: tf.gather_nd(x, PLACES % 3), ROWS),
    "topk": Case(ordered(False, 0), lambda x: tf.math.top_k(x, 3).values, ROWS),
    "topk, places": Case(ordered(False, 1), lambda x: np.float32(tf.math.top_k(x, 3).indices), ROWS),
    "the smallest": Case(ordered(True, 0), lambda x: -tf.math.top_k(-x, 3).values, ROWS),
    "band_part": Case(lambda x: mb.band_part(x=x, lower=1, upper=2), lambda x: tf.linalg.band_part(x, 1, 2), BOARD),
    "upper triangle": Case(
        lambda x: mb.band_part(x=x, lower=0, upper=-1), lambda x: tf.linalg.band_part(x, 0, -1), BOARD
    ),
    "depth_to_space": Case(
        lambda x: mb.depth_to_space(x=x, block_size=2), nhwc(lambda x: tf.nn.depth_to_space(x, 2).numpy())
    ),
    "space_to_depth": Case(
        lambda x: mb.space_to_depth(x=x, block_size=2),
        nhwc(lambda x: tf.nn.space_to_depth(x, 2).numpy()),
        BOARD[:, :, :, :6],
    ),
    "acos": Case(lambda x: mb.acos(x=x), lambda x: tf.acos(x), np.tanh(ROWS)),
    "asin": Case(lambda x: mb.asin(x=x), lambda x: tf.asin(x), np.tanh(ROWS)),
    "atanh": Case(lambda x: mb.atanh(x=x), lambda x: tf.atanh(x), np.tanh(ROWS)),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operation_answers_as_tensorflow(name: str, answer_mil: Callable[..., Array]) -> None:
    case = CASES[name]
    expected = np.asarray(case.expected(case.x))
    found = answer_mil(case.build, case.x)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


def test_an_index_outside_its_vector_is_left_to_core_ml(answer_mil: Callable[..., Array]) -> None:
    with pytest.raises(NotRunHere, match="'one_hot' with an index outside its vector"):
        answer_mil(lambda x: hot(-1, x), CODES - 1)
