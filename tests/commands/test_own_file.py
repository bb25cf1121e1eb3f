"""azx.toml, `azx help`, `azx completion`, and `azx inspect` of several files."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from azx.cli import COMMANDS, cli
from azx.commands.completion import BEGIN, script_place, zshrc
from azx.commands.options.own_file import defaults_of, find_own_file, read_own_file
from azx.commands.printed.manual import manual_pages
from azx.errors import AzxError

Azx = Callable[..., subprocess.CompletedProcess[str]]


def test_the_file_is_found_in_a_folder_above(tmp_path: Path) -> None:
    inner = tmp_path / "runs" / "first"
    inner.mkdir(parents=True)
    (tmp_path / "azx.toml").write_text("[games]\n")
    assert find_own_file(inner) == tmp_path / "azx.toml"
    (inner / "azx.toml").write_text("[games]\n")
    assert find_own_file(inner) == inner / "azx.toml"


def test_it_gives_a_command_its_defaults_and_what_is_typed_comes_first(azx: Azx, tmp_path: Path) -> None:
    (tmp_path / "azx.toml").write_text('[export]\nformat = "onnx"\npositions = 20\noutput = "own"\n')
    done = azx("export", "tictactoe")
    assert done.returncode == 0, done.stderr
    assert "With the options of" in done.stderr
    manifest = json.loads((tmp_path / "own/manifest.json").read_text())
    assert [artifact["format"] for artifact in manifest["artifacts"]] == ["onnx"]
    assert azx("export", "tictactoe", "--format", "pb", "--output", "typed").returncode == 0
    manifest = json.loads((tmp_path / "typed/manifest.json").read_text())
    assert [artifact["format"] for artifact in manifest["artifacts"]] == ["pb"]
    assert "With the options of" not in azx("--no-config", "games").stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[exprot]\n", "'exprot', which is no command (did you mean 'export'?)"),
        ('[inspect]\ngaem = "go"\n', "--gaem, an option that `azx inspect` does not have (did you mean '--game'?)"),
        ("[inspect]\nallow-code = true\n", "that option must be typed"),
        ('[inspect]\nbuilder = "mine:build"\n', "that option must be typed"),
        ('[inspect]\nverbose = "yes"\n', "--verbose of `azx inspect` is true or false"),
        ('[inspect]\ngame = ["go", "hex"]\n', "--game of `azx inspect` takes one value"),
        ("[inspect\n", "is not TOML"),
        ("inspect = 3\n", "must be a table of options, as [inspect]"),
    ],
)
def test_what_is_wrong_with_it_is_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "azx.toml"
    path.write_text(text)
    with pytest.raises(AzxError) as refused:
        defaults_of(COMMANDS["inspect"].load(), read_own_file(path, COMMANDS).get("inspect", {}), path)
    assert said in str(refused.value)


def test_no_option_that_runs_code_comes_from_the_file(azx: Azx, tmp_path: Path) -> None:
    (tmp_path / "azx.toml").write_text("[export]\nallow-code = true\n")
    done = azx("export", "tictactoe")
    assert done.returncode == 1
    assert "must be typed" in done.stderr
    assert azx("--no-config", "export", "tictactoe", "--format", "onnx", "--positions", "20").returncode == 0


def test_help_shows_what_the_command_says_of_itself(azx: Azx) -> None:
    assert azx("help", "games").stdout == azx("games", "--help").stdout
    assert azx("help").stdout.split() == azx("--help").stdout.split()
    unknown = azx("help", "exprot")
    assert unknown.returncode == 2
    assert "did you mean 'export'?" in unknown.stderr


def test_each_command_has_a_manual_page_with_every_option(azx: Azx, tmp_path: Path) -> None:
    assert azx("help", "--man", "man").returncode == 0
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "man").iterdir()}
    assert written == manual_pages(cli)
    assert set(written) == {"azx.1", *(f"azx-{name}.1" for name in COMMANDS)}
    assert {name for name, page in written.items() if ".B \\-h, \\-\\-help\n" not in page} == set()
    for name in COMMANDS:
        options = [each for each in COMMANDS[name].load().params if isinstance(each, click.Option) and not each.hidden]
        missing = [each.opts[0] for each in options if each.opts[0].replace("-", "\\-") not in written[f"azx-{name}.1"]]
        assert missing == []
    if shutil.which("man"):
        shown = subprocess.run(
            ["man", "--warnings", "-l", str(tmp_path / "man/azx-export.1")], capture_output=True, text=True, check=True
        )
        assert "azx-export - " in shown.stdout
        assert shown.stderr == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_once_and_removed(
    shell: str, azx: Azx, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    zshrc().write_text("alias ll='ls -l'")
    for _ in range(2):
        assert azx("completion", shell).returncode == 0
    assert "_AZX_COMPLETE" in script_place(shell).read_text()
    assert zshrc().read_text().count(BEGIN) == (shell == "zsh")
    assert azx("completion", shell, "--remove").returncode == 0
    assert not script_place(shell).exists()
    assert zshrc().read_text().rstrip() == "alias ll='ls -l'"
    assert azx("completion", shell, "--print").stdout.count("_AZX_COMPLETE") > 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_takes_the_script(azx: Azx) -> None:
    script = azx("completion", "bash", "--print").stdout
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_several_files_are_inspected_and_one_that_cannot_be_read_stops_none(azx: Azx) -> None:
    done = azx("inspect", "tictactoe", "hex", "--json")
    assert [found["game"] for found in json.loads(done.stdout)] == ["tictactoe", "hex"]
    done = azx("inspect", "tictactoe", "missing.h5", "hex")
    assert done.returncode == 1
    assert done.stdout.count("parameters") >= 2
    assert "1 of 3 files could not be read as networks: missing.h5" in done.stderr
    failed = json.loads(azx("inspect", "tictactoe", "missing.h5", "--json").stdout)
    assert failed["exit_code"] == 1
    assert failed["files"][0]["game"] == "tictactoe"
    assert "There is no checkpoint at 'missing.h5'" in failed["files"][1]["error"]
