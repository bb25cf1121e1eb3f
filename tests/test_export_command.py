"""`azx export` end to end on a small network: what it writes, keeps, proves and says."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.bundle.contents.manifest import load_manifest, read_manifest, text
from azx.bundle.contents.manifest_model import read_part
from azx.bundle.export import ExportResult
from azx.bundle.folder import keep_search, loses_search
from azx.commands.export import _next_step
from azx.manifest import Manifest
from azx.validate.proof.proof import Proof

Azx = Callable[..., subprocess.CompletedProcess[str]]


GUMBEL, PUCT = {"root": {"kind": "gumbel", "considered": 8}}, {"root": {"kind": "puct"}}
# As `azx tune` writes it.
TUNED = {
    "search": GUMBEL,
    "tuned": {"search": GUMBEL, "against": PUCT, "simulations": 32, "seed": 1, "games": 4, "won": 4, "drawn": 0,
              "lost": 0, "elo": {"value": None, "low": 10.0, "high": None}},
}  # fmt: skip


def search_with(bundle: Path, members: dict[str, Any]) -> None:
    """Let a bundle say how it is searched."""
    manifest = read_manifest(bundle)
    written = read_part(Manifest, {**manifest.as_data(), **members})
    (bundle / "manifest.json").write_text(text(written), encoding="utf8", newline="\n")


def test_one_format_exported_again_keeps_the_others(check: Any, small_checkpoint: Path, bundle: Path, azx: Azx) -> None:
    (bundle / "notes.txt").write_text("mine")
    search_with(bundle, TUNED)
    before = check.contents(bundle)
    done = azx("export", small_checkpoint, "--format", "onnx", "-o", bundle, "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["passed"]
    assert not report["search_dropped"]
    assert set(report["kept"]) == {f"small net é{end}" for end in (".pb", ".tflite", ".mlpackage", "_tfjs")}
    after = check.contents(bundle)
    assert {name for name in before if after.get(name) != before[name]} <= {"files.json", "parity.json", "report.html"}
    assert len(json.loads(after["parity.json"])["artifacts"]) == 5
    assert azx("validate", bundle).returncode == 0


def test_a_search_stays_with_the_network_and_with_how_it_is_read(bundle: Path) -> None:
    search_with(bundle, TUNED)
    there = load_manifest(bundle)
    new = replace(there, search=None, tuned=None)
    assert keep_search(bundle, new) == there
    others = [
        replace(new, checkpoint=replace(new.checkpoint, sha256="0" * 64)),
        replace(new, actions=tuple(reversed(range(42)))),
    ]
    for other in others:
        assert keep_search(bundle, other) == other
        assert loses_search(bundle, other)


def test_another_checkpoint_replaces_the_whole_bundle_but_for_the_users_own_files(
    check: Any, renamed_checkpoint: Path, bundle: Path, azx: Azx
) -> None:
    (bundle / "notes.txt").write_text("mine")
    search_with(bundle, TUNED)
    options = ["--format", "tflite", "--positions", 30, "-o", bundle]
    done = azx("export", renamed_checkpoint, *options)
    assert done.returncode == 0
    assert (
        "the replaced bundle's search is dropped, since it was found for another network" in done.stdout + done.stderr
    )
    assert not load_manifest(bundle).as_data().keys() & set(TUNED)
    ours = {"manifest.json", "golden.json", "files.json", "parity.json", "report.html", "renamed.tflite"}
    assert set(check.entries(bundle)) == {*ours, "notes.txt"}
    assert azx("validate", bundle).returncode == 0


@pytest.mark.whole
def test_two_exports_in_two_folders_and_two_processes_are_the_same_bytes(
    check: Any, small_checkpoint: Path, small_bundle: Path, tmp_path: Path, azx: Azx
) -> None:
    assert azx("export", small_checkpoint, "-o", "elsewhere/again", env={"PYTHONHASHSEED": "7"}).returncode == 0
    first, second = check.contents(small_bundle), check.contents(tmp_path / "elsewhere" / "again")
    assert first.keys() == second.keys()
    assert len(first) == 13
    assert {name for name in first if first[name] != second[name]} <= {"files.json", "parity.json", "report.html"}


@pytest.mark.parametrize(("batch", "size"), [("4", 4), ("dynamic", None)])
def test_every_format_takes_a_batch(
    batch: str, size: int | None, renamed_checkpoint: Path, tmp_path: Path, azx: Azx
) -> None:
    """Positions of one's own that are no whole number of batches; the checkpoint's own names, for once."""
    boards = np.random.default_rng(1).integers(0, 2, (70, 2, 6, 7)).astype(np.float32)
    np.savez(tmp_path / "boards.npz", boards)
    own = ["--batch", batch, "--keep-names", "--inputs", "boards.npz", "-o", "out", "--json"]
    done = azx("export", renamed_checkpoint, *own)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["manifest"]["batch"] == size
    assert [head["name"] for head in report["manifest"]["outputs"]] == ["dense_v", "pi"]
    assert report["proof"]["positions"] == 70
    assert [item["passed"] for item in report["proof"]["artifacts"]] == [True] * 5
    assert azx("validate", "out").returncode == 0
    said = azx("validate", "out", "--against", renamed_checkpoint)
    assert said.returncode == 1
    assert "was proved on a file of positions: give it again with --inputs FILE.npz" in said.stderr


def test_validate_alone_takes_the_bundle_written_last(renamed_checkpoint: Path, bundle: Path, azx: Azx) -> None:
    os.utime(bundle / "manifest.json", (1, 1))
    options = ["--format", "tflite", "--positions", 30, "-o", "other/place"]
    assert azx("export", renamed_checkpoint, *options).returncode == 0
    done = azx("validate", "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["folder"] == str(Path("other", "place"))
    said = done.stderr.splitlines()[0]
    assert said == f"Validating '{Path('other', 'place')}', the bundle written last below this folder."
    assert report["passed"]
    assert report["positions"] == 20


def test_validate_with_the_checkpoint_and_positions_of_ones_own(
    small_checkpoint: Path, bundle: Path, tmp_path: Path, azx: Azx
) -> None:
    boards = np.random.default_rng(2).integers(0, 2, (12, 2, 6, 7)).astype(np.float32)
    np.savez(tmp_path / "boards.npz", main_input=boards)
    done = azx("validate", bundle, "--against", small_checkpoint, "--inputs", "boards.npz")
    assert done.returncode == 0
    assert "12 positions from boards.npz, against small net é.h5" in done.stdout.lower()


def test_quiet_says_the_verdict_alone_and_verbose_when_each_step_began(bundle: Path, azx: Azx) -> None:
    quiet = azx("validate", bundle, "--quiet")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    verdict, doubt = quiet.stdout.splitlines()
    assert verdict.startswith("✓ ")
    assert "5 artifacts, equal to the 20 answers in golden.json" in verdict
    assert doubt.startswith("! Not compared with the checkpoint: ")
    verbose = azx("validate", bundle, "--verbose")
    steps = verbose.stderr.splitlines()
    assert steps[0].endswith(" s  Validating: checking the files")
    assert [step for step in steps if " s  Validating: " not in step] == []
    both = azx("validate", bundle, "--quiet", "--verbose")
    assert both.returncode == 2
    assert "--quiet and --verbose exclude each other." in both.stderr


def test_a_quiet_export_says_the_verdict_alone(small_checkpoint: Path, azx: Azx) -> None:
    done = azx("export", small_checkpoint, "--format", "onnx", "--positions", 30, "-o", "net", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    (verdict,) = done.stdout.splitlines()
    assert verdict.startswith("✓ net: 1 artifact, equal to the original")


def test_what_comes_next_is_to_play_or_to_say_which_game_it_is(small_bundle: Path) -> None:
    contents = load_manifest(small_bundle)
    done = ExportResult(small_bundle, contents, Proof("net", 0, "", "", (), ()), {}, (), None, (), 1.0)
    assert _next_step(done, "net.h5") == shlex.join(["azx", "serve", str(small_bundle)])
    onnx = tuple(artifact for artifact in contents.artifacts if artifact.format == "onnx")
    alone = replace(done, contents=replace(contents, artifacts=onnx))
    assert _next_step(alone, "net.h5") == shlex.join(["azx", "play", str(small_bundle)])
    unknown = _next_step(replace(done, contents=replace(contents, game=None)), "net.h5")
    assert unknown.startswith("azx describe net.h5 (the game is unknown")
    many = _next_step(replace(done, contents=replace(contents, batch=4)), "net.h5")
    assert many.startswith(shlex.join(["azx", "install", str(small_bundle)]) + " APP (no app of azx can play it: ")
