"""The web app with the present best network of each game in a watch's folder.

A served network is read into memory whole and checked when it changes. So a page that is loading a network gets the
files that its index named, even if a better network replaces them meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from ..bundle.contents.manifest import MANIFEST, inside, load_manifest
from ..errors import AzxError, BundleError
from ..system.plain_file import read_plain
from .app_kinds import ASSETS
from .best import best_in
from .installed_index import INDEX, Index, InstalledBundle, describe_for, title_of
from .site import Answer, Site, Tell, kind_of_file, parts_of

# Per game: the best network, and earlier ones that some page may still be loading.
KEPT = 3
MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class Snapshot:
    """A best network's files when they were read; `tag` is the hash of its manifest."""

    tag: str
    entry: InstalledBundle
    files: dict[str, bytes]


class LiveSite(Site):
    """The web app and the best networks in a folder; `tell` receives each reason once why one cannot be shown."""

    def __init__(self, web: Path, folder: Path, tell: Tell = lambda sentence: None) -> None:
        super().__init__(web, [], tell)
        self._folder = folder
        self._snapshots: dict[str, list[Snapshot]] = {}
        self._reasons: dict[str, str] = {}

    def index(self) -> Index:
        """The best network of each game at this moment, for a page that asks again."""
        with self._reading:
            self._read()
            bundles = tuple(snapshots[-1].entry for snapshots in self._snapshots.values())
            return Index(watched=True, run=self._is_run(), bundles=bundles)

    def _best(self) -> Mapping[str, Path]:
        """The folder of each best network, by its lasting name."""
        return best_in(self._folder)

    def _title(self, name: str, folder: Path) -> str | None:
        """The network's title in lists; None takes the one from its manifest."""
        return None

    def _is_run(self) -> bool:
        """Whether azx/run.json describes a run of `azx train`."""
        return False

    def find(self, target: str, accepted: frozenset[str] = frozenset()) -> Answer | None:
        """The answer to a request: a file of the app, the index, or a file of the network with the given hash."""
        parts = parts_of(target)
        if parts is None or parts[0] != ASSETS:
            return super().find(target, accepted)
        if parts[1:] == [INDEX]:
            return self._answer_index(accepted)
        wanted = parse_qs(urlsplit(target).query).get("sha256")
        return self._find_file(parts[1:], wanted[0] if wanted else None, accepted)

    def _find_file(self, parts: Sequence[str], wanted: str | None, accepted: frozenset[str]) -> Answer | None:
        """A file of the best network, or of the earlier one with this hash."""
        path = "/".join(parts[1:])
        for snapshot in reversed(self._snapshots.get(parts[0], []) if parts else []):
            digest = next((file.sha256 for file in snapshot.entry.files if file.path == path), None)
            if digest is not None and wanted in (None, digest):
                return self._packed(Answer(snapshot.files[path], kind_of_file(path), digest), accepted)
        return None

    def _read(self) -> None:
        """Read what is new; if a network cannot be shown, the earlier one stays."""
        for name, folder in self._best().items():
            known = self._snapshots.get(name, [])
            try:
                tag = sha256(read_plain(folder / MANIFEST, MOST_BYTES)).hexdigest()
                if known and known[-1].tag == tag:
                    continue
                snapshot = _snapshot(name, folder, tag, self._title(name, folder))
            except (AzxError, OSError) as error:
                # A folder that changes while it is read is read again at the next request.
                if self._reasons.get(name) != str(error):
                    self._reasons[name] = str(error)
                    self._tell(str(error))
                continue
            self._reasons.pop(name, None)
            self._snapshots = dict(sorted((self._snapshots | {name: [*known, snapshot][-KEPT:]}).items()))


def _snapshot(name: str, folder: Path, tag: str, title: str | None) -> Snapshot:
    """A bundle's files for a browser, checked; BundleError if it is damaged, too large, or has no TF.js artifact."""
    manifest = load_manifest(folder)
    if manifest.recommended.get("web") is None:
        raise BundleError(f"'{folder}' has no TF.js artifact, which a browser loads: give azx watch --format tfjs too.")
    entry = describe_for(folder, manifest, name, "web")
    if entry.size > MOST_BYTES:
        raise BundleError(f"'{folder}' is larger than the {MOST_BYTES >> 20} MB that are served from memory.")
    files = {file.path: read_plain(inside(folder, file.path), MOST_BYTES) for file in entry.files}
    for file in entry.files:
        if sha256(files[file.path]).hexdigest() != file.sha256:
            raise BundleError(f"'{folder / file.path}' changed while it was read: it is read again.")
    if entry.files[0].sha256 != tag:
        raise BundleError(f"'{folder}' changed while it was read: it is read again.")
    # The title names this network, because the entry's own name is the game's and never changes.
    return Snapshot(tag, replace(entry, title=title or title_of(manifest, manifest.name)), files)
