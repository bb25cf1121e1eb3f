"""A network whose answers are what float32 rounding leaves of much larger numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx import export_checkpoint
from azx.errors import AzxError, NotEqual


def test_what_rounding_decides_is_refused_and_no_file_of_it_is_called_unequal(tmp_path: Path, check: Any) -> None:
    import tf_keras
    from tf_keras import layers

    rng = np.random.default_rng(0)
    large, last = rng.normal(0, 1e5, (12, 64)), rng.normal(0, 1, (64, 5))
    # Numbers of 100,000 whose sums are about 1.
    last -= np.linalg.pinv(large) @ (large @ last - rng.normal(0, 1, (12, 5)))
    board = layers.Input((12,), name="board")
    hidden = layers.Dense(64, use_bias=False)(board)
    model = tf_keras.Model(board, layers.Dense(5, use_bias=False, name="policy_head")(hidden))
    model.set_weights([large.astype(np.float32), last.astype(np.float32)])
    path = Path(check.save_h5(model, tmp_path / "net.h5"))
    with pytest.raises(AzxError, match=r"'.*net.h5': rounding to float32 alone moves policy_head by ") as raised:
        export_checkpoint(path, output=tmp_path / "out", formats="onnx", game="none", noted=False)
    assert not isinstance(raised.value, NotEqual)
    assert {each.name for each in tmp_path.iterdir()} == {"net.h5"}
