"""Each verb that takes a checkpoint, typed with each kind of file of another framework."""

from __future__ import annotations

import json
import subprocess
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from foreign_kinds import KINDS
from serving import app_of_one_page

import azx
from azx.cli import cli

Azx = Callable[..., subprocess.CompletedProcess[str]]
READ_ALONE = [name for name, kind in KINDS.items() if not kind.needs]
FEW = ("--positions", "32")

pytestmark = pytest.mark.whole


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Type a command in an empty folder, with a cache of its own; what it prints, if it succeeds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*words: object) -> str:
        done = CliRunner().invoke(cli, [str(word) for word in words])
        assert done.exit_code == 0, (words, done.output)
        return done.stdout

    return run


def bundle_in(folder: Path) -> Path:
    """The only bundle of a sweep or a watch."""
    (manifest,) = folder.glob("*/manifest.json")
    return manifest.parent


@pytest.mark.parametrize("name", READ_ALONE)
def test_every_verb_takes_a_file_of_this_kind(name: str, tmp_path: Path, typed: Callable[..., str], azx: Azx) -> None:
    kind = KINDS[name]
    (tmp_path / "nets").mkdir()
    net, told, architecture = kind.write(tmp_path / "nets"), kind.told(tmp_path), kind.options

    assert json.loads(typed("inspect", net, *told, "--json"))
    # In five formats each kind is exported by tests of its reader; the page and `play` need these two.
    typed("export", net, *told, *FEW, "-o", "bundle", "--format", "onnx", "--format", "tfjs")
    assert len(json.loads((tmp_path / "bundle/manifest.json").read_text())["artifacts"]) == 2
    typed("validate", "bundle")
    typed("validate", "bundle", "--against", net, *architecture, *FEW)
    typed("report", "bundle", "-o", "report.html")
    typed("install", "bundle", app_of_one_page(tmp_path / "site"))
    typed("bench", "bundle", "--rounds", "1", "--simulations", "0", "--format", "onnx")

    typed("sweep", net, *told, *FEW, "--format", "onnx", "-o", "swept")
    # SuperGo's training writes the three files of each network into one folder.
    watched = net if name == "SuperGo's folder" else "nets"
    typed("watch", watched, "--once", *told, *FEW, "--format", "onnx", "-o", "watched")
    assert bundle_in(tmp_path / "watched").name == bundle_in(tmp_path / "swept").name

    typed("match", "bundle", bundle_in(tmp_path / "swept"), "--games", "2", "--simulations", "2", "--workers", "1")
    for verb in ("play", "engine"):
        done = azx(verb, net, *told, "--simulations", "2", stdin=subprocess.DEVNULL, timeout=300)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", READ_ALONE)
def test_the_page_offers_a_file_of_this_kind(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kind = KINDS[name]
    net, told = kind.write(tmp_path), kind.told(tmp_path)
    options = {flag.removeprefix("--"): value for flag, value in zip(told[::2], told[1::2], strict=True)}
    app = app_of_one_page(tmp_path / "app")
    with azx.serve_networks(net, port=0, app=app, **options) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        with urllib.request.urlopen(f"{serving.url}azx/index.json") as answer:  # noqa: S310 - this machine alone
            (entry,) = json.load(answer)["bundles"]
        serving.server.shutdown()
        thread.join()
    assert entry["game"] == serving.bundles[0].as_data()["game"]
