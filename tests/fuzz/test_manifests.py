"""Manifests, golden files, indexes and model.json spoilt at random: azx answers with its own errors.

A short run by default; AZX_FUZZ=N makes N files of each kind.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import azx
from azx.bundle import proving, recorded
from azx.bundle.case import detection, original
from azx.bundle.claims import derived
from azx.bundle.contents.manifest import file_entry, load_manifest
from azx.bundle.contents.playable import why_not
from azx.errors import AzxError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.mobile_assets.installed_index import read_index
from azx.validate.answers import Answers
from azx.validate.runners.tfjs_files import list_misnamed, read_model

FILES = int(os.environ.get("AZX_FUZZ", "60"))
# One in so many is held to the checkpoint too, which takes longer.
AGAINST = 4
JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e30, -1e300, 10**30, 10**400, 2**31, 2**63, float("nan")),
    *(
        "",
        "\ud800",
        "x",
        "0",
        "1",
        "é",
        "\0",
        "../x",
        "/",
        "a" * 300,
        "none",
        "cell",
        "softmax",
        "wdl",
        "mover@99999999999999",
    ),
    *([], {}, [None], [[]], [0] * 50, ["mover"], {"a": {}}, [1e30], [{}], {"positions": []}, [10**9, 10**9]),
)


def places(data: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value in JSON data, but that of long lists of numbers only a few are told."""
    if way:
        yield way
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if not (isinstance(data, list) and len(data) > 30 and key > 3):
            yield from places(value, (*way, key))


def spoilt(data: Any, rng: random.Random) -> Any:
    """A copy in which one to three values are others, exchanged, doubled or gone."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        ways = list(places(data))
        if not ways:
            return data
        *way, last = rng.choice(ways)
        holder = data
        for key in way:
            holder = holder[key]
        change = rng.random()
        if change < 0.55:
            holder[last] = copy.deepcopy(rng.choice(JUNK))
        elif change < 0.7:
            del holder[last]
        elif change < 0.8 and isinstance(holder, list):
            holder.insert(last, copy.deepcopy(holder[last]))
        elif change < 0.9 and isinstance(holder[last], list):
            holder[last].reverse()
        else:
            other = data
            for key in rng.choice(ways):
                try:
                    other = other[key]
                except (KeyError, IndexError, TypeError):
                    break
            holder[last] = copy.deepcopy(other)
    return data


def only_azx_errors(action: Callable[[], object], file: Path) -> bool:
    """Whether an action was refused; any error but azx's own fails the test and shows the file."""
    try:
        action()
    except AzxError:
        return True
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n{file.read_text(encoding='utf8')[:3000]}") from error
    return False


@pytest.fixture(scope="module")
def small(small_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small network's bundle in two formats, proved on as many positions as golden.json has."""
    folder = tmp_path_factory.mktemp("fuzz") / "net"
    azx.export_checkpoint(small_checkpoint, output=folder, formats=["onnx", "tfjs"], game="connect4", count=20)
    return folder


class Validation:
    """`azx validate` of a folder in this process, with the checkpoint and without."""

    def __init__(self, folder: Path, checkpoint: Path, workers: Any) -> None:
        self.folder, self.workers = folder, workers
        self.graph, self.bytes = read_checkpoint(checkpoint), (folder / "golden.json").read_bytes()
        self.honest = {name: json.loads((folder / name).read_text()) for name in ("manifest.json", "golden.json")}

    def write(self, file: str, data: Any) -> None:
        """One of both files as `data`, the other one as it was, and the hash that goes with it."""
        golden = self.folder / "golden.json"
        golden.write_bytes(self.bytes if file == "manifest.json" else json.dumps(data).encode())
        manifest = data
        if file == "golden.json":
            manifest = copy.deepcopy(self.honest["manifest.json"])
            entry = file_entry(self.folder, golden).as_data()
            manifest["files"] = [entry if each["path"] == "golden.json" else each for each in manifest["files"]]
        (self.folder / "manifest.json").write_text(json.dumps(manifest))

    def run(self, *, against: bool) -> None:
        """All that is done with a manifest once it is loaded."""
        manifest = load_manifest(self.folder)
        why_not(manifest)
        formats = [
            (each.path, FORMATS[each.format])
            for each in manifest.artifacts
            if each.format == "onnx" and not each.path.endswith("_tfjs")
        ]
        if any(each.format not in FORMATS for each in manifest.artifacts):
            return
        job = proving.Validation(self.folder, manifest, formats, self.workers, lambda step: None)
        _, claims = job.against(self.graph, None, None, None) if against else job.by_golden()
        json.dumps([claims.as_data(), claims.sentences], allow_nan=False)


@pytest.fixture
def validation(
    small: Path, small_checkpoint: Path, here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Validation:
    seen: dict[str, Any] = {}
    game_of = detection.game_of

    def told(graph: Any, heads: Any, game: Any) -> Any:
        if str(heads) not in seen:
            seen[str(heads)] = game_of(graph, heads, game)
        return seen[str(heads)]

    # Keras would be loaded for every other board; the float64 witness answers without it.
    missing = Answers("Keras", missing="it is not asked here")
    monkeypatch.setattr(original, "original", lambda *given: lambda: missing)
    monkeypatch.setattr(recorded, "game_of", told)
    monkeypatch.setattr(derived, "game_of", told)
    return Validation(Path(shutil.copytree(small, tmp_path / "net")), small_checkpoint, here)


@pytest.mark.whole
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("file", ["manifest.json", "golden.json"])
def test_a_spoilt_bundle_raises_no_error_but_azxs_own(validation: Validation, file: str) -> None:
    rng = random.Random(f"{file} 1")  # noqa: S311 - the same every time
    refused = 0
    for number in range(FILES):
        validation.write(file, spoilt(validation.honest[file], rng))
        against = number % AGAINST == 0
        refused += only_azx_errors(partial(validation.run, against=against), validation.folder / file)
    assert 0 < refused < FILES


def test_a_spoilt_model_json_raises_no_error_but_azxs_own(small: Path, tmp_path: Path) -> None:
    folder = Path(
        shutil.copytree(
            small / "net_tfjs" if (small / "net_tfjs").is_dir() else next(small.glob("*_tfjs")), tmp_path / "m"
        )
    )
    honest = json.loads((folder / "model.json").read_text())
    rng = random.Random("model.json")  # noqa: S311
    refused = 0
    for _ in range(FILES):
        (folder / "model.json").write_text(json.dumps(spoilt(honest, rng)))
        FORMATS["tfjs"].metadata(folder)
        refused += only_azx_errors(lambda: list_misnamed(read_model(folder)), folder / "model.json")
    assert 0 < refused < FILES


def test_a_spoilt_index_raises_no_error_but_azxs_own(tmp_path: Path) -> None:
    honest = {
        "schema_version": 2,
        "bundles": [
            {
                "name": "connect4",
                "title": "Connect4",
                "game": "connect4",
                "settings": {"size": 9},
                "artifact": "connect4_tfjs",
                "format": "tfjs",
                "files": [{"path": "manifest.json", "sha256": "a" * 64, "size": 3393}],
                "problems": [{"code": "batch", "places": ["8"]}],
            }
        ],
    }
    rng = random.Random("index.json")  # noqa: S311
    refused = 0
    for _ in range(FILES):
        (tmp_path / "index.json").write_text(json.dumps(spoilt(honest, rng)))
        refused += only_azx_errors(lambda: read_index(tmp_path).text(), tmp_path / "index.json")
    assert 0 < refused < FILES


def test_an_honest_bundle_is_not_refused(validation: Validation) -> None:
    validation.write("manifest.json", validation.honest["manifest.json"])
    validation.run(against=True)
