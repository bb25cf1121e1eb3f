"""The shipped bundles for the wheel's page: `python -m azx.mobile_assets.page_bundles FOLDER`.

Besides its checkpoint, a wheel has each network in the form that the page plays: in the smallest precision inside its
gate. `azx export` writes the other artifacts.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ..bundle.contents.manifest import GOLDEN, MANIFEST, load_manifest, text
from ..manifest import belongs
from .app_artifact import for_platform
from .install import install
from .shipped_bundles import built_bundles


def keep_played(bundle: Path, target: Path) -> None:
    """Write the page's part of `bundle` to the folder `target`: one artifact, golden.json, and a manifest of both.

    BundleError if the bundle is damaged or has nothing for a page.
    """
    manifest = load_manifest(bundle)
    played = for_platform(bundle, manifest, "web")
    assert played is not None  # noqa: S101 - a page is a platform
    files = tuple(file for file in manifest.files if file.path == GOLDEN or belongs(file.path, played.path))
    for file in files:
        (target / file.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle / file.path, target / file.path)
    only = replace(manifest, artifacts=(played,), files=files, recommended={"web": played.path})
    (target / MANIFEST).write_text(text(only), encoding="utf8", newline="\n")


def put_into(page: Path, bundles: Iterable[Path]) -> int:
    """Install each bundle into a built page in place of what it has; returns their bytes."""
    shutil.rmtree(page / "azx", ignore_errors=True)
    size = 0
    for bundle in bundles:
        with TemporaryDirectory() as place:
            keep_played(bundle, Path(place) / bundle.name)
            size += install(Path(place) / bundle.name, page, kind="web").entry.size
    return size


if __name__ == "__main__":
    print(f"{put_into(Path(sys.argv[1]), built_bundles())} bytes of networks in the page")  # noqa: T201
