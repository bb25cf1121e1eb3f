"""Files on their way between machines: what arrives is what was sent, or it is refused."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.cluster.parcel import BadParcel, files_in, pack, unpack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sent" / "in").mkdir(parents=True)
    (tmp_path / "sent" / "one").write_bytes(b"first")
    (tmp_path / "sent" / "in" / "größe").write_bytes(bytes(range(256)))
    (tmp_path / "sent" / "empty").write_bytes(b"")
    return tmp_path


def test_what_is_laid_is_what_was_packed(folder: Path) -> None:
    data = pack({"told": [1, "é"]}, files_in(folder / "sent", "below/"))
    assert data == pack({"told": [1, "é"]}, dict(reversed(files_in(folder / "sent", "below/").items())))
    parcel = unpack(data)
    parcel.lay(folder / "got")
    assert parcel.head == {"told": [1, "é"]}
    found = {path.relative_to(folder / "got" / "below").as_posix(): path for path in (folder / "got").rglob("*")}
    assert {name: path.read_bytes() for name, path in found.items() if path.is_file()} == {
        name: path.read_bytes() for name, path in files_in(folder / "sent").items()
    }


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """A parcel of one file whose list was changed."""
    told = {"head": {}, "files": [{"path": "one", "size": 5, "sha256": FIRST}]}
    change(told)
    text = json.dumps(told).encode()
    return struct.pack("<Q", len(text)) + text + b"first"


FIRST = "a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e"
BAD = {
    "nothing": b"",
    "no JSON": struct.pack("<Q", 3) + b"{}}",
    "a length of an exabyte": struct.pack("<Q", 2**60) + b"{}",
    "not whole": changed(lambda told: None)[:-1],
    "more than it lists": changed(lambda told: None) + b"more",
    "another hash": changed(lambda told: told["files"][0].update(sha256=FIRST[::-1])),
    "a size that is negative": changed(lambda told: told["files"][0].update(size=-1)),
    "a size that is no number": changed(lambda told: told["files"][0].update(size="five")),
    "no list": changed(lambda told: told.update(files=None)),
    "a head that is no object": changed(lambda told: told.update(head=[])),
    "the same name twice": changed(lambda told: told["files"].append({"path": "one", "size": 0, "sha256": ""})),
}


def test_the_parcel_that_the_bad_ones_were_made_of_is_sound() -> None:
    assert bytes(unpack(changed(lambda told: None)).files["one"]) == b"first"


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_what_is_no_parcel_is_refused(data: bytes) -> None:
    with pytest.raises(BadParcel):
        unpack(data)


@pytest.mark.parametrize("name", ["../one", "/one", "in/../../one", "C:one", "in\\one", "", "."])
def test_no_file_is_laid_outside_the_folder(name: str, tmp_path: Path) -> None:
    parcel = unpack(changed(lambda told: told["files"][0].update(path=name)))
    with pytest.raises(BadParcel, match="outside the folder"):
        parcel.lay(tmp_path / "inside")
    assert list(tmp_path.rglob("one")) == []
