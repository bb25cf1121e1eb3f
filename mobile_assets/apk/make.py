"""Makes an Android app from a prepared one: adds networks, name, icon, id and version, aligns and signs it.

The prepared app has the engine and TFLite, and no network. It comes with the package azx-export-android.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...bundle.contents.manifest import load_manifest
from ...bundle.contents.playable import check_playable
from ...errors import AzxError, BundleError
from ...manifest import File
from ...pages.board_picture import draw_board
from ...pages.notebook import html_table
from ...pages.png import Picture, on_ground, resize, write_png
from ...system.exchange import replace_file
from ...version import __version__
from ..app_kinds import ASSETS
from ..installed_index import INDEX, Index, InstalledBundle, describe_all
from ..start import show_game
from .aligned_zip import AlignedZip
from .chunks import ResourceError
from .facts import Facts
from .keys import Key
from .manifest_xml import BinaryXml
from .signing import sign
from .table import ResourceTable

MANIFEST_XML, TABLE = "AndroidManifest.xml", "resources.arsc"
FOREGROUND, BACKGROUND = "res/own/icon.png", "res/own/ground.png"
# An adaptive icon has edges that a system's shape may cut off: 72 of its 108 parts are seen.
ICON_PIXELS, SEEN = 432, 288
THEME = (28, 43, 74)
WHITE = (255, 255, 255)


@dataclass(frozen=True)
class App:
    """A written APK: its file, its facts, its networks and its bytes."""

    file: Path
    facts: Facts
    bundles: tuple[InstalledBundle, ...]
    size: int

    def _repr_html_(self) -> str:
        """Its facts and networks as a table, for notebooks."""
        rows = [(each.title, each.game, each.artifact) for each in self.bundles]
        facts = f"{self.facts.identity} {self.facts.version} ({self.facts.code}), {self.size / 1e6:.1f} MB"
        return html_table(f"{self.facts.name}, {self.file}", ("network", "game", "file"), rows, facts)


def prepared_app() -> Path:
    """The prepared app of the package azx-export-android; AzxError if that is not installed."""
    try:
        from azx_export_android import APP
    except ImportError:
        raise AzxError(
            "The prepared app is not installed: install azx-export-android of the same version, beside azx-export[apk]."
        ) from None
    return Path(APP)


def make_apk(bundles: Sequence[Path], facts: Facts, key: Key, output: Path, prepared: Path | None = None) -> App:
    """Write an APK with these bundles to `output`, beside its place first; equal input gives equal bytes.

    Raises:
        UnsafeArtifact: a network does more than calculate.
        BundleError: a bundle is damaged, lacks a TFLite artifact or cannot be played; the file cannot be written. An
            existing APK then stays unchanged.
        AzxError: the icon is no PNG, or the prepared app is missing or not that of this azx.

    """
    prepared = prepared or prepared_app()
    icon = facts.read_icon()
    files, entries, first = _networks(bundles)
    try:
        with zipfile.ZipFile(prepared) as archive:
            names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
            made = {name: archive.read(name) for name in names}
        least_sdk = _change(made, facts)
        made |= {FOREGROUND: _icon(first, icon), BACKGROUND: _ground(icon)}
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        reason = str(error) if isinstance(error, ResourceError) else "it is damaged or missing"
        raise AzxError(
            f"'{prepared}' is no app that this azx prepared ({reason}): install azx-export-android of the same version."
        ) from error
    package = AlignedZip()
    for name, data in sorted({**made, **files}.items(), key=_order):
        package.add(name, data)
    signed = sign(package.to_bytes(), key, least_sdk)
    replace_file(output, lambda part: part.write_bytes(signed))
    return App(output, facts, entries, len(signed))


def _order(item: tuple[str, bytes]) -> tuple[bool, str]:
    """The manifest first: programs that list an APK look there."""
    return item[0] != MANIFEST_XML, item[0]


def _change(made: dict[str, bytes], facts: Facts) -> int:
    """Put the app's facts into the prepared files; returns the oldest API that the app runs on."""
    manifest, table = BinaryXml(made[MANIFEST_XML]), ResourceTable(made[TABLE])
    if (prepared := manifest.get("manifest", "versionName")) != __version__:
        raise ResourceError(f"it is of azx {prepared}, this is {__version__}")
    manifest.set("manifest", "package", facts.identity)
    manifest.set("manifest", "versionName", facts.version)
    manifest.set("manifest", "versionCode", facts.code)
    # Libraries are mapped out of the APK, in which they lie stored.
    manifest.set("application", "extractNativeLibs", False)
    table.set("string", "app_name", facts.name)
    (adaptive,) = set(table.texts("mipmap", "ic_launcher"))
    old = {path for kind in ("foreground", "background") for path in table.texts("drawable", f"ic_launcher_{kind}")}
    table.set("drawable", "ic_launcher_foreground", FOREGROUND)
    table.set("drawable", "ic_launcher_background", BACKGROUND)
    shape = BinaryXml(made[adaptive])
    # azx's own symbol, for systems that draw all icons in one colour.
    shape.remove("monochrome")
    made |= {MANIFEST_XML: manifest.to_bytes(), TABLE: table.to_bytes(), adaptive: shape.to_bytes()}
    for path in old:
        del made[path]
    least = manifest.get("uses-sdk", "minSdkVersion")
    if not isinstance(least, int):
        raise ResourceError("its oldest Android is not a number")
    return least


def _networks(bundles: Sequence[Path]) -> tuple[dict[str, bytes], tuple[InstalledBundle, ...], Picture]:
    """The bundles' files by their paths in the app, the entries of its index, and a picture of the first board."""
    index, files, manifests = Index(), dict[str, bytes](), [load_manifest(bundle) for bundle in bundles]
    for bundle, manifest in zip(bundles, manifests, strict=True):
        check_playable(bundle, manifest, " in an app")
    for bundle, entry in describe_all(bundles, manifests, "android"):
        files |= {f"assets/{ASSETS}/{entry.name}/{file.path}": _checked(bundle, file) for file in entry.files}
        index = index.with_bundle(entry)
    files[f"assets/{ASSETS}/{INDEX}"] = index.text().encode()
    # Smaller than the edge that may be cut off, so that the whole board is seen.
    picture = draw_board(show_game(manifests[0]), ICON_PIXELS, ICON_PIXELS, THEME, 0.52)
    return files, index.bundles, picture


def _checked(bundle: Path, file: File) -> bytes:
    data = (bundle / file.path).read_bytes()
    if (len(data), hashlib.sha256(data).hexdigest()) != (file.size, file.sha256):
        raise BundleError(f"'{bundle / file.path}' changed while it was read: try again.")
    return data


def _icon(board: Picture, icon: Picture | None) -> bytes:
    """The icon's foreground: the board, or the app's own icon, small enough to be whole in every shape."""
    if icon is None:
        return write_png(board)
    made = np.zeros((ICON_PIXELS, ICON_PIXELS, 4), np.uint8)
    edge = (ICON_PIXELS - SEEN) // 2
    made[edge : edge + SEEN, edge : edge + SEEN] = resize(icon, SEEN)
    return write_png(made)


def _ground(icon: Picture | None) -> bytes:
    """The icon's background: the mean colour of the icon's edges, with white where they are transparent."""
    colour = THEME
    if icon is not None:
        edges = on_ground(np.concatenate([icon[0], icon[-1], icon[:, 0], icon[:, -1]])[None], WHITE)
        red, green, blue = (int(part) for part in np.rint(edges[0, :, :3].mean(axis=0)))
        colour = red, green, blue
    made = np.full((ICON_PIXELS // 4, ICON_PIXELS // 4, 4), 255, np.uint8)
    made[:, :, :3] = colour
    return write_png(made)
