"""The shipped networks as bundles: when one is made again, and what they weigh."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from azx import export_checkpoint
from azx.bundle.contents import shipped_search
from azx.bundle.contents.manifest import MANIFEST, load_manifest
from azx.bundle.contents.manifest_model import first_fault, read_part
from azx.bundle.contents.shipped_search import confirmed_search
from azx.errors import ConversionError
from azx.export.checkpoint.digest import sha256
from azx.export.checkpoint.located import find_checkpoint, shipped_names
from azx.export.formats.precisions.precision import MixedArtifact
from azx.games.search_settings import fault_in, read_settings
from azx.manifest import Tuned
from azx.mobile_assets import shipped_bundles as bundles
from azx.mobile_assets.shipped_bundles import built_bundles, is_up_to_date, sizes, table
from azx.play.network import open_network
from azx.validate.gate.limits import Limits


def test_a_bundle_of_the_same_checkpoint_is_up_to_date(small_bundle: Path, small_checkpoint: Path) -> None:
    assert is_up_to_date(small_bundle, small_checkpoint)


def test_one_whose_reading_is_known_is_up_to_date_too(
    small_bundle: Path, small_checkpoint: Path, tmp_path: Path
) -> None:
    bundle = Path(shutil.copytree(small_bundle, tmp_path / "bundle"))
    manifest = json.loads((bundle / MANIFEST).read_text(encoding="utf8"))
    del manifest["assumed"]
    (bundle / MANIFEST).write_text(json.dumps(manifest), encoding="utf8")
    assert is_up_to_date(bundle, small_checkpoint)


def test_a_bundle_that_is_missing_or_damaged_is_not(bundle: Path, small_checkpoint: Path, tmp_path: Path) -> None:
    assert not is_up_to_date(tmp_path / "none", small_checkpoint)
    os.truncate(bundle / "golden.json", 5)
    assert not is_up_to_date(bundle, small_checkpoint)


def test_a_bundle_of_another_checkpoint_is_not(small_bundle: Path, renamed_checkpoint: Path) -> None:
    assert not is_up_to_date(small_bundle, renamed_checkpoint)


def test_a_bundle_of_another_azx_or_another_converter_is_not(
    small_bundle: Path, small_checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(bundles, "__version__", "0.0.1")
        assert not is_up_to_date(small_bundle, small_checkpoint)
    monkeypatch.setattr("azx.bundle.contents.describe.converter_versions", lambda: {"tensorflow": "1.0"})
    assert not is_up_to_date(small_bundle, small_checkpoint)


def test_a_bundle_without_a_format_that_can_be_written_is_not(bundle: Path, small_checkpoint: Path) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    manifest["artifacts"] = [entry for entry in manifest["artifacts"] if entry["format"] != "onnx"]
    path.write_text(json.dumps(manifest), encoding="utf8")
    assert not is_up_to_date(bundle, small_checkpoint)


def test_a_bundle_whose_manifest_lacks_a_member_is_not(bundle: Path, small_checkpoint: Path) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    del manifest["threads"]
    path.write_text(json.dumps(manifest), encoding="utf8")
    assert not is_up_to_date(bundle, small_checkpoint)


def test_a_bundle_that_lacks_the_small_one_that_browsers_play_is_not(
    bundle: Path, small_checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bundles.SMALL, small_checkpoint.stem, MixedArtifact("tfjs", "int8-weights", ("stem",)))
    assert not is_up_to_date(bundle, small_checkpoint)
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    gate = {"passed": True, "limits": Limits().as_data(), "positions": ["self-play"]}
    small: dict[str, Any] = {
        "format": "tfjs",
        "path": "small net é.int8-weights_tfjs",
        "precision": "int8-weights",
        "gate": gate,
    }
    model = bundle / small["path"] / "model.json"
    model.parent.mkdir()
    model.write_text("{}")
    file = {"path": f"{small['path']}/model.json", "sha256": sha256(model), "size": 2}
    manifest["files"].append(file)
    for in_float, suffices in ((["head"], False), (["stem"], True)):
        listed = {**manifest, "artifacts": [*manifest["artifacts"], {**small, "float_layers": in_float}]}
        path.write_text(json.dumps(listed), encoding="utf8")
        assert is_up_to_date(bundle, small_checkpoint) is suffices


@pytest.mark.whole
def test_a_small_one_that_cannot_be_made_so_is_said(
    small_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "FOLDER", tmp_path)
    monkeypatch.setattr(bundles, "CHECKPOINTS", small_checkpoint.parent)
    monkeypatch.setitem(bundles.SMALL, small_checkpoint.stem, MixedArtifact("tfjs", "int8-weights", ("nowhere",)))
    with pytest.raises(ConversionError, match=r"no layer with weights of the name 'nowhere'\. Correct SMALL\["):
        bundles.make(small_checkpoint.stem)


def test_how_a_network_is_searched_is_noted_once(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search = {"root": {"kind": "gumbel", "considered": 16, "c_visit": 50.0, "c_scale": 0.1}}
    tuned = {"search": search, "against": {"root": {"kind": "puct"}}, "simulations": 32, "seed": 1, "games": 4,
             "won": 3, "drawn": 0, "lost": 1, "elo": {"value": 190.8, "low": 1.0, "high": None}}  # fmt: skip
    path = bundle / MANIFEST
    before = json.loads(path.read_text(encoding="utf8"))
    bundles.note_search(bundle, "somebody")
    early = {"root": {"kind": "puct"}, "early_stop": True}
    assert json.loads(path.read_text(encoding="utf8")) == {**before, "search": early}
    monkeypatch.setitem(shipped_search.TUNED, "somebody", tuned)
    bundles.note_search(bundle, "somebody")
    noted = path.read_bytes()
    assert json.loads(noted) == {**before, "search": search, "tuned": tuned}
    os.utime(path, (1, 1))
    bundles.note_search(bundle, "somebody")
    assert (path.read_bytes(), path.stat().st_mtime) == (noted, 1)


@pytest.mark.parametrize("name", sorted(shipped_search.TUNED))
def test_the_searches_of_shipped_networks_are_known_and_confirmed(name: str) -> None:
    tuned = shipped_search.TUNED[name]
    assert first_fault(tuned, Tuned) is None
    assert fault_in(tuned["search"]) is fault_in(shipped_search.UNTUNED) is None
    assert tuned["elo"]["low"] > 0
    assert tuned["won"] + tuned["drawn"] + tuned["lost"] == tuned["games"]


@pytest.mark.parametrize("name", ["go", "connect4"])
def test_an_exported_network_that_is_shipped_says_its_confirmed_search_by_any_name(name: str, tmp_path: Path) -> None:
    renamed = shutil.copy(find_checkpoint(name), tmp_path / "mine.h5")
    done = export_checkpoint(renamed, output=tmp_path / "out", formats=("onnx",), count=20)
    told = load_manifest(tmp_path / "out")
    wanted = read_part(Tuned, shipped_search.TUNED[name]) if name in shipped_search.TUNED else None
    assert (told.tuned, told.search) == (wanted, wanted.search if wanted else None)
    assert not done.search_dropped


def test_a_shipped_checkpoint_is_played_with_its_confirmed_search(tmp_path: Path) -> None:
    renamed = Path(shutil.copy(find_checkpoint("reversi"), tmp_path / "mine.h5"))
    with open_network(renamed, game="reversi") as network:
        assert network.search == read_settings(shipped_search.TUNED["reversi"]["search"], "reversi")
        assert network.search.lower_bound == 5


def test_a_search_that_was_confirmed_is_of_its_game_alone() -> None:
    digest = sha256(find_checkpoint("go"))
    assert confirmed_search(digest, "go") is not None
    assert confirmed_search(digest, None) is None
    assert confirmed_search(digest, "gomoku") is None
    assert confirmed_search("0" * 64, "go") is None


def test_every_shipped_network_has_one_but_the_one_that_is_small_as_it_is() -> None:
    assert {*bundles.SMALL} == {*shipped_names()} - {"tictactoe"}


def test_the_size_for_a_platform_is_that_of_the_files_that_its_app_carries(small_bundle: Path) -> None:
    files = ("manifest.json", "golden.json", "small net é.tflite")
    assert sizes(small_bundle)["android"] == sum((small_bundle / name).stat().st_size for name in files)


def test_the_table_adds_them_up() -> None:
    lines = table({"go": {"android": 1_500_000, "web": 2_000_000}, "tictactoe": {"web": 250_000}})
    assert [line.split() for line in lines] == [
        ["MB", "android", "web"],
        ["go", "1.50", "2.00"],
        ["tictactoe", "-", "0.25"],
        ["together", "1.50", "2.25"],
    ]


def test_the_bundles_that_were_made_are_found_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundles, "FOLDER", tmp_path)
    assert built_bundles() == []
    for name in (*shipped_names()[:2], "somebody"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text("{}")
    assert [folder.name for folder in built_bundles()] == shipped_names()[:2]
