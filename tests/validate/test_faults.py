"""Faults put into artifacts on purpose, their hashes brought up to date: `azx validate` names the head and the file."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sibling import sibling

from azx.export.formats.table import FORMATS as TABLE

EXPERIMENTAL = [name for name, entry in TABLE.items() if entry.experimental and entry.unavailable() is None]
FORMATS = ["pb", "tflite", "onnx", "tfjs", "coreml", *EXPERIMENTAL]
VALUES = ["one convolution weight changed by 0.1", "fp16 weights passed off as fp32"]
NAMES = [
    "the outputs in another order",
    "the answers behind the two names swapped",
    "a head renamed",
    "a head renamed in one of its places",
]
ROWS = "Dense rows in channels_first order"

edits = sibling(__file__, "fault_edits")


@dataclass(frozen=True)
class Verdict:
    """What `azx validate --json` said of a bundle."""

    code: int
    stderr: str
    report: Any
    files: dict[str, str]

    def of(self, name: str) -> dict[str, Any]:
        """The report on one format's artifact."""
        found: dict[str, Any] = next(item for item in self.report["artifacts"] if item["file"] == self.files[name])
        return found

    def sentences(self, name: str) -> list[str]:
        """What standard error says about one format's artifact, after its name."""
        problems: list[str] = self.of(name)["problems"]
        assert all(problem in self.stderr for problem in problems)
        assert all(problem.startswith(f"{self.files[name]}: ") for problem in problems)
        return [problem.removeprefix(f"{self.files[name]}: ") for problem in problems]


Validate = Callable[..., Verdict]


@pytest.fixture(scope="session")
def small_bundle(
    small_bundle: Path,
    small_checkpoint: Path,
    tmp_path_factory: pytest.TempPathFactory,
    run_in: Callable[..., subprocess.CompletedProcess[str]],
) -> Path:
    """The small network in the experimental formats too, where they can be written here."""
    if not EXPERIMENTAL:
        return small_bundle
    folder = tmp_path_factory.mktemp("experimental") / small_bundle.name
    wanted = [part for name in ("all", *EXPERIMENTAL) for part in ("--format", name)]
    done = run_in(folder.parent, "export", small_checkpoint, *wanted, "-o", folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def validate(
    small_bundle: Path,
    tmp_path_factory: pytest.TempPathFactory,
    run_in: Callable[..., subprocess.CompletedProcess[str]],
) -> Validate:
    """Validate a copy of the bundle with one fault in the artifact of each of some formats; each is run once."""

    @cache
    def validated(fault: str, formats: tuple[str, ...] = tuple(FORMATS), *options: object) -> Verdict:
        folder = tmp_path_factory.mktemp("faulty")
        bundle = folder / "bundle"
        shutil.copytree(small_bundle, bundle)
        for name in formats:
            edits.break_artifact(bundle, name, fault)
        edits.bring_up_to_date(bundle, formats)
        done = run_in(folder, "validate", bundle, "--json", *options)
        return Verdict(done.returncode, done.stderr, json.loads(done.stdout), edits.paths(bundle))

    return validated


def heads_that_differ(report: dict[str, Any]) -> set[str]:
    return {head["head"] for head in report["heads"] if not (head["max_error"] or 0) <= head["limit"]}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("fault", VALUES)
def test_wrong_weights_are_not_equal_in_either_head(fault: str, name: str, validate: Validate) -> None:
    verdict = validate(fault)
    assert verdict.code == 3
    assert heads_that_differ(verdict.of(name)) == {"value_head", "policy_head"}
    for head in ("value_head", "policy_head"):
        assert any(sentence.startswith(f"{head} differs by ") for sentence in verdict.sentences(name))


@pytest.mark.parametrize("name", FORMATS)
def test_a_dense_kernel_in_another_layout_is_not_equal_in_its_own_head_alone(name: str, validate: Validate) -> None:
    verdict = validate(ROWS)
    assert verdict.code == 3
    assert heads_that_differ(verdict.of(name)) == {"policy_head"}
    assert all(sentence.startswith("policy_head ") for sentence in verdict.sentences(name))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("fault", NAMES)
def test_outputs_with_wrong_names_or_places_are_not_equal(fault: str, name: str, validate: Validate) -> None:
    verdict = validate(fault)
    assert verdict.code == 3
    assert not verdict.of(name)["passed"]
    assert any("value_head" in sentence for sentence in verdict.sentences(name))


@pytest.mark.whole
def test_with_the_checkpoint_all_its_positions_are_compared(small_checkpoint: Path, validate: Validate) -> None:
    verdict = validate(VALUES[0], tuple(FORMATS), "--against", small_checkpoint)
    assert verdict.code == 3
    assert verdict.report["positions"] == 256
    for name in FORMATS:
        assert heads_that_differ(verdict.of(name)) == {"value_head", "policy_head"}
        assert any(sentence.startswith("policy_head differs by ") for sentence in verdict.sentences(name))


def test_one_faulty_artifact_among_sound_ones_is_the_only_one_named(validate: Validate, small_bundle: Path) -> None:
    verdict = validate("a head renamed", ("onnx",))
    assert verdict.code == 3
    assert verdict.stderr.splitlines()[-1].startswith("Error: small net é.onnx: output 'value_head' is missing")


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_file_under_its_old_hash_is_an_error_before_anything_runs(
    name: str, small_bundle: Path, tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(small_bundle, bundle)
    edits.break_artifact(bundle, name, VALUES[0])
    done = azx("validate", bundle)
    assert done.returncode == 1
    assert edits.paths(bundle)[name] in done.stderr
    assert "is not the file that the manifest records (its SHA-256 differs)" in done.stderr
    assert "proving" not in done.stderr
    assert done.stdout == ""


def test_the_edits_themselves_break_nothing(
    small_bundle: Path, tmp_path: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """What was opened and saved unchanged is still equal: the faults above are found for their own sake."""
    bundle = tmp_path / "bundle"
    shutil.copytree(small_bundle, bundle)
    for name, path in edits.paths(bundle).items():
        artifact = edits.artifacts.KINDS[name](bundle / path)
        weights = artifact.weights()
        assert sum(values.ndim == 4 for values in weights.values()) == 5
        for weight, values in weights.items():
            artifact.put(weight, values)
        artifact.save()
    edits.bring_up_to_date(bundle, FORMATS)
    done = azx("validate", bundle)
    assert (done.returncode, done.stdout.count("✓ ")) == (0, 2 * len(FORMATS) + 2), done.stderr
