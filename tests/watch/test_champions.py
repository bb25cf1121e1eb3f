"""best.json and the folders of the best networks: one of two is there at every moment, whenever a watch was killed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from manifests import part_with

from azx.bundle.contents.manifest import load_manifest
from azx.errors import BundleError
from azx.manifest import Manifest
from azx.mobile_assets.best import best_in, name_of
from azx.sweeps.watch import champions as module
from azx.sweeps.watch.champions import Champions, identity_of


@pytest.fixture
def bundles(small_bundle: Path, tmp_path: Path) -> Path:
    """A folder with two bundles, one and two, of which the second has another manifest."""
    for name in ("one", "two"):
        shutil.copytree(small_bundle, tmp_path / name)
    manifest = tmp_path / "two" / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf8") + "\n", encoding="utf8")
    return tmp_path


def crowned(folder: Path, name: str, contest: dict[str, Any] | None = None) -> Path:
    return Champions(folder).crown("connect4", folder / name, load_manifest(folder / name), contest)


def test_the_best_is_a_copy_that_outlives_the_bundle(bundles: Path) -> None:
    folder = crowned(bundles, "one")
    shutil.rmtree(bundles / "one")
    assert best_in(bundles) == {"connect4": folder}
    assert load_manifest(folder).game == "connect4"
    assert Champions(bundles).bundle_of("connect4") == "one"


def test_a_new_best_takes_the_place_of_the_old_one(bundles: Path) -> None:
    crowned(bundles, "one")
    folder = crowned(bundles, "two", {"game": "connect4", "identity": "x", "terms": {"games": 2}})
    assert identity_of(folder) == identity_of(bundles / "two")
    assert {path.name for path in folder.parent.iterdir()} == {"connect4"}
    assert Champions(bundles).find_contest("x", {"games": 2}) is not None
    assert Champions(bundles).find_contest("x", {"games": 4}) is None


@pytest.mark.parametrize(
    ("contest", "judged"),
    [
        ({"passed": True}, {"new", "old"}),
        # The best one stayed it; by the next that beats it it is judged.
        ({"passed": False}, {"new"}),
        ({"passed": None}, {"new"}),
        ({"passed": True, "terms": {"games": 4}}, set()),
        # As a watch wrote it that did not yet say which network lost its place.
        ({"passed": True, "against_identity": None}, {"new"}),
    ],
)
def test_a_contest_judges_the_new_network_and_who_loses_its_place(
    contest: dict[str, Any], judged: set[str], tmp_path: Path
) -> None:
    terms = {"games": 2}
    Champions(tmp_path).add({"identity": "new", "against_identity": "old", "terms": terms, **contest})
    champions = Champions(tmp_path)
    assert {name for name in ("new", "old", "other") if champions.find_contest(name, terms)} == judged


def test_a_watch_killed_after_its_record_was_written_is_made_good(
    bundles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowned(bundles, "one")

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "swap", killed)
    with pytest.raises(KeyboardInterrupt):
        crowned(bundles, "two", {"identity": "x"})
    monkeypatch.undo()
    assert identity_of(bundles / "best-of" / "connect4") == identity_of(bundles / "one")
    champions = Champions(bundles)
    assert identity_of(bundles / "best-of" / "connect4") == identity_of(bundles / "two")
    assert champions.bundle_of("connect4") == "two"


def test_where_that_bundle_was_written_over_the_one_before_it_stays_the_best(
    bundles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity_of(crowned(bundles, "one"))
    text = json.loads((bundles / "best.json").read_text())
    text["best"]["connect4"] = {"bundle": "two", "checkpoint": "two.h5", "identity": "another"}
    (bundles / "best.json").write_text(json.dumps(text))
    champions = Champions(bundles)
    found = champions.best("connect4")
    assert found is not None
    assert identity_of(found) == before


def test_a_disk_that_refuses_leaves_the_old_one(bundles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = crowned(bundles, "one")
    before, said = identity_of(folder), (bundles / "best.json").read_text()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "swap", full)
    with pytest.raises(BundleError, match="No space left on device"):
        crowned(bundles, "two")
    assert identity_of(folder) == before
    assert (bundles / "best.json").read_text() == said
    assert {path.name for path in folder.parent.iterdir()} == {"connect4"}


@pytest.mark.parametrize("text", ["[]", "{", '{"schema_version": 2}', '{"schema_version": 1, "best": []}'])
def test_a_record_of_somebody_else_is_left_alone(text: str, tmp_path: Path) -> None:
    (tmp_path / "best.json").write_text(text)
    with pytest.raises(BundleError, match=r"best\.json"):
        Champions(tmp_path)
    assert (tmp_path / "best.json").read_text() == text


@pytest.mark.parametrize(
    ("manifest", "name"),
    [
        ({"game": "tictactoe", "settings": {}}, "tictactoe"),
        ({"game": "gomoku", "settings": {"size": 15, "rule": "renju"}}, "gomoku"),
        ({"game": "gomoku", "settings": {"size": 9}}, "gomoku-9"),
        ({"game": "go", "settings": {"size": 19, "komi": 6.5}}, "go-19"),
        ({"game": None}, None),
        ({"game": "chess"}, None),
    ],
)
def test_each_game_and_each_size_of_board_has_a_best_one(manifest: dict[str, Any], name: str | None) -> None:
    assert name_of(part_with(Manifest, manifest)) == name
