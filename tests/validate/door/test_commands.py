"""Every command that opens an artifact comes through the door: nothing is run or written, one sentence, exit 1."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sibling import sibling

import azx as package
from azx.bundle.contents.manifest import file_entries
from azx.errors import UnsafeArtifact
from azx.export.formats.table import FORMATS

Azx = Callable[..., subprocess.CompletedProcess[str]]
HOSTILE = {name: sibling(__file__, f"hostile_{name}") for name in ("pb", "onnx", "tflite", "coreml", "tfjs")}
SAID = "was not run because"


def writes(marker: Path) -> Callable[[Any], None]:
    """A frozen graph whose value waits for a file that is written: TensorFlow writes it whenever the graph is run."""

    def change(graph: Any) -> None:
        pb = HOSTILE["pb"]
        pb.constant(graph, "name", str(marker).encode())
        pb.constant(graph, "content", b"it ran")
        graph.node.add(name=pb.EVIL, op="WriteFile", input=["name", "content"])
        pb.head_of(graph).input.append(f"^{pb.EVIL}")

    return change


def path_of(folder: Path, name: str) -> Path:
    return next(each for each in sorted(folder.iterdir()) if each.name.endswith(FORMATS[name].suffix))


def replaced(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    """Put a changed artifact into a bundle."""
    path = path_of(folder, name)
    before = path.with_name(f"before{FORMATS[name].suffix}")
    path.rename(before)
    HOSTILE[name].edit(before, path, change)
    shutil.rmtree(before) if before.is_dir() else before.unlink()


def vouched(folder: Path) -> Path:
    """The bundle with the hashes of what it holds now: its author's own."""
    file = folder / "manifest.json"
    manifest = json.loads(file.read_text())
    manifest["files"] = [entry.as_data() for entry in file_entries(folder)]
    file.write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "marker"


@pytest.fixture
def hostile(bundle: Path, marker: Path) -> Path:
    """A bundle with an artifact of each format that does more than calculate."""
    replaced(bundle, "pb", writes(marker))
    replaced(bundle, "onnx", HOSTILE["onnx"].add("RandomUniform"))
    replaced(bundle, "tflite", HOSTILE["tflite"].CHANGES["a signature of the second subgraph"])
    replaced(bundle, "tfjs", HOSTILE["tfjs"].CHANGES["a function"])
    HOSTILE["coreml"].PACKAGES["a root elsewhere"](path_of(bundle, "coreml"))
    return vouched(bundle)


def test_without_the_door_tensorflow_writes_the_file(small_bundle: Path, marker: Path, tmp_path: Path) -> None:
    """What the other tests say would not be much of this file, if it did no harm."""
    import tensorflow as tf

    path = tmp_path / "net.pb"
    HOSTILE["pb"].edit(path_of(small_bundle, "pb"), path, writes(marker))
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(path.read_bytes()), name="")
    with tf.compat.v1.Session(graph=graph) as session:
        session.run("value_head:0", {"main_input:0": [[[[0.0] * 7] * 6] * 2]})
    assert marker.read_text() == "it ran"


def test_a_bundle_with_five_of_them_names_all_five_and_runs_none(
    hostile: Path, marker: Path, small_checkpoint: Path, azx: Azx
) -> None:
    for words in ([], ["--against", small_checkpoint]):
        done = azx("validate", hostile, *words)
        assert done.returncode == 1, done.stderr
        said = done.stderr.splitlines()[-1]
        assert said.startswith("Error: ")
        assert said.count(SAID) == 5
        for part in ("'WriteFile' (node 'evil') touches files", "'RandomUniform' (node 'evil') is random"):
            assert part in said
        assert "equal" not in done.stdout
        assert not marker.exists()


COMMANDS: dict[str, list[str]] = {
    "bench": ["bench", "{bundle}", "--rounds", "1"],
    "explain": ["explain", "{bundle}", "--against", "{checkpoint}"],
    "report": ["report", "{bundle}", "--against", "{checkpoint}"],
    "match": ["match", "{bundle}", "{bundle}", "--games", "2", "--simulations", "0"],
    "play": ["play", "{bundle}"],
    "tune": ["tune", "{bundle}", "--games", "2"],
    "serve": ["serve", "{bundle}", "--app", "{web}"],
    "install": ["install", "{bundle}", "{app}", "--kind", "folder"],
    "install for the web": ["install", "{bundle}", "{app}", "--kind", "web"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_refuses_it(
    words: list[str], hostile: Path, marker: Path, small_checkpoint: Path, azx: Azx, tmp_path: Path
) -> None:
    app, web = tmp_path / "app", tmp_path / "web"
    app.mkdir()
    web.mkdir()
    (web / "index.html").touch()
    done = azx(*[word.format(bundle=hostile, checkpoint=small_checkpoint, app=app, web=web) for word in words])
    assert done.returncode == 1, done.stdout
    assert SAID in done.stderr
    assert not marker.exists()
    assert list(app.iterdir()) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_an_artifact_alone_is_refused_too(name: str, hostile: Path, marker: Path, azx: Azx) -> None:
    path = path_of(hostile, name)
    with pytest.raises(UnsafeArtifact, match=SAID):
        package.load(hostile, format=name)
    done = azx("match", path, path, "--games", "2", "--simulations", "0")
    assert done.returncode == 1
    assert SAID in done.stderr
    assert not marker.exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_one_hostile_artifact_keeps_all_others_from_running(
    name: str, bundle: Path, marker: Path, azx: Azx, monkeypatch: pytest.MonkeyPatch
) -> None:
    from azx.validate import run

    changes = {"pb": writes(marker), "coreml": HOSTILE["coreml"].CHANGES["a second function"]}
    changes |= {"onnx": HOSTILE["onnx"].CHANGES["weights in the report"]}
    changes |= {"tflite": HOSTILE["tflite"].CHANGES["a custom code"], "tfjs": HOSTILE["tfjs"].CHANGES["a function"]}
    replaced(bundle, name, changes[name])
    asked: list[Any] = []
    monkeypatch.setattr(run, "start", lambda *arguments: asked.append(arguments))
    done = azx("validate", vouched(bundle))
    assert (done.returncode, asked, marker.exists()) == (1, [], False)
    assert done.stderr.count(SAID) == 1
    assert path_of(bundle, name).name in done.stderr
