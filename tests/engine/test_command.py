"""`azx engine` as a board program starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from azx.cli import cli

AZX = (sys.executable, "-P", "-m", "azx", "engine")


# What Sabaki's own library sent to an engine: syncing, analysing, going back, stones of one colour, a handicap.
LOG = Path(__file__).with_name("sabaki.gtp").read_text(encoding="utf8")


@pytest.fixture(scope="module")
def spoken() -> subprocess.CompletedProcess[str]:
    """That session, from the command's start to its end."""
    command = [*AZX, "go", "--simulations", "6", "--json"]
    return subprocess.run(command, input=LOG, capture_output=True, text=True, check=False, timeout=300)


def test_a_session_of_sabaki_is_answered_command_by_command(spoken: subprocess.CompletedProcess[str]) -> None:
    assert spoken.returncode == 0, spoken.stderr
    answers = dict(zip(LOG.splitlines(), spoken.stdout.split("\n\n"), strict=False))
    assert spoken.stdout.count("\n\n") == len(LOG.splitlines())
    assert answers["name"] == "= azx"
    assert answers["kata-analyze B 50"].startswith("=\ninfo move ")
    assert "\nplay " in answers["kata-genmove_analyze W 50"]
    assert answers["final_score"].startswith(("= B+", "= W+"))


def test_standard_output_has_the_protocol_alone(spoken: subprocess.CompletedProcess[str]) -> None:
    answers = spoken.stdout.split("\n\n")
    assert answers[-1] == ""
    assert all(answer[0] == "=" for answer in answers[:-1])
    told = json.loads(spoken.stderr.splitlines()[-1])
    assert (told["game"], told["protocol"], told["settings"]["size"]) == ("go", "gtp", 9)


def test_wrong_usage_is_a_sentence() -> None:
    for words, sentence in (
        (["engine"], "Name a network, or a game"),
        (["engine", "go", "--level", "9"], "there is no level '9'"),
        (["engine", "none.h5"], "none.h5"),
    ):
        result = CliRunner().invoke(cli, words)
        assert result.exit_code in (1, 2)
        assert sentence in result.output
        assert "Traceback" not in result.output


def test_a_protocol_of_another_game_is_refused() -> None:
    said = subprocess.run(
        [*AZX, "tictactoe", "--protocol", "gtp"], input="", capture_output=True, text=True, check=False, timeout=300
    )
    assert said.returncode == 1
    assert "protocol gtp is not spoken for tictactoe: use ugi" in said.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not tell whether a pipe has a reader")
def test_a_reader_that_goes_while_the_network_loads_ends_the_engine() -> None:
    code = (
        "import time, azx.play.network as network; network.open_network = lambda *_, **__: time.sleep(3600); "
        "from azx.cli import cli; cli(['engine', 'go'])"
    )
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        try:
            assert process.wait(120) == 0
        finally:
            process.kill()
