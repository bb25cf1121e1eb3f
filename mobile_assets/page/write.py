"""Writes the folder of a page: the web app without its rarely used parts, networks, icons, a picture, a list.

    index.html  board.html       the page, and a single board for a frame in somebody's own page
    app.webmanifest  sw.js  assets/  icon-192.png  icon-512.png  picture.png
    azx/index.json  azx/<name>/  the networks
    page.json                    the list of all these with their hashes, by which azx knows its own files

Weights and WebAssembly are packed by gzip under their own names, so that any host sends them small.
It is made beside its place, and then the two folders change places in one step.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ...bundle.contents.manifest import load_manifest
from ...bundle.contents.playable import check_playable
from ...errors import BundleError
from ...games.known.catalogue import GAMES
from ...games.state import State
from ...manifest import Manifest
from ...pages.board_picture import draw_board
from ...pages.notebook import html_table
from ...pages.png import Picture, on_ground, resize, write_png
from ...system.exchange import link_others, locked_place, recover, replace_file, swap
from ..app_kinds import ASSETS
from ..install import copy_files
from ..installed_index import Index, InstalledBundle, describe_all, write_index
from ..site import find_web
from ..start import show_game
from .look import Look
from .rewritten import (
    FROM_DISK,
    ICONS,
    LEFT_OUT,
    NOTICES,
    PICTURE,
    PICTURE_SIZE,
    Words,
    board_of,
    named_by_content,
    page_of,
    style_of,
    web_manifest,
    worker_of,
)

LIST = "page.json"
# What packing must save at least.
WORTH = 0.95
# The date of all files in a .zip, so that equal pages give equal bytes.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Page:
    """A written page: its folder, its networks, the bytes of the app and of the networks, and its .zip if wanted.

    `loads` are the bytes that a visitor loads of each network before its first answer.
    """

    folder: Path
    bundles: tuple[InstalledBundle, ...]
    app_size: int
    networks_size: int
    loads: tuple[int, ...]
    zip: Path | None = None

    def _repr_html_(self) -> str:
        """Its networks as a table, for notebooks."""
        rows = [
            (each.title, each.game, f"{size / 1e6:.2f} MB") for each, size in zip(self.bundles, self.loads, strict=True)
        ]
        size = f"{(self.app_size + self.networks_size) / 1e6:.1f} MB"
        return html_table(str(self.folder), ("network", "game", "loaded first"), rows, size)


def write_page(
    bundles: Sequence[Path], folder: Path, look: Look | None = None, *, app: Path | None = None, zipped: bool = False
) -> Page:
    """Write the page of these bundles to `folder`, and with `zipped` to a .zip beside it too.

    An earlier page of azx there is replaced. Other files in that folder stay.

    Raises:
        UnsafeArtifact: a network does more than calculate.
        BundleError: a bundle is damaged or cannot be played in a browser; the folder holds what azx did not write,
            is in use, or cannot be written. The folder is then as it was.
        AzxError: the icon is no PNG, or the web app is not built.

    """
    look, web = look or Look(), find_web(app)
    manifests = [load_manifest(bundle) for bundle in bundles]
    for bundle, manifest in zip(bundles, manifests, strict=True):
        check_playable(bundle, manifest, " on a page")
    icon = look.read_icon()
    archive = folder.with_name(f"{folder.name}.zip") if zipped else None
    if archive is not None and archive.exists() and not _is_archive(archive):
        raise BundleError(
            f"'{archive}' is no .zip that azx page wrote: move it away, or choose another folder with -o."
        )
    with _staged(folder) as place:
        entries = _write_networks(place, bundles, manifests)
        start = show_game(manifests[0])
        _copy_app(web, place)
        _write_pictures(place, start, icon, look)
        _pack_binaries(place)
        _rewrite(place, _words(look, manifests), look)
        (place / ".nojekyll").touch()
        sizes = _size(place, of_networks=False), _size(place, of_networks=True)
        page = Page(folder, entries, *sizes, tuple(_load_of(place, entry) for entry in entries), archive)
        hashes = _hashes(place)
        (place / LIST).write_text(json.dumps({"page": 1, "files": hashes}, indent=1) + "\n", encoding="utf8")
        _keep_others(folder, place, hashes)
        if archive is not None:
            replace_file(archive, lambda part: _pack(place, sorted([*hashes, LIST]), part))
    return page


@contextmanager
def _staged(folder: Path) -> Iterator[Path]:
    """A new folder, which then takes the place of `folder`; BundleError if that is not azx's own, or is in use."""
    recover(folder)
    _check_own(folder)
    in_use = BundleError(f"'{folder}' is in use by another azx page: wait until it ends.")
    try:
        with locked_place(folder, in_use) as place:
            place.mkdir()
            yield place
            swap(place, folder)
    except OSError as error:
        raise BundleError(
            f"'{folder}' cannot be written ({error.strerror or error}): free the disk, or choose another with -o."
        ) from error


def _check_own(folder: Path) -> None:
    """BundleError if `folder` is a file, has content but is no page of azx, or has a changed file of azx."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BundleError(f"'{folder}' is a file: choose another folder with -o.")
    listed = _listed(folder)
    if listed is None and any(folder.iterdir()):
        raise BundleError(f"'{folder}' is not empty and no page that azx wrote: choose another folder with -o.")
    for path, digest in (listed or {}).items():
        file = folder / path
        if file.exists() and (not file.is_file() or _digest(file) != digest):
            raise BundleError(f"'{file}' was changed since azx page wrote it: move it away, then try again.")


def _listed(folder: Path) -> dict[str, str] | None:
    """The files that azx wrote there, with their hashes; None if the folder is no page of azx."""
    try:
        data = json.loads((folder / LIST).read_text(encoding="utf8"))
        files = {str(path): str(digest) for path, digest in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return files if not any(Path(path).is_absolute() or ".." in Path(path).parts for path in files) else None


def _keep_others(folder: Path, place: Path, hashes: dict[str, str]) -> None:
    """Keep the old folder's other files in the new one, such as `CNAME` or `.git`."""
    ours = {*(_listed(folder) or {}), LIST}
    for path in (*hashes, LIST):
        if path not in ours and (folder / path).exists():
            raise BundleError(f"'{folder / path}' is not a file that azx page wrote: move it away, then try again.")
    if folder.exists():
        link_others(folder, place, {folder / path for path in ours})
        for above in sorted({(place / path).parent for path in ours}, reverse=True):
            if above != place and above.is_dir() and not any(above.iterdir()):
                above.rmdir()


def _write_networks(place: Path, bundles: Sequence[Path], manifests: Sequence[Manifest]) -> tuple[InstalledBundle, ...]:
    """Copy what a browser plays, and float32 beside a lower precision: its self-test compares with that."""
    index = Index()
    for bundle, entry in describe_all(bundles, manifests, "web"):
        # LiteRT.js, which plays these, is left out.
        entry = replace(entry, files=tuple(file for file in entry.files if not file.path.endswith(".tflite")))
        copy_files(bundle, entry, place / ASSETS / entry.name)
        index = index.with_bundle(entry)
    write_index(place / ASSETS, index)
    return index.bundles


def _copy_app(web: Path, place: Path) -> None:
    """Copy the app's files. Those that a wheel has packed are unpacked, because hosts pack them themselves."""
    for path in sorted(web.rglob("*")):
        name = path.relative_to(web).as_posix()
        is_packed_alone = name.endswith(".gz") and not path.with_suffix("").exists()
        plain = name.removesuffix(".gz") if is_packed_alone else name
        if not path.is_file() or name.startswith(f"{ASSETS}/") or LEFT_OUT.fullmatch(plain):
            continue
        if name.endswith((".gz", ".br")) and not is_packed_alone:
            continue
        target = place / plain
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.decompress(path.read_bytes()) if is_packed_alone else path.read_bytes())


def _pack_binaries(place: Path) -> None:
    """Pack weights and WebAssembly in place, because hosts would send them unpacked; the page unpacks them."""
    for _, path in list(_files(place)):
        if path.suffix in (".bin", ".wasm"):
            plain = path.read_bytes()
            packed = gzip.compress(plain, 9, mtime=0)
            if len(packed) < WORTH * len(plain):
                path.write_bytes(packed)


def _write_pictures(place: Path, start: State, icon: Picture | None, look: Look) -> None:
    """Write the icons, by default pictures of the board, and the picture for previews of a link."""
    for size in ICONS:
        made = draw_board(start, size, size, look.theme, 0.8) if icon is None else resize(icon, size)
        (place / f"icon-{size}.png").write_bytes(write_png(made if icon is None else on_ground(made, look.paper)))
    (place / PICTURE).write_bytes(write_png(draw_board(start, *PICTURE_SIZE, look.paper)))


def _words(look: Look, manifests: Sequence[Manifest]) -> Words:
    titles = list(dict.fromkeys(GAMES[str(manifest.game)].title for manifest in manifests))
    games = " and ".join([", ".join(titles[:-1]), titles[-1]]) if len(titles) > 1 else titles[0]
    description = f"Play {games} against a network that runs on this device"
    return Words(look.title or (games if len(titles) < 4 else "Board games"), description, look.author)


def _rewrite(place: Path, words: Words, look: Look) -> None:
    """Write the app's own files anew; sw.js last, as it lists the others."""
    texts = {"css": style_of(look), "js": FROM_DISK}
    style, script = (named_by_content("own", suffix, text) for suffix, text in texts.items())
    page = page_of((place / "index.html").read_text(encoding="utf8"), words, look, style, script)
    manifest = web_manifest((place / "app.webmanifest").read_text(encoding="utf8"), words, look)
    made = {
        style: texts["css"],
        script: texts["js"],
        "index.html": page,
        "board.html": board_of(page),
        "app.webmanifest": manifest,
    }
    for name, text in made.items():
        (place / name).write_text(text, encoding="utf8", newline="\n")
    hashes = {path: digest for path, digest in _hashes(place).items() if path not in ("sw.js", PICTURE, NOTICES)}
    of_app = {path: digest for path, digest in hashes.items() if not path.startswith(f"{ASSETS}/")}
    worker = worker_of((place / "sw.js").read_text(encoding="utf8"), of_app)
    (place / "sw.js").write_text(worker, encoding="utf8", newline="\n")


def _files(place: Path) -> Iterator[tuple[str, Path]]:
    """Each file of a folder: its path there, ordered, and the file."""
    for path in sorted(place.rglob("*")):
        if path.is_file():
            yield path.relative_to(place).as_posix(), path


def _hashes(place: Path) -> dict[str, str]:
    return {name: _digest(path) for name, path in _files(place)}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _size(place: Path, *, of_networks: bool) -> int:
    return sum(path.stat().st_size for name, path in _files(place) if name.startswith(f"{ASSETS}/") == of_networks)


def _load_of(place: Path, entry: InstalledBundle) -> int:
    """The bytes of the artifact that the page plays, as stored in the folder."""
    files = (file.path for file in entry.files)
    played = [path for path in files if path == entry.artifact or path.startswith(f"{entry.artifact}/")]
    return sum((place / ASSETS / entry.name / path).stat().st_size for path in played)


def _pack(place: Path, names: Sequence[str], part: Path) -> None:
    """Write files of the folder as a .zip, in order, without times."""
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, (place / name).read_bytes())


def _is_archive(path: Path) -> bool:
    """Whether a file is a .zip of a page."""
    try:
        with zipfile.ZipFile(path) as archive:
            return LIST in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
