#!/usr/bin/env -S python3 -P
"""Find the owner of every file of a product: azx itself, or a third-party part of parts.json.

python3 -P release/account.py FILE|FOLDER...      a wheel, an APK, an npm package, or a built page

Prints how many files each part has. Exit code 1 if a file has no owner, or a part has no notice in the product.
"""

from __future__ import annotations

import fnmatch
import json
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from parts import ROOT, LicenceError, Part, parts_of, read_parts

OWN = "azx"
NOTICES, PARTS = "notices.txt", "parts.json"
# Files that a build makes of azx' own sources: bundles, the page's code, metadata, an app's resources and signature.
PAGE = ("azx/*", "assets/*", "sw.js", "index.html", "app.webmanifest", "icon*", NOTICES, PARTS)
METADATA = "azx_export-*.dist-info/*"
APK = (
    "AndroidManifest.xml",
    "resources.arsc",
    "res/*",
    "assets/azx/*",
    "azx/*.json",
    "META-INF/AZX*",
    "META-INF/MANIFEST.MF",
)


class Unaccounted(Exception):
    """A file without an owner, or a part without its notice; the message is one sentence."""


def tracked() -> frozenset[str]:
    """The files of the repository, by their paths."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return frozenset(done.stdout.splitlines())


def account_page(files: Mapping[str, bytes]) -> dict[str, tuple[str, ...]]:
    """The owners of each file of a built page; Unaccounted if a file has none, or a part no notice."""
    if PARTS not in files or NOTICES not in files:
        raise Unaccounted(f"The page lacks {PARTS} or {NOTICES}: build it again with `make web`.")
    listed: dict[str, list[str]] = json.loads(files[PARTS])
    notices, known = files[NOTICES].decode(), read_parts()
    owned = {}
    for path in files:
        plain = re.sub(r"\.(gz|br)$", "", path)
        owners = tuple(listed.get(plain, ()))
        # Code that the bundler made of modules: if it has no third-party module, it is azx' own.
        if (not owners and not _is_any(plain, PAGE)) or (plain.endswith(".wasm") and not owners):
            raise Unaccounted(f"Nobody owns '{path}' of the page: say in release/ whose it is.")
        owned[path] = owners or (OWN,)
    _check_notices({name for owners in owned.values() for name in owners}, "page", known, notices)
    return owned


def account_wheel(files: Mapping[str, bytes]) -> dict[str, tuple[str, ...]]:
    """The owners of each file of a wheel, its page among them; Unaccounted as `account_page`."""
    web = "azx/mobile_assets/web/"
    owned, own = {}, tracked()
    for path in files:
        if path.startswith(web):
            continue
        if path.removeprefix("azx/") not in own and not fnmatch.fnmatch(path, METADATA):
            raise Unaccounted(f"Nobody owns '{path}' of the wheel: it is no file of the repository.")
        owned[path] = (OWN,)
    page = {path.removeprefix(web): data for path, data in files.items() if path.startswith(web)}
    if page:
        owned.update({web + path: owners for path, owners in account_page(page).items()})
        beside = [data for path, data in files.items() if fnmatch.fnmatch(path, f"*.dist-info/*{NOTICES}")]
        if page[NOTICES] not in beside:
            raise Unaccounted("The wheel's metadata lacks the notices: pyproject.toml names them in license-files.")
    return owned


def account_apk(files: Mapping[str, bytes]) -> dict[str, tuple[str, ...]]:
    """The owners of each file of an APK, those of the classes in a .dex too; Unaccounted as `account_page`."""
    known = read_parts()
    shipped = [part for part in known.values() if "apk" in part.products]
    owned: dict[str, tuple[str, ...]] = {}
    for path, data in files.items():
        if re.fullmatch(r"classes\d*\.dex", path):
            owned[path] = tuple(sorted({_owner_of_class(name, shipped) for name in classes_in(data)}))
        elif owners := tuple(part.name for part in shipped if _is_any(path, part.files)):
            owned[path] = owners
        elif _is_any(path, APK):
            owned[path] = (OWN,)
        else:
            raise Unaccounted(f"Nobody owns '{path}' of the APK: say in release/parts.json whose it is.")
    notices = next((data.decode() for data in files.values() if data.startswith(b"Third-party parts of")), "")
    _check_notices({part.name for part in shipped}, "apk", known, notices)
    return owned


def account_npm(files: Mapping[str, bytes]) -> dict[str, tuple[str, ...]]:
    """The owners of each file of the npm package: azx alone; Unaccounted for a file that its build does not make."""
    allowed = ("package/dist/*", "package/package.json", "package/README.md", "package/LICENSE")
    for path in files:
        if not _is_any(path, allowed):
            raise Unaccounted(f"Nobody owns '{path}' of the npm package.")
    return dict.fromkeys(files, (OWN,))


def _check_notices(names: set[str], product: str, known: Mapping[str, Part], notices: str) -> None:
    needed = {part.name for part in parts_of(product, known)} | (names - {OWN})
    missing = sorted(name for name in needed if not re.search(rf"^{re.escape(name)}( |$)", notices, re.MULTILINE))
    if missing:
        raise Unaccounted(f"The notices do not name {', '.join(missing)}: write them again with release/notices.py.")


def _owner_of_class(name: str, shipped: list[Part]) -> str:
    if name.startswith("org/azx/"):
        return OWN
    owner = next((part.name for part in shipped if name.startswith(part.classes)), None)
    if owner is None:
        raise Unaccounted(f"Nobody owns the class '{name}' of the APK: say in release/parts.json whose it is.")
    return owner


def _is_any(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def classes_in(dex: bytes) -> Iterator[str]:
    """The classes that a .dex defines: `org/azx/app/engine/State`."""
    # Offsets of the header: string_ids, type_ids and class_defs, each a size and a place.
    (_, strings), (_, types) = (struct.unpack_from("<II", dex, at) for at in (0x38, 0x40))
    size, classes = struct.unpack_from("<II", dex, 0x60)
    for index in range(size):
        (kind,) = struct.unpack_from("<I", dex, classes + 32 * index)
        (text,) = struct.unpack_from("<I", dex, types + 4 * kind)
        (place,) = struct.unpack_from("<I", dex, strings + 4 * text)
        while dex[place] & 0x80:  # the text's length comes first, in seven bits a byte
            place += 1
        yield dex[place + 1 : dex.index(0, place + 1)].decode().removeprefix("L").removesuffix(";")


def read_product(path: Path) -> dict[str, bytes]:
    """The files of a product by their paths in it."""
    if path.is_dir():
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    if path.suffix == ".tgz":
        with tarfile.open(path) as archive:
            opened = ((member.name, archive.extractfile(member)) for member in archive if member.isfile())
            return {name: file.read() for name, file in opened if file}
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}


def account(path: Path) -> dict[str, tuple[str, ...]]:
    """The owners of each file of a product of any kind; Unaccounted if a file has none."""
    kinds = {".whl": account_wheel, ".apk": account_apk, ".tgz": account_npm}
    return kinds.get(path.suffix, account_page)(read_product(path))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            counts = Counter(name for owners in account(Path(argument)).values() for name in owners)
        except (Unaccounted, LicenceError) as error:
            sys.exit(f"account.py: {argument}: {error}")
        print(f"{argument}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
