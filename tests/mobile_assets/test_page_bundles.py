"""The bundles in the wheel's page: one artifact each, and still bundles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azx.bundle.contents.manifest import load_manifest
from azx.mobile_assets.page_bundles import keep_played, put_into
from azx.mobile_assets.shipped_bundles import FOLDER, SMALL


@pytest.mark.parametrize("name", ["connect4", "tictactoe"])
def test_a_bundle_keeps_what_the_page_plays(name: str, tmp_path: Path) -> None:
    bundle = FOLDER / name
    if not (bundle / "manifest.json").is_file():
        pytest.skip("the shipped bundles are not made: `make bundles`")
    keep_played(bundle, tmp_path / name)
    manifest = load_manifest(tmp_path / name)  # every file has its size and hash
    (played,) = manifest.artifacts
    assert played.format == "tfjs"
    assert played.precision == (SMALL[name].precision if name in SMALL else "fp32")
    assert manifest.recommended == {"web": played.path}
    there = {path.relative_to(tmp_path / name).as_posix() for path in (tmp_path / name).rglob("*") if path.is_file()}
    assert there == {"manifest.json", *(file.path for file in manifest.files)}


def test_a_page_has_those_in_place_of_what_it_had(tmp_path: Path) -> None:
    bundle = FOLDER / "tictactoe"
    if not (bundle / "manifest.json").is_file():
        pytest.skip("the shipped bundles are not made: `make bundles`")
    (tmp_path / "azx/old").mkdir(parents=True)
    (tmp_path / "index.html").touch()
    size = put_into(tmp_path, [bundle])
    (entry,) = json.loads((tmp_path / "azx/index.json").read_text(encoding="utf-8"))["bundles"]
    assert entry["name"] == "tictactoe"
    assert size == sum(file["size"] for file in entry["files"])
    assert not (tmp_path / "azx/old").exists()
