"""Convolution, pooling and normalisation of saved MIL programs, against TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from azx.export.formats.to_coreml import quiet

# Imported here, quietly: the imports warn, and warnings are errors in these tests.
with quiet():
    import tensorflow as tf
    from coremltools.converters.mil.mil import Builder as mb  # noqa: N813 - its own customary name

Array = Any
RANDOM = np.random.default_rng(20)


def floats(*shape: int) -> Array:
    return RANDOM.normal(size=shape).astype(np.float32)


BOARD, ROWS = floats(2, 4, 6, 7), floats(3, 8)
KERNEL, EVEN, DEEP, PAIRS = floats(5, 4, 3, 3), floats(5, 4, 4, 4), floats(4, 1, 3, 3), floats(6, 2, 3, 3)
BIAS, FOUR, POSITIVE = floats(5), floats(4), np.abs(floats(4)) + 0.5


class Case(NamedTuple):
    """`build` adds operations to a MIL program; `expected` computes the same without MIL."""

    build: Callable[..., Any]
    expected: Callable[..., Any]
    x: Array = BOARD


def nhwc(function: Callable[..., Any]) -> Callable[[Array], Array]:
    """A TensorFlow function of channels-last tensors, for channels-first ones."""
    return lambda x: np.transpose(function(np.transpose(x, (0, 2, 3, 1))), (0, 3, 1, 2))


def tf_conv(weight: Array, padding: Any, strides: int = 1, dilations: int = 1) -> Callable[[Array], Array]:
    kernel = np.transpose(weight, (2, 3, 1, 0))
    return nhwc(lambda x: tf.nn.conv2d(x, kernel, strides, padding, dilations=dilations).numpy())


def tf_depthwise(x: Array) -> Array:
    return nhwc(lambda y: tf.nn.depthwise_conv2d(y, np.transpose(DEEP, (2, 3, 0, 1)), [1] * 4, "SAME").numpy())(x)


def shifted_before(x: Array) -> Array:
    """'same_lower' of a 4x4 kernel: two rows before and one after."""
    return tf_conv(EVEN, [[0, 0], [2, 1], [2, 1], [0, 0]])(x)


def grouped(x: Array) -> Array:
    return np.concatenate([tf_conv(PAIRS[:3], "VALID")(x[:, :2]), tf_conv(PAIRS[3:], "VALID")(x[:, 2:])], axis=1)


def tf_pool(kind: str, padding: Any, size: int = 3, strides: int = 2) -> Callable[[Array], Array]:
    return nhwc(lambda x: tf.nn.pool(x, [size, size], kind, [strides, strides], padding).numpy())


def average_with_zeros(x: Array) -> Array:
    return tf_pool("AVG", "VALID", 3, 1)(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))))


def channels(values: Array) -> Array:
    return np.reshape(values, (1, -1, 1, 1))


def plain_batch_norm(x: Array) -> Array:
    return (x - channels(FOUR)) / np.sqrt(channels(POSITIVE) + 1e-3) * channels(FOUR) + channels(POSITIVE)


def plain_layer_norm(x: Array) -> Array:
    rows = [(row - row.mean()) / np.sqrt(row.var() + 1e-3) for row in x]
    return np.stack(rows) * ROWS[0] + ROWS[1]


CASES = {
    "conv valid": Case(lambda x: mb.conv(x=x, weight=KERNEL, pad_type="valid"), tf_conv(KERNEL, "VALID")),
    "conv same": Case(lambda x: mb.conv(x=x, weight=KERNEL, pad_type="same"), tf_conv(KERNEL, "SAME")),
    "conv even": Case(lambda x: mb.conv(x=x, weight=EVEN, pad_type="same"), tf_conv(EVEN, "SAME")),
    "conv lower": Case(lambda x: mb.conv(x=x, weight=EVEN, pad_type="same_lower"), shifted_before),
    "conv bias": Case(
        lambda x: mb.conv(x=x, weight=KERNEL, pad_type="same", bias=BIAS),
        lambda x: tf_conv(KERNEL, "SAME")(x) + channels(BIAS),
    ),
    "conv strides": Case(
        lambda x: mb.conv(x=x, weight=EVEN, pad_type="same", strides=[2, 2]), tf_conv(EVEN, "SAME", 2)
    ),
    "conv dilations": Case(
        lambda x: mb.conv(x=x, weight=KERNEL, pad_type="same", dilations=[2, 2]), tf_conv(KERNEL, "SAME", 1, 2)
    ),
    "conv custom": Case(
        lambda x: mb.conv(x=x, weight=KERNEL, pad_type="custom", pad=[0, 1, 2, 3]),
        tf_conv(KERNEL, [[0, 0], [0, 1], [2, 3], [0, 0]]),
    ),
    "conv depthwise": Case(lambda x: mb.conv(x=x, weight=DEEP, pad_type="same", groups=4), tf_depthwise),
    "conv groups": Case(lambda x: mb.conv(x=x, weight=PAIRS, pad_type="valid", groups=2), grouped),
    "max_pool": Case(
        lambda x: mb.max_pool(x=x, kernel_sizes=[3, 3], strides=[2, 2], pad_type="same"), tf_pool("MAX", "SAME")
    ),
    "avg_pool valid": Case(
        lambda x: mb.avg_pool(x=x, kernel_sizes=[3, 3], strides=[2, 2], pad_type="valid"), tf_pool("AVG", "VALID")
    ),
    "avg_pool without padding": Case(
        lambda x: mb.avg_pool(
            x=x, kernel_sizes=[3, 3], strides=[2, 2], pad_type="same", exclude_padding_from_average=True
        ),
        tf_pool("AVG", "SAME"),
    ),
    "avg_pool with zeros": Case(
        lambda x: mb.avg_pool(x=x, kernel_sizes=[3, 3], pad_type="custom", pad=[1, 1, 1, 1]), average_with_zeros
    ),
    "upsample": Case(
        lambda x: mb.upsample_nearest_neighbor(x=x, scale_factor_height=2, scale_factor_width=3),
        lambda x: np.kron(x, np.ones((1, 1, 2, 3), np.float32)),
    ),
    "batch_norm": Case(
        lambda x: mb.batch_norm(x=x, mean=FOUR, variance=POSITIVE, gamma=FOUR, beta=POSITIVE, epsilon=1e-3),
        plain_batch_norm,
    ),
    "layer_norm": Case(
        lambda x: mb.layer_norm(x=x, axes=[-1], gamma=ROWS[0], beta=ROWS[1], epsilon=1e-3), plain_layer_norm, ROWS
    ),
    "prelu": Case(lambda x: mb.prelu(x=x, alpha=FOUR), lambda x: np.maximum(x, 0) + channels(FOUR) * np.minimum(x, 0)),
}
HALVED = ("conv same", "conv depthwise", "avg_pool without padding", "batch_norm", "layer_norm")


@pytest.mark.parametrize("name", CASES)
def test_a_window_operation_answers_as_tensorflow(name: str, answered: dict[str, Array]) -> None:
    case = CASES[name]
    found, expected = answered[name], np.asarray(case.expected(case.x))
    assert found.dtype == np.float32
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", HALVED)
def test_a_window_operation_in_fp16_is_rounded_after_each_step(
    name: str, halved: dict[str, tuple[Array, Array]]
) -> None:
    x, found = halved[name]
    full = np.asarray(CASES[name].expected(x))
    assert np.array_equal(found, found.astype(np.float16))
    assert not np.array_equal(found, full)
    np.testing.assert_allclose(found, full, rtol=4e-3, atol=4e-3)
