"""The frame of the command line: help without imports, errors as one sentence, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from azx import cli as cli_module
from azx.cli import COMMANDS, SECTIONS, LazyCommand, _describe_missing, cli
from azx.commands.cli_reference import reference
from azx.commands.options import grouped
from azx.errors import CheckpointError, NotEqual
from azx.system.installed import of_azx, quote

HEAVY = {
    "tensorflow",
    "keras",
    "tf_keras",
    "coremltools",
    "onnx",
    "onnxruntime",
    "tf2onnx",
    "tensorflowjs",
    "pydantic",
}


def modules_after(arguments: list[str], folder: Path) -> set[str]:
    """Names of all modules that a fresh Python holds after `azx ARGUMENTS`."""
    code = f"""
import json, sys
from azx.cli import cli
try:
    cli({arguments!r})
except SystemExit as end:
    assert not end.code, end.code
print("\\n" + json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> dict[str, BaseException]:
    """A command `broken` that raises what the test puts under "error"."""
    raised: dict[str, BaseException] = {}

    @click.command("broken")
    @click.option("--json", is_flag=True)
    def command(json: bool) -> None:
        raise raised["error"]

    monkeypatch.setitem(COMMANDS, "broken", LazyCommand("azx.commands.broken:broken", "Fail."))
    monkeypatch.setattr(LazyCommand, "load", lambda self: command)
    monkeypatch.delenv("AZX_DEBUG", raising=False)
    return raised


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.mark.smoke
def test_help_imports_no_command_and_nothing_heavy(tmp_path: Path) -> None:
    loaded = modules_after(["--help"], tmp_path)
    assert "azx.cli" in loaded
    assert {name.split(".")[0] for name in loaded} & (HEAVY | {"numpy", "h5py", "rich", "loky"}) == set()
    assert not {name for name in loaded if name.startswith(("azx.commands.", "azx.validate", "azx.games"))}


@pytest.mark.smoke
def test_inspect_loads_no_tensorflow(tmp_path: Path) -> None:
    loaded = modules_after(["inspect", "connect4"], tmp_path)
    assert "h5py" in loaded
    assert {name.split(".")[0] for name in loaded} & HEAVY == set()


@pytest.mark.smoke
def test_doctor_imports_no_converter_and_no_runtime(tmp_path: Path) -> None:
    loaded = modules_after(["doctor"], tmp_path)
    assert {name.split(".")[0] for name in loaded} & (HEAVY | {"numpy", "ai_edge_litert"}) == set()


# What they load besides Python's own modules and azx (`git show af0e0bdb:benchmarks/light_commands.py` timed them).
LIGHT = {
    "--help": {"click"},
    "games": {"click", "numpy", "rich"},
    "inspect": {"click", "h5py", "cython_runtime", "numpy", "rich", "threadpoolctl"},
}


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["inspect", "dots_and_boxes"]], ids=" ".join)
def test_the_light_commands_load_no_other_packages_and_less_than_half_of_azx(
    arguments: list[str], repository: Path, tmp_path: Path
) -> None:
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    loaded = modules_after(arguments, tmp_path)
    # What the environment loads into each Python, as an editable install does, is not the command's.
    packages = {name.split(".")[0] for name in loaded - set(bare.stdout.split())} - set(sys.stdlib_module_names)
    assert {name for name in packages if not name.startswith("_")} == LIGHT[arguments[0]] | {"azx"}
    config = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf8"))
    rooms = [repository.joinpath(*room.split(".")[1:]) for room in config["tool"]["setuptools"]["packages"]]
    whole = sum(len(list(room.glob("*.py"))) for room in rooms)
    assert sum(name.split(".")[0] == "azx" for name in loaded) < whole / 2


@pytest.mark.smoke
def test_the_version_is_printed() -> None:
    result = run("--version")
    assert (result.exit_code, result.output.split()[0]) == (0, "azx")


def test_help_lists_each_command_with_its_line() -> None:
    output = run("--help").output
    for name, entry in COMMANDS.items():
        assert name in output
        assert entry.help in output


@pytest.mark.smoke
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_every_option_too(name: str) -> None:
    command = COMMANDS[name].load()
    assert command.name == name
    assert command.help
    assert [option.name for option in command.params if isinstance(option, click.Option) and not option.help] == []


def test_each_command_is_in_one_section_of_the_help() -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)
    headings = [line.rstrip(":") for line in run("--help").output.splitlines() if line.endswith(":")]
    assert headings == ["Options", *SECTIONS]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_lists_every_option_once_and_in_sections(name: str) -> None:
    lines = run(name, "--help").output.splitlines()
    flags = [line.split()[0].rstrip(",") for line in lines if re.match(r"  --?[a-z]", line)]
    options = [param for param in COMMANDS[name].load().params if isinstance(param, click.Option)]
    assert sorted(flags) == sorted(["-h", *(next(flag for flag in (*param.opts,)) for param in options)])
    headings = [line.rstrip(":") for line in lines if re.fullmatch(r"[A-Z][A-Za-z ]+:", line)]
    assert headings == [section for section in grouped.SECTIONS if section in headings] or headings == ["Options"]
    assert len(headings) > 1 or len(options) < 6


def test_what_is_used_every_day_stands_first() -> None:
    output = run("export", "--help").output
    places = [output.index(f"\n{section}:") for section in grouped.SECTIONS if section != grouped.MATCH]
    assert places == sorted(places)
    assert output.index("--output") < places[1] < output.index("--game ") < places[2]
    assert "Games between networks:\n  --match" in run("sweep", "--help").output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_print_json(name: str) -> None:
    assert "--json" in {flag for param in COMMANDS[name].load().params for flag in param.opts}


def test_an_unknown_command_suggests_the_nearest() -> None:
    result = run("exprot")
    assert result.exit_code == 2
    assert "There is no command 'exprot': did you mean 'export'?" in result.output


def test_a_command_like_no_other_lists_them_all() -> None:
    result = run("zzzz")
    assert result.exit_code == 2
    assert f"the commands are {', '.join(COMMANDS)}." in result.output


def test_an_unknown_option_is_wrong_usage() -> None:
    assert run("--no-such-option").exit_code == 2


@pytest.mark.parametrize(
    ("error", "sentence", "code"),
    [
        (CheckpointError("a.h5 is empty: export it again."), "Error: a.h5 is empty: export it again.\n", 1),
        (CheckpointError("'a\x1b[2J\x07é.h5' is empty."), "Error: 'a\\x1b[2J\\x07é.h5' is empty.\n", 1),
        (NotEqual("value_head of a.onnx is off."), "Error: value_head of a.onnx is off.\n", 3),
        (KeyboardInterrupt(), "Interrupted.\n", 130),
        (click.Abort(), "Interrupted.\n", 130),
        (OSError(28, "No space left on device", "a.pb"), "Error: No space left on device: 'a.pb'.\n", 1),
        (
            ValueError("bad\nand more"),
            "Error: unexpected error (ValueError: bad); set AZX_DEBUG=1 for the traceback.\n",
            1,
        ),
        (RuntimeError(), "Error: unexpected error (RuntimeError); set AZX_DEBUG=1 for the traceback.\n", 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_an_exception_becomes_one_sentence_and_an_exit_code(
    broken: dict[str, BaseException], error: BaseException, sentence: str, code: int
) -> None:
    broken["error"] = error
    result = run("broken")
    assert (result.exit_code, result.stderr, result.stdout) == (code, sentence, "")


def test_with_json_an_error_is_json_too_with_what_was_found_before(broken: dict[str, BaseException]) -> None:
    error = NotEqual("value_head of a.onnx is off.")
    error.report = {"passed": False}
    broken["error"] = error
    result = run("broken", "--json")
    assert (result.exit_code, result.stderr) == (3, "Error: value_head of a.onnx is off.\n")
    assert json.loads(result.stdout) == {"passed": False, "error": "value_head of a.onnx is off.", "exit_code": 3}
    broken["error"] = ValueError("bad")
    assert json.loads(run("broken", "--json").stdout)["exit_code"] == 1


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (["inspect", "nowhere.h5"], "nowhere.h5", 1),
        (["validate", "nowhere"], "nowhere", 1),
        (["doctor", "--nothing"], "No such option", 2),
        (["exprot"], "did you mean 'export'", 2),
    ],
)
def test_errors_of_the_commands_are_json(arguments: list[str], told: str, code: int) -> None:
    result = run(*arguments, "--json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["exit_code"]) == (code, code)
    assert told in found["error"]


@pytest.mark.parametrize("command", ["export", "inspect", "play", "match"])
def test_a_game_that_there_is_not_is_refused_before_work_starts(command: str) -> None:
    result = run(command, "nowhere.h5", "--game", "connect3")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: game 'connect3' is unknown: did you mean connect4?")


@pytest.mark.parametrize("error", [CheckpointError("Told."), ValueError("Untold.")], ids=["told", "untold"])
def test_the_traceback_is_shown_when_asked_for(
    broken: dict[str, BaseException], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    broken["error"] = error
    monkeypatch.setenv("AZX_DEBUG", "1")
    result = run("broken")
    assert result.exit_code == 1
    assert "Traceback (most recent call last)" in result.stderr


def test_a_reader_that_leaves_early_is_met_with_silence(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "azx", "doctor"], stdout=write, stderr=subprocess.PIPE, text=True, cwd=tmp_path
        )
    finally:
        os.close(write)
    assert done.stderr == ""


def test_a_file_name_that_the_terminal_cannot_show_is_printed_escaped(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "azx", "doctor"], capture_output=True, cwd=tmp_path, env=environment, check=True
    )
    assert done.stdout.isascii()


def test_the_table_of_commands_is_the_folder_of_commands() -> None:
    folder = Path(cli_module.__file__).parent / "commands"
    assert {file.stem for file in folder.glob("*.py")} - {"__init__", "cli_reference"} == set(COMMANDS)


def test_the_command_reference_is_up_to_date(repository: Path) -> None:
    written = (repository / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == reference(), "docs/cli.md differs from the commands: run `make docs`"


def test_a_missing_backend_of_keras_is_installed_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = ModuleNotFoundError("No module named 'somebackend'", name="somebackend")
    monkeypatch.setenv("KERAS_BACKEND", "somebackend")
    assert _describe_missing(lacking, "train") == (
        "`azx train` cannot run: somebackend is not installed: pip install somebackend."
    )
    monkeypatch.delenv("KERAS_BACKEND")
    assert str(_describe_missing(lacking, "train")).endswith(f"pip install {quote(of_azx('train'))}.")
