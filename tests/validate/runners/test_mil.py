"""MIL operations, saved to a package and read back, against TensorFlow or plain arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from azx.errors import NotRunHere
from azx.export.formats.to_coreml import quiet
from azx.validate.proof.proof import judge
from azx.validate.proof.truth import Truth
from azx.validate.run import run_artifact
from azx.validate.runners.coreml import CoreMLRunner
from azx.validate.runners.mil.interpreter import KERNELS
from azx.validate.runners.runner import Signature

# Imported here, quietly: the imports warn, and warnings are errors in these tests.
with quiet():
    import tensorflow as tf
    from coremltools.converters.mil.mil import Builder as mb  # noqa: N813 - its own customary name

Array = Any
RANDOM = np.random.default_rng(20)


def floats(*shape: int) -> Array:
    return RANDOM.normal(size=shape).astype(np.float32)


BOARD, ROWS = floats(2, 4, 6, 7), floats(3, 8)
MATRIX, BIAS = floats(8, 5), floats(5)


class Case(NamedTuple):
    """`build` adds operations to a MIL program; `expected` computes the same without MIL."""

    build: Callable[..., Any]
    expected: Callable[..., Any]
    x: Array = ROWS


CASES = {
    "add": Case(lambda x: mb.add(x=x, y=ROWS[0]), lambda x: tf.add(x, ROWS[0])),
    "sub": Case(lambda x: mb.sub(x=ROWS[0], y=x), lambda x: tf.subtract(ROWS[0], x)),
    "mul": Case(lambda x: mb.mul(x=x, y=x), lambda x: tf.square(x)),
    "real_div": Case(lambda x: mb.real_div(x=x, y=np.float32(3)), lambda x: x / 3),
    "maximum": Case(lambda x: mb.maximum(x=x, y=ROWS[0]), lambda x: tf.maximum(x, ROWS[0])),
    "minimum": Case(lambda x: mb.minimum(x=x, y=ROWS[0]), lambda x: tf.minimum(x, ROWS[0])),
    "pow": Case(lambda x: mb.pow(x=x, y=np.float32(2)), lambda x: x * x),
    "sqrt": Case(lambda x: mb.sqrt(x=x), lambda x: tf.sqrt(x), np.abs(ROWS)),
    "rsqrt": Case(lambda x: mb.rsqrt(x=x, epsilon=0.5), lambda x: tf.math.rsqrt(x + 0.5), np.abs(ROWS)),
    "inverse": Case(lambda x: mb.inverse(x=x, epsilon=0.5), lambda x: 1 / (x + 0.5), np.abs(ROWS)),
    "log": Case(lambda x: mb.log(x=x, epsilon=0.5), lambda x: tf.math.log(x + 0.5), np.abs(ROWS)),
    "exp": Case(lambda x: mb.exp(x=x), lambda x: tf.exp(x)),
    "abs": Case(lambda x: mb.abs(x=x), lambda x: tf.abs(x)),
    "clip": Case(lambda x: mb.clip(x=x, alpha=-0.5, beta=0.25), lambda x: tf.clip_by_value(x, -0.5, 0.25)),
    "erf": Case(lambda x: mb.erf(x=x), lambda x: tf.math.erf(x)),
    "relu": Case(lambda x: mb.relu(x=x), lambda x: tf.nn.relu(x)),
    "relu6": Case(lambda x: mb.relu6(x=x), lambda x: tf.nn.relu6(x), 4 * ROWS),
    "leaky_relu": Case(lambda x: mb.leaky_relu(x=x, alpha=0.3), lambda x: tf.nn.leaky_relu(x, 0.3)),
    "elu": Case(lambda x: mb.elu(x=x, alpha=1.0), lambda x: tf.nn.elu(x)),
    "sigmoid": Case(lambda x: mb.sigmoid(x=x), lambda x: tf.sigmoid(x), 4 * ROWS),
    "tanh": Case(lambda x: mb.tanh(x=x), lambda x: tf.tanh(x)),
    "softplus": Case(lambda x: mb.softplus(x=x), lambda x: tf.nn.softplus(x)),
    "softsign": Case(lambda x: mb.softsign(x=x), lambda x: tf.nn.softsign(x)),
    "silu": Case(lambda x: mb.silu(x=x), lambda x: tf.nn.silu(x)),
    "gelu": Case(lambda x: mb.gelu(x=x, mode="EXACT"), lambda x: tf.nn.gelu(x)),
    "gelu tanh": Case(lambda x: mb.gelu(x=x, mode="TANH_APPROXIMATION"), lambda x: tf.nn.gelu(x, approximate=True)),
    "gelu sigmoid": Case(
        lambda x: mb.gelu(x=x, mode="SIGMOID_APPROXIMATION"), lambda x: x * tf.sigmoid(np.float32(1.702) * x)
    ),
    "softmax": Case(lambda x: mb.softmax(x=x, axis=-1), lambda x: tf.nn.softmax(x), 3 * ROWS),
    "linear": Case(lambda x: mb.linear(x=x, weight=MATRIX.T.copy(), bias=BIAS), lambda x: tf.matmul(x, MATRIX) + BIAS),
    "matmul": Case(lambda x: mb.matmul(x=x, y=MATRIX), lambda x: tf.matmul(x, MATRIX)),
    "matmul transposed": Case(
        lambda x: mb.matmul(x=x, y=MATRIX, transpose_x=True), lambda x: tf.matmul(x, MATRIX, transpose_a=True), ROWS.T
    ),
    "select": Case(
        lambda x: mb.select(cond=mb.logical_and(x=mb.greater(x=x, y=-0.5), y=mb.less_equal(x=x, y=0.5)), a=x, b=9.0),
        lambda x: tf.where(tf.abs(x) <= 0.5, x, 9.0),
    ),
    **{
        f"reduce_{kind}": Case(
            lambda x, kind=kind: getattr(mb, f"reduce_{kind}")(x=x, axes=[2, 3], keep_dims=False),
            lambda x, kind=kind: getattr(tf, f"reduce_{kind}")(x, [2, 3]),
            BOARD / 4 + 1,
        )
        for kind in ("mean", "sum", "max", "min", "prod")
    },
    "reduce kept": Case(
        lambda x: mb.reduce_mean(x=x, axes=[1], keep_dims=True), lambda x: tf.reduce_mean(x, 1, keepdims=True)
    ),
    "reduce_l2_norm": Case(lambda x: mb.reduce_l2_norm(x=x, axes=[1]), lambda x: tf.norm(x, axis=1)),
    "reduce_log_sum_exp": Case(lambda x: mb.reduce_log_sum_exp(x=x, axes=[1]), lambda x: tf.reduce_logsumexp(x, 1)),
    "reshape": Case(lambda x: mb.reshape(x=x, shape=[2, -1]), lambda x: x.reshape(2, 168), BOARD),
    "transpose": Case(lambda x: mb.transpose(x=x, perm=[0, 2, 3, 1]), lambda x: np.moveaxis(x, 1, 3), BOARD),
    "squeeze": Case(lambda x: mb.squeeze(x=mb.expand_dims(x=x, axes=[0, 2]), axes=[2]), lambda x: x[None]),
    "concat": Case(lambda x: mb.concat(values=[x, mb.square(x=x)], axis=1), lambda x: np.hstack([x, x * x])),
    "interleaved": Case(
        lambda x: mb.concat(values=[x, mb.square(x=x)], axis=1, interleave=True),
        lambda x: np.stack([x[:, 0], x[:, 0] ** 2, x[:, 1], x[:, 1] ** 2], 1),
        BOARD[:, :2],
    ),
    "stack": Case(lambda x: mb.stack(values=[x, mb.square(x=x)], axis=1), lambda x: tf.stack([x, x * x], 1)),
    "split": Case(lambda x: mb.split(x=x, split_sizes=[3, 5], axis=1)[1], lambda x: x[:, 3:]),
    "equal split": Case(lambda x: mb.split(x=x, num_splits=4, axis=1)[2], lambda x: x[:, 4:6]),
    "slice_by_index": Case(
        lambda x: mb.slice_by_index(
            x=x,
            begin=[1, 0, 5, 6],
            end=[2, 3, 0, 0],
            stride=[1, 2, -2, -1],
            begin_mask=[False] * 4,
            end_mask=[False, False, False, True],
            squeeze_mask=[True, False, False, False],
        ),
        lambda x: x[1, 0:3:2, 5:0:-2, ::-1],
        BOARD,
    ),
    "slice_by_size": Case(lambda x: mb.slice_by_size(x=x, begin=[1, 2], size=[-1, 3]), lambda x: x[1:, 2:5]),
    "pad": Case(
        lambda x: mb.pad(x=x, pad=[1, 2, 0, 3], mode="constant", constant_val=2.0),
        lambda x: tf.pad(x, [[0, 0], [0, 0], [1, 2], [0, 3]], constant_values=2),
        BOARD,
    ),
    "pad reflect": Case(
        lambda x: mb.pad(x=x, pad=[1, 2], mode="reflect"), lambda x: tf.pad(x, [[0, 0], [1, 2]], "REFLECT")
    ),
    "pad replicate": Case(
        lambda x: mb.pad(x=x, pad=[1, 1], mode="replicate"), lambda x: tf.pad(x, [[0, 0], [1, 1]], "SYMMETRIC")
    ),
    "tile": Case(lambda x: mb.tile(x=x, reps=[2, 3]), lambda x: tf.tile(x, [2, 3])),
    "gather": Case(
        lambda x: mb.gather(x=x, indices=np.array([3, 0, 3], np.int32), axis=1),
        lambda x: tf.gather(x, [3, 0, 3], axis=1),
    ),
    "shape": Case(
        lambda x: mb.cast(x=mb.shape(x=x), dtype="fp32"), lambda x: np.array([2, 4, 6, 7], np.float32), BOARD
    ),
    "identity": Case(lambda x: mb.identity(x=x), lambda x: x),
    "cast": Case(lambda x: mb.cast(x=mb.cast(x=x, dtype="int32"), dtype="fp32"), lambda x: np.trunc(x), 9 * ROWS),
}
HALVED = ("add", "real_div", "exp", "gelu", "softmax", "linear", "reduce_mean", "tanh")


@pytest.mark.parametrize("name", CASES)
def test_an_operation_answers_as_tensorflow_or_plain_arithmetic(name: str, answered: dict[str, Array]) -> None:
    case = CASES[name]
    found, expected = answered[name], np.asarray(case.expected(case.x))
    assert found.dtype == np.float32
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", HALVED)
def test_an_operation_in_fp16_is_rounded_after_each_step(name: str, halved: dict[str, tuple[Array, Array]]) -> None:
    x, found = halved[name]
    full = np.asarray(CASES[name].expected(x))
    assert np.array_equal(found, found.astype(np.float16))
    assert not np.array_equal(found, full)
    np.testing.assert_allclose(found, full, rtol=4e-3, atol=4e-3)


def test_sums_in_fp16_lose_what_fp16_cannot_hold(answer_mil: Callable[..., Array]) -> None:
    x = np.array([[2048.0, 3.0]], np.float32)
    build = lambda x: mb.sub(x=mb.add(x=x, y=np.float32(1.0)), y=np.float32(1.0))  # noqa: E731
    assert answer_mil(build, x, "fp32").tolist() == [[2048.0, 3.0]]
    assert answer_mil(build, x, "fp16").tolist() == [[2047.0, 3.0]]


def test_quantised_weights_are_taken_apart(answer_mil: Callable[..., Array]) -> None:
    stored = np.arange(40, dtype=np.uint8).reshape(8, 5)
    scale = np.array([0.5, 0.25, 1.0, 2.0, 0.125], np.float32)

    def build(x: Any) -> Any:
        weight = mb.constexpr_affine_dequantize(quantized_data=stored, zero_point=np.uint8(7), scale=scale, axis=1)
        return mb.matmul(x=x, y=weight)

    expected = ROWS @ ((stored.astype(np.float32) - 7) * scale)
    np.testing.assert_allclose(answer_mil(build, ROWS), expected, rtol=1e-5)


def test_palettised_weights_are_looked_up(answer_mil: Callable[..., Array]) -> None:
    table, choice = floats(4), RANDOM.integers(0, 4, 16).astype(np.uint8)
    bits = np.unpackbits(choice, bitorder="little").reshape(-1, 8)[:, :2].ravel()
    packed = np.packbits(bits, bitorder="little")

    def build(x: Any) -> Any:
        weight = mb.constexpr_lut_to_dense(lut=table, indices=packed, shape=np.array([8, 2], np.uint32))
        return mb.matmul(x=x, y=weight)

    np.testing.assert_allclose(answer_mil(build, ROWS), ROWS @ table[choice].reshape(8, 2), rtol=1e-5)


def test_every_kernel_is_of_an_operation_that_coremltools_can_make_of_a_tensorflow_graph() -> None:
    mil = files("coremltools").joinpath("converters", "mil")
    writers = ("frontend/tensorflow", "frontend/tensorflow2", "frontend/_utils.py", "mil/passes", "backend/mil/passes")
    sources = [file for part in writers for file in python_files(mil.joinpath(part))]
    made = {name for file in sources for name in re.findall(r"\bmb\.(\w+)\(", file.read_text(encoding="utf-8"))}
    assert set(KERNELS) <= made


def python_files(part: Traversable) -> Iterator[Traversable]:
    """The modules of a folder (or the module itself), but for coremltools' own tests."""
    if part.is_file() and part.name.endswith(".py") and not part.name.startswith("test"):
        yield part
    elif part.is_dir() and part.name not in ("test", "tests"):
        for inner in part.iterdir():
            yield from python_files(inner)


BATCH_OF_ONE, FLAT = floats(1, 4, 6, 7), floats(1, 8)
EACH_ALONE: dict[str, tuple[Callable[..., Any], Array]] = {
    "a convolution": (lambda x: mb.conv(x=x, weight=floats(3, 4, 3, 3), bias=floats(3), pad_type="same"), BATCH_OF_ONE),
    "a convolution in groups": (lambda x: mb.conv(x=x, weight=floats(4, 2, 3, 3), groups=2), BATCH_OF_ONE),
    "a convolution with strides": (
        lambda x: mb.conv(x=x, weight=floats(3, 4, 3, 2), strides=[2, 1], pad_type="custom", pad=[1, 0, 2, 1]),
        BATCH_OF_ONE,
    ),
    "a convolution with holes": (lambda x: mb.conv(x=x, weight=floats(3, 4, 2, 2), dilations=[2, 3]), BATCH_OF_ONE),
    "pooling": (
        lambda x: mb.max_pool(x=x, kernel_sizes=[2, 2], strides=[1, 2], pad_type="same"),
        BATCH_OF_ONE,
    ),
    "a reshape": (lambda x: mb.reshape(x=mb.transpose(x=x, perm=[0, 2, 3, 1]), shape=[1, -1]), BATCH_OF_ONE),
    "a product": (lambda x: mb.softmax(x=mb.matmul(x=x, y=MATRIX), axis=-1), FLAT),
    "a mean": (lambda x: mb.mul(x=x, y=mb.reduce_mean(x=x, axes=[2, 3], keep_dims=True)), BATCH_OF_ONE),
    "channels joined": (lambda x: mb.concat(values=[x, mb.relu(x=x)], axis=1), BATCH_OF_ONE),
    "a norm": (
        lambda x: mb.batch_norm(x=x, mean=floats(4), variance=np.abs(floats(4)), gamma=floats(4), beta=floats(4)),
        BATCH_OF_ONE,
    ),
}


@pytest.mark.parametrize("name", EACH_ALONE)
def test_many_positions_at_a_time_are_answered_as_one(name: str, save_mil: Callable[..., Path]) -> None:
    build, one = EACH_ALONE[name]
    boards = floats(70, *one.shape[1:])
    with CoreMLRunner(save_mil(build, one)) as runner:
        alone, together = runner.run({"x": boards}), runner.program()
        assert together.can_run_together()
        np.testing.assert_allclose(
            together.run_together({"x": boards}, 64)["answer"], alone["answer"], rtol=1e-5, atol=1e-5
        )


LOOKS_ALONG: dict[str, tuple[Callable[..., Any], Array]] = {
    "a sum over the batch": (lambda x: mb.reduce_sum(x=x, axes=[0], keep_dims=True), FLAT),
    "a mean of all": (lambda x: mb.add(x=x, y=mb.reduce_mean(x=x, keep_dims=True)), FLAT),
    "a softmax along the batch": (lambda x: mb.softmax(x=x, axis=0), FLAT),
    "positions joined": (lambda x: mb.concat(values=[x, x], axis=0), FLAT),
    "a batch moved": (lambda x: mb.transpose(x=x, perm=[1, 0]), FLAT),
    "a batch taken in": (lambda x: mb.reshape(x=x, shape=[2, 4]), FLAT),
    "a product of positions": (lambda x: mb.matmul(x=x, y=x, transpose_x=True), FLAT),
    "a batch of two": (lambda x: mb.relu(x=x), floats(2, 8)),
    "an operation without a rule": (lambda x: mb.gather(x=x, indices=np.array([1, 0], np.int32), axis=1), FLAT),
}


@pytest.mark.parametrize("name", LOOKS_ALONG)
def test_a_program_that_may_look_along_the_batch_is_run_as_it_is(name: str, save_mil: Callable[..., Path]) -> None:
    build, one = LOOKS_ALONG[name]
    with CoreMLRunner(save_mil(build, one)) as runner:
        assert not runner.program().can_run_together()
        if one.shape[0] == 1:
            assert runner.together() is None


def test_a_program_in_fp16_is_run_as_it_is(save_mil: Callable[..., Path]) -> None:
    with CoreMLRunner(save_mil(lambda x: mb.relu(x=x), FLAT, "fp16")) as runner:
        assert not runner.program().can_run_together()


def test_an_unknown_operation_is_named_and_says_nothing_of_the_package(answer_mil: Callable[..., Array]) -> None:
    with pytest.raises(NotRunHere, match=r"uses 'reverse_sequence', which azx's NumPy interpreter.* lacks: .* macOS"):
        answer_mil(lambda x: mb.reverse_sequence(x=x, lengths=np.array([1, 2, 3], np.int32), seq_axis=1), ROWS)


def test_a_package_with_an_unknown_operation_is_not_run_and_not_unequal(save_mil: Callable[..., Path]) -> None:
    path = save_mil(lambda x: mb.reverse_sequence(x=x, lengths=np.array([1, 2, 3], np.int32), seq_axis=1), ROWS)
    run = run_artifact("coreml", path, {"x": ROWS}, Signature((), ()))
    assert (run.problems, run.damage, run.outputs) == ((), None, {})
    assert run.not_run is not None
    assert "'reverse_sequence'" in run.not_run
    assert judge("net.mlpackage", "coreml", run, (), Truth("Keras", {}, {}), None).sentences == []


def test_an_operation_in_an_unknown_setting_is_named(save_mil: Callable[..., Path]) -> None:
    path = save_mil(lambda x: mb.max_pool(x=x, kernel_sizes=[2, 2], strides=[2, 2], pad_type="valid"), BOARD)
    with CoreMLRunner(path) as runner:
        [step] = [each for each in runner.program()._steps if each.kind == "max_pool"]
        bound: Any = step.kernel
        bound.keywords["new_setting"] = 1
        with pytest.raises(NotRunHere, match=r"uses 'max_pool' in a way that azx's NumPy interpreter"):
            runner.run({"x": BOARD})


def test_on_macos_core_ml_itself_runs_what_the_interpreter_lacks(
    save_mil: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save_mil(lambda x: mb.reverse_sequence(x=x, lengths=np.array([1, 2, 3], np.int32), seq_axis=1), ROWS)
    monkeypatch.setattr("azx.validate.runners.coreml._on_macos", lambda: True)
    monkeypatch.setattr(CoreMLRunner, "_load_model", lambda runner: "Core ML")
    with CoreMLRunner(path) as runner:
        assert [port.name for port in runner.signature().inputs] == ["x"]
