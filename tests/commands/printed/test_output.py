"""What the commands print with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from azx.commands.printed import output


@dataclass(frozen=True)
class Figure:
    name: str
    error: float
    file: Path


def test_json_holds_dataclasses_paths_and_numpy_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json(
        {"figures": (Figure("value", np.float64(0.5), Path("a/b")),), "shape": np.array([1, 2]), "limit": np.float32(2)}
    )
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "figures": [{"name": "value", "error": 0.5, "file": str(Path("a/b"))}],
        "shape": [1, 2],
        "limit": 2.0,
    }


def test_json_has_null_where_a_figure_is_not_finite(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json([float("nan"), float("inf"), np.float64("nan"), np.array([np.nan, 1.0])])
    assert json.loads(capsys.readouterr().out) == [None, None, None, [None, 1.0]]


def test_a_row_is_one_line_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    output.table(("name", "what"), [("a", "x" * 300)])
    assert any("x" * 300 in row for row in capsys.readouterr().out.splitlines())


def test_a_table_keeps_to_the_width_it_is_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    output.table(("name", "what"), [("a", "word " * 30)])
    printed = capsys.readouterr().out
    assert max(len(row) for row in printed.splitlines()) <= 40
    assert printed.count("word") == 30


def test_brackets_in_a_file_name_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    output.line("[bold]net[/bold] :smile:.h5", good=True)
    assert "[bold]net[/bold] :smile:.h5" in capsys.readouterr().out


def test_marks_are_letters_where_the_signs_cannot_be_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Ascii:
        encoding = "ascii"

    monkeypatch.setattr("sys.stdout", Ascii())
    marks = output.mark(True), output.mark(False)
    monkeypatch.undo()
    assert marks == ("ok", "NO")


def test_progress_is_a_line_a_step_on_standard_error_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with output.progress("Exporting", total=2) as step:
        step("writing ONNX")
        step("writing TFLite")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == ["Exporting 1/2: writing ONNX", "Exporting 2/2: writing TFLite"]


def test_progress_on_a_terminal_is_a_bar_that_names_the_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with output.progress("Exporting", total=2) as step:
        step("writing ONNX")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Exporting: writing ONNX" in printed.err


def test_an_error_passes_through_progress() -> None:
    with pytest.raises(KeyError), output.progress("Exporting", total=1):
        raise KeyError
