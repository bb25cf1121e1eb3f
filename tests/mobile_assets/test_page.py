"""`azx page`: what its folder holds, what it refuses, and that nothing is half written."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from azx.cli import cli
from azx.commands import page
from azx.errors import AzxError
from azx.mobile_assets.page.look import CARDS, Look, contrast, read_colour, readable
from azx.mobile_assets.site import WEB_FOLDERS
from azx.pages.png import read_png

# Long enough to be worth packing.
WASM = b"\0asm" + bytes(4000)
SCRIPT = "assets/index-BhA1x2_k.js"
Made = Callable[..., Result]


@pytest.fixture(scope="module")
def app(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The web app as its build leaves it: its own index.html, flat, and a few files that stand for the others."""
    folder = tmp_path_factory.mktemp("built")
    page = (repository / "apps" / "web" / "index.html").read_text(encoding="utf8")
    page = re.sub(r"\n\s+", "\n", re.sub(r"(<(?:input|link|meta) [^>]*[^>\s])\s*/>", r"\1>", page))
    files = {
        "index.html": page.encode(),
        "sw.js": b'var o=JSON.parse("[\\"a.js\\",\\"index.html\\"]"),s=`0123456789abcdef`;',
        "app.webmanifest": (repository / "apps/web/public/app.webmanifest").read_bytes(),
        "icon.svg": b"<svg/>",
        "notices.txt": b"of others",
        "parts.json": b"{}",
        "icon-192.png": b"of azx",
        SCRIPT: b"let a = 1;",
        f"{SCRIPT}.gz": gzip.compress(b"let a = 1;"),
        f"{SCRIPT}.br": b"as if packed by Brotli",
        "assets/tfjs-backend-wasm-simd-0a1b2c3d.wasm.gz": gzip.compress(WASM),
        "assets/Lite-BP97esmu.js": b"LiteRT.js",
        "assets/litert_wasm_internal-xlFQpo4H.wasm": b"LiteRT.js",
        "azx/index.json": b"{}",
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def made(app: Path, small_bundle: Path, tmp_path: Path) -> Made:
    """Run `azx page` on the small bundle."""

    def run(*options: str, folder: str = "site") -> Result:
        return CliRunner().invoke(
            cli, ["page", str(small_bundle), "-o", str(tmp_path / folder), "--app", str(app), *options]
        )

    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_holds_the_app_the_network_and_a_list_of_both(made: Made, small_bundle: Path, tmp_path: Path) -> None:
    done = made(
        "--title", "Tom & <b>Jerry", "--author", "Ada <i>", "--accent", "#a35", "--url", "https://example.org/play"
    )
    assert done.exit_code == 0, done.output
    files = contents(tmp_path / "site")
    listed = json.loads(files.pop("page.json"))["files"]
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    assert not [name for name in files if re.search(r"itert|Lite|[.]br$|[.]gz$|[.]tflite$|icon[.]svg|parts", name)]
    assert files["notices.txt"] == b"of others"
    assert files[SCRIPT] == b"let a = 1;"
    page = files["index.html"].decode()
    assert "<title>Tom &amp; &lt;b&gt;Jerry</title>" in page
    assert "Ada &lt;i&gt;</footer>" in page
    assert "litert" not in page
    assert '<meta name="theme-color" content="#aa3355">' in page
    assert '<meta property="og:image" content="https://example.org/play/picture.png">' in page
    assert files["board.html"].decode() == page.replace('<html lang="en">', '<html lang="en" class="alone">')
    # The page asks no other host for anything, and names none but its own.
    texts = "".join(files[name].decode() for name in files if name.endswith((".html", ".css", ".js", ".webmanifest")))
    found = set(re.findall(r"https?://[^\s\"'<>]+", texts))
    assert found == {"https://example.org/play/", "https://example.org/play/picture.png"}
    manifest = json.loads(files["app.webmanifest"])
    assert (manifest["name"], manifest["theme_color"]) == ("Tom & <b>Jerry", "#aa3355")


def test_the_service_worker_keeps_all_but_the_networks(made: Made, tmp_path: Path) -> None:
    made()
    files = contents(tmp_path / "site")
    text = files["sw.js"].decode()
    kept = json.loads(json.loads(re.search(r'JSON\.parse\((".*?[^\\]")\)', text)[1]))  # type: ignore[index]
    not_kept = r"azx/|sw\.js|page\.json|picture|notices|\.nojekyll"
    assert kept == sorted(name for name in files if not re.match(not_kept, name))
    first = re.search(r"`([0-9a-f]{16})`", text)
    made("--title", "Another")
    again = re.search(r"`([0-9a-f]{16})`", (tmp_path / "site" / "sw.js").read_text())
    assert first
    assert again
    assert first[1] != again[1]


def test_what_hosts_send_unpacked_lies_there_packed(made: Made, small_bundle: Path, tmp_path: Path) -> None:
    made()
    files = contents(tmp_path / "site")
    packed = files["assets/tfjs-backend-wasm-simd-0a1b2c3d.wasm"]
    assert len(packed) < len(WASM)
    assert gzip.decompress(packed) == WASM
    name = "azx/small net é/small net é_tfjs/group1-shard1of1.bin"
    weights = (small_bundle / "small net é_tfjs/group1-shard1of1.bin").read_bytes()
    assert weights == (gzip.decompress(files[name]) if files[name][:2] == b"\x1f\x8b" else files[name])


def test_the_same_input_gives_the_same_bytes(made: Made, tmp_path: Path) -> None:
    made("--zip")
    made("--zip", folder="again")
    assert contents(tmp_path / "site") == contents(tmp_path / "again")
    assert (tmp_path / "site.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "site.zip") as archive:
        assert {name: archive.read(name) for name in archive.namelist() if name != "page.json"} == {
            name: data for name, data in contents(tmp_path / "site").items() if name != "page.json"
        }


def test_the_picture_is_of_the_board_and_the_icon_is_ones_own(made: Made, repository: Path, tmp_path: Path) -> None:
    made()
    assert read_png(tmp_path / "site" / "picture.png").shape == (630, 1200, 4)
    of_board = read_png(tmp_path / "site" / "icon-192.png")
    made("--icon", str(repository / "apps/web/public/icon-512.png"))
    own = read_png(tmp_path / "site" / "icon-192.png")
    assert own.shape == of_board.shape == (192, 192, 4)
    assert (own != of_board).any()


def test_a_page_that_azx_wrote_is_replaced_and_other_files_stay(made: Made, tmp_path: Path) -> None:
    site = tmp_path / "site"
    made()
    (site / "CNAME").write_text("example.org")
    (site / ".git").mkdir()
    (site / ".git" / "HEAD").write_text("ref")
    old = {name for name in contents(site) if name.startswith("assets/own-")}
    assert made("--accent", "#123456").exit_code == 0
    files = contents(site)
    assert (files["CNAME"], files[".git/HEAD"]) == (b"example.org", b"ref")
    assert len([name for name in files if name.startswith("assets/own-")]) == len(old)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site"]


def changed(site: Path) -> None:
    (site / "index.html").write_text("mine")


def foreign(site: Path) -> None:
    shutil.rmtree(site)
    site.mkdir()
    (site / "thesis.txt").write_text("mine")


def in_the_way(site: Path) -> None:
    # Of an older page, which had no board.html.
    data = json.loads((site / "page.json").read_text())
    del data["files"]["board.html"]
    (site / "page.json").write_text(json.dumps(data))
    (site / "board.html").write_text("mine")


def a_file(site: Path) -> None:
    shutil.rmtree(site)
    site.write_text("mine")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (changed, "was changed since azx page wrote it"),
        (foreign, "is not empty and no page that azx wrote"),
        (in_the_way, "is not a file that azx page wrote"),
        (a_file, "is a file"),
    ],
)
def test_a_folder_that_is_not_its_own_is_refused_and_left(
    spoil: Callable[[Path], None], reason: str, made: Made, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    made()
    spoil(site)
    before = contents(site) if site.is_dir() else {"": site.read_bytes()}
    done = made()
    assert (done.exit_code, len(done.stderr.strip().splitlines())) == (1, 1)
    assert reason in done.stderr
    assert before == (contents(site) if site.is_dir() else {"": site.read_bytes()})
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_full_disk_leaves_the_page_as_it_was(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    before = contents(tmp_path / "site")

    def full(source: object, target: object, **how: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    done = made("--title", "Another")
    assert done.exit_code == 1
    assert "cannot be written (No space left on device)" in done.stderr
    assert contents(tmp_path / "site") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["site"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--icon", "missing.png"], "cannot be read"),
        (["--icon", str(Path(__file__))], "is not a PNG file"),
        (["--accent", "blue"], "is no colour"),
        (["--background", "#888888"], "too dim to read texts on"),
        (["--background", "#fff", "--background", "#eee"], "one light and one dark"),
        (["--title", " "], "must be a line of 1 to 60 letters"),
        (["--url", "example.org"], "is not that of a page"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_before_anything_is_written(
    options: list[str], reason: str, made: Made, tmp_path: Path
) -> None:
    done = made(*options)
    assert (done.exit_code, len(done.stderr.strip().splitlines())) == (1, 1)
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_wait_for_a_large_network_is_said(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "A visitor loads" not in made().output
    monkeypatch.setattr(page, "LARGE", 1000)
    said = " ".join(made().output.split())
    (artifact,) = (tmp_path / "site/azx").glob("*/*_tfjs")
    load = sum(file.stat().st_size for file in artifact.iterdir())
    assert f"A visitor loads {load / 1e6:.2f} MB before Connect4" in said
    assert [page._wait(size) for size in (1_250_000, 104_000_000, 300_000_000)] == ["1 s", "83 s", "4 minutes"]


def test_texts_in_the_accent_are_read_in_light_and_in_dark() -> None:
    for text in ("#000000", "#ffffff", "#ffff00", "#0b6e5f", "#777777", "#ff0000"):
        for card in CARDS:
            assert contrast(readable(read_colour(text), card), card) >= 4.5
    assert Look().style() == ""
    with pytest.raises(AzxError, match="no colour"):
        read_colour("#12345")


@pytest.mark.skipif(not (WEB_FOLDERS[0] / "index.html").is_file(), reason="the web app is not built: make web")
def test_the_built_app_takes_less_than_three_megabytes(small_bundle: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["page", str(small_bundle), "-o", str(tmp_path / "site"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["bytes"]["app"] < 3_000_000
    total = sum(len(data) for name, data in contents(tmp_path / "site").items() if not name.startswith("azx/"))
    assert total < 3_000_000
    assert os.environ.get("HOME", "/nowhere") not in (tmp_path / "site" / "azx" / "index.json").read_text()
