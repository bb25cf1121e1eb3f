"""LiteRT: XNNPACK is named where it took part, and nowhere else."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from azx.validate.runners.litert import LiteRTRunner

interpreter = pytest.importorskip("ai_edge_litert.interpreter")


def runtime_of(path: Path) -> str:
    with LiteRTRunner(path) as runner:
        return runner.runtime


def test_a_delegate_is_named_that_took_layers_over(small_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(small_bundle.glob("*.tflite"))
    assert ", XNNPACK, 1 thread" in runtime_of(path)
    plain = interpreter.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    without = partial(interpreter.Interpreter, experimental_op_resolver_type=plain)
    monkeypatch.setattr(interpreter, "Interpreter", without)
    assert "XNNPACK" not in runtime_of(path)
    assert runtime_of(path).endswith(", 1 thread")


def test_before_the_file_is_opened_nothing_is_said_of_it(small_bundle: Path) -> None:
    assert "XNNPACK" not in LiteRTRunner(next(small_bundle.glob("*.tflite"))).runtime
