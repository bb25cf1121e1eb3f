"""A bundle that is damaged or not one is refused before anything runs."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.export.checkpoint.digest import sha256

Azx = Callable[..., subprocess.CompletedProcess[str]]
Edit = Callable[[dict[str, Any]], None]


def edit_manifest(bundle: Path, change: Edit) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    change(manifest)
    (bundle / "manifest.json").write_text(json.dumps(manifest))


def edit_golden(bundle: Path, change: Edit) -> None:
    """Other recorded positions, with the hash that goes with them."""
    path = bundle / "golden.json"
    golden = json.loads(path.read_text())
    change(golden)
    path.write_text(json.dumps(golden))
    entry = {"path": path.name, "sha256": sha256(path), "size": path.stat().st_size}
    edit_manifest(
        bundle, lambda m: m.update(files=[entry if file["path"] == path.name else file for file in m["files"]])
    )


def first_position(golden: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = golden["positions"][0]
    return found


def replaced(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


def first_artifact(manifest: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = manifest["artifacts"][0]
    return found


BAD_BUNDLES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "edited": (lambda b: (b / "small net é.onnx").write_bytes(b"x"), "'small net é.onnx' is not the file that the"),
    "truncated": (lambda b: os.truncate(b / "small net é.pb", 999), "'small net é.pb' is not the file that the"),
    "golden edited": (lambda b: (b / "golden.json").write_text("{}"), "'golden.json' is not the file that the"),
    "missing file": (lambda b: (b / "small net é.tflite").unlink(), "'small net é.tflite' is missing"),
    "missing shard": (lambda b: (b / "small net é_tfjs/group1-shard1of1.bin").unlink(), "shard1of1.bin' is missing"),
    "no manifest": (lambda b: (b / "manifest.json").unlink(), "holds no manifest.json, so it is not a bundle"),
    "manifest cut": (lambda b: os.truncate(b / "manifest.json", 99), "manifest.json' is damaged"),
    "manifest empty": (lambda b: (b / "manifest.json").write_text("[]"), "manifest.json' is damaged"),
    "newer": (lambda b: edit_manifest(b, lambda m: m.update(schema_version=2)), "has schema version 2 and this azx"),
    "wrong hash": (
        lambda b: edit_manifest(b, lambda m: m["files"][0].update(sha256="0" * 64)),
        "is not the file that the manifest records (its SHA-256 differs)",
    ),
    "hash cut": (
        lambda b: edit_manifest(b, lambda m: m["files"][0].update(sha256="0" * 63)),
        "no sound 'files' (at files.0.sha256)",
    ),
    "no schema": (lambda b: edit_manifest(b, lambda m: m.pop("schema_version")), "has schema version None and this"),
    "no outputs": (lambda b: edit_manifest(b, lambda m: m.pop("outputs")), "its manifest has no sound 'outputs'"),
    "outside": (
        lambda b: edit_manifest(b, lambda m: m["files"][0].update(path="../../secret")),
        "names '../../secret', which is outside the bundle",
    ),
    "artifact outside": (
        lambda b: edit_manifest(b, lambda m: first_artifact(m).update(path="/etc/passwd")),
        "names '/etc/passwd', which is outside the bundle",
    ),
    "unhashed": (
        lambda b: edit_manifest(b, lambda m: m.update(files=[])),
        "the manifest has no hash of",
    ),
    "unknown format": (
        lambda b: edit_manifest(b, lambda m: first_artifact(m).update(format="gguf")),
        "is of format 'gguf', which this azx does not know",
    ),
    "manifest is a folder": (lambda b: replaced(b / "manifest.json", Path.mkdir), "is damaged (Is a directory)"),
    "manifest is a pipe": (
        lambda b: replaced(b / "manifest.json", os.mkfifo),
        "is damaged (it is a pipe or a device and no file)",
    ),
    "manifest too long": (
        lambda b: os.truncate(b / "manifest.json", 2**25),
        "is damaged (it is of 32 MiB, and azx reads up to 16 MiB of such a file)",
    ),
    "schema is true": (lambda b: edit_manifest(b, lambda m: m.update(schema_version=True)), "has schema version True"),
    "no file name": (
        lambda b: edit_manifest(b, lambda m: m["files"][0].update(path="a\0b")),
        r"names 'a\x00b', which is outside the bundle",
    ),
    "link to itself": (
        lambda b: replaced(b / "golden.json", lambda path: path.symlink_to(path.name)),
        "names 'golden.json', which is outside the bundle",
    ),
    "recommended is none": (
        lambda b: edit_manifest(b, lambda m: m["recommended"].update(web="../x")),
        "recommends '../x' for 'web', which is not one of its artifacts",
    ),
    "no positions": (lambda b: edit_golden(b, lambda g: g.update(positions=[])), "golden.json is damaged (it has no"),
    "newer positions": (
        lambda b: edit_golden(b, lambda g: g.update(schema_version=2)),
        "golden.json has schema version",
    ),
    "not a number": (
        lambda b: edit_golden(b, lambda g: first_position(g)["inputs"]["main_input"].__setitem__(0, float("nan"))),
        "golden.json' is damaged (ValueError)",
    ),
    "number too large": (
        lambda b: edit_golden(b, lambda g: first_position(g)["inputs"]["main_input"].__setitem__(0, 10**400)),
        "golden.json is damaged (int too large",
    ),
    "no such move": (
        lambda b: edit_golden(b, lambda g: first_position(g).update(legal=[-1])),
        "golden.json is damaged (position 0 has no legal move, or one beyond the policy's",
    ),
    "no legal move": (
        lambda b: edit_golden(b, lambda g: first_position(g).update(legal=[])),
        "golden.json is damaged (position 0 has no legal move",
    ),
    "wrong types": (lambda b: edit_manifest(b, lambda m: m.update(outputs=[1, "x"])), "'outputs'"),
    "wrong checkpoint": (lambda b: edit_manifest(b, lambda m: m.update(checkpoint="x")), "no sound 'checkpoint'"),
}


@pytest.mark.parametrize("fault", BAD_BUNDLES)
def test_a_bad_bundle_is_one_sentence_before_anything_runs(
    check: Any, fault: str, bundle: Path, tmp_path: Path, azx: Azx
) -> None:
    spoil, expected = BAD_BUNDLES[fault]
    spoil(bundle)
    with check.nothing_left(tmp_path):
        done = azx("validate", bundle)
    assert expected in check.sentence(done)
    assert str(bundle) in done.stderr
    assert "proving" not in done.stderr


def test_a_link_out_of_the_bundle_is_refused(check: Any, bundle: Path, tmp_path: Path, azx: Azx) -> None:
    onnx = bundle / "small net é.onnx"
    onnx.rename(tmp_path / "elsewhere.onnx")
    onnx.symlink_to(tmp_path / "elsewhere.onnx")
    assert "which is outside the bundle" in check.sentence(azx("validate", bundle))


@pytest.mark.smoke
def test_a_folder_that_is_not_there_is_no_bundle(check: Any, azx: Azx) -> None:
    assert check.sentence(azx("validate", "none")) == (
        "There is no bundle at 'none': give the folder that azx export wrote."
    )


def test_without_a_bundle_there_is_none_to_validate(check: Any, azx: Azx) -> None:
    assert "No bundle was written here yet: run azx export first" in check.sentence(azx("validate"))


def test_another_checkpoint_is_not_what_a_bundle_was_made_from(
    check: Any, bundle: Path, renamed_checkpoint: Path, azx: Azx
) -> None:
    said = check.sentence(azx("validate", bundle, "--against", renamed_checkpoint))
    assert "(the checkpoint's SHA-256 differs): give 'small net é.h5' with --against" in said
    assert str(renamed_checkpoint) in said


@pytest.mark.parametrize("option", [["--inputs", "x.npz"], ["--positions", 5]])
def test_other_positions_need_the_checkpoint(check: Any, option: list[object], bundle: Path, azx: Azx) -> None:
    assert f"{option[0]} needs the checkpoint" in check.sentence(azx("validate", bundle, *option))
