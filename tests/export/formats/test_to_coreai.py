"""The Core AI writer, held against TensorFlow in Apple's own runtime: values, names, order, determinism, refusals."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sibling import sibling

from azx.errors import BundleError, ConversionError, FormatUnavailable
from azx.export.formats import to_coreai
from azx.export.formats.table import FORMATS, choose
from azx.export.graph.frozen import FrozenGraph
from azx.system import installed

tf = pytest.importorskip("tensorflow")
pytest.importorskip("coreai", reason="coreai-core is not installed")

from azx.validate.runners.coreai import CoreAIRunner  # noqa: E402

networks = sibling(__file__, "tfjs_networks")
METADATA, RNG, frozen, residual = networks.METADATA, networks.RNG, networks.frozen, networks.residual
NETWORKS = networks.NETWORKS | networks.TRAPS
BEYOND = {
    "float64 inside": "Cast",
    "int64 indices": "GatherV2",
    "int64 ends": "StridedSlice",
}
BOARDS = RNG.integers(0, 2, (5, 6, 7, 3)).astype(np.float32)
SCRIPT = """
import pickle, sys
from pathlib import Path
from azx.export.formats import to_coreai
to_coreai.write(pickle.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2]))
"""


def files(asset: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(asset.iterdir())}


@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in BEYOND])
def test_core_ai_answers_as_tensorflow(name: str, tmp_path: Path) -> None:
    graph = frozen(NETWORKS[name], batch=None)
    to_coreai.write(graph, tmp_path / "net.aimodel")
    wanted = networks.answers(graph, BOARDS)
    with CoreAIRunner(tmp_path / "net.aimodel") as runner:
        found = runner.run({"main_input": BOARDS})
    for head, values in wanted.items():
        np.testing.assert_allclose(found[head], values, rtol=1e-5, atol=1e-5)


def test_names_order_and_shapes_are_the_contracts(tmp_path: Path) -> None:
    for batch in (1, None):
        to_coreai.write(frozen(residual, batch), tmp_path / "net.aimodel")
        with CoreAIRunner(tmp_path / "net.aimodel") as runner:
            told = runner.signature()
        assert [(port.name, port.shape) for port in told.inputs] == [("main_input", (batch, 6, 7, 3))]
        assert [(port.name, port.shape) for port in told.outputs] == [
            ("value_head", (batch, 1)),
            ("policy_head", (batch, 5)),
        ]


def test_what_is_read_back_is_what_was_written_and_the_hash_is_the_programs(tmp_path: Path) -> None:
    to_coreai.write(frozen(residual), tmp_path / "net.aimodel")
    assert FORMATS["coreai"].metadata(tmp_path / "net.aimodel") == METADATA
    told = files(tmp_path / "net.aimodel")
    assert told["main.hash"] == hashlib.sha256(told["main.mlirb"]).digest()


def test_another_process_in_another_folder_writes_the_same_bytes(tmp_path: Path) -> None:
    graph = frozen(residual)
    to_coreai.write(frozen(networks.squeeze_and_excite), tmp_path / "before.aimodel")
    to_coreai.write(graph, tmp_path / "net.aimodel")
    (tmp_path / "graph").write_bytes(pickle.dumps(graph))  # plain data of our own
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "net.aimodel"
    command = [sys.executable, "-P", "-c", SCRIPT, str(tmp_path / "graph"), str(other)]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True)
    mine = files(tmp_path / "net.aimodel")
    assert mine == files(other)
    # Neither a place on this machine nor a date.
    assert not any(word in b"".join(mine.values()) for word in (b"site-packages", b".py", str(tmp_path).encode()))
    assert json.loads(mine["metadata.json"])["creationDate"].startswith("1970")


@pytest.mark.parametrize(("name", "operation"), BEYOND.items())
def test_what_has_no_form_is_refused_in_a_sentence_and_nothing_stays(name: str, operation: str, tmp_path: Path) -> None:
    with pytest.raises(ConversionError, match=rf"^Core AI: .*{operation}.*\.$"):
        to_coreai.write(frozen(NETWORKS[name]), tmp_path / "net.aimodel")
    assert list(tmp_path.iterdir()) == []


def test_other_dtypes_and_folders_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    graph: FrozenGraph = frozen(residual)
    with pytest.raises(ConversionError, match="float32 inputs only"):
        to_coreai.write(replace(graph, inputs=(replace(graph.inputs[0], dtype="int32"),)), tmp_path / "net.aimodel")
    with pytest.raises(BundleError, match="cannot be written"):
        to_coreai.write(graph, tmp_path / "missing" / "net.aimodel")


def test_what_is_no_asset_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "net.aimodel").mkdir()
    with pytest.raises(BundleError, match="is not a Core AI asset"), CoreAIRunner(tmp_path / "net.aimodel"):
        pass
    to_coreai.write(frozen(residual), tmp_path / "net.aimodel")
    program = tmp_path / "net.aimodel" / "main.mlirb"
    program.write_bytes(program.read_bytes()[:200])
    with pytest.raises(BundleError, match="damaged"), CoreAIRunner(tmp_path / "net.aimodel"):
        pass


def test_it_is_written_where_it_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "coreai" not in [entry.name for entry in choose(("all",))[0]]
    assert [entry.name for entry in choose(("coreai",))[0]] == ["coreai"]
    assert "coreai" in [entry.name for entry in choose(("all", "coreai"))[0]]
    monkeypatch.setattr(installed, "find_spec", lambda package: None if package == "coreai" else object())
    reason = FORMATS["coreai"].unavailable()
    assert reason is not None
    assert "pip install" in reason
    with pytest.raises(FormatUnavailable):
        FORMATS["coreai"].write(frozen(residual), Path("net.aimodel"))
