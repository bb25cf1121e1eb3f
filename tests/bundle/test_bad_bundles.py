"""The bad bundles of bad_bundles.json, with which the apps are tested too: azx says what they say in its own words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from golden.bundles import bad_bundles

import azx
from azx.bundle.contents.golden import read_golden
from azx.bundle.contents.manifest import file_entry, heads_in, load_manifest
from azx.bundle.contents.playable import in_words, why_not
from azx.errors import AzxError
from azx.mobile_assets.installed_index import Index, describe, read_index, write_index

CASES = bad_bundles()["cases"]
FILES = {"manifest": "manifest.json", "golden": "golden.json", "model": "small net é.onnx"}
# What azx says where an app says the sentence of a key; `%` is what the recipe names.
SAID = {
    "error_index": r"is no index that this azx wrote|is no folder beside it",
    "error_missing": r"is missing|holds no manifest.json",
    "error_size": r"SHA-256 differs",
    "error_hash": r"SHA-256 differs",
    "error_too_large": r"is damaged \((it is of .* of such a file|JSONDecodeError)\)",
    "error_json": r"is damaged \((JSONDecodeError|RecursionError|ValueError)\)",
    "error_version": r"has schema version|is damaged \(it holds no object\)",
    "error_member": r"its manifest has no sound '%'|does not have [0-9]+ numbers in every position|has no hash of",
    "error_unlisted": r"outside the bundle|which is not one of its artifacts|the manifest has no hash of",
    "error_no_positions": r"golden.json is damaged",
    "error_other_positions": r"golden.json is damaged",
    "error_load": r"is not an ONNX file that ONNX Runtime loads",
    "problem_no_game": r"no known game",
    "problem_unknown_game": r"'%', is none that the apps know",
    "problem_unreadable": r"no sound 'encoding' \(at encoding.layout\)",
}


def is_for_azx(case: dict[str, Any]) -> bool:
    """Not where the index alone tells what is wrong: azx reads a bundle without one."""
    of_manifest = any(edit["file"] == "manifest" for edit in case["edits"])
    by_index = not case["sealed"] and of_manifest and case["key"] != "error_missing"
    # An index of an older azx is one that this azx reads; an app is told to have it installed again.
    of_older = case["about"] == "an index of an older azx"
    return not by_index and not of_older and case["key"] not in ("error_index_manifest", "problem_no_artifact")


def changed(data: Any, path: list[Any], edit: dict[str, Any]) -> Any:
    """The value with another one at a place, or without it."""
    first, *rest = path
    places = list(data if isinstance(data, dict) else range(len(data))) if first == "*" else [first]
    for place in places:
        if rest:
            changed(data[place], rest, edit)
        elif edit["do"] == "set":
            data[place] = edit["value"]
        else:
            del data[place]
    return data


def edited(content: bytes, edit: dict[str, Any]) -> bytes:
    """What an edit makes of a file."""
    step = edit["do"]
    if step == "cut":
        return content[: len(content) // 2]
    if step == "change":
        middle = len(content) // 2
        return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    if step in ("write", "fill"):
        return str(edit["text"]).encode() * int(edit.get("times", 1))
    if step in ("set", "unset"):
        return json.dumps(changed(json.loads(content), edit["at"], edit)).encode()
    text = content.decode()
    if step == "replace":
        assert edit["old"] in text
        return text.replace(str(edit["old"]), str(edit["new"]), 1).encode()
    if step == "begin":
        return text.replace("{", "{" + edit["text"], 1).encode()
    assert step == "end"
    before, _, after = text.rpartition("}")
    return f"{before}{edit['text']}}}{after}".encode()


def edit_file(case: dict[str, Any], name: str, path: Path) -> None:
    for edit in case["edits"]:
        if edit["file"] != name:
            continue
        if edit["do"] == "remove":
            path.unlink()
        else:
            path.write_bytes(edited(path.read_bytes(), edit))


def seal(bundle: Path, path: str) -> None:
    """Have the manifest record a file as it is."""
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    entry = file_entry(bundle, bundle / path).as_data()
    manifest["files"] = [entry if file["path"] == path else file for file in manifest["files"]]
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")


def make(case: dict[str, Any], bundle: Path) -> Path:
    """Spoil a bundle as the recipe says; the folder above it has an index of it."""
    entry = describe(bundle, load_manifest(bundle), "bundle", None)
    for name in ("golden", "model"):
        edit_file(case, name, bundle / FILES[name])
        if case["sealed"] and (bundle / FILES[name]).exists():
            seal(bundle, FILES[name])
    edit_file(case, "manifest", bundle / "manifest.json")
    write_index(bundle.parent, Index(bundles=(entry,)))
    edit_file(case, "index", bundle.parent / "index.json")
    return bundle


def said(bundle: Path) -> str:
    """What azx says of a bundle: its index, its files, its positions, its network, then why no app can play it."""
    try:
        read_index(bundle.parent)
        manifest = load_manifest(bundle)
        read_golden(bundle, manifest.input_shapes, heads_in(manifest))
        with azx.load(bundle, format="onnx"):
            return in_words(problems) if (problems := why_not(manifest)) else ""
    except AzxError as error:
        return str(error)


@pytest.mark.parametrize("case", [case for case in CASES if is_for_azx(case)], ids=lambda case: case["about"])
def test_a_bad_bundle_is_told(case: dict[str, Any], bundle: Path) -> None:
    sentence = said(make(case, bundle))
    if case["key"] is None:
        assert sentence == ""
        return
    assert re.search(SAID[case["key"]].replace("%", re.escape(str(case["names"]))), sentence), sentence
    assert len(sentence.splitlines()) == 1
