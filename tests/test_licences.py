"""Whose every file is that azx ships: notices name each part, and a licence that does not fit ends a build."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from release_rooms import room


@pytest.fixture(scope="module")
def parts(repository: Path) -> ModuleType:
    module: ModuleType = room(repository, "parts")
    return module


@pytest.fixture(scope="module")
def accounts(repository: Path, parts: ModuleType) -> ModuleType:
    assert parts
    module: ModuleType = room(repository, "account")
    return module


def test_the_notices_beside_the_page_are_those_of_its_parts(repository: Path, parts: ModuleType) -> None:
    written = (repository / "apps/web/public/notices.txt").read_text(encoding="utf-8")
    assert parts
    assert written == room(repository, "notices").notices("page"), (
        "write them again: python3 -P release/notices.py page apps/web/public/notices.txt"
    )


def test_the_notices_have_each_version_and_each_licence_whole(repository: Path, parts: ModuleType) -> None:
    text = room(repository, "notices").notices("apk")
    for part in parts.parts_of("apk", parts.read_parts()):
        assert f"\n{part.name} {part.version}".rstrip() in text
        assert all(line in text for line in part.copyright)
        assert parts.licence_text(part.licence).strip("\n") in text
    assert "noble" not in text


@pytest.mark.parametrize("licence", ["AGPL-3.0-only", "GPL-2.0-or-later", ""])
def test_a_licence_that_does_not_fit_ends_the_build(licence: str, parts: ModuleType) -> None:
    listed: dict[str, Any] = copy.deepcopy(parts.read_list())
    listed["parts"][0]["licence"] = licence
    with pytest.raises(parts.LicenceError, match="does not allow"):
        parts.read_parts(listed)


def test_each_allowed_licence_has_its_text(parts: ModuleType) -> None:
    assert all(parts.licence_text(licence) for licence in parts.read_list()["allowed"])


def test_what_is_compiled_into_a_part_is_listed(parts: ModuleType) -> None:
    known = parts.read_parts()
    held = {name for part in known.values() for name in part.holds}
    assert held == {part.name for part in known.values() if part.source == "linked"}


def page(**more: bytes) -> dict[str, bytes]:
    files = {
        "index.html": b"",
        "assets/sha2-abcdefgh.js": b"",
        "parts.json": b'{"assets/sha2-abcdefgh.js": ["@noble/hashes"]}',
        "notices.txt": b"",
    }
    return {**files, **more}


def test_a_part_without_a_notice_is_found(accounts: ModuleType) -> None:
    with pytest.raises(accounts.Unaccounted, match=r"do not name .*@noble/hashes"):
        accounts.account_page(page())


def test_a_file_of_nobody_is_found(repository: Path, accounts: ModuleType) -> None:
    notices = (repository / "apps/web/public/notices.txt").read_bytes()
    assert accounts.account_page(page(**{"notices.txt": notices}))["assets/sha2-abcdefgh.js"] == ("@noble/hashes",)
    for stranger in ("font.woff2", "assets/engine-abcdefgh.wasm"):
        with pytest.raises(accounts.Unaccounted, match=stranger):
            accounts.account_page(page(**{"notices.txt": notices, stranger: b""}))
    with pytest.raises(accounts.Unaccounted, match="borrowed"):
        accounts.account_wheel({"azx/borrowed.py": b""})
    with pytest.raises(accounts.Unaccounted, match=r"lib/x86_64/libother\.so"):
        accounts.account_apk({"lib/x86_64/libother.so": b""})


PRODUCTS = {
    "page": ("apps/web/dist", "@litertjs/core"),
    "wheel": ("dist/azx_export-*.whl", "@noble/hashes"),
    "apk": ("apps/android/app/target/azx-debug.apk", "tensorflow-lite"),
    "npm": ("dist/azx-play-*.tgz", "azx"),
}


@pytest.mark.parametrize("product", PRODUCTS)
def test_every_file_of_what_was_built_is_accounted_for(product: str, repository: Path, accounts: ModuleType) -> None:
    pattern, part = PRODUCTS[product]
    built = sorted(repository.glob(pattern))
    if not built:
        pytest.skip(f"{pattern} is not built")
    owners = accounts.account(built[-1])
    assert len(owners) > 3
    assert any(part in names for names in owners.values())


def test_an_image_ships_no_package_whose_licence_does_not_fit(repository: Path) -> None:
    image = room(repository, "image")
    with pytest.raises(image.LicenceError, match="bitbully"):
        image.check("bitbully", "GNU AFFERO GENERAL PUBLIC LICENSE Version 3")
    image.check("certifi", "Mozilla Public License 2.0 (MPL 2.0)")


def test_no_extra_brings_a_package_whose_licence_does_not_fit(repository: Path) -> None:
    """Of all that is installed here: every extra but the beta of Core AI, with what its packages ask for."""
    image = room(repository, "image")
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: list[list[str]] = list(project["optional-dependencies"].values())
    found = dict(brought([*project["dependencies"], *(entry for extra in extras for entry in extra)]))
    assert {"numpy", "tensorflow", "keras", "onnx", "cryptography", "distributed"} <= found.keys()
    for name, package in found.items():
        image.check(name, image.licence_of(package))


def test_the_solver_that_is_installed_beside_azx_would_fit_no_image(repository: Path) -> None:
    image = room(repository, "image")
    solver = dict(brought(["bitbully"])).get("bitbully")
    if solver is None:
        pytest.skip("bitbully, the solver under the AGPL, is not installed: the lock has it for x86-64 alone")
    with pytest.raises(image.LicenceError, match="bitbully"):
        image.check("bitbully", image.licence_of(solver))


def brought(asked: Iterable[str], seen: set[str] | None = None) -> Iterator[tuple[str, metadata.Distribution]]:
    """The installed packages that requirements name, and those that these ask for."""
    seen = set() if seen is None else seen
    for wanted in map(Requirement, asked):
        name = wanted.name.lower()
        if name in seen or name == "azx-export" or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        yield name, package
        yield from brought(package.requires or (), seen)
