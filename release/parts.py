"""The third-party parts of what azx ships (parts.json), with the versions that the lock files name.

Nothing here imports azx: the page's and the Android app's builds run it with any Python.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "release/parts.json"
# The products of azx that contain third-party parts. The wheel contains the page.
PRODUCTS = ("page", "apk")
POM = "{http://maven.apache.org/POM/4.0.0}"
# The property of pom.xml that holds a part's version.
PROPERTIES = {
    "kotlin-stdlib": "kotlin.version",
    "tensorflow-lite": "tflite.version",
    "tensorflow-lite-api": "tflite.version",
}


class LicenceError(Exception):
    """A part's licence does not fit, or is unknown; the message is one sentence."""


@dataclass(frozen=True)
class Part:
    """A third-party part: its origin, and its licence (SPDX).

    `source` is npm, maven or linked; a linked part is compiled into another one. `classes` and `files` are the part's
    content of an APK.
    """

    name: str
    source: str
    version: str
    licence: str
    copyright: tuple[str, ...]
    home: str
    products: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def purl(self) -> str:
        """The part's package URL; empty for a part that is linked into another one."""
        if self.source == "npm":
            return f"pkg:npm/{self.name.replace('@', '%40')}@{self.version}"
        group = "org.jetbrains.kotlin" if self.name.startswith("kotlin") else "org.tensorflow"
        return f"pkg:maven/{group}/{self.name}@{self.version}" if self.source == "maven" else ""


def read_list(path: Path = LIST) -> Mapping[str, Any]:
    """The content of parts.json."""
    content: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def version() -> str:
    """The version of azx in pyproject.toml."""
    number: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return number


def _versions() -> dict[str, str]:
    lock = json.loads((ROOT / "apps/web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    versions = {path.removeprefix("node_modules/"): entry.get("version", "") for path, entry in lock.items()}
    pom = ElementTree.parse(ROOT / "apps/android/pom.xml").getroot()  # noqa: S314 (our own file)
    for name, key in PROPERTIES.items():
        versions[name] = pom.findtext(f"{POM}properties/{POM}{key}") or ""
    return versions


def read_parts(listed: Mapping[str, Any] | None = None) -> dict[str, Part]:
    """All parts by name; LicenceError for a licence that is not among those allowed, or has no text here."""
    content, versions = listed or read_list(), _versions()
    parts = {}
    for entry in content["parts"]:
        part = Part(
            name=entry["name"],
            source=entry["from"],
            version=versions.get(entry["name"], "") if entry["from"] != "linked" else "",
            licence=entry["licence"],
            copyright=tuple(entry["copyright"]),
            home=entry["home"],
            products=tuple(entry.get("in", ())),
            holds=tuple(entry.get("holds", ())),
            classes=tuple(entry.get("classes", ())),
            files=tuple(entry.get("files", ())),
        )
        check_licence(part.name, part.licence, content["allowed"])
        if part.source != "linked" and not part.version:
            raise LicenceError(f"release/parts.json names '{part.name}', and no lock file has a version of it.")
        parts[part.name] = part
    return parts


def check_licence(name: str, licence: str, allowed: Iterable[str]) -> None:
    """LicenceError if a licence is not among those allowed in the products of azx."""
    if licence not in set(allowed):
        raise LicenceError(
            f"'{name}' is under {licence or 'no licence that it names'}, which release/parts.json does not allow: "
            "leave the part out, or add the licence there once somebody has read it."
        )


def parts_of(product: str, parts: Mapping[str, Part]) -> list[Part]:
    """The parts of a product by name, with the parts linked into them; KeyError if parts.json lacks one of those."""
    direct = [part for part in parts.values() if product in part.products]
    names = {part.name for part in direct} | {name for part in direct for name in part.holds}
    return sorted((parts[name] for name in names), key=lambda part: part.name)


def licence_text(licence: str) -> str:
    """The text of a licence; LicenceError if release/licences has none."""
    if licence == "Apache-2.0":
        return (ROOT / "LICENSE").read_text(encoding="utf-8")
    name = licence.partition(" WITH ")[2] or licence
    path = ROOT / "release/licences" / f"{name}.txt"
    if not re.fullmatch(r"[\w.-]+", name) or not path.is_file():
        raise LicenceError(f"release/licences has no text of {licence}.")
    return path.read_text(encoding="utf-8")
