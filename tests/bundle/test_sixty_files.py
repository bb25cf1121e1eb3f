"""Of 60 files `azx inspect` says what `azx export` says, in short sentences, however busy the machine is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import click
import pytest
from rings import few
from sixty_files import EXCHANGED, SEEDED, write_files

from azx import export_checkpoint, inspect_checkpoint
from azx.bundle import making
from azx.bundle.case.detection import Detection, game_of, statements_of
from azx.bundle.inspect import Inspection
from azx.commands.printed.statements import print_statements
from azx.errors import AzxError
from azx.statement import DOUBTFUL, Degree, Statement
from azx.system.workers import Workers

LONGEST = 25
COUNT = SEEDED + len(EXCHANGED)
# A figure of a test: a share, or how many positions.
FIGURE = re.compile(r"\d+ positions|\d+%")
# Other people's files beside the checkout. Those of which nothing is canonical are frozen by TensorFlow to be asked.
OTHERS = (
    "alphazero19.pb",
    "ataxx_botzero.h5",
    "battlesnake_version0006.h5",
    "c4_iasi_nnplayer.h5",
    "connect4_version0019.h5",
    "connect4_zeta36",
    "tictactoe_two_inputs.h5",
    "ttt_betazero.h5",
    "ttt_manuel.h5",
    "cases/chess_openreper.keras",
    "cases/e_same_width.h5",
    "cases/m_conv1d.h5",
    "cases/q_two_chances.h5",
    "cases/r_three_styles.h5",
    "cases/s_dueling.h5",
    "cases/ttt_levidyrek.h5",
    "cases/ttt_salendron.h5",
    "cases/v_gru.h5",
    "other_frameworks/gomoku_6_6_4.model2",
    "other_frameworks/gomoku_8_8_5.model",
)


class StopError(Exception):
    """What is said is known, and nothing has to be converted."""


class Halting(Workers):
    """Workers of an export that ends where its graph would be frozen: by then it has said all that it says."""

    def tensorflow(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """A result that is StopError."""
        ended: Future[Any] = Future()
        ended.set_exception(StopError())
        return ended


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return list(write_files(tmp_path_factory.mktemp("sixty")))


def say_by_export(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Detection:
    """What an export of the file says, which stops before it converts anything where that needs no TensorFlow."""
    known: list[Detection] = []

    def noted(*arguments: Any, **more: Any) -> Detection:
        known.append(game_of(*arguments, **more))
        return known[-1]

    monkeypatch.setattr(making, "game_of", noted)
    chosen: dict[str, Any] = {"output": folder / "b", "formats": "onnx", "report": False, "count": 20, **options}
    try:
        with Halting() as halting:
            export_checkpoint(path, workers=halting, **chosen)
    except (StopError, AzxError):
        if not known:
            export_checkpoint(path, **chosen)
    return known[0]


def printed(statements: tuple[Statement, ...], capsys: pytest.CaptureFixture[str], *, verbose: bool) -> str:
    with click.Context(click.Command("azx")):
        print_statements(statements, verbose=verbose)
    return capsys.readouterr().out


def check(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inspection:
    """Hold what one file is said to be to the rules."""
    seen = inspect_checkpoint(path)
    told = say_by_export(path, folder, monkeypatch)
    assert statements_of(told) == seen.statements
    assert told.heads == seen.heads
    reading = told.reading.as_data() if told.reading else {"game": None, "encoding": None, "actions": None}
    assert (reading["game"], reading["encoding"], reading["actions"]) == (seen.game, seen.encoding, seen.actions)
    assert [len(each.line.split()) <= LONGEST for each in seen.statements] == [True] * len(seen.statements), (
        seen.statements
    )
    assert {each.about for each in seen.statements} >= {head.source_name for head in seen.heads} | {"board"}
    for each in seen.statements:
        assert each.instead or each.degree is not Degree.ASSUMED, each
    short, long = (printed(seen.statements, capsys, verbose=verbose) for verbose in (False, True))
    doubted = [each for each in seen.statements if each.degree in DOUBTFUL and each.about == "board"]
    assert not any(FIGURE.search(each.sentence) for each in doubted)
    assert all(each.figures not in short and each.figures in long for each in seen.statements if each.figures)
    return seen


@pytest.mark.parametrize("number", few(range(COUNT), 12))
def test_inspect_and_export_say_the_same(
    number: int, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(files[number], tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("name", few(OTHERS, 4))
def test_of_other_peoples_files_too(
    name: str, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(shared_data / name, tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("number", few((0, 6, 11, 15, SEEDED, SEEDED + 4)))
def test_a_clock_that_runs_away_changes_no_word(
    number: int, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine so busy that hours pass between any two looks at a clock the same is said."""
    quiet = inspect_checkpoint(files[number])
    hours = iter(range(0, 1 << 40, 3600))
    for clock in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    busy = inspect_checkpoint(files[number])
    monkeypatch.undo()
    assert next(hours) >= 0
    assert (busy.statements, busy.heads, busy.encoding) == (quiet.statements, quiet.heads, quiet.encoding)
