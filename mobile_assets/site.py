"""Which file answers which address: the built web app at /, the bundles at /azx/, and nothing outside of them."""

from __future__ import annotations

import gzip
import mimetypes
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..bundle.contents.manifest import MANIFEST, inside, load_manifest, read_manifest
from ..errors import AzxError, BundleError
from ..system.exchange import recover_in
from .app_kinds import ASSETS
from .install import for_platform
from .installed_index import INDEX, Index, Installed, as_name, describe, read_index
from .shipped_bundles import built_bundles

# In the source tree, then in a wheel that has the app.
WEB_FOLDERS = (Path(__file__).parent.parent / "apps" / "web" / "dist", Path(__file__).parent / "web")
START = "index.html"
JSON, UNKNOWN = "application/json", "application/octet-stream"
# Python's own table, the same everywhere: without `filenames` a machine's registry may say that scripts are plain text,
# and a browser would not run them. What it lacks, or says otherwise from one Python to the next, follows.
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
# What Vite names by content: assets/index-BhA1x2_k.js never changes.
_NAMED_BY_CONTENT = re.compile(r"assets/.+-[A-Za-z0-9_-]{8,}\.[a-z0-9]+")


@dataclass(frozen=True)
class Answer:
    """What is sent: a file or bytes, how they are packed, a tag that changes with them, and if they ever change."""

    body: Path | bytes
    content_type: str
    tag: str
    encoding: str | None = None
    immutable: bool = False

    def content(self) -> bytes:
        """The bytes themselves; OSError if the file cannot be read."""
        return self.body if isinstance(self.body, bytes) else self.body.read_bytes()


class Site:
    """The web app and its bundles. A bundle that is exported again while it is served is served as it then is."""

    def __init__(self, web: Path, bundles: Sequence[Path]) -> None:
        self.web = web.resolve()
        self.bundles: dict[str, Path] = {}
        for folder in bundles:
            # By its name, made fit for an address, numbered where two have the same.
            stem = name = as_name(read_manifest(folder).name)
            number = 1
            while name in self.bundles:
                number += 1
                name = f"{stem}-{number}"
            self.bundles[name] = folder

    def find(self, target: str, accepted: frozenset[str] = frozenset()) -> Answer | None:
        """The content for a request's target, None if absent; `accepted` are encodings (br, gzip)."""
        parts = parts_of(target)
        if parts is None:
            return None
        if self.bundles and parts[0] == ASSETS:
            return self._of_bundles(parts[1:], accepted)
        return self._of_app(parts, accepted)

    def index(self) -> Index:
        """What /azx/index.json says: every bundle with the files that a browser loads; without any, the app's own."""
        if not self.bundles:
            return read_index(self.web / ASSETS)
        return Index(bundles=tuple(_entry(name, folder) for name, folder in self.bundles.items()))

    def _of_bundles(self, parts: Sequence[str], accepted: frozenset[str]) -> Answer | None:
        if list(parts) == [INDEX]:
            return self._answer_index(accepted)
        folder = self.bundles.get(parts[0]) if parts else None
        if folder is None:
            return None
        path = "/".join(parts[1:])
        hashes = {file.path: file.sha256 for file in _entry(parts[0], folder).files}
        if path not in hashes:
            return None
        return compress(Answer(inside(folder, path), kind_of_file(path), hashes[path]), accepted)

    def _answer_index(self, accepted: frozenset[str]) -> Answer:
        text = self.index().text().encode()
        return compress(Answer(text, JSON, sha256(text).hexdigest()), accepted)

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
        # The wheel has a large runtime packed alone: every browser takes it so, and who does not has it unpacked.
        packed = self._file(f"{name}.gz")
        if packed is None:
            return None
        return Answer(gzip.decompress(packed.read_bytes()), kind, f"{_tag(packed)}-unpacked", None, immutable)

    def _file(self, name: str) -> Path | None:
        """A file of the app; None if absent, or if a link leads out of its folder."""
        try:
            path = (self.web / name).resolve()
            return path if path.is_relative_to(self.web) and path.is_file() else None
        except (OSError, RuntimeError):  # a name that is too long, a link to itself
            return None


def open_site(bundles: Sequence[Path] = (), web: Path | None = None) -> Site:
    """The site of the given bundles, each checked.

    Without bundles: those of the shipped checkpoints if they exist, else those in bundles/ of the working folder, else
    the app's own. BundleError if a bundle is damaged or has no TF.js artifact; AzxError if there is no app or no
    bundle.
    """
    app = find_web(web)
    if bundles:
        for folder in bundles:
            for_platform(folder, load_manifest(folder), "web")
        return Site(app, bundles)
    recover_in(Path("bundles"))
    exported = sorted(path.parent for path in Path("bundles").glob(f"*/{MANIFEST}"))
    found = [folder for folder in built_bundles() or exported if _is_playable(folder)]
    if not found and not (app / ASSETS / INDEX).is_file():
        raise AzxError("There is no bundle to serve: run `azx export` first, or give a bundle's folder.")
    return Site(app, found)


def find_web(web: Path | None = None) -> Path:
    """The folder of the built web app; AzxError if absent."""
    folders = WEB_FOLDERS if web is None else (web,)
    found = next((folder for folder in folders if (folder / START).is_file()), None)
    if found is None and web is not None:
        raise AzxError(f"'{web}' holds no {START}: give the folder of a built web app with --app.")
    if found is None:
        raise AzxError("The web app is not built: run `make web` in azx's source tree, or name a built one with --app.")
    return found


def _is_playable(folder: Path) -> bool:
    """Whether a bundle that nobody named is whole and has what a browser loads."""
    try:
        return for_platform(folder, load_manifest(folder), "web") is not None
    except BundleError:
        return False


def _entry(name: str, folder: Path) -> Installed:
    manifest = read_manifest(folder)
    return describe(folder, manifest, name, for_platform(folder, manifest, "web"))


def parts_of(target: str) -> list[str] | None:
    """The segments of a request's path, decoded once; None if one could mean more than a name below a folder."""
    try:
        path = unquote(urlsplit(target).path, errors="strict")
    except ValueError:
        return None
    if path == "/":
        return [START]
    parts = path.removeprefix("/").split("/")
    # Nothing hidden, no "..", nothing empty; nor what Windows reads as a folder's end or a drive.
    plain = (part.isprintable() and part and part[0] != "." and not set(part) & set("\\:") for part in parts)
    return parts if path.startswith("/") and all(plain) else None


def kind_of_file(name: str) -> str:
    """The content type of a file by its name."""
    kind, packed_by = TYPES.guess_type(name)
    if kind is None or packed_by is not None:
        return UNKNOWN
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _tag(path: Path) -> str:
    found = path.stat()
    return f"{found.st_mtime_ns:x}-{found.st_size:x}"


def compress(answer: Answer, accepted: frozenset[str]) -> Answer:
    """JSON packed by gzip if the client takes it: TF.js's model.json shrinks to a tenth. Weights do not shrink."""
    if answer.content_type != JSON or "gzip" not in accepted:
        return answer
    return Answer(gzip.compress(answer.content(), mtime=0), answer.content_type, f"{answer.tag}-gzip", "gzip")


def encodings(header: str) -> frozenset[str]:
    """The encodings that an Accept-Encoding header takes: "br;q=1.0, gzip;q=0" is {"br"}."""
    found = []
    for item in header.split(","):
        name, _, quality = item.partition(";")
        if not re.fullmatch(r"q=0(\.0*)?", quality.replace(" ", "")):
            found.append(name.strip().lower())
    return frozenset(found)


def headers(answer: Answer, length: int) -> Mapping[str, str]:
    """The headers of one answer."""
    found = {
        "Content-Type": answer.content_type,
        "Content-Length": str(length),
        "ETag": f'"{answer.tag}"',
        "Cache-Control": "public, max-age=31536000, immutable" if answer.immutable else "no-cache",
        "Vary": "Accept-Encoding",
    }
    return {**found, "Content-Encoding": answer.encoding} if answer.encoding else found
