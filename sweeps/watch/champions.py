"""best.json: the best network of each game, and every contest that decided it.

The file is written first; then the network's folder takes its place. If a watch was killed in between, the next one
completes the change from the file.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...bundle.contents.manifest import MANIFEST, load_manifest, read_json, read_manifest
from ...errors import BundleError
from ...export.checkpoint.digest import sha256
from ...manifest import Manifest
from ...mobile_assets.best import FOLDER, best_in
from ...system.exchange import beside, clear_up_in, remove, replace_text, swap

FILE = "best.json"
SCHEMA_VERSION = 1
MOST_BYTES = 256 * 2**20
Contest = dict[str, Any]


class Champions:
    """The best networks of `folder`, which only one watch uses; BundleError if best.json is not azx's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._best, self._contests = dict[str, dict[str, Any]](), list[Contest]()
        if (folder / FILE).exists():
            data = read_json(folder / FILE, f"'{folder}' holds no {FILE}.", MOST_BYTES)
            best, contests = data.get("best"), data.get("contests")
            known = data.get("schema_version") == SCHEMA_VERSION
            if not (known and isinstance(best, dict) and isinstance(contests, list)):
                raise BundleError(f"'{folder / FILE}' was not written by this azx watch: move it away.")
            self._best = {game: entry for game, entry in best.items() if isinstance(entry, dict)}
            self._contests = [each for each in contests if isinstance(each, dict)]
        if (folder / FOLDER).is_dir():
            clear_up_in(folder / FOLDER)
        self._finish()

    def best(self, game: str) -> Path | None:
        """The folder of the best network so far."""
        return best_in(self._folder).get(game)

    def bundle_of(self, game: str) -> str:
        """The name of the bundle from which the best network was copied."""
        return str(self._best.get(game, {}).get("bundle", game))

    def games(self) -> list[str]:
        """The games that have a best network."""
        return sorted(best_in(self._folder))

    def find_contest(self, identity: str, terms: Mapping[str, Any]) -> Contest | None:
        """The last contest under these terms that shows a network is not, or no longer, the best.

        That is one that it played as the new network, or the one in which it lost its place as the best.
        """
        alike = (each for each in reversed(self._contests) if each.get("terms") == terms)
        return next((each for each in alike if identity in _rated_in(each)), None)

    def add(self, contest: Contest) -> None:
        """Note a contest that leaves the best network in place."""
        self._contests.append(contest)
        self._write()

    def crown(self, game: str, bundle: Path, manifest: Manifest, contest: Contest | None) -> Path:
        """Make a bundle the best of its game; returns its new folder.

        BundleError if the disk refuses. Then the earlier network remains the best.
        """
        target = self._folder / FOLDER / game
        before = dict(self._best), list(self._contests)
        self._best[game] = _entry_of(bundle.name, manifest, bundle)
        if contest is not None:
            self._contests.append(contest)
        try:
            place = _copy(bundle, target)
            try:
                self._write()
                swap(place, target)
            finally:
                remove(place)
        except OSError as error:
            (self._best, self._contests) = before
            with suppress(BundleError):
                self._write()
            reason = error.strerror or error
            raise BundleError(f"'{target}' cannot be written ({reason}): free the disk.") from error
        except BundleError:
            (self._best, self._contests) = before
            raise
        return target

    def _finish(self) -> None:
        """Make folders agree with the file, if a watch was killed between the two steps."""
        for game, entry in list(self._best.items()):
            there, meant = self.best(game), str(entry.get("identity"))
            if there is not None and identity_of(there) == meant:
                continue
            bundle = self._folder / str(entry.get("bundle"))
            if (bundle / MANIFEST).is_file() and identity_of(bundle) == meant:
                self.crown(game, bundle, load_manifest(bundle), None)
            elif there is not None:
                # The bundle meant has been overwritten since, so the earlier network is still the best.
                self._best[game] = _entry_of(there.name, read_manifest(there), there)
            else:
                del self._best[game]

    def _write(self) -> None:
        value = {"schema_version": SCHEMA_VERSION, "best": self._best, "contests": self._contests}
        replace_text(self._folder / FILE, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _rated_in(contest: Contest) -> tuple[Any, ...]:
    """The identities of the networks that a contest has settled."""
    # A best network that won this contest is not settled, because a later one may beat it.
    return (contest.get("identity"), *([contest.get("against_identity")] if contest.get("passed") else []))


def _entry_of(name: str, manifest: Manifest, bundle: Path) -> dict[str, Any]:
    return {"bundle": name, "checkpoint": manifest.checkpoint.file, "identity": identity_of(bundle)}


def _copy(bundle: Path, target: Path) -> Path:
    """A copy of a bundle beside its future place, read again."""
    target.parent.mkdir(exist_ok=True)
    place = beside(target)
    try:
        shutil.copytree(bundle, place)
        load_manifest(place)
    except shutil.Error as error:
        remove(place)
        raise _first(error) from error
    except BaseException:
        remove(place)
        raise
    return place


def identity_of(bundle: Path) -> str:
    """A network's identity: the hash of its manifest, which has the hashes of its files."""
    return sha256(bundle / MANIFEST)


def _first(error: shutil.Error) -> OSError:
    """The reason why the first of the files was not copied, as an OSError; `shutil` reports only sentences."""
    import errno
    import os

    message = str(error)
    number = next(
        (each for each in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) if os.strerror(each) in message), errno.EIO
    )
    return OSError(number, os.strerror(number))
