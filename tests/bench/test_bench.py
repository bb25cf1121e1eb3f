"""`azx bench` on real artifacts in their real runtimes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("tensorflow")

from azx import inspect_checkpoint
from azx.bench import artifact
from azx.bench.measure import ArtifactBench, _compare, bench
from azx.bundle.contents.manifest import read_manifest
from azx.errors import AzxError, BundleError
from azx.validate.runners.tfjs_packages import litert_ready

Azx = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def told(small_bundle: Path, run_in: Azx, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What `azx bench --json` says of the small bundle."""
    options = ("--rounds", "5", "--simulations", "20", "--batch", "3", "--json")
    done = run_in(tmp_path_factory.mktemp("bench"), "bench", small_bundle, *options)
    assert done.returncode == 0, done.stderr
    assert "answers, round 5 of 5" in done.stderr
    return json.loads(done.stdout)


@pytest.mark.whole
def test_every_artifact_is_measured_in_its_own_runtime(told: Any, small_bundle: Path) -> None:
    manifest = read_manifest(small_bundle)
    assert [found["path"] for found in told["artifacts"]] == [artifact.path for artifact in manifest.artifacts]
    assert len({found["runtime"] for found in told["artifacts"]}) == len(told["artifacts"])
    for found in told["artifacts"]:
        assert found["reason"] is None
        latency = found["latency"]
        assert 0 < latency["p50"] <= latency["p90"] <= latency["p99"]
        assert found["ratio"] >= 1
        assert found["load"] > 0
        assert found["first_answer"] > 0
        assert found["playouts_per_second"] > 0
        assert found["peak_memory"] > 10e6
        assert found["batch"] == 3
        place = small_bundle / found["path"]
        files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
        assert found["size"] == sum(path.stat().st_size for path in files)
    assert min(found["ratio"] for found in told["artifacts"]) == 1


@pytest.mark.whole
def test_the_least_time_is_that_of_the_multiply_adds_that_inspect_counts(
    told: Any, small_checkpoint: Path, small_bundle: Path
) -> None:
    [about] = told["bundles"]
    assert about["bundle"] == str(small_bundle)
    assert about["multiply_adds"] == inspect_checkpoint(small_checkpoint).multiply_adds
    assert about["least_seconds"] == pytest.approx(about["multiply_adds"] / told["multiply_adds_per_second"])


def test_a_person_gets_a_table_and_formats_are_chosen(azx: Azx, small_bundle: Path) -> None:
    chosen = ("--format", "onnx", "--format", "tflite", "--rounds", "2", "--threads", "2", "-q")
    done = azx("bench", small_bundle, *chosen, env={"COLUMNS": "300"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 threads" in done.stdout
    assert ".onnx" in done.stdout
    assert ".tflite" in done.stdout
    assert ".pb" not in done.stdout
    assert "multiply-adds of a position take one thread of this machine" in done.stdout


@pytest.mark.whole
def test_what_cannot_run_here_is_listed_with_what_to_install(
    azx: Azx, small_bundle: Path, without: Callable[..., dict[str, str]]
) -> None:
    options = ("--rounds", "1", "--simulations", "0", "--json")
    done = azx("bench", small_bundle, *options, env=without("ai_edge_litert"))
    assert done.returncode == 0, done.stderr
    found = {entry["format"]: entry for entry in json.loads(done.stdout)["artifacts"]}
    assert "ai-edge-litert is not installed" in found["tflite"]["reason"]
    assert found["tflite"]["latency"] == {}
    assert found["onnx"]["latency"]["p50"] > 0


def test_damaged_bundles_and_unknown_formats_are_sentences(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(AzxError, match="There is no format 'onx'"):
        bench([bundle], formats=["onx"])
    with pytest.raises(BundleError):
        bench([tmp_path / "nothing"])
    onnx = next(bundle.glob("*.onnx"))
    onnx.write_bytes(onnx.read_bytes()[:-1])
    with pytest.raises(BundleError, match="is not the file that"):
        bench([bundle], formats=["onnx"])


def test_a_ratio_is_of_blocks_of_the_same_rounds() -> None:
    """Where a busy second doubles both, their ratio stays; and none is quicker than the quickest, however they vary."""
    quick, slow = (ArtifactBench(Path("b"), name, name, 1) for name in ("onnx", "pb"))
    quick.blocks, slow.blocks = [1.0, 2.0, 1.0, 8.0], [3.0, 6.0, 3.0, 24.0]
    _compare([slow, quick])
    assert (quick.ratio, slow.ratio) == pytest.approx((1.0, 3.0))
    slow.blocks = [0.5, 0.9, 0.4, 500.0]  # the quicker one in most rounds
    _compare([slow, quick])
    assert slow.ratio == 1
    assert quick.ratio == pytest.approx(2.1, rel=0.1)


@pytest.mark.skipif(litert_ready() is not None, reason=str(litert_ready()))
def test_a_tflite_is_measured_in_litert_js_too_where_that_is_asked_for(small_bundle: Path) -> None:
    own, other = bench([small_bundle], formats=["tflite"], rounds=2, simulations=20, also=["litert.js"]).artifacts
    assert (own.path, own.further) == (other.path, None)
    assert other.further == "litert.js"
    assert other.runtime.startswith("@litertjs/core")
    assert len(other.blocks) == len(own.blocks) == 2
    assert other.title == f"{own.path}, litert.js"
    assert own.playouts is not None
    assert other.playouts is None


def test_a_further_runtime_that_runs_nothing_of_a_bundle_is_a_sentence(small_bundle: Path) -> None:
    with pytest.raises(AzxError, match=r"'litert\.js' runs TFLite and there is none here"):
        bench([small_bundle], formats=["onnx"], rounds=1, simulations=0, also=["litert.js"])


@pytest.fixture
def searching(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], float]:
    """Times a search that does what it is given."""

    def timed(work: Callable[[], None]) -> float:
        network = SimpleNamespace(reading=SimpleNamespace(start=lambda: None))
        monkeypatch.setattr(artifact._OpenArtifact, "network", network)
        monkeypatch.setattr("azx.games.search.Search", lambda *_: SimpleNamespace(run=lambda _: work()))
        return artifact.time_search(Path("net.onnx"), 1)

    return timed


def test_a_search_that_had_to_wait_is_as_fast_as_before(searching: Callable[[Callable[[], None]], float]) -> None:
    # Waiting costs nothing: the best of five, as other threads of this process may work.
    assert min(searching(lambda: time.sleep(0.5)) for _ in range(5)) < 0.5 / 3


def assert_said(line: bytes) -> None:
    assert line == b"\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the processor time of another process is read from /proc")
def test_the_work_of_a_process_that_answers_counts(searching: Callable[[Callable[[], None]], float]) -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()"
    with subprocess.Popen([sys.executable, "-c", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        answers = child.stdout
        assert answers is not None
        # A third of what the process knows that it has used.
        assert searching(lambda: assert_said(answers.readline())) > 0.5 / 3
        child.communicate(b"\n")
