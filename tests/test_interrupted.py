"""An export that is interrupted, killed, or fails leaves nothing, and never harms the bundle that was there."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from processes import wait_for_the_end_of

from azx.bundle import making
from azx.bundle.precision.written import Way, write_artifact
from azx.cli import cli
from azx.system.exchange import beside, lock_of

Azx = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.whole
@pytest.mark.parametrize("format_name", ["tfjs", "coreml"])
def test_a_full_disk_leaves_nothing(check: Any, format_name: str, checkpoint: Path, tmp_path: Path, azx: Azx) -> None:
    """A file cannot grow beyond 20 kB, which is what a process sees of a disk that is full."""

    def fill_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    with check.nothing_left(tmp_path):
        said = check.sentence(azx("export", checkpoint, "--format", format_name, preexec_fn=fill_disk))
    assert "cannot be written (File too large): free the disk, or choose another folder with -o." in said


@contextmanager
def export_under_way(folder: Path, *arguments: object, until: str = "") -> Iterator[subprocess.Popen[str]]:
    """`azx export` in a process group of its own, as a terminal starts it, once it has said `until`."""
    command = [sys.executable, "-m", "azx", "export", *map(str, arguments)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state")}
    # A shell starts what runs in its background deaf to Ctrl-C, and these tests may be run so.
    hear: dict[str, Any] = {
        "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        "start_new_session": True,
    }
    with subprocess.Popen(command, cwd=folder, env=environment, **hear, **pipes) as process:
        try:
            assert any(until in line for line in process.stderr or ())
            yield process
        finally:
            with_group(process.pid, signal.SIGKILL)


def with_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return


@pytest.mark.parametrize("moment", ["building the frozen graph", "writing ONNX"])
@pytest.mark.whole
def test_ctrl_c_ends_everything_and_leaves_nothing(check: Any, moment: str, checkpoint: Path, tmp_path: Path) -> None:
    with check.nothing_left(tmp_path), export_under_way(tmp_path, checkpoint, until=moment) as process:
        os.killpg(process.pid, signal.SIGINT)
        stdout, stderr = process.communicate(timeout=300)
        assert (process.returncode, stdout) == (130, "")
        said = [line for line in stderr.splitlines() if not line.startswith("Exporting ")]
        assert said == ["Interrupted."]
        wait_for_the_end_of(process.pid)


@pytest.mark.whole
def test_being_terminated_leaves_nothing(check: Any, checkpoint: Path, tmp_path: Path) -> None:
    with check.nothing_left(tmp_path), export_under_way(tmp_path, checkpoint, until="writing frozen") as process:
        process.terminate()
        stdout, stderr = process.communicate(timeout=300)
        assert (process.returncode, stdout) == (143, "")
        assert all(line.startswith("Exporting ") for line in stderr.splitlines()), stderr
        wait_for_the_end_of(process.pid)


def test_a_folder_in_use_is_refused_and_one_whose_export_was_killed_is_cleared(
    check: Any, checkpoint: Path, tmp_path: Path, azx: Azx
) -> None:
    arguments = [checkpoint, "--format", "onnx", "-o", "out"]
    with export_under_way(tmp_path, *arguments, until="building the frozen graph") as process:
        said = check.sentence(azx("export", *arguments))
        assert said.startswith("'out' is in use by another export: wait until it ends")
        process.kill()
        process.wait()
        wait_for_the_end_of(process.pid)
    left = check.entries(tmp_path) - {checkpoint.parent.name, lock_of(Path("out")).name}
    assert [name.startswith(".out.azx-") for name in left] == [True]
    assert azx("export", *arguments, "--positions", 50).returncode == 0
    assert check.entries(tmp_path) == {checkpoint.parent.name, "out"}


def test_a_bundle_that_was_set_aside_when_its_export_was_killed_comes_back(
    check: Any, checkpoint: Path, bundle: Path, tmp_path: Path, azx: Azx
) -> None:
    before = check.contents(bundle)
    bundle.rename(f"{beside(bundle)}.old")
    checkpoint.write_bytes(b"")
    check.sentence(azx("export", checkpoint, "-o", bundle))
    assert check.contents(bundle) == before
    assert check.entries(bundle.parent) == {bundle.name}


def test_a_failed_proof_publishes_nothing_and_keeps_the_bundle_that_was_there(
    check: Any, small_checkpoint: Path, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_another_network(name: str, frozen: Any, target: Path, way: Way) -> dict[str, Any]:
        from onnx import load, numpy_helper, save

        about = write_artifact(name, frozen, target, way)
        model = load(target)
        kernel = next(item for item in model.graph.initializer if len(item.dims) == 4)
        kernel.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(kernel) + 0.1, kernel.name))
        save(model, target)
        return about

    monkeypatch.setattr(making, "write_artifact", write_another_network)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    before = check.contents(bundle)
    done = CliRunner().invoke(cli, ["export", str(small_checkpoint), "--format", "onnx", "-o", str(bundle)])
    failed = bundle.with_name(f"{bundle.name}.failed")
    assert done.exit_code == 3
    assert "small net é.onnx: value_head differs by " in done.stderr
    assert f"The artifacts are in '{failed}'." in done.stderr
    assert check.contents(bundle) == before
    assert check.entries(bundle.parent) == {bundle.name, failed.name}
    assert (failed / "small net é.onnx").is_file()
    assert not json.loads((failed / "parity.json").read_text())["passed"]
