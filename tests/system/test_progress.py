"""Progress: a fraction that never falls and ends at 1, and the lines of Python's logging."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import azx
from azx.system.progress import Progress


@pytest.mark.parametrize("steps", [1, 4, 40])
def test_the_fraction_rises_to_the_end_however_many_steps_come(steps: int) -> None:
    told: list[tuple[float, str]] = []
    names: list[str] = []
    progress = Progress("azx.test", 4, names.append, lambda share, name: told.append((share, name)))
    for number in range(steps):
        progress(f"step {number}")
    progress.end("done")
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], max(shares[:-1]) < 1) == (0, 1, True)
    assert names == [name for _, name in told[:-1]] == [f"step {number}" for number in range(steps)]


def test_a_step_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "azx"):
        progress = Progress("azx.test", 1)
        progress("writing ONNX")
        progress.end("out: exported")
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("azx.test", "writing ONNX"),
        ("azx.test", "out: exported"),
    ]


def test_a_validation_tells_its_fraction_and_logs(small_bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    told: list[float] = []
    with caplog.at_level(logging.INFO, "azx"):
        azx.validate_bundle(small_bundle, on_progress=lambda share, name: told.append(share))
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1)
    assert "checking the files" in caplog.messages
    assert caplog.messages[-1].endswith("validated, passed")
    assert {record.name for record in caplog.records if record.name.startswith("azx")} == {"azx.validate"}


def test_a_program_that_asks_for_no_lines_gets_none(small_bundle: Path, tmp_path: Path) -> None:
    code = f"import azx; azx.inspect_checkpoint('connect4'); azx.load({str(small_bundle)!r}).close()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert (done.stdout, done.stderr) == ("", "")
