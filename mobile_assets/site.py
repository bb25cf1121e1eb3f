"""Maps addresses to files: the built web app at /, the bundles at /azx/, and nothing outside them."""

from __future__ import annotations

import gzip
import mimetypes
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from ..bundle.contents.manifest import MANIFEST, inside, load_manifest, read_manifest
from ..errors import AzxError, BundleError
from ..system.exchange import recover_in
from ..system.plain_file import open_plain
from .app_artifact import for_platform, look_through
from .app_kinds import ASSETS
from .installed_index import INDEX, Index, InstalledBundle, describe, free_name, read_index
from .prepared import ContentCache
from .shipped_bundles import built_bundles

# In the source tree; then in a wheel with the app.
WEB_FOLDERS = (Path(__file__).parent.parent / "apps" / "web" / "dist", Path(__file__).parent / "web")
START = "index.html"
JSON, UNKNOWN = "application/json", "application/octet-stream"
# Python's own table is the same everywhere. Without `filenames` a machine's registry may call scripts plain text, and a
# browser would not run them. Below are types that the table lacks, or that differ between Pythons.
TYPES = mimetypes.MimeTypes(filenames=())
for _suffix, _kind in {
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".map": JSON,
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}.items():
    TYPES.add_type(_kind, _suffix)
PACKED = (("br", ".br"), ("gzip", ".gz"))
# Longer JSON is sent unpacked, because packing holds it in memory whole.
MOST_PACKED = 16 * 2**20
# The most sentences on damage for a terminal.
MOST_TOLD = 1000
Tell = Callable[[str], None]
# Vite names files by their content: assets/index-BhA1x2_k.js never changes.
_NAMED_BY_CONTENT = re.compile(r"assets/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+")


@dataclass(frozen=True)
class Answer:
    """An answer: a file or bytes, their encoding, a tag that changes with them, and whether they never change.

    `size` is that of the file in bytes, if a manifest records it.
    """

    body: Path | bytes
    content_type: str
    tag: str
    encoding: str | None = None
    immutable: bool = False
    size: int | None = None

    def open(self) -> BinaryIO:
        """The content, to be read in pieces; OSError if its file cannot be read, BundleError if its size differs."""
        if isinstance(self.body, bytes):
            return BytesIO(self.body)
        file = open_plain(self.body)
        if self.size not in (None, file.seek(0, os.SEEK_END)):
            file.close()
            raise BundleError(f"'{self.body}' has another size than its manifest records: export the checkpoint again.")
        file.seek(0)
        return file

    def content(self) -> bytes:
        """All of the content; raises like `open`."""
        with self.open() as file:
            return file.read()


class Site:
    """The web app and its bundles. A bundle that is exported again meanwhile is served in its new form.

    `tell` receives each reason, once, why something cannot be sent. Its sentences name files of this machine, so
    clients do not get them.
    """

    def __init__(self, web: Path, bundles: Sequence[Path], tell: Tell = lambda sentence: None) -> None:
        self.web = web.resolve()
        self.bundles: dict[str, Path] = {}
        self._tell, self._told = tell, set[str]()
        self._prepared, self._reading = ContentCache(), threading.Lock()
        for folder in bundles:
            # By its name, made fit for an address; equal names are numbered.
            self.bundles[free_name(read_manifest(folder).name, self.bundles)] = folder

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Run the site's own work beside the server."""
        yield

    def find(self, target: str, accepted: frozenset[str] = frozenset()) -> Answer | None:
        """The content for a request's target; None if there is none. `accepted` are encodings (br, gzip)."""
        parts = parts_of(target)
        if parts is None:
            return None
        if self.bundles and parts[0] == ASSETS:
            return self._of_bundles(parts[1:], accepted)
        return self._of_app(parts, accepted)

    def index(self) -> Index:
        """The content of /azx/index.json: every bundle with its files for a browser; without bundles, the app's own.

        A bundle that has been damaged is left out and reported.
        """
        return Index(bundles=tuple(self._entries())) if self.bundles else read_index(self.web / ASSETS)

    def tell_once(self, error: Exception) -> None:
        """Report why something cannot be sent, unless that was reported before."""
        sentence = str(error)
        if sentence not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(sentence)
            self._tell(sentence)

    def _entries(self) -> Iterator[InstalledBundle]:
        for name, folder in self.bundles.items():
            try:
                yield self._entry(name, folder)
            except (BundleError, OSError) as error:
                self.tell_once(error)

    def _entry(self, name: str, folder: Path) -> InstalledBundle:
        """The index entry of a bundle; BundleError if it is damaged by now, or lacks files for a browser."""
        # One at a time, because a manifest may be long and many clients may ask.
        with self._reading:
            manifest = read_manifest(folder)
            return describe(folder, manifest, name, for_platform(folder, manifest, "web"))

    def _of_bundles(self, parts: Sequence[str], accepted: frozenset[str]) -> Answer | None:
        if list(parts) == [INDEX]:
            return self._answer_index(accepted)
        folder = self.bundles.get(parts[0]) if parts else None
        if folder is None:
            return None
        path = "/".join(parts[1:])
        file = next((file for file in self._entry(parts[0], folder).files if file.path == path), None)
        if file is None:
            return None
        return self._packed(Answer(inside(folder, path), kind_of_file(path), file.sha256, size=file.size), accepted)

    def _answer_index(self, accepted: frozenset[str]) -> Answer:
        text = self.index().text().encode()
        tag = sha256(text).hexdigest()
        return self._packed(Answer(self._prepared.get(tag, lambda: text), JSON, tag), accepted)

    def _packed(self, answer: Answer, accepted: frozenset[str]) -> Answer:
        """The answer, with JSON packed by gzip if the client accepts it. Weights are not packed: they hardly shrink."""
        body = answer.body
        length = len(body) if isinstance(body, bytes) else body.stat().st_size
        if answer.content_type != JSON or "gzip" not in accepted or length > MOST_PACKED:
            return answer
        # A file may be damaged while its tag, taken from the manifest, stays.
        key = f"{answer.tag} {'' if isinstance(body, bytes) else _tag(body)}"
        packed = self._prepared.get(key, lambda: gzip.compress(answer.content(), mtime=0))
        return Answer(packed, answer.content_type, f"{answer.tag}-gzip", "gzip")

    def _of_app(self, parts: Sequence[str], accepted: frozenset[str]) -> Answer | None:
        name = "/".join(parts)
        kind, immutable = kind_of_file(name), _NAMED_BY_CONTENT.fullmatch(name) is not None
        for encoding, suffix in PACKED:
            packed = self._file(name + suffix) if encoding in accepted else None
            if packed:
                return Answer(packed, kind, _tag(packed), encoding, immutable)
        path = self._file(name)
        if path is not None:
            return Answer(path, kind, _tag(path), None, immutable)
        # The wheel has a large runtime only in packed form. Browsers accept it; for other clients it is unpacked.
        packed = self._file(f"{name}.gz")
        if packed is None:
            return None
        tag = f"{_tag(packed)}-unpacked"
        body = self._prepared.get(f"{name} {tag}", lambda: gzip.decompress(Answer(packed, kind, tag).content()))
        return Answer(body, kind, tag, None, immutable)

    def _file(self, name: str) -> Path | None:
        """A file of the app; None if it is missing, or if a link leads out of the app's folder."""
        try:
            path = (self.web / name).resolve()
            return path if path.is_relative_to(self.web) and path.is_file() else None
        except (OSError, RuntimeError):  # a name that is too long, a link to itself
            return None


def open_site(bundles: Sequence[Path] = (), web: Path | None = None, tell: Tell = lambda sentence: None) -> Site:
    """The site of the given bundles, each checked; `tell` is that of the `Site`.

    Without bundles it serves those of the shipped checkpoints if they exist, else those in bundles/ of the working
    folder, else the app's own; `tell` then receives which are damaged. BundleError if a given bundle is damaged, has
    no TF.js artifact, or has one that does more than calculate. AzxError if there is no app or no bundle.
    """
    app = find_web(web)
    if bundles:
        for folder in bundles:
            manifest = load_manifest(folder)
            look_through(folder, manifest, for_platform(folder, manifest, "web"))
        return Site(app, bundles, tell)
    recover_in(Path("bundles"))
    exported = sorted(path.parent for path in Path("bundles").glob(f"*/{MANIFEST}"))
    folders = [folder for folder in built_bundles() or exported if _is_playable(folder, tell)]
    if not folders and not (app / ASSETS / INDEX).is_file():
        raise AzxError("There is no bundle to serve: run `azx export` first, or give a bundle's folder.")
    return Site(app, folders, tell)


def find_web(web: Path | None = None) -> Path:
    """The folder of the built web app; AzxError if it is missing."""
    folders = WEB_FOLDERS if web is None else (web,)
    built = next((folder for folder in folders if (folder / START).is_file()), None)
    if built is None and web is not None:
        raise AzxError(f"'{web}' holds no {START}: give the folder of a built web app with --app.")
    if built is None:
        raise AzxError("The web app is not built: run `make web` in azx's source tree, or name a built one with --app.")
    return built


def _is_playable(folder: Path, tell: Tell) -> bool:
    """Whether a bundle that the user did not name is whole and fit for a browser; damage is reported."""
    try:
        manifest = load_manifest(folder)
        artifact = manifest.artifact(manifest.recommended.get("web", ""))
        if artifact is not None:
            look_through(folder, manifest, artifact)
    except BundleError as error:
        tell(str(error))
        return False
    return artifact is not None


def parts_of(target: str) -> list[str] | None:
    """The segments of a request's path, decoded once; None if one could mean more than a name in a folder."""
    try:
        path = unquote(urlsplit(target).path, errors="strict")
    except ValueError:
        return None
    if path == "/":
        return [START]
    parts = path.removeprefix("/").split("/")
    # No hidden or empty part, and no ".."; nor what Windows reads as a separator or a drive.
    plain = (part.isprintable() and part and part[0] != "." and not set(part) & set("\\:") for part in parts)
    return parts if path.startswith("/") and all(plain) else None


def kind_of_file(name: str) -> str:
    """The content type of a file by its name."""
    kind, packed_by = TYPES.guess_type(name)
    if kind is None or packed_by is not None:
        return UNKNOWN
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _tag(path: Path) -> str:
    status = path.stat()
    return f"{status.st_mtime_ns:x}-{status.st_size:x}"


def encodings(header: str) -> frozenset[str]:
    """The encodings of an Accept-Encoding header: "br;q=1.0, gzip;q=0" gives {"br"}."""
    names = []
    for item in header.split(","):
        name, _, quality = item.partition(";")
        if not re.fullmatch(r"q=0(\.0*)?", quality.replace(" ", "")):
            names.append(name.strip().lower())
    return frozenset(names)


def headers(answer: Answer, length: int) -> dict[str, str]:
    """The headers of one answer."""
    fields = {
        "Content-Type": answer.content_type,
        "Content-Length": str(length),
        "Accept-Ranges": "bytes",
        "ETag": f'"{answer.tag}"',
        "Cache-Control": "public, max-age=31536000, immutable" if answer.immutable else "no-cache",
        "Vary": "Accept-Encoding",
    }
    return {**fields, "Content-Encoding": answer.encoding} if answer.encoding else fields
