"""Bundles that somebody made to harm whoever installs them: each gives one sentence, at once, and changes nothing."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from azx.errors import AzxError
from azx.mobile_assets.any_system import alike, fault_of
from azx.mobile_assets.install import install

pytestmark = pytest.mark.skipif(os.name != "posix", reason="makes pipes, links and names that other systems lack")
Change = Callable[[Path, dict[str, Any]], None]
GOLDEN = "golden.json"


def renamed(name: str, lies_there: bool = True) -> Change:
    """golden.json listed under another name, and lying there where the disk can hold that."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        listed(manifest, GOLDEN)["path"] = name
        if lies_there:
            (bundle / name).parent.mkdir(parents=True, exist_ok=True)
            (bundle / GOLDEN).rename(bundle / name)

    return change


def added(*names: str, lie_there: bool = True) -> Change:
    """More files, honestly listed."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        for name in names:
            data = name.encode(errors="replace")
            manifest["files"].append({"path": name, "size": len(data), "sha256": sha256(data).hexdigest()})
            if lie_there and not (bundle / name).exists():
                (bundle / name).parent.mkdir(parents=True, exist_ok=True)
                (bundle / name).write_bytes(data)

    return change


def replaced(make: Callable[[Path], object], name: str = GOLDEN) -> Change:
    """Something else in a file's place."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        (bundle / name).unlink()
        make(bundle / name)

    return change


def sparse(size: int, says: int | None = None, name: str = GOLDEN) -> Change:
    """A file that is nothing but a hole; the manifest tells its size, where it is to."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        (bundle / name).touch()
        os.truncate(bundle / name, size)
        if name != "manifest.json" and says is not None:
            listed(manifest, name)["size"] = says

    return change


def said(**members: Any) -> Change:
    """Members of the manifest that say something else."""
    return lambda bundle, manifest: manifest.update(members)


def entry_says(**members: Any) -> Change:
    """What the manifest says of golden.json."""
    return lambda bundle, manifest: listed(manifest, GOLDEN).update(members)


def artifact_says(**members: Any) -> Change:
    """What the manifest says of an artifact."""
    return lambda bundle, manifest: manifest["artifacts"][0].update(members)


def recommends(path: str) -> Change:
    return lambda bundle, manifest: manifest["recommended"].update(web=path)


def as_manifest(data: bytes) -> Change:
    """Another manifest.json altogether."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        manifest.clear()
        (bundle / "manifest.json").write_bytes(data)

    return change


def listed(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    entry: dict[str, Any] = next(entry for entry in manifest["files"] if entry["path"] == name)
    return entry


def outside(bundle: Path) -> Path:
    """A file that is nobody's business, with golden.json's own bytes, so that every hash is right."""
    path = bundle.parent / "secret.json"
    shutil.copy(bundle / GOLDEN, path)
    return path


def linked_out(bundle: Path, manifest: dict[str, Any]) -> None:
    path = outside(bundle)
    (bundle / GOLDEN).unlink()
    (bundle / GOLDEN).symlink_to(path)


def folder_linked_out(bundle: Path, manifest: dict[str, Any]) -> None:
    folder = next(path for path in bundle.iterdir() if path.name.endswith("_tfjs"))
    folder.symlink_to(folder.rename(bundle.parent / "elsewhere"))


def manifest_linked_out(bundle: Path, manifest: dict[str, Any]) -> None:
    (bundle / "manifest.json").symlink_to((bundle / "manifest.json").rename(bundle.parent / "elsewhere.json"))
    manifest.clear()


def hard_link(target: str) -> Change:
    """Another file's inode under golden.json's name."""

    def change(bundle: Path, manifest: dict[str, Any]) -> None:
        (bundle.parent / "secret.json").write_text("secret")
        (bundle / GOLDEN).unlink()
        os.link(bundle.parent / "secret.json" if target == "outside" else bundle / target, bundle / GOLDEN)

    return change


def looped(path: Path) -> None:
    path.symlink_to(path.name)


def device(path: Path) -> None:
    """A link to a device that has no end; root alone could make the device itself."""
    path.symlink_to("/dev/zero")


def folder_of_that_name(path: Path) -> None:
    path.mkdir()
    (path / GOLDEN).write_text("{}")


def unreadable(bundle: Path, manifest: dict[str, Any]) -> None:
    """Root reads it all the same, and finds other bytes than the manifest tells."""
    (bundle / GOLDEN).write_text("mine")
    (bundle / GOLDEN).chmod(0)


def socket_at(path: Path) -> None:
    import socket

    here = Path.cwd()
    os.chdir(path.parent)  # an address has no more than 108 letters
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


LONG, SURROGATE = "x" * 300, "a\udc80b.json"
HOSTILE: dict[str, Change] = {
    # names that no disk holds
    "a name of 300 letters": renamed(LONG, lies_there=False),
    "another of 300 letters": added(LONG, lie_there=False),
    "a folder of 300 letters": renamed(f"{LONG}/a.json", lies_there=False),
    "a name of 256 letters": renamed("x" * 256, lies_there=False),
    "a name of 300 bytes": renamed("é" * 150, lies_there=False),
    "a path of 5000 letters": renamed("/".join(["folder"] * 700), lies_there=False),
    "a path of 100000 letters": renamed("a/" * 50_000 + "a", lies_there=False),
    # half of a character
    "a surrogate": renamed(SURROGATE, lies_there=False),
    "a surrogate that lies there": renamed(SURROGATE),
    "a high surrogate": added("\ud800", lie_there=False),
    "a surrogate in the name": said(name="a\udc80b"),
    "a surrogate in the game": said(game="\udcff"),
    "a surrogate in the settings": said(settings={"rule": "\udcff"}),
    "a surrogate as a setting": said(settings={"\udcff": 1}),
    "a surrogate in an artifact's format": artifact_says(format="\udcff"),
    "a surrogate in an artifact's path": artifact_says(path="\udcff"),
    "a surrogate that is recommended": recommends("\udcff"),
    "a surrogate in a member that nobody knows": said(more=["\udcff"]),
    # control characters
    "a new line": renamed("a\nb.json"),
    "a return": renamed("a\rb.json"),
    "an escape": renamed("\x1b[2Jb.json"),
    "a bell": renamed("\a"),
    "a tab": renamed("a\tb"),
    "a delete": renamed("a\x7f"),
    "a control of the upper half": renamed("a\x9bb"),
    "a line separator": renamed("a\u2028b"),
    "a zero": renamed("a\0b", lies_there=False),
    "a new line in a folder": renamed("a\n/b.json"),
    "a new line in the name": said(name="a\nb"),
    "a new line in an artifact's path": artifact_says(path="a\nb"),
    # what Windows reserves
    **{
        f"the device {name}": renamed(name)
        for name in ("CON", "nul", "Aux.json", "PRN.a.b", "com1", "LPT9.txt", "CONIN$")
    },
    "the device COM¹": renamed("COM¹"),
    "a device for a folder": renamed("aux/a.json"),
    "a device before a space": renamed("nul .txt"),
    "a device as the name": said(name="con"),
    "a device with a suffix as the name": said(name="nul.net"),
    "a dot at the end": renamed("a."),
    "a space at the end": renamed("a "),
    "a dot at a folder's end": renamed("a./b"),
    "a colon": renamed("golden.json:stream"),
    "a drive": renamed("C:golden.json"),
    "a backslash": renamed("a\\b"),
    # links
    "a link that leads out": linked_out,
    "a folder that leads out": folder_linked_out,
    "a manifest that leads out": manifest_linked_out,
    "a link to nowhere": replaced(lambda path: path.symlink_to("nowhere")),
    "a link to itself": replaced(looped),
    "a link to a folder": replaced(lambda path: path.symlink_to(".")),
    "a link to the root": replaced(lambda path: path.symlink_to("/")),
    "a link to the passwords": replaced(lambda path: path.symlink_to("/etc/passwd")),
    "a link to the environment": replaced(lambda path: path.symlink_to("/proc/self/environ")),
    "a link to another of its files": replaced(lambda path: path.symlink_to("manifest.json")),
    "a manifest that is a link to itself": replaced(looped, "manifest.json"),
    "a manifest that is a link to nowhere": replaced(lambda path: path.symlink_to("nowhere"), "manifest.json"),
    "a hard link to a file outside": hard_link("outside"),
    "a hard link to another of its files": hard_link("manifest.json"),
    # what is no file
    "a pipe": replaced(os.mkfifo),
    "a pipe for a manifest": replaced(os.mkfifo, "manifest.json"),
    "a device": replaced(device),
    "a device for a manifest": replaced(device, "manifest.json"),
    "a socket": replaced(socket_at),
    "a folder": replaced(Path.mkdir),
    "a folder with the file in it": replaced(folder_of_that_name),
    "a folder for a manifest": replaced(Path.mkdir, "manifest.json"),
    "a file that is gone": replaced(lambda path: None),
    "a file that nobody may read": unreadable,
    # sizes
    "a hole of 50 GiB": sparse(50 * 2**30),
    "a hole of 50 GiB that is listed so": sparse(50 * 2**30, 50 * 2**30),
    "a hole of 2 GiB that is listed so": sparse(2**31, 2**31),
    "a hole of 50 GiB for a manifest": sparse(50 * 2**30, name="manifest.json"),
    "a hole that is listed as 50 GiB": sparse(2**20, 50 * 2**30),
    "a size below zero": entry_says(size=-1),
    "a size beyond all numbers": entry_says(size=10**400),
    "a size that is true": entry_says(size=True),
    "an empty file": sparse(0),
    # one file on some systems
    "two names that differ in case": added("A.json", "a.json"),
    "two names that differ in an accent's form": added("\u00e9.json", "e\u0301.json"),
    "two names that differ in ß": added("straße", "STRASSE"),
    "two folders that differ in case": added("A/b", "a/b"),
    "a file and a folder that differ in case": added("Net", "net/a"),
    "the manifest in other letters": added("MANIFEST.JSON"),
    "a name twice": added("a.json", "a.json"),
    "a file that is a folder too": added("golden.json/a", lie_there=False),
    # out of the bundle
    **{
        f"the path {path}": renamed(path, lies_there=False)
        for path in (
            "../secret",
            "a/../../secret",
            "/etc/passwd",
            "..",
            ".",
            "./",
            "a/../golden.json",
            "~root/a",
            "//a",
            "a//b",
        )
    },
    "a plain path with a dot": renamed("./golden.json", lies_there=False),
    "a path with a slash at its end": renamed("golden.json/", lies_there=False),
    "an empty path": renamed("", lies_there=False),
    **{
        f"the name {name!r}": said(name=name)
        for name in ("../a", "/a", "..", ".", "", "index.json", ".lock", "a/b", "x" * 300)
    },
    "an artifact outside": artifact_says(path="../secret"),
    "an artifact that is the bundle": artifact_says(path="."),
    "a recommendation outside": recommends("../secret"),
    "no recommendation": lambda bundle, manifest: manifest["recommended"].pop("web"),
    # no manifest
    "no JSON": as_manifest(b"{"),
    "a list": as_manifest(b"[]"),
    "nothing": as_manifest(b""),
    "a hundred thousand brackets": as_manifest(b"[" * 100_000),
    "no UTF-8": as_manifest(b'{"name": "\xff"}'),
    "NaN": as_manifest(b'{"schema_version": NaN}'),
    "a hundred thousand digits": as_manifest(b'{"schema_version": ' + b"1" * 100_000 + b"}"),
    "another schema": said(schema_version=2),
    "files that are no list": said(files={"path": GOLDEN}),
    "a file without a hash": lambda bundle, manifest: listed(manifest, GOLDEN).pop("sha256"),
    "a hash in capitals": lambda bundle, manifest: listed(manifest, GOLDEN).update(sha256="A" * 64),
}


@pytest.fixture(scope="module")
def light(small_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small network's bundle for the browser alone."""
    light = tmp_path_factory.mktemp("light") / "net"
    manifest = json.loads((small_bundle / "manifest.json").read_text(encoding="utf8"))
    path = manifest["recommended"]["web"]
    manifest |= {"recommended": {"web": path}, "artifacts": [a for a in manifest["artifacts"] if a["path"] == path]}
    manifest["files"] = [f for f in manifest["files"] if f["path"] == GOLDEN or f["path"].startswith(f"{path}/")]
    shutil.copytree(small_bundle / path, light / path)
    shutil.copy(small_bundle / GOLDEN, light)
    (light / "manifest.json").write_text(json.dumps(manifest | {"name": "net"}), encoding="utf8")
    return light


@pytest.fixture
def bundle(light: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(light, tmp_path / "given" / "net"))


@pytest.fixture
def app(light: Path, tmp_path: Path) -> Path:
    """A web app that has a bundle of that name already."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "package.json").write_text("{}\n")
    install(light, tmp_path / "app")
    return tmp_path / "app"


def seen(folder: Path) -> Iterator[tuple[str, int, bytes]]:
    """Each thing in a folder, and what it is; no pipe is opened and no hole read."""
    for path in sorted(folder.rglob("*")):
        found = path.lstat()
        small = path.is_file() and not path.is_symlink() and found.st_size < 2**20
        yield str(path), found.st_mode, path.read_bytes() if small else b""


def bytes_read() -> int:
    """How much this process has read until now, by Linux's count; 0 on other systems."""
    counts = Path("/proc/self/io")
    return int(counts.read_text().split("rchar: ")[1].split()[0]) if counts.exists() else 0


def refused(bundle: Path, app: Path, **options: Any) -> str:
    """The one sentence that says why; nothing has changed, and little was read."""
    before, read = list(seen(app.parent)), bytes_read()
    with pytest.raises(AzxError) as raised:
        install(bundle, app, **options)
    assert bytes_read() - read < 64 << 20, "the bytes of a hostile file were read"
    assert list(seen(app.parent)) == before
    sentence = str(raised.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 150_000
    return sentence


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_bundle_is_refused_in_a_sentence(what: str, bundle: Path, app: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    HOSTILE[what](bundle, manifest)
    if manifest:
        text = json.dumps(manifest)
        path = bundle / "manifest.json"
        if path.is_file() and not path.is_symlink() and path.stat().st_size < 2**24:
            path.write_text(text, encoding="utf8")
    refused(bundle, app)


def test_there_are_at_least_87_of_them() -> None:
    assert len(HOSTILE) >= 87


def test_what_they_were_made_from_is_installed(bundle: Path, app: Path) -> None:
    assert install(bundle, app).replaced


@pytest.mark.parametrize("where", [".", "inside", "net_tfjs"])
def test_a_bundle_is_not_installed_into_itself(where: str, bundle: Path, app: Path) -> None:
    (bundle / where).mkdir(exist_ok=True)
    said = refused(bundle, bundle / where, kind="folder")
    assert said.endswith("lies in the bundle itself: give the folder of the app's project.")


def test_nor_by_another_path_to_it(bundle: Path, app: Path) -> None:
    link = bundle.parent / "link"
    link.symlink_to(bundle / "inside")
    (bundle / "inside").mkdir()
    assert "lies in the bundle itself" in refused(bundle, link, kind="folder")


def test_a_persons_folder_that_looks_like_a_part_stays(bundle: Path, app: Path) -> None:
    for name in (".net.part-123", ".net.part-123.old"):
        for place in (app / "public" / "azx", app / "public"):
            (place / name).mkdir()
            (place / name / "mine.txt").write_text("mine")
    install(bundle, app)
    assert len(list(app.rglob("mine.txt"))) == 4


def test_a_sentence_on_the_terminal_is_one_line_whatever_a_name_holds(
    check: Any, bundle: Path, app: Path, tmp_path: Path, azx: Callable[..., Any]
) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    renamed("a\nError\x1b[2Jb")(bundle, manifest)
    (bundle / "manifest.json").write_text(json.dumps(manifest))
    assert "has control characters" in check.sentence(azx("install", bundle, app))


@pytest.mark.parametrize(
    "name", ["net.tflite", "größe é.json", "語.bin", "console", "a b", ".hidden", "x" * 255, "com10"]
)
def test_a_name_that_every_system_holds_is_none_to_be_refused(name: str) -> None:
    assert fault_of(name) is None


def test_names_are_alike_where_a_disk_says_so() -> None:
    assert alike("Straße/É") == alike("STRASSE/e\u0301")
    assert alike("a") != alike("b")
