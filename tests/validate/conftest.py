"""Fixtures of the runners' tests: one Core ML operation as a package, and what the runner answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.export.formats.to_coreml import quiet
from azx.validate.runners.coreml import CoreMLRunner

Build = Callable[[Any], Any]


@pytest.fixture
def save_mil(tmp_path: Path) -> Callable[..., Path]:
    """Save build(x) as a package; no pass runs, so the operations stay as they were built."""

    def save(build: Build, x: Any, precision: str = "fp32") -> Path:
        with quiet():
            import coremltools as ct
            from coremltools.converters.mil.mil import Builder as mb  # noqa: N813 - its own customary name

            half = precision == "fp16"

            def body(x: Any) -> Any:
                return mb.identity(x=build(x), name="answer")

            inputs = [mb.TensorSpec(shape=x.shape)]
            model = ct.convert(
                mb.program(input_specs=inputs, opset_version=ct.target.iOS16)(body),
                convert_to="mlprogram",
                compute_precision=ct.precision.FLOAT16 if half else ct.precision.FLOAT32,
                minimum_deployment_target=ct.target.iOS16,
                inputs=[ct.TensorType("x", shape=x.shape, dtype=np.float32)],
                outputs=[ct.TensorType("answer", dtype=np.float32)],
                pass_pipeline=ct.PassPipeline(pass_names=["common::add_fp16_cast"] if half else []),
                skip_model_load=True,
            )
            package = tmp_path / f"{precision}.mlpackage"
            model.save(str(package))
        return package

    return save


@pytest.fixture
def answer_mil(save_mil: Callable[..., Path]) -> Callable[..., Any]:
    """Save build(x), read the package back and answer x."""

    def answer(build: Build, x: Any, precision: str = "fp32") -> Any:
        with CoreMLRunner(save_mil(build, x, precision)) as runner:
            return runner.run_batch({"x": x})["answer"]

    return answer
