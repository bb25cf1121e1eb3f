"""`azx report`, and the page that `azx export` writes: where it lies, what it is drawn of, what it never replaces."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import azx as azx_package
from azx.bundle.contents.listing import text_of_listing
from azx.bundle.contents.manifest import LISTING
from azx.errors import NotEqual
from azx.pages.bundle_page import MARK

Azx = Callable[..., subprocess.CompletedProcess[str]]


def test_an_export_writes_the_page_and_no_hash_of_it(bundle: Path, azx: Azx) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    assert "report.html" not in [entry["path"] for entry in manifest["files"]]
    text = (bundle / "report.html").read_text(encoding="utf8")
    assert MARK in text[:1000]
    assert "5 artifacts, equal to the original: the same calculation for every board." in text
    done = azx("report", bundle, "-o", "elsewhere.html")
    assert done.returncode == 0, done.stderr
    drawn = (bundle.parents[1] / "elsewhere.html").read_text(encoding="utf8")
    assert drawn != text
    assert drawn.count("Recorded by whoever made this bundle, and not checked here: the same calculation") == 5
    (bundle / "report.html").unlink()
    again = azx("report", bundle, "--json")
    told = json.loads(again.stdout)
    assert (told["passed"], told["size"]) == (True, (bundle / "report.html").stat().st_size)
    assert (bundle / "report.html").read_text(encoding="utf8") == drawn


def test_no_report_writes_none_and_takes_the_old_one_away(small_checkpoint: Path, bundle: Path, azx: Azx) -> None:
    done = azx("export", small_checkpoint, "--format", "onnx", "-o", bundle, "--no-report")
    assert done.returncode == 0, done.stderr
    assert not (bundle / "report.html").exists()


def test_a_file_of_somebody_elses_is_never_replaced(small_checkpoint: Path, bundle: Path, check: Any, azx: Azx) -> None:
    (bundle / "report.html").write_text("mine")
    assert azx("export", small_checkpoint, "--format", "onnx", "-o", bundle).returncode == 0
    assert (bundle / "report.html").read_text() == "mine"
    done = azx("report", bundle)
    assert done.returncode == 1
    assert f"'{bundle / 'report.html'}' exists and is not a report of azx: move it away" in done.stderr
    assert (bundle / "report.html").read_text() == "mine"
    assert check.entries(bundle) & {".report.html.part", "report.html.part"} == set()


def list_again(bundle: Path) -> None:
    """Bring the list of what is measured up to date."""
    (bundle / LISTING).write_text(text_of_listing(bundle))


@pytest.mark.parametrize("parity", ["gone", "of before"])
def test_a_bundle_without_answers_by_position_is_run_on_the_golden_ones(parity: str, bundle: Path, azx: Azx) -> None:
    file = bundle / "parity.json"
    data = json.loads(file.read_text(encoding="utf8"))
    for each in data["artifacts"]:
        del each["trace"]
    file.write_text(json.dumps(data), encoding="utf8")
    if parity == "gone":
        file.unlink()
    list_again(bundle)
    done = azx("report", bundle)
    assert done.returncode == 0, done.stderr
    text = (bundle / "report.html").read_text(encoding="utf8")
    assert "5 artifacts, equal to the 20 answers in golden.json." in text
    assert "the artifacts were run on those of golden.json for this page" in text
    assert "How far off, and where" in text


@pytest.mark.whole
def test_against_its_checkpoint_the_artifacts_are_run_again(
    small_checkpoint: Path, bundle: Path, check: Any, azx: Azx
) -> None:
    (bundle / "parity.json").unlink()
    list_again(bundle)
    done = azx("report", bundle, "--against", small_checkpoint, "--seed", 5, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["passed"]
    text = (bundle / "report.html").read_text(encoding="utf8")
    assert "5 artifacts, equal to the original: the same calculation for every board." in text
    assert "the artifacts were run again for this page" in text
    assert "golden.json" not in text.partition("the artifacts were run again")[0]
    page = azx_package.report_bundle(bundle, against=small_checkpoint, output=bundle.parent / "own.html", seed=5)
    assert (page.path, page.passed, page.bundle) == (bundle.parent / "own.html", True, bundle)
    assert page.path.read_text(encoding="utf8") == text
    before = (bundle / "report.html").read_bytes()
    assert "nowhere.h5" in check.sentence(azx("report", bundle, "--against", "nowhere.h5", "-q"))
    assert (bundle / "report.html").read_bytes() == before


def test_figures_of_a_bench_come_from_a_file(bundle: Path, tmp_path: Path, azx: Azx) -> None:
    onnx = next(bundle.glob("*.onnx"))
    entry = {"path": onnx.name, "size": onnx.stat().st_size, "latency": {"p50": 0.00042}}
    (tmp_path / "bench.json").write_text(json.dumps({"rounds": 3, "threads": 1, "artifacts": [entry]}))
    assert azx("report", bundle, "--bench-from", "bench.json").returncode == 0
    assert "0.42 ms" in (bundle / "report.html").read_text(encoding="utf8")
    (tmp_path / "bench.json").write_text(json.dumps({"rounds": 3}))
    done = azx("report", bundle, "--bench-from", "bench.json")
    assert "'bench.json': It has no sound 'threads': give a file that azx bench --json wrote." in done.stderr
    done = azx("report", bundle, "--bench-from", "none.json")
    assert "There is no file at 'none.json'" in done.stderr
    assert azx("report", bundle, "--bench", "--bench-from", "bench.json").returncode == 2


def test_a_damaged_bundle_and_a_damaged_proof_are_sentences(bundle: Path, azx: Azx) -> None:
    (bundle / "parity.json").write_text('{"passed": true}')
    list_again(bundle)
    done = azx("report", bundle)
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        "parity.json has no sound 'positions': export the checkpoint again, or give it with --against." in done.stderr
    )
    next(bundle.glob("*.onnx")).write_bytes(b"")
    assert "is not the file that the manifest records" in azx("report", bundle).stderr


def test_a_failed_export_has_its_page(small_checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    options = ["--format", "tflite", "--precision", "fp16", "--limit", "kl-p99=0", "--positions", 60]
    done = azx("export", small_checkpoint, *options, "-o", "out")
    assert done.returncode == NotEqual.exit_code, done.stderr
    text = (tmp_path / "out.failed" / "report.html").read_text(encoding="utf8")
    assert "Outside its gate." in text
    assert "The worst positions" in text
