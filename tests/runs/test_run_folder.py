"""What a run's folder tells every command: how its networks read the board, and which of them is the best."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from azx import inspect_checkpoint
from azx.bundle.inspect import Inspection
from azx.cluster.players import _contents
from azx.errors import AzxError
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.run_folder import ENCODING, PROGRESS, RUN
from azx.learning import networks
from azx.match.players import Net
from azx.play.network import open_network
from azx.runs.run import begin_run
from azx.sweeps.on_cluster import _files_of
from azx.sweeps.sources import find
from azx.sweeps.watch.files import copy_checkpoint, mark_of

OTHER_PLANES = ["opponent", "mover"]
SAYS = "Said: by the run's encoding.json."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of untrained networks, of which the second is the best; it reads the planes in an unusual order."""
    run = begin_run(tmp_path_factory.mktemp("runs") / "first", "connect4", {}, {"net": "1x4"}, 0, None)
    model = networks.build(networks.Design.read("1x4"), run.reading)
    for number in (1, 2, 3):
        networks.save(model, run.checkpoint(number))
    lines = [{"generation": number, "best": number < 3} for number in (1, 2, 3)]
    (run.folder / PROGRESS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    described = json.loads((run.folder / ENCODING).read_text())
    assert described["planes"] == OTHER_PLANES[::-1]
    (run.folder / ENCODING).write_text(json.dumps({**described, "planes": OTHER_PLANES}))
    return run.folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "first")


def planes(data: Any) -> Any:
    return data["planes"]


def says(found: Inspection) -> bool:
    """Whether the reading is said to come from the run."""
    return SAYS in [each.line for each in found.statements]


def test_a_checkpoint_of_a_run_is_read_as_the_run_says(run: Path) -> None:
    found = inspect_checkpoint(run / "gen0001.h5")
    assert found.encoding is not None
    assert planes(found.encoding) == OTHER_PLANES
    assert says(found)
    with open_network(run / "gen0001.h5") as network:
        assert list(network.reading.encoding.planes) == OTHER_PLANES
        assert network.reading.statement is not None
        assert network.reading.statement.line == SAYS


def test_what_the_user_says_comes_first(run: Path) -> None:
    way = Path("connect4-mover-opponent")
    for found in (
        inspect_checkpoint(run / "gen0001.h5", encoding=way),
        inspect_checkpoint(run / "gen0001.h5", game="connect4"),
    ):
        assert not says(found)
    with open_network(run / "gen0001.h5", encoding=way) as network:
        assert list(network.reading.encoding.planes) == OTHER_PLANES[::-1]


def test_the_folder_of_a_run_is_its_best_network(run: Path) -> None:
    assert find_checkpoint(run) == run / "gen0002.h5"
    assert inspect_checkpoint(run).file == str(run / "gen0002.h5")
    with open_network(run) as network:
        assert network.reading.game.name == "connect4"


def test_the_commands_take_a_run(azx: Callable[..., CompletedProcess[str]], run: Path, tmp_path: Path) -> None:
    seen = azx("inspect", "first")
    assert SAYS in seen.stdout
    done = azx("export", "first", "--format", "onnx", "--positions", "20")
    assert done.returncode == 0, done.stderr
    assert SAYS in done.stdout
    manifest = json.loads((tmp_path / "bundles" / "first-gen0002" / "manifest.json").read_text())
    assert planes(manifest["encoding"]) == OTHER_PLANES
    proved = azx("validate", "bundles/first-gen0002", "--against", "first")
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "choice of the exporter" not in proved.stdout
    matched = azx("match", "first", "first/gen0001.h5", "--games", "2", "--simulations", "2", "--json")
    assert matched.returncode == 0, matched.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "encoding.json' cannot be read as JSON"),
        ("{", "encoding.json' cannot be read as JSON"),
        ("[" * 100_000, "encoding.json' cannot be read as JSON"),
        ("7" + " " * (2 << 20), "azx reads up to 1 MiB"),
        ("[]", "encoding.json': "),
        ('{"game": "go"}', "encoding.json': "),
        ('{"game": "connect4", "layout": "channels_last", "board": [6, 7], "planes": ["mover"]}', "encoding.json': "),
        ('{"game": "connect4", "layout": "channels_last", "board": [1e9, 7], "planes": ["mover"]}', "encoding.json': "),
        (None, "is missing: restore it, or choose with --encoding or --game."),
    ],
)
def test_a_damaged_encoding_is_a_sentence_and_no_guess(text: str | None, said: str, run: Path) -> None:
    (run / ENCODING).unlink()
    if text is not None:
        (run / ENCODING).write_text(text)
    for read in (lambda: inspect_checkpoint(run / "gen0001.h5"), lambda: open_network(run / "gen0001.h5").__enter__()):
        with pytest.raises(AzxError) as error:
            read()
        assert said in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes")
def test_a_pipe_in_place_of_the_encoding_is_not_waited_for(run: Path) -> None:
    (run / ENCODING).unlink()
    os.mkfifo(run / ENCODING)
    with pytest.raises(AzxError, match="it is a pipe"):
        inspect_checkpoint(run / "gen0001.h5")


@pytest.mark.parametrize("text", ["", "[]", '{"name": "mine"}', "[" * 100_000])
def test_a_run_of_another_program_is_none_of_azx(text: str, run: Path) -> None:
    (run / RUN).write_text(text)
    assert not says(inspect_checkpoint(run / "gen0001.h5"))
    assert find_checkpoint(run) == run


@pytest.mark.parametrize(
    ("progress", "said"),
    [
        (None, "is a run without a finished generation"),
        ('{"generation": 1, "best": false}\n', "is a run without a finished generation"),
        ('{"generation": true, "best": true}\n[7]\n{"gen', "is a run without a finished generation"),
        ('{"generation": 9, "best": true}\n', "gen0009.h5', the best network of the run, is not there"),
    ],
)
def test_a_run_without_a_best_network_says_so(progress: str | None, said: str, run: Path) -> None:
    (run / PROGRESS).unlink()
    if progress is not None:
        (run / PROGRESS).write_text(progress)
    with pytest.raises(AzxError, match=said):
        find_checkpoint(run)


def test_what_goes_elsewhere_takes_the_encoding_along(run: Path, tmp_path: Path) -> None:
    """A watch reads a copy, a cluster's workers what is sent to them."""
    path, place = run / "gen0001.h5", tmp_path / "copy"
    place.mkdir()
    mark = mark_of(path)
    assert mark is not None
    copy = copy_checkpoint(path, mark, place)
    assert copy is not None
    assert planes(inspect_checkpoint(copy).encoding) == OTHER_PLANES
    assert set(_files_of(path)) == {"gen0001.h5", RUN, ENCODING}
    sent = _contents(Net(str(path), None, None, "none", 0))["net"][1]
    assert all(name.encode() in sent for name in (RUN, ENCODING))


def test_a_sweep_leaves_alone_what_is_being_written(run: Path) -> None:
    shutil.copy(run / "gen0001.h5", run / ".gen0004.part.h5")
    assert [item.name for item in find([run])] == ["gen0001", "gen0002", "gen0003"]
