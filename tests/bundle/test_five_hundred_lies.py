"""Lies in every member of manifest.json and golden.json: each is named, or the member is listed as proved by nothing.

They are generated: each number is another one, each text another, what can be empty is empty, what can be left out is,
lists are shorter, longer and the other way round, objects have a member more. Hashes are brought up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from azx import Settings, export_checkpoint
from azx.bundle.contents.manifest import load_manifest
from azx.errors import BundleError
from azx.export.checkpoint.located import find_checkpoint
from azx.validate.gate.limits import Limits
from tests.support.held import Held, Once, hold

LEFT_OUT = object()
# Of golden.json's positions as many, and of their tensors as many numbers, as are lied about.
ROWS, NUMBERS = (0, 19), 2
# What the artifacts' own run shows, by their signatures: here nothing is run.
BY_THE_RUN = ("batch",)
Way = tuple[str | int, ...]


@pytest.fixture(scope="module")
def held(here: Any, tmp_path_factory: pytest.TempPathFactory) -> list[Held]:
    """Bundles of a small network: as `auto` chooses, and in 8 bits that its gate refuses."""
    place, network = tmp_path_factory.mktemp("lies"), find_checkpoint("tictactoe")
    auto, refused = place / "auto", place / "refused"
    both = Settings(formats=("tflite", "onnx"), precisions=("auto",), count=60, noted=False, report=False)
    gate = Limits(value_max=0.04)
    int8 = replace(both, formats=("tflite",), precisions=("fp32", "int8"), keep_failing=True, gate=gate)
    export_checkpoint(network, both, output=auto)
    export_checkpoint(network, int8, output=refused)
    return [hold(folder, network, here) for folder in (auto, refused)]


def nodes(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every member with the way to it; of long lists of numbers the first few."""
    yield way, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from nodes(each, (*way, name))
    if isinstance(value, list):
        rows = ROWS if way == ("positions",) else range(len(value))
        numbers = all(isinstance(each, int | float) for each in value)
        for at in list(rows)[: NUMBERS if numbers else None]:
            yield from nodes(value[at], (*way, at))


def others(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values for a member, each with what was done."""
    if isinstance(value, bool):
        yield "the contrary", not value
    elif isinstance(value, int | float):
        yield "another number", value + 1
        yield "a text", str(value)
    elif isinstance(value, str):
        yield "another text", f"{value}x"
        yield "no text", ""
    elif value is None:
        yield "something", "x"
    elif isinstance(value, list):
        yield "one more", [*value, *(value[:1] or ["x"])]
        if value:
            yield "emptied", []
            yield "one less", value[:-1]
        if value != value[::-1]:
            yield "turned round", value[::-1]
    else:
        yield "a member more", {**value, "invented": 1}
        if value:
            yield "emptied", {}


def lies(data: Any) -> Iterator[tuple[Way, str, Any]]:
    """Each lie: the way to the member, what was done, and its value then."""
    for way, value in nodes(data):
        for done, other in others(value):
            yield way, done, other
        if way and isinstance(way[-1], str):
            yield way, "left out", LEFT_OUT
            yield way, "null", None


def put(data: Any, way: Way, value: Any) -> None:
    if not way:
        data.clear()
        data.update(value)
        return
    for part in way[:-1]:
        data = data[part]
    if value is LEFT_OUT:
        del data[way[-1]]
    else:
        data[way[-1]] = value


def text_of(way: Way) -> str:
    """A way as claims write it: artifacts[0].gate."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in way).lstrip(".")


def is_listed(way: Way, unproved: set[str]) -> bool:
    """Whether the member, or one that it is of, is among those that nothing proves."""
    names = [text_of(way[:length]) for length in range(1, len(way) + 1)]
    return any(name in unproved or re.sub(r"\[\d+\]", "[]", name) in unproved for name in names)


def unnamed(held: Held, file: str) -> tuple[int, list[str]]:
    """How many lies were told in a file, and those that neither a claim nor an error names."""
    data, told, missed = held.honest if file == "manifest.json" else held.golden, 0, []
    held.told(lambda data: None, file)
    honest = load_manifest(held.folder)
    for way, done, value in lies(data):
        held.told(partial(put, way=way, value=value), file)
        try:
            if file == "manifest.json" and load_manifest(held.folder) == honest and done != "a member more":
                continue  # another way to say the same: a default that is left out
            claims = held.claims(against=True)
        except BundleError:
            told += 1
            continue
        if way in [(name,) for name in BY_THE_RUN] and not claims.false:
            continue
        told += 1
        if not claims.false and not is_listed(way, {claim.member for claim in claims.unproved if claim.file == file}):
            missed.append(f"{text_of(way)} {done}: {json.dumps(None if value is LEFT_OUT else value)[:80]}")
    return told, missed


@pytest.mark.whole
def test_every_one_of_five_hundred_lies_is_named_or_its_member_listed(
    held: list[Held], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for bundle in held:
        Once().put_in(monkeypatch)
        bundle.told(lambda data: None, "manifest.json")
        assert bundle.claims(against=True).sentences == [], "the truth is named as a lie"
        found.append(unnamed(bundle, "manifest.json"))
        if bundle is held[0]:
            found.append(unnamed(bundle, "golden.json"))
        monkeypatch.undo()
    assert sum(told for told, _ in found) >= 800
    assert [lie for _, missed in found for lie in missed] == []
