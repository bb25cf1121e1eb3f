"""Files that options name: a pipe, a folder, a device, an enormous or a deep one is told in one sentence, at once."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import h5py
import pytest

from azx.errors import AzxError
from azx.export.checkpoint.located import find_checkpoint
from azx.games.known.recognition import by_name
from azx.match.log import open_match_log, open_tournament_log
from azx.play.game_log import read_log
from azx.play.records import read_record
from azx.validate.positions_file import from_user

Azx = Callable[..., subprocess.CompletedProcess[str]]
SECONDS = 300


def make_of_holes(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 << 30)


MAKERS: dict[str, Callable[[Path], Any]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "holes": make_of_holes,
}
CLAUSES = {
    "pipe": "it is a pipe or a device and no file",
    "folder": "Is a directory",
    "device": "it is a pipe or a device and no file",
    "holes": "it is of 3 GiB, and azx reads up to ",
}


@pytest.fixture(autouse=True)
def within_seconds() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=MAKERS)
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What is no file that anybody means, under the name of its kind."""
    path = tmp_path / str(request.param)
    MAKERS[path.name](path)
    return path


def weights_alone(folder: Path) -> Path:
    """A file of weights that needs --config."""
    path = folder / "net.weights.h5"
    with h5py.File(find_checkpoint("tictactoe")) as whole, h5py.File(path, "w") as alone:
        for name in whole["model_weights"]:
            whole.copy(whole["model_weights"][name], alone, name)
        for name, value in whole["model_weights"].attrs.items():
            alone.attrs[name] = value
    return path


def test_encoding_and_config(check: Any, azx: Azx, bad: Path, tmp_path: Path) -> None:
    said = check.sentence(azx("inspect", "tictactoe", "--encoding", bad))
    assert f"'{bad}' cannot be read as JSON ({CLAUSES[bad.name]}" in said
    said = check.sentence(azx("inspect", weights_alone(tmp_path), "--config", bad))
    assert f"'{bad}' (--config) cannot be read ({CLAUSES[bad.name]}" in said
    assert said.endswith(": give the JSON or YAML file of the architecture.")


@pytest.mark.parametrize("option", ["--bench-from", "--explanation"])
def test_measurements_and_explanations(check: Any, azx: Azx, bad: Path, bundle: Path, option: str) -> None:
    said = check.sentence(azx("report", bundle, option, bad))
    assert f"'{bad}' is damaged ({CLAUSES[bad.name]}" in said
    assert said.endswith(f": give one that azx {'bench' if option == '--bench-from' else 'explain'} --json wrote.")


def test_a_page_is_not_written_over_what_is_no_page(check: Any, azx: Azx, bad: Path, bundle: Path) -> None:
    said = check.sentence(azx("report", bundle, "-o", bad))
    assert said == f"'{bad}' exists and is not a report of azx: move it away, or name another file with -o."


def read_positions(path: Path) -> object:
    return from_user(path, [])


def resume_match(path: Path) -> object:
    with open_match_log(path, {}, by_name("tictactoe").begin({}), []) as log:
        return log


def resume_tournament(path: Path) -> object:
    with open_tournament_log(path, {}, [], by_name("tictactoe").begin({}), []) as log:
        return log


@pytest.mark.parametrize("read", [read_record, read_log, read_positions, resume_match, resume_tournament])
def test_records_logs_and_positions(bad: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(AzxError) as caught:
        read(bad)
    said = str(caught.value)
    assert str(bad) in said
    assert CLAUSES[bad.name] in said
    assert ": " in said.partition(CLAUSES[bad.name])[2] or ", give " in said, "what to do"


def test_json_that_is_too_deep_is_told_in_a_sentence(check: Any, azx: Azx, tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000 + "\n")
    assert "cannot be read as JSON (" in check.sentence(azx("inspect", "tictactoe", "--encoding", deep))
    for read in (read_log, resume_match, resume_tournament):
        with pytest.raises(AzxError, match=r"line 1|first line"):
            read(deep)
