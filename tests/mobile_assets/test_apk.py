"""`azx apk`: what is in the app, that Android's own tools accept it, and what is refused.

`prepared.apk` beside this file is a tiny app that aapt2 made, with the names that azx's has.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from azx.cli import cli
from azx.errors import AzxError
from azx.mobile_assets.apk.aligned_zip import PAGE, find_unaligned
from azx.mobile_assets.apk.chunks import ResourceError
from azx.mobile_assets.apk.facts import Facts, code_of, identity_of
from azx.mobile_assets.apk.keys import make_key
from azx.mobile_assets.apk.manifest_xml import BinaryXml
from azx.mobile_assets.apk.table import ResourceTable
from azx.mobile_assets.start import show_game
from azx.pages.png import write_png

PREPARED = Path(__file__).with_name("prepared.apk")
MAVEN = Path.home() / ".m2" / "repository"
NAME = "Mein Gö 围棋"
Made = Callable[..., Result]


def android_tool(pattern: str) -> Path:
    """A file of Maven's local repository; the test is left out if it is missing."""
    found = sorted(path for path in MAVEN.glob(pattern) if "sources" not in path.name)
    if not found:
        pytest.skip(f"{pattern} is not in Maven's local repository: `make test-android` brings it")
    return found[-1]


def verify(*apks: Path) -> list[str]:
    """What apksig says of each APK."""
    jar = android_tool("com/android/tools/build/apksig/*/apksig-*.jar")
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    source = Path(__file__).with_name("VerifyApk.java")
    done = subprocess.run(["java", "-cp", jar, source, *apks], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def dump(apk: Path, what: list[str], folder: Path) -> str:
    """What aapt2 reads of an APK."""
    jar = android_tool("org/apktool/apktool-lib/*/apktool-lib-*.jar")
    tool = folder / "aapt2"
    if not tool.exists():
        with zipfile.ZipFile(jar) as archive:
            name = next(each for each in archive.namelist() if each.startswith("prebuilt/linux/aapt2"))
            tool.write_bytes(archive.read(name))
        tool.chmod(0o755)
    done = subprocess.run([tool, "dump", *what, apk], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "key.pem"
    make_key(path, "Test")
    return path


@pytest.fixture(scope="module")
def phone_bundle(small_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small bundle at a place of its own, beside which a key may be kept."""
    return Path(shutil.copytree(small_bundle, tmp_path_factory.mktemp("phone") / "mine"))


@pytest.fixture
def made(phone_bundle: Path, key: Path, tmp_path: Path) -> Made:
    """Run `azx apk` on the small bundle."""

    def run(*options: str, name: str = NAME, signed_by: Path | None = key) -> Result:
        own = [] if signed_by is None else ["--key", str(signed_by)]
        words = [str(phone_bundle), "--name", name, "-o", str(tmp_path / "my.apk"), "--prepared", str(PREPARED)]
        return CliRunner().invoke(cli, ["apk", *words, *own, *options])

    return run


def test_androids_own_tools_accept_it_and_read_back_what_was_put_in(
    made: Made, phone_bundle: Path, tmp_path: Path
) -> None:
    icon = tmp_path / "icon.png"
    icon.write_bytes(write_png(np.full((50, 40, 4), (200, 30, 60, 255), np.uint8)))
    done = made("--icon", str(icon), "--id", "org.example.my_go", "--version", "2.3.4")
    assert done.exit_code == 0, done.output
    apk = tmp_path / "my.apk"
    assert verify(apk) == ["true v2 true v3 true [][]"]
    badging = dump(apk, ["badging"], tmp_path)
    assert "package: name='org.example.my_go' versionCode='20304' versionName='2.3.4'" in badging
    assert f"application-label:'{NAME}'" in badging
    assert f"application-label-zh-CN:'{NAME}'" in badging
    assert "launchable" not in badging or "org.azx.app" in badging
    resources = dump(apk, ["resources"], tmp_path)
    assert "(file) res/own/icon.png type=PNG" in resources
    assert "é" * 200 in resources
    assert "monochrome" not in dump(apk, ["xmltree", "--file", "res/mipmap-anydpi/ic_launcher.xml"], tmp_path)
    with zipfile.ZipFile(apk) as archive:
        index = json.loads(archive.read("assets/azx/index.json"))
        (entry,) = index["bundles"]
        assert {file["path"] for file in entry["files"]} >= {"manifest.json", "golden.json", entry["artifact"]}
        for file in entry["files"]:
            data = archive.read(f"assets/azx/{entry['name']}/{file['path']}")
            assert hashlib.sha256(data).hexdigest() == file["sha256"]
            assert data == (phone_bundle / file["path"]).read_bytes()


def test_what_the_system_maps_is_stored_and_aligned(made: Made, tmp_path: Path) -> None:
    made()
    apk = (tmp_path / "my.apk").read_bytes()
    assert find_unaligned(apk) == []
    with zipfile.ZipFile(tmp_path / "my.apk") as archive:
        stored = {entry.filename for entry in archive.infolist() if entry.compress_type == zipfile.ZIP_STORED}
        libraries = [entry for entry in archive.infolist() if entry.filename.endswith(".so")]
        assert {"resources.arsc", *(entry.filename for entry in libraries)} < stored
        for entry in libraries:
            assert apk.index(archive.read(entry)) % PAGE == 0
        assert BinaryXml(archive.read("AndroidManifest.xml")).get("application", "extractNativeLibs") == 0


def test_two_runs_with_one_key_are_equal_byte_for_byte(made: Made, tmp_path: Path) -> None:
    made()
    first = (tmp_path / "my.apk").read_bytes()
    made()
    assert (tmp_path / "my.apk").read_bytes() == first
    made("--version", "1.1")
    assert (tmp_path / "my.apk").read_bytes() != first


def test_a_changed_byte_is_no_longer_verified(made: Made, tmp_path: Path) -> None:
    made()
    whole = (tmp_path / "my.apk").read_bytes()
    spoilt = []
    for number, at in enumerate((100, len(whole) // 2, whole.rindex(b"APK Sig Block 42") - 600, len(whole) - 100)):
        path = tmp_path / f"{number}.apk"
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        spoilt.append(path)
    assert [line.split()[0] for line in verify(tmp_path / "my.apk", *spoilt)] == ["true", *["false"] * 4]


def test_a_key_is_made_once_beside_the_bundle_and_used_again(made: Made, phone_bundle: Path, tmp_path: Path) -> None:
    kept = phone_bundle.with_name("mine.apk-key.pem")
    kept.unlink(missing_ok=True)
    done = made(signed_by=None)
    assert done.exit_code == 0, done.output
    assert "no new version can be installed over this app" in " ".join(done.output.split())
    if os.name == "posix":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    first = (tmp_path / "my.apk").read_bytes()
    again = made(signed_by=None)
    assert "a new key" not in again.output
    assert (tmp_path / "my.apk").read_bytes() == first
    with pytest.raises(AzxError, match="File exists"):
        make_key(kept, "Another")
    assert sorted(path.name for path in phone_bundle.parent.iterdir()) == ["mine", "mine.apk-key.pem"]


def test_a_key_of_another_kind_and_one_with_a_password_sign_too(
    made: Made, tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12

    private = ec.generate_private_key(ec.SECP256R1())
    old = x509.load_pem_x509_certificate(key.read_bytes())
    built = x509.CertificateBuilder(old.issuer, old.subject, private.public_key(), 7)
    certificate = built.not_valid_before(old.not_valid_before_utc).not_valid_after(old.not_valid_after_utc)
    store = tmp_path / "own.p12"
    signed = certificate.sign(private, SHA256())
    store.write_bytes(
        pkcs12.serialize_key_and_certificates(b"own", private, signed, None, BestAvailableEncryption(b"s3"))
    )
    assert "password is wrong" in made(signed_by=store).stderr
    monkeypatch.setenv("AZX_KEY_PASSWORD", "s3")
    assert made(signed_by=store).exit_code == 0
    first = (tmp_path / "my.apk").read_bytes()
    made(signed_by=store)
    assert (tmp_path / "my.apk").read_bytes() == first
    assert verify(tmp_path / "my.apk") == ["true v2 true v3 true [][]"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--icon", "missing.png"], "cannot be read"),
        (["--icon", str(Path(__file__))], "is not a PNG file"),
        (["--id", "my_go"], "at least two words"),
        (["--id", "org.9go"], "at least two words"),
        (["--id", "org.switch"], "no word of Java's"),
        (["--id", "org.example.go!"], "at least two words"),
        (["--version", "one two"], "must be one such as 1.2"),
        (["--version-code", "0"], "must be one such as 1.2"),
        (["--name", "A" * 31], "a line of 1 to 30 letters"),
        (["--name", "Go 🎲"], "without emoji"),
        (["--key", str(Path(__file__))], "cannot be read as a key"),
        (["--prepared", "missing.apk"], "is no app that this azx prepared"),
        (["--prepared", str(Path(__file__))], "is no app that this azx prepared"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(options: list[str], reason: str, made: Made, tmp_path: Path) -> None:
    done = made(*options)
    assert (done.exit_code, len(done.stderr.strip().splitlines())) == (1, 1)
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_app_that_is_there(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    before = (tmp_path / "my.apk").read_bytes()

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = made("--version", "2")
    assert done.exit_code == 1
    assert "cannot be written (No space left on device)" in done.stderr
    assert (tmp_path / "my.apk").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["my.apk"]


def test_without_the_prepared_app_its_package_is_named(phone_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "azx_export_android", None)
    done = CliRunner().invoke(cli, ["apk", str(phone_bundle), "--name", "My Go"])
    assert done.exit_code == 1
    assert "install azx-export-android" in done.stderr


def test_names_become_ids_and_versions_codes() -> None:
    assert identity_of("My Go 2!") == "game.azx.my_go_2"
    assert re.fullmatch(r"game\.azx\.n[0-9a-f]{8}", identity_of("围棋"))
    for name in ("围棋", "9 men", "switch", "É"):
        Facts(name, identity_of(name))
    assert [code_of(text) for text in ("1.2.3", "2", "0.0", "beta")] == [10203, 20000, 1, 1]


def test_the_files_of_the_prepared_app_are_read_and_written_unchanged() -> None:
    with zipfile.ZipFile(PREPARED) as archive:
        manifest, table = archive.read("AndroidManifest.xml"), archive.read("resources.arsc")
    assert BinaryXml(manifest).to_bytes() == manifest
    assert ResourceTable(table).to_bytes() == table
    for spoilt in (table[:50], b"", table[:8] + b"\xff" * 12 + table[20:]):
        with pytest.raises((ResourceError, ValueError)):
            ResourceTable(spoilt)
    with pytest.raises(ResourceError, match="no string 'missing'"):
        ResourceTable(table).texts("string", "missing")


def test_the_package_of_the_prepared_app_has_the_version_of_azx(repository: Path) -> None:
    own, other = (
        tomllib.loads((repository / path / "pyproject.toml").read_text(encoding="utf8"))["project"]
        for path in ("", "apps/android/wheel")
    )
    assert (other["name"], other["version"]) == ("azx-export-android", own["version"])


def test_a_picture_of_a_game_shows_a_position_under_way(phone_bundle: Path) -> None:
    from azx.bundle.contents.manifest import load_manifest

    assert show_game(load_manifest(phone_bundle)).last_action is not None
