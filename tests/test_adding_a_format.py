"""A tiny format, added to a copy of the package by the recipe of docs/adding-a-format.md and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

WRITER = '''
"""A tiny format: one line of JSON, then the frozen graph."""

import json
from pathlib import Path


def write(frozen, target):
    ports = [[[port.name, port.shape] for port in side] for side in (frozen.inputs, frozen.output_ports)]
    head = json.dumps({"ports": ports, "metadata": dict(frozen.metadata)}, sort_keys=True)
    target.write_bytes(head.encode() + b"\\n" + frozen.graph_def)


def metadata(path):
    return json.loads(path.read_bytes().split(b"\\n", 1)[0])["metadata"]


def about(path):
    return {"lines": 1}
'''
RUNNER = '''
"""The tiny format in TensorFlow."""

import json

from ...errors import BundleError
from .runner import Port, Runner, Signature


class TinyRunner(Runner):
    format = "tiny"
    runtime = "tiny runtime 1.0"

    def open(self):
        head, self._graph = self.path.read_bytes().split(b"\\n", 1)
        try:
            self._ports = json.loads(head)["ports"]
        except ValueError as error:
            raise BundleError(f"'{self.path}' is no tiny file: export it again.") from error

    def signature(self):
        return Signature(*(tuple(Port(name, tuple(shape)) for name, shape in side) for side in self._ports))

    def run_batch(self, feeds):
        import tensorflow as tf

        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            tf.import_graph_def(tf.compat.v1.GraphDef.FromString(self._graph), name="")
            wanted = {name: f"{name}:0" for name, _ in self._ports[1]}
            return session.run(wanted, {f"{name}:0": value for name, value in feeds.items()})
'''
DOOR = '''
"""The tiny format, looked at: the graph behind its first line is one of pure operations."""

from ...errors import BundleError
from .pb import look_into


def look(path):
    head, _, graph = path.read_bytes().partition(b"\\n")
    if not head.startswith(b"{"):
        raise BundleError(f"'{path}' is no tiny file: export it again.")
    look_into(path, graph)
'''
ROW = """
        Format(
            name="tiny",
            title="Tiny",
            suffix=".tiny",
            packages=("tensorflow",),
            runner="azx.validate.runners.tiny:TinyRunner",
            needs="tensorflow",
            platform="watch",
            speed=6,
            needs_tensorflow=True,
        ),
"""
ABILITIES = """
    Ability(Kind.FORMAT, "tiny", "one line and a graph", (TENSORFLOW,)),
    Ability(Kind.RUNTIME, "Tiny runtime", "runs .tiny", (TENSORFLOW,)),
"""


def insert(path: Path, after: str, text: str) -> None:
    source = path.read_text(encoding="utf-8")
    at = source.index("\n", source.index(after)) + 1
    path.write_text(source[:at] + text.lstrip("\n") + source[at:], encoding="utf-8")


@pytest.fixture(scope="module")
def azx(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`azx` of a copy that has the tiny format."""
    place = tmp_path_factory.mktemp("copied")
    package = place / "azx"
    outside = shutil.ignore_patterns(".*", "build", "apps", "tests", "node_modules", "__pycache__", "bundles", "dist")
    shutil.copytree(repository, package, ignore=outside)
    # The report says in the apps' words what is assumed of a network.
    (package / "apps/texts").mkdir(parents=True)
    shutil.copy(repository / "apps/texts/en.json", package / "apps/texts")
    (package / "export/formats/to_tiny.py").write_text(WRITER, encoding="utf-8")
    (package / "validate/runners/tiny.py").write_text(RUNNER, encoding="utf-8")
    (package / "validate/door/tiny.py").write_text(DOOR, encoding="utf-8")
    insert(package / "export/formats/table.py", "    for entry in (", ROW)
    insert(package / "validate/runtimes.py", "ABILITIES = (", ABILITIES)

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": str(place), "XDG_STATE_HOME": str(place / "state")}
        command = [sys.executable, "-P", "-m", "azx", *map(str, arguments)]
        return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=1200)

    return run


@pytest.mark.whole
def test_a_format_that_follows_the_recipe_is_written_proved_refused_and_played(
    azx: Callable[..., subprocess.CompletedProcess[str]], small_checkpoint: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "bundle"
    done = azx("export", small_checkpoint, "--format", "tiny", "-o", bundle)
    assert done.returncode == 0, done.stderr
    assert "tiny runtime 1.0" in done.stdout
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    [entry] = manifest["artifacts"]
    assert (entry["format"], entry["lines"]) == ("tiny", 1)
    assert manifest["recommended"] == {"watch": entry["path"]}

    assert azx("validate", bundle).returncode == 0
    played = azx("match", bundle / entry["path"], bundle, "--games", "2", "--simulations", "0", "--json")
    assert played.returncode == 0, played.stderr
    assert "tiny" in {item["name"] for item in json.loads(azx("doctor", "--json").stdout)["abilities"]}

    file = bundle / entry["path"]
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert azx("validate", bundle).returncode == 1  # its SHA-256 is another
