"""`azx serve NET.h5`: exported once, proved, kept by checksum, and served."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import h5py
import pytest
from click.testing import CliRunner
from serving import app_of_one_page

from azx.bundle import export
from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.case.keywords import ReadOptions
from azx.bundle.case.settings import Settings, as_settings
from azx.bundle.contents import playable
from azx.cli import cli
from azx.commands.printed import output
from azx.errors import AzxError, ConversionError, NotEqual
from azx.export.checkpoint.read import any_file as reading
from azx.export.checkpoint.read import keras_file
from azx.export.formats.table import Format
from azx.mobile_assets import served
from azx.mobile_assets.served import ServedBundle

Hidden = Callable[..., dict[str, str]]
EQUAL = "equal to the original"


def serve_checkpoint(path: str | Path, **options: Any) -> ServedBundle:
    """The bundle of a checkpoint with the options of the command."""
    reading = {name: options.pop(name) for name in ReadOptions.__annotations__ if name in options}
    return served.serve_checkpoint(Checkpoint(path, **reading), as_settings(**options))


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A built app of one page."""
    folder: Path = app_of_one_page(tmp_path / "app")
    return folder


@contextmanager
def serving(checkpoint: Path, app: Path, folder: Path, **environment: str) -> Iterator[tuple[list[str], str]]:
    """`azx serve CHECKPOINT` in a process of its own: what it printed before the address, and the address."""
    command = [sys.executable, "-m", "azx", "serve", str(checkpoint), "--app", str(app), "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        before: list[str] = []
        for line in process.stdout:
            if line.startswith("Serving at "):
                yield before, line.split()[2]
                return
            before.append(line.strip())
        pytest.fail(f"it ended with {process.wait()}: {process.communicate()[1]}")
    finally:
        process.kill()
        process.communicate()


def fetched(url: str, path: str) -> Any:
    """A JSON file of the server."""
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)) as connection:
        connection.request("GET", f"/azx/{quote(path)}")
        return json.loads(connection.getresponse().read())


@pytest.mark.whole
def test_a_checkpoint_is_exported_and_proved_once_and_then_served_without_tensorflow(
    small_checkpoint: Path, app: Path, tmp_path: Path, without: Hidden
) -> None:
    with serving(small_checkpoint, app, tmp_path) as (said, url):
        assert len(said) == 1
        assert said[0].startswith(f"✓ {small_checkpoint.name}: exported for the browser in ")
        assert said[0].endswith(f", {EQUAL}")
        (entry,) = fetched(url, "index.json")["bundles"]
        assert entry["game"] == "connect4"
        manifest = fetched(url, f"{entry['name']}/manifest.json")
    assert {artifact["format"] for artifact in manifest["artifacts"]} == {"tfjs", "tflite"}
    assert (entry["format"], len([file for file in entry["files"] if file["path"].endswith(".tflite")])) == ("tfjs", 1)
    (folder,) = (tmp_path / "cache" / "azx" / "served").iterdir()
    proof = json.loads((folder / "parity.json").read_text(encoding="utf-8"))
    assert proof["passed"]
    with serving(small_checkpoint, app, tmp_path, **without("tensorflow", "keras", "tf_keras")) as (said, url):
        assert said == [f"✓ {small_checkpoint.name}: exported for the browser before, and kept in the cache, " + EQUAL]
        assert fetched(url, "index.json")["bundles"] == [entry]


def test_a_checkpoint_is_read_once_by_this_process(
    small_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def open_hdf5(path: Path) -> Any:
        read.append(path)
        return own(path)

    own = keras_file.open_hdf5
    monkeypatch.setattr(reading, "open_hdf5", open_hdf5)
    monkeypatch.setattr(served, "cache", lambda: tmp_path / "served")
    assert serve_checkpoint(small_checkpoint).seconds is not None
    assert read == [small_checkpoint]


@pytest.fixture
def exports(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_bundle: Path) -> list[dict[str, Any]]:
    """The exports that are asked for: each writes the small bundle, and takes no time."""
    asked: list[dict[str, Any]] = []

    def write(checkpoint: Checkpoint, settings: Settings, *, output: Path, workers: Any, on_step: Any) -> None:
        asked.append(vars(settings))
        shutil.copytree(small_bundle, output, dirs_exist_ok=True)

    monkeypatch.setattr(export, "export_checkpoint", write)
    monkeypatch.setattr(served, "cache", lambda: tmp_path / "served")
    return asked


def test_the_same_file_and_options_are_exported_once(small_checkpoint: Path, exports: list[Any]) -> None:
    first, second = serve_checkpoint(small_checkpoint), serve_checkpoint(str(small_checkpoint))
    assert (first.folder, first.seconds is None) == (second.folder, False)
    assert second == ServedBundle(first.folder, None)
    assert [asked["formats"] for asked in exports] == [("tfjs", "tflite")]


def test_where_tflite_cannot_be_written_the_page_has_tfjs_alone(
    small_checkpoint: Path, exports: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Format, "unavailable", lambda self: "not here" if self.name == "tflite" else None)
    serve_checkpoint(small_checkpoint)
    assert [asked["formats"] for asked in exports] == [("tfjs",)]


@pytest.mark.parametrize("error", [ConversionError("no such operator"), NotEqual("another value")])
def test_where_tflite_refuses_the_network_or_errs_the_page_has_tfjs_alone(
    error: AzxError, small_checkpoint: Path, exports: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = export.export_checkpoint

    def refusing(checkpoint: Checkpoint, settings: Settings, **options: Any) -> None:
        write(checkpoint, settings, **options)
        if "tflite" in settings.formats:
            raise error

    monkeypatch.setattr(export, "export_checkpoint", refusing)
    assert serve_checkpoint(small_checkpoint).seconds is not None
    assert [asked["formats"] for asked in exports] == [("tfjs", "tflite"), ("tfjs",)]


def test_a_copy_is_the_same_network_and_other_weights_or_options_are_another(
    small_checkpoint: Path, exports: list[Any], tmp_path: Path
) -> None:
    copy = Path(shutil.copy(small_checkpoint, tmp_path / small_checkpoint.name))
    first = serve_checkpoint(small_checkpoint).folder
    assert serve_checkpoint(copy).folder == first
    assert serve_checkpoint(copy, game="none").folder != first
    with h5py.File(copy, "r+") as file:
        file["model_weights"].attrs["note"] = "changed"
    assert serve_checkpoint(copy).folder != first
    assert len(exports) == 3


def test_an_encoding_counts_by_what_it_says(small_checkpoint: Path, exports: list[Any], tmp_path: Path) -> None:
    encoding = tmp_path / "encoding.json"
    encoding.write_text("{}", encoding="utf-8")
    first = serve_checkpoint(small_checkpoint, encoding=encoding).folder
    encoding.write_text('{"planes": []}', encoding="utf-8")
    assert serve_checkpoint(small_checkpoint, encoding=encoding).folder != first


def test_a_damaged_bundle_in_the_cache_is_made_again(small_checkpoint: Path, exports: list[Any]) -> None:
    golden = serve_checkpoint(small_checkpoint).folder / "golden.json"
    golden.write_text("{}", encoding="utf-8")
    assert serve_checkpoint(small_checkpoint).seconds is not None
    assert golden.stat().st_size > 2
    assert len(exports) == 2


def test_the_cache_keeps_what_was_used_last(
    small_checkpoint: Path, exports: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "KEPT", 2)
    made = [serve_checkpoint(small_checkpoint, board=(6, 7), value_head=name).folder for name in ("a", "b")]
    for age, folder in enumerate(made):
        os.utime(folder, (age, age))
    assert serve_checkpoint(small_checkpoint, board=(6, 7), value_head="a").seconds is None
    last = serve_checkpoint(small_checkpoint, board=(6, 7), value_head="c").folder
    assert sorted(made[0].parent.iterdir()) == sorted([made[0], last])


def test_options_of_a_checkpoint_beside_bundles_alone_are_refused(small_bundle: Path, app: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", str(small_bundle), "--app", str(app), "--game", "connect4"])
    assert done.exit_code == 2
    assert "--game is for a checkpoint, and none is given" in done.stderr


def test_a_page_counts_no_steps_of_an_export_whose_number_is_unknown(
    small_checkpoint: Path, exports: list[Any], app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals: list[int | None] = []
    shown = output.progress

    def progress(title: str, total: int | None = None) -> AbstractContextManager[Any]:
        totals.append(total)
        return shown(title, total)

    monkeypatch.setattr(output, "progress", progress)
    words = [str(small_checkpoint), "--app", str(app), "-o", str(tmp_path / "site")]
    for precision in ("auto", "fp32"):
        CliRunner().invoke(cli, ["page", *words, "--precision", precision])
    assert [total is None for total in totals] == [True, False]


def test_a_network_without_a_known_game_is_named_with_what_to_do(
    small_checkpoint: Path, exports: list[Any], app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playable, "why_not", lambda _: [playable.problem("no_game")])
    done = CliRunner().invoke(cli, ["page", str(small_checkpoint), "--app", str(app)])
    assert done.exit_code == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith(f"Error: '{small_checkpoint}' cannot be played: it has no known game")
    assert f"azx describe {small_checkpoint}" in said


def test_without_the_page_nothing_is_exported_first(small_checkpoint: Path, exports: list[Any], tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", str(small_checkpoint), "--app", str(tmp_path)])
    assert done.exit_code == 1
    assert "holds no index.html" in done.stderr
    assert exports == []


def test_what_is_no_checkpoint_is_one_sentence(app: Path, tmp_path: Path) -> None:
    (tmp_path / "net.h5").write_text("no HDF5", encoding="utf-8")
    done = CliRunner().invoke(cli, ["serve", str(tmp_path / "net.h5"), "--app", str(app)])
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith(f"Error: '{tmp_path / 'net.h5'}' is not an HDF5 file")
