"""Fixtures of the runners' tests: one Core ML operation as a package, and what the runner answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.export.formats.to_coreml import quiet
from azx.validate.runners.coreml import CoreMLRunner

Build = Callable[[Any], Any]


def write_mil(builds: Mapping[str, Build], x: Any, package: Path, precision: str) -> Path:
    """Save build(x) of each name as a package's outputs; no pass runs, so the operations stay as they were built."""
    with quiet():
        import coremltools as ct
        from coremltools.converters.mil.mil import Builder as mb  # noqa: N813 - its own customary name

        half = precision == "fp16"

        def body(x: Any) -> Any:
            return tuple(mb.identity(x=build(x), name=name) for name, build in builds.items())

        inputs = [mb.TensorSpec(shape=x.shape)]
        model = ct.convert(
            mb.program(input_specs=inputs, opset_version=ct.target.iOS16)(body),
            convert_to="mlprogram",
            compute_precision=ct.precision.FLOAT16 if half else ct.precision.FLOAT32,
            minimum_deployment_target=ct.target.iOS16,
            inputs=[ct.TensorType("x", shape=x.shape, dtype=np.float32)],
            outputs=[ct.TensorType(name, dtype=np.float32) for name in builds],
            pass_pipeline=ct.PassPipeline(pass_names=["common::add_fp16_cast"] if half else []),
            skip_model_load=True,
        )
        model.save(str(package))
    return package


@pytest.fixture
def save_mil(tmp_path: Path) -> Callable[..., Path]:
    """Save build(x) as a package with the output `answer`."""

    def save(build: Build, x: Any, precision: str = "fp32") -> Path:
        return write_mil({"answer": build}, x, tmp_path / f"{precision}.mlpackage", precision)

    return save


@pytest.fixture
def answer_mil(save_mil: Callable[..., Path]) -> Callable[..., Any]:
    """Save build(x), read the package back and answer x."""

    def answer(build: Build, x: Any, precision: str = "fp32") -> Any:
        with CoreMLRunner(save_mil(build, x, precision)) as runner:
            return runner.run_batch({"x": x})["answer"]

    return answer


@pytest.fixture(scope="session")
def answer_mils(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict[str, Any]]:
    """The same of many at once, by name: a package for each x, since to write one takes longer than all else."""

    def answer(cases: Mapping[str, tuple[Build, Any]], precision: str = "fp32") -> dict[str, Any]:
        folder, answers = tmp_path_factory.mktemp("mil"), dict[str, Any]()
        by_input: dict[tuple[Any, bytes], list[str]] = {}
        for name, (_, x) in cases.items():
            by_input.setdefault((x.shape, x.tobytes()), []).append(name)
        for at, names in enumerate(by_input.values()):
            outputs = {f"answer{number}": cases[name][0] for number, name in enumerate(names)}
            x = cases[names[0]][1]
            with CoreMLRunner(write_mil(outputs, x, folder / f"{at}.mlpackage", precision)) as runner:
                found = runner.run_batch({"x": x})
            answers |= {name: found[output] for name, output in zip(names, outputs, strict=True)}
        return answers

    return answer


@pytest.fixture(scope="module")
def answered(answer_mils: Callable[..., dict[str, Any]], request: pytest.FixtureRequest) -> dict[str, Any]:
    """What each of a file's CASES answers."""
    return answer_mils({name: (case.build, case.x) for name, case in request.module.CASES.items()})


@pytest.fixture(scope="module")
def halved(answer_mils: Callable[..., dict[str, Any]], request: pytest.FixtureRequest) -> dict[str, tuple[Any, Any]]:
    """What those of its HALVED are asked, in numbers that fp16 holds, and what they answer in fp16."""
    cases = {name: request.module.CASES[name] for name in request.module.HALVED}
    asked = {name: case.x.astype(np.float16).astype(np.float32) for name, case in cases.items()}
    answers = answer_mils({name: (case.build, asked[name]) for name, case in cases.items()}, "fp16")
    return {name: (asked[name], answers[name]) for name in cases}
