"""azx looks into a compressed file before it says to unpack it, and names the networks of Go and chess engines."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from azx.errors import CheckpointError
from azx.export.checkpoint.located import find_checkpoint
from azx.export.checkpoint.read import read_checkpoint

KATAGO = b"kata1-b18c384nbt-s100\n14\n22\n19\n64.0 20.0\ntrunk\n18\n384\nmodel.conv_spatial\n3\n3\n22\n384\n@BIN@\0\0"
KATAGO_8 = b"g170-b6c96-s1-d2\n8\n22\n19\ntrunk\n6\n96\n32\n32\nconv1\n5\n5\n22\n96\n1\n1\n@BIN@\1\2\3"
LC0 = b"\x0d\xc0\x01\x00\x00\x12\x04text" + bytes(200)
LEELA_ZERO = b"1\n-0.0123 1.5e-05 0.25\n0.5 0.5\n"
ELF = b"2\r\n0.1 -2.5\r\n"
ENGINES = {
    "KataGo": (KATAGO, "a network of KataGo"),
    "KataGo, version 8": (KATAGO_8, "a network of KataGo"),
    "lc0": (LC0, "a network of Leela Chess Zero"),
    "Leela Zero": (LEELA_ZERO, "a network of Leela Zero"),
    "ELF OpenGo": (ELF, "a network of Leela Zero"),
}
PACKERS: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


def refusal(content: bytes, path: Path) -> str:
    path.write_bytes(content)
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(path)
    sentence = str(error.value)
    assert sentence.count("\n") == 0
    return sentence


@pytest.mark.parametrize("name", ENGINES)
def test_a_network_of_an_engine_is_named_packed_or_not(name: str, tmp_path: Path) -> None:
    content, what = ENGINES[name]
    path = tmp_path / "net.gz"
    assert refusal(content, path).startswith(f"'{path}' is {what}, whose format azx does not read")
    for packer, pack in PACKERS.items():
        said = refusal(pack(content), path)
        assert f"is compressed with {packer}, and {what}" in said
        assert "unpack" not in said
        assert "docs/other-frameworks.md" in said  # the way out


@pytest.mark.parametrize("packer", PACKERS)
def test_a_checkpoint_that_is_packed_is_to_be_unpacked(packer: str, tmp_path: Path) -> None:
    content = PACKERS[packer](find_checkpoint("tictactoe").read_bytes())
    assert refusal(content, tmp_path / "net.gz").endswith(
        f"is compressed with {packer}: unpack it, and give the .h5 or .keras file in it."
    )


def tarred(*names: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 4_000
            archive.addfile(member, io.BytesIO(bytes(4_000)))
    return data.getvalue()


def zipped(*names: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, "text")
    return data.getvalue()


IN_ARCHIVES = {
    "a checkpoint in a tar": (
        tarred("a.txt", "net/best.h5"),
        "a tar archive with a .h5 or .keras file in it: unpack it",
    ),
    "none in a tar": (tarred("a.txt", "b.txt"), "a tar archive without a .h5 or .keras file in it: give"),
    "a packed tar": (gzip.compress(tarred("net/best.h5")), "a tar archive, compressed with gzip: unpack it, and give"),
    "a packed pickle": (
        gzip.compress(pickle.dumps({})),
        "compressed with gzip, and a Python pickle, which can run code",
    ),
    "text": (gzip.compress(b"hello, world"), "compressed with gzip, and no .h5 or .keras file: give"),
    "cut off": (b"\x1f\x8b\x08\x00", "compressed with gzip: unpack it, and give"),
    "7-Zip": (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it, and give the .h5 or .keras file, if one is in it"),
    "none in a zip": (zipped("a.txt", "b.txt"), "a zip archive without a .h5 or .keras file in it: give"),
    "OpenVINO": (b'<?xml version="1.0"?>\n<net name="n" version="11">', "an OpenVINO model and not a Keras checkpoint"),
    "XML": (b'<?xml version="1.0"?>\n<notes/>', "an XML file and not a Keras checkpoint"),
}


@pytest.mark.parametrize("name", IN_ARCHIVES)
def test_an_archive_is_described_by_what_is_in_it(name: str, tmp_path: Path) -> None:
    content, what = IN_ARCHIVES[name]
    assert refusal(content, tmp_path / "net.zip").startswith(f"'{tmp_path / 'net.zip'}' is {what}")


def test_little_of_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(1 << 26))  # a thousand zeros a byte
    assert "is compressed with gzip, and no .h5 or .keras file" in refusal(bomb, tmp_path / "bomb.gz")


def folder(tmp_path: Path, *names: str) -> str:
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(CheckpointError) as error:
        read_checkpoint(tmp_path)
    return str(error.value)


@pytest.mark.parametrize(
    "names",
    [
        ("_CHECKPOINT_METADATA", "default/_METADATA", "default/d/0f3a"),
        ("_METADATA", "manifest.ocdbt", "d/0f3a"),
        ("100/default/_METADATA", "100/_CHECKPOINT_METADATA"),
        ("manifest.ocdbt", "checkpoint"),
    ],
)
def test_a_folder_of_orbax_is_named(names: tuple[str, ...], tmp_path: Path) -> None:
    said = folder(tmp_path, *names)
    assert said.startswith(f"'{tmp_path}' is an Orbax checkpoint (JAX)")
    assert "docs/other-frameworks.md" in said


def test_a_folder_without_a_checkpoint_says_where_one_lies(tmp_path: Path) -> None:
    said = folder(tmp_path, "photo.jpg")
    assert said == f"'{tmp_path}' is a folder without a .h5 or .keras file: give the file that Keras saved."
    below = folder(tmp_path, "photo.jpg", "models/net.h5")
    inside = Path("models") / "net.h5"
    assert (
        below == f"'{tmp_path}' is a folder without a .h5 or .keras file: give one below it, as '{tmp_path / inside}'."
    )
