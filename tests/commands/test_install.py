"""`azx install` on the command line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from azx.cli import cli

NAME = "small net é"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["install", *map(str, arguments)])


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "package.json").write_text("{}")
    return folder


def test_installing_listing_and_removing_say_what_they_did(small_bundle: Path, web: Path) -> None:
    done = run(small_bundle, web)
    assert done.exit_code == 0, done.output
    assert f"installed Connect4 ({NAME}) for web" in done.stdout
    assert f"{NAME}_tfjs: 5 files" in done.stdout  # the .tflite for LiteRT.js too
    assert "replaced Connect4" in run(small_bundle, web).stdout
    listed = run("--list", web)
    assert listed.exit_code == 0
    assert f"{NAME}_tfjs" in listed.stdout
    (web / "public" / "azx" / NAME / "notes.txt").write_text("mine")
    removed = run("--remove", NAME, web)
    assert removed.exit_code == 0
    assert "left: notes.txt (changed, or not written by azx install)" in removed.stdout
    assert "no bundle is installed" in run("--list", web).stdout


def test_the_same_as_json(small_bundle: Path, web: Path) -> None:
    done = json.loads(run(small_bundle, web, "--json").stdout)
    assert (done["kind"], done["name"], done["replaced"]) == ("web", NAME, False)
    assert json.loads(run("--list", web, "--json").stdout)[0]["state"] == "ok"
    assert json.loads(run("--remove", NAME, web, "--json").stdout)["left"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["app"],
        ["bundle", "app", "more"],
        ["--list"],
        ["--list", "bundle", "app"],
        ["--remove", "x", "bundle", "app"],
        ["--list", "--remove", "x", "app"],
        ["--list", "--name", "x", "app"],
        ["--list", "--precision", "fp16", "app"],
        ["bundle", "app", "--precision", "int4"],
        ["bundle", "app", "--kind", "toaster"],
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


@pytest.mark.smoke
def test_a_bundle_that_is_not_there_is_one_sentence(
    check: Any, web: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    with check.nothing_left(web):
        done = azx("install", "none", web)
    assert check.sentence(done) == "There is no bundle at 'none': give the folder that azx export wrote."


def test_a_file_in_the_way_is_one_sentence(
    check: Any, small_bundle: Path, web: Path, azx: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (web / "public" / "azx" / NAME).mkdir(parents=True)
    (web / "public" / "azx" / NAME / "mine.txt").write_text("mine")
    said = check.sentence(azx("install", small_bundle, web))
    assert "mine.txt' is not a file that azx install wrote, or was changed since: move it away" in said


def test_a_bundle_that_the_app_cannot_play_is_said_to_be_one(bundle: Path, web: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    manifest |= dict.fromkeys(("game", "settings", "encoding", "actions"))
    (bundle / "manifest.json").write_text(json.dumps(manifest))
    why = "it has no known game; its self-test runs"
    said = run(bundle, web, "--name", "mystery")
    assert said.exit_code == 0, said.output
    assert f"installed mystery for web, but the app cannot play it: {why}" in said.stdout
    assert f"! mystery: the app cannot play it: {why}" in run("--list", web).stdout
    assert run(bundle, web, "--name", "mystery", "--json").stdout.count("no_game") == 1
    index = web / "public" / "azx" / "index.json"
    found = json.loads(index.read_text())
    assert found["bundles"][0].pop("problems") == [{"code": "no_game", "places": []}]
    for text in (index.read_text(), json.dumps(found)):  # as it is, and as an azx before this member wrote it
        index.write_text(text)
        listed = json.loads(run("--list", web, "--json").stdout)
        assert (listed[0]["playable"], listed[0]["problems"]) == (False, [{"code": "no_game", "places": []}])
