"""What makes the training step faster leaves what is learnt, the files, and all other computing as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.games.known.catalogue import GAMES
from azx.learning import faster
from azx.learning.faster import bfloat16_steps, fuse_normalisations
from azx.learning.networks import Design, build, reading_for, save
from azx.self_play.bfloat16 import is_multiplied_here

STEPS = 5


def network() -> Any:
    import keras

    keras.utils.set_random_seed(1)
    return build(Design.read("1x8"), reading_for(GAMES["connect4"], {}))


def learn(model: Any) -> list[float]:
    """The losses of a few steps on the same random boards."""
    import keras

    rng = np.random.default_rng(2)
    shape, width = model.inputs[0].shape[1:], model.outputs[0].shape[-1]
    boards = rng.random((32, *shape), np.float32)
    policies, values = rng.dirichlet(np.ones(width), 32), rng.uniform(-1, 1, (32, 1))
    losses = [keras.losses.CategoricalCrossentropy(from_logits=True), keras.losses.MeanSquaredError()]
    model.compile(optimizer=keras.optimizers.SGD(0.05), loss=losses)
    return [float(model.train_on_batch(boards, [policies, values])[0]) for _ in range(STEPS)]


def test_a_fused_normalisation_learns_what_the_usual_one_does() -> None:
    usual, fused = network(), network()
    fuse_normalisations(fused)
    before = [weight.copy() for weight in fused.get_weights()]
    np.testing.assert_allclose(learn(fused), learn(usual), rtol=1e-4)
    for one, other, old in zip(fused.get_weights(), usual.get_weights(), before, strict=True):
        # The batch's variance is divided by one less: 1 / (32 * 42).
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4)
        assert (one != old).any()


def test_a_fused_network_is_saved_and_answers_as_usual(tmp_path: Path) -> None:
    import keras

    model = network()
    fuse_normalisations(model)
    learn(model)
    save(model, tmp_path / "net.h5")
    kept = keras.models.load_model(tmp_path / "net.h5", compile=False)
    assert {type(layer) for layer in kept.layers if "norm" in layer.name} == {keras.layers.BatchNormalization}
    boards = np.random.default_rng(3).random((4, *model.inputs[0].shape[1:]), np.float32)
    np.testing.assert_allclose(kept.predict(boards, verbose=0)[1], model.predict(boards, verbose=0)[1], atol=1e-6)


@pytest.mark.skipif(not is_multiplied_here(), reason="this processor has no units for bfloat16")
def test_bfloat16_ends_with_its_block() -> None:
    """Else a proof in the same process would compare an artifact with a reference of two digits."""
    import tensorflow as tf

    tensor = tf.random.stateless_normal((4, 9, 9, 16), (1, 2))
    kernel = tf.random.stateless_normal((3, 3, 16, 16), (3, 4))

    @tf.function  # type: ignore[untyped-decorator]
    def convolve(boards: Any) -> Any:
        return tf.nn.relu(tf.nn.conv2d(boards, kernel, 1, "SAME"))

    exact = convolve(tensor).numpy()
    with bfloat16_steps():
        assert np.abs(convolve(tensor).numpy() - exact).max() > 1e-3
    np.testing.assert_array_equal(convolve(tensor).numpy(), exact)
    with pytest.raises(RuntimeError), bfloat16_steps():
        raise RuntimeError
    np.testing.assert_array_equal(convolve(tensor).numpy(), exact)


def test_without_units_nothing_is_computed_in_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    import tensorflow as tf

    monkeypatch.setattr(faster, "is_multiplied_here", lambda: False)
    with bfloat16_steps():
        assert not tf.config.optimizer.get_experimental_options().get(faster.BFLOAT16, False)
