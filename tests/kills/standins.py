"""What is done with files without converters, which need seconds: exports that copy artifacts, sweeps, watches.

An export takes its artifacts from the small bundle, and all that it does with folders is its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from azx import export_checkpoint
from azx.bundle import export
from azx.bundle.case.detection import Detection
from azx.bundle.case.settings import Settings
from azx.bundle.contents.manifest import GOLDEN, PARITY, read_manifest
from azx.bundle.making import Export, ExportContent
from azx.errors import AzxError
from azx.export.checkpoint.read import read_checkpoint
from azx.match.rating.sprt import Sprt
from azx.sweeps.recipe import Recipe
from azx.sweeps.sweep import sweep
from azx.sweeps.watch.arrivals import Arrivals
from azx.sweeps.watch.contest import Terms
from azx.sweeps.watch.watch import Plan, watch
from azx.system.workers import Workers

SMALL, FOLDER = Path(sys.argv[1]), Path(sys.argv[2])
ROOT = FOLDER / "root"
TEMPORARY, APP = ROOT / "tmp", ROOT / "app"
CHECKPOINT = next(SMALL.glob("*.h5"))
GRAPH = read_checkpoint(CHECKPOINT)
FORMATS = Recipe(settings=Settings(formats=("onnx", "tfjs")))
READY = next(SMALL.glob("bundles/*/manifest.json")).parent


class Idle(Workers):
    """Workers that no process is started for; the folder for their temporary files is made and goes as always."""

    def _submit(self, *_: Any) -> Future[Any]:
        return Future()


class Ready(Export):
    """An export whose artifacts were converted and proved before: it copies them."""

    equal = True

    def version(self) -> str:
        """What the manifest is to be told by."""
        return os.environ.get("AZX_TEST_VERSION", "first")

    def run(self) -> Any:
        manifest = read_manifest(READY)
        for entry in manifest.artifacts:
            path = Path(entry.path)
            if entry.format in [each.name for each in self.order.plan.exact]:
                copy = shutil.copytree if (READY / path).is_dir() else shutil.copy
                copy(READY / path, self.order.place / path)
                self.written.append(entry)
        shutil.copy(READY / GOLDEN, self.order.place)
        (self.workers._folder / "__autograph_generated_file.py").touch()
        # Of another name than its export over it: so an old bundle is told from a new one.
        checkpoint = replace(manifest.checkpoint, file=self.version())
        manifest = replace(manifest, artifacts=tuple(self.written), checkpoint=checkpoint)
        about = json.loads((READY / PARITY).read_text(encoding="utf8"))
        paths = [entry.path for entry in self.written]
        about["artifacts"] = [{**each, "passed": self.equal} for each in about["artifacts"] if each["file"] in paths]
        about["passed"] = self.equal
        proof = mock.MagicMock(sentences=() if self.equal else ("It differs.",), as_data=lambda traces: about)
        proof.__bool__.return_value = self.equal
        frozen: Any = SimpleNamespace(fallback=None, outputs=())
        return ExportContent(frozen, Detection(None), manifest, proof, {})


class Called(Ready):
    """An export after its checkpoint's name, by which the bundles of several networks are not the same."""

    def version(self) -> str:
        """The name."""
        return self.order.stem


class Unequal(Ready):
    """An export whose proof fails."""

    equal = False


@contextmanager
def without_converters(job: type[Ready] = Ready) -> Iterator[None]:
    """An export that needs no second: no process is started, nothing converted, the checkpoint read once for all."""
    with (
        mock.patch.object(export, "Workers", Idle),
        mock.patch.object(export, "Export", job),
        mock.patch("azx.bundle.case.checkpoint_file.read_checkpoint", return_value=GRAPH),
        mock.patch("azx.sweeps.done.read_checkpoint", return_value=GRAPH),
        mock.patch("azx.sweeps.watch.arrivals.read_checkpoint", return_value=GRAPH),
        mock.patch("azx.export.checkpoint.read.read_checkpoint", return_value=GRAPH),
    ):
        yield


def export_as(version: str, job: type[Ready] = Ready, **options: Any) -> None:
    """Export the small checkpoint to `net`, as a file and as a folder; a failing proof ends as it does for a user."""
    options = {"output": ROOT / "net", "formats": ("onnx", "tfjs"), **options}
    os.environ["AZX_TEST_VERSION"] = version
    with without_converters(job), suppress(AzxError):
        export_checkpoint(CHECKPOINT, **options)


def sweep_all() -> None:
    """A sweep of two checkpoints of the same bytes, proved once; what it writes of times is always the same."""
    runs = checkpoints(2)
    still = SimpleNamespace(perf_counter=lambda: 0.0)
    with (
        without_converters(),
        mock.patch("azx.sweeps.pool.Workers", Idle),
        mock.patch("azx.sweeps.sweep.time", still),
        mock.patch("azx.sweeps.twins.time", still),
        mock.patch.object(export, "time", still),
    ):
        swept = sweep([runs], FORMATS, output=ROOT / "bundles", jobs=1)
    assert not [outcome.message for outcome in swept.outcomes if outcome.code]


def imported_for_sweeps() -> None:
    """Nothing is there; what a sweep imports is loaded, once for all."""
    sweep_all()
    shutil.rmtree(ROOT / "bundles")


@contextmanager
def looking(arrivals: Arrivals, *_: Any) -> Iterator[None]:
    """Two looks, after which everything is known; without a thread, whose files would come at any time."""
    arrivals.look()
    arrivals.look()
    yield


def passed(*_: Any) -> dict[str, Any]:
    """A contest that the new network wins. What one does with files is a match's."""
    return {"passed": True, "pairs": 8, "points": 16.0, "log_likelihood_ratio": 9.0, "log": "contests/none.jsonl"}


def watch_all(count: int) -> None:
    """A watch of so many checkpoints, each better than the one before, and an app that gets the best."""
    runs = checkpoints(count)
    still = SimpleNamespace(perf_counter=lambda: 0.0)
    with (
        without_converters(Called),
        mock.patch("azx.sweeps.watch.watch.Workers", Idle),
        mock.patch("azx.sweeps.watch.watch.looking", looking),
        mock.patch("azx.sweeps.watch.watch._WAKE_SECONDS", 0.0),
        mock.patch("azx.sweeps.watch.judge.contest", passed),
        mock.patch.object(export, "time", still),
    ):
        terms = Terms(Sprt(0, 100), games=16, simulations=0)
        watch(Plan(runs, terms, ROOT / "bundles", APP, once=True, recipe=FORMATS), lambda event: None)


def watched_before(count: int) -> None:
    """An app, and what a watch of so many checkpoints has left."""
    APP.mkdir(exist_ok=True)
    (APP / "package.json").write_text("{}")
    watch_all(count)


def imported_for_watches() -> None:
    """An app alone; what a watch imports is loaded, once for all."""
    watched_before(1)
    shutil.rmtree(ROOT / "bundles")
    shutil.rmtree(APP / "public")


def checkpoints(count: int) -> Path:
    """A folder with so many checkpoints, outside of what is watched for kills."""
    runs = FOLDER / f"runs{count}"
    if not runs.exists():
        runs.mkdir()
        for number in range(1, count + 1):
            shutil.copy(CHECKPOINT, runs / f"version{number}.h5")
    return runs
