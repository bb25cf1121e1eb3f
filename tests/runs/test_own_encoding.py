"""A network of `azx train` states its encoding in its own file, so a copy outside the run's folder is read alike."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import h5py
import pytest

from azx import inspect_checkpoint
from azx.errors import GameError
from azx.export.checkpoint.located import FOLDER as CHECKPOINTS
from azx.export.checkpoint.own_encoding import ENCODED
from azx.export.checkpoint.read import read_checkpoint
from azx.export.checkpoint.run_folder import ENCODING
from azx.learning import networks
from azx.play.network import open_network
from azx.runs.run import begin_run, description_of

SAYS = "Said: by the file itself."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained Hex network outside its run's folder; its planes alone do not tell the game."""
    place = tmp_path_factory.mktemp("copied")
    run = begin_run(place / "run", "hex", {"size": 5}, {"net": "1x4"}, 0, None)
    model = networks.build(networks.Design.read("1x4"), run.reading)
    networks.save(model, run.checkpoint(1), description_of(run.reading))
    assert stated_in(run.checkpoint(1)) == json.loads((run.folder / ENCODING).read_text())
    return Path(shutil.copy(run.checkpoint(1), place / "mine.h5"))


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "mine.h5"))


def stated_in(path: Path) -> dict[str, Any]:
    encoding: dict[str, Any] = json.loads(read_checkpoint(path).source.encoding)
    return encoding


def restate(path: Path, text: str) -> None:
    with h5py.File(path, "r+") as file:
        file.attrs[ENCODED] = text


def test_a_copied_network_is_read_as_its_file_says(copied: Path) -> None:
    for game in (None, "hex"):
        found = inspect_checkpoint(copied, game=game)
        assert found.encoding is not None
        assert found.encoding["turned"] is True
        assert SAYS in [each.line for each in found.statements]
        with open_network(copied, game=game) as network:
            assert network.reading.game.name == "hex"
            assert network.reading.encoding.turned


def test_the_shipped_network_that_states_its_encoding_is_known_for_certain() -> None:
    certain = "Certain: the network that azx ships."
    found, stated = inspect_checkpoint("hex"), stated_in(CHECKPOINTS / "hex.h5")
    assert (found.game, found.fallback) == ("hex", None)
    assert found.encoding is not None
    assert found.encoding["turned"] is stated["turned"] is True
    assert found.encoding["planes"] == stated["planes"]
    assert certain in [each.line for each in found.statements]
    with open_network("hex") as network:
        assert network.reading.statement is not None
        assert network.reading.statement.line == certain


def test_without_the_statement_nothing_tells_the_game(copied: Path) -> None:
    with h5py.File(copied, "r+") as file:
        del file.attrs[ENCODED]
    assert read_checkpoint(copied).source.encoding == ""
    assert inspect_checkpoint(copied).game is None
    with pytest.raises(GameError, match="but not its planes"):
        open_network(copied).__enter__()


def test_the_statement_goes_with_a_bundle(azx: Callable[..., CompletedProcess[str]], copied: Path) -> None:
    done = azx("export", str(copied), "--format", "onnx", "--positions", "20", "-o", "bundle")
    assert done.returncode == 0, done.stderr
    assert SAYS in done.stdout
    played = azx("match", "bundle", str(copied), "--games", "2", "--simulations", "2", "--json")
    assert played.returncode == 0, played.stderr


@pytest.mark.parametrize(
    "text",
    ["{", "[" * 100_000, '"hex"', "{}", '{"game": "chess"}', '{"game": "hex", "layout": "flat"}'],
    ids=["no JSON", "too deep", "a text", "empty", "an unknown game", "half"],
)
def test_a_wrong_statement_is_refused_and_the_user_may_say_more(copied: Path, tmp_path: Path, text: str) -> None:
    right = read_checkpoint(copied).source.encoding
    restate(copied, text)
    with pytest.raises(GameError, match=r"'azx_encoding' does not say .*: choose with --encoding or --game\.") as error:
        inspect_checkpoint(copied)
    assert "\n" not in str(error.value)
    with pytest.raises(GameError, match="does not say"):
        open_network(copied).__enter__()
    (tmp_path / "encoding.json").write_text(right)
    found = inspect_checkpoint(copied, encoding=tmp_path / "encoding.json")
    assert found.encoding is not None
    assert found.encoding["turned"] is True
    # By the game's name alone azx knows no such planes, and says so instead.
    with pytest.raises(GameError, match="Hex networks take"):
        inspect_checkpoint(copied, game="hex")


def test_a_statement_may_not_order_the_outcomes_of_a_value_that_has_none(copied: Path) -> None:
    restate(copied, json.dumps({**stated_in(copied), "value_order": ["win", "draw", "loss"]}))
    with pytest.raises(GameError, match=r"'azx_encoding' does not say .* choose with --encoding or --game\.$"):
        inspect_checkpoint(copied)


def test_a_statement_of_another_game_does_not_outweigh_the_user(copied: Path) -> None:
    with pytest.raises(GameError, match="Gomoku networks take"):
        inspect_checkpoint(copied, game="gomoku")
