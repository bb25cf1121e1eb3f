"""The checks of each product that is published: they yield a sentence per passed check; SystemExit if one fails."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import account
import metadata
from making import OUT, WORK, digest, run, wheel_of
from parts import POM, ROOT, version

TOOLS, NPM_TOOLS = ROOT / "build/release-tools/bin/python", ROOT / "build/release-npm/node_modules/.bin"
LARGEST_WHEEL = 20_000_000
TWICE = "built twice to the same bytes"


def check_wheel(wheel: Path) -> Iterator[str]:
    """Check the wheel."""
    if wheel.stat().st_size > LARGEST_WHEEL:
        sys.exit(f"release: the wheel has {wheel.stat().st_size} bytes, and may have {LARGEST_WHEEL}.")
    yield f"{wheel.stat().st_size / 1e6:.1f} MB of 20, {TWICE}"
    owners = account.account(wheel)
    others = sum(names != (account.OWN,) for names in owners.values())
    yield f"{len(owners)} files, each accounted for, {others} of them of others"
    yield _twine(wheel)
    text = next(
        data for name, data in account.read_product(wheel).items() if name.endswith("dist-info/METADATA")
    ).decode()
    dead = re.findall(r'\]\((?![a-z]+:|#)([^)]+)\)|src="(?!https:)([^"]+)"', text)
    if dead:
        sys.exit(f"release: the long description has links that lead nowhere on an index: {dead[:5]}.")
    yield f"the long description has no relative link, and {text.count('](https://')} absolute ones"


def check_sdist(sources: Path, wheel: Path) -> Iterator[str]:
    """Check the source archive: it must build the same wheel."""
    yield f"{sources.stat().st_size / 1e6:.1f} MB, {TWICE}"
    yield _twine(sources)
    folder = WORK / "from-sources"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if digest(wheel_of(sources, folder)) != digest(wheel):
        sys.exit("release: the source archive builds a different wheel.")
    yield "pip builds the same wheel of them, bit for bit"


def check_android_wheel(wheel: Path) -> Iterator[str]:
    """Check the wheel of azx-export-android."""
    yield f"{wheel.stat().st_size / 1e6:.1f} MB, {TWICE}"
    yield _twine(wheel)
    inner = WORK / "prepared.apk"
    with zipfile.ZipFile(wheel) as packed:
        inner.write_bytes(packed.read("azx_export_android/app.apk"))
    # R8 has renamed the classes here; the debug app, which is checked whole, has their own names.
    files = {name: data for name, data in account.read_product(inner).items() if not name.endswith(".dex")}
    yield f"its app has {len(account.account_apk(files))} files beside its code, each accounted for"


def _twine(path: Path) -> str:
    run(TOOLS, "-m", "twine", "check", "--strict", path)
    return "twine check --strict"


def check_npm(package: Path) -> Iterator[str]:
    """Check the npm package."""
    account.account(package)
    yield f"{package.stat().st_size / 1e3:.0f} kB, {TWICE}, nothing of others in it"
    run(NPM_TOOLS / "publint", "run", package, "--strict", cwd=WORK)
    yield "publint --strict"
    run(NPM_TOOLS / "attw", package, "--profile", "esm-only", cwd=WORK)
    yield "arethetypeswrong (ES modules alone)"


def check_maven(folder: Path, address: str) -> Iterator[str]:
    """Check the Maven repository."""
    stem = f"azx-play-{version()}"
    pom = folder / f"{stem}.pom"
    tree = ElementTree.parse(pom).getroot()  # noqa: S314 (our own file)
    missing = [
        name for name in metadata.NEEDED_IN_POM if not tree.findtext("/".join(POM + part for part in name.split("/")))
    ]
    if missing and (address or set(missing) != {"url", "scm/url"}):
        sys.exit(f"release: the POM lacks {', '.join(missing)}, which Maven Central asks for.")
    yield f"the POM has all that Maven Central asks for{', but for the addresses' if missing else ''}"
    run("mvn", "-q", "-B", "-o", "-f", pom, "validate")
    yield "mvn validate"
    files = {path.name.removeprefix(stem) for path in folder.iterdir()}
    needed = {
        f"{end}{sum_}"
        for end in (".jar", ".aar", ".pom", "-sources.jar", "-javadoc.jar")
        for sum_ in ("", ".md5", ".sha1")
    }
    if files != needed:
        sys.exit(f"release: the Maven repository lacks {needed - files}, or has {files - needed} too.")
    yield "jar, AAR, sources and documentation, with their checksums"


def check_bill(bill: Path) -> Iterator[str]:
    """Check the bill of materials with CycloneDX's own schema."""
    fault = run(TOOLS, "-P", ROOT / "release/bill.py", bill).strip()
    if fault:
        sys.exit(f"release: the bill of materials is none by CycloneDX's schema: {fault}")
    held = json.loads(bill.read_text(encoding="utf-8"))["components"]
    yield f"valid by CycloneDX's schema 1.6, {len(held)} components"


def check_image() -> Iterator[str]:
    """Check the image's Dockerfile; Docker itself does not run here."""
    images = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    if not all(re.search(r"@sha256:[0-9a-f]{64}$", image) for image in images):
        sys.exit("release: a base image of the Dockerfile has no digest.")
    yield f"its {len(images)} base images have digests, its packages locks with hashes"


def check_swift() -> Iterator[str]:
    """Check the Swift package: another package depends on it by its tag, and plays a game.

    The tag is set in a clone, not in this repository. Yields nothing without Swift.
    """
    ios = ROOT / "apps/ios"
    swift = ios / "tools/swift.sh"
    if (
        shutil.which("swift") is None
        and subprocess.run([swift, "--check"], capture_output=True, check=False).returncode
    ):
        return
    place = ios / ".build/by-tag"
    shutil.rmtree(place, ignore_errors=True)
    (place / "app").mkdir(parents=True)
    run("git", "clone", "-q", "--bare", "--depth", "1", f"file://{ROOT}", place / "azx.git")
    run("git", "-C", place / "azx.git", "tag", metadata.tag())
    shutil.copytree(ios / "Tests/Outside/Sources", place / "app/Sources")
    recipe = (ios / "Tests/Outside/Package.swift").read_text(encoding="utf-8")
    inside = "/checkout/apps/ios" if shutil.which("swift") is None else str(ios)
    taken = f'.package(url: "file://{inside}/.build/by-tag/azx.git", exact: "{version()}")'
    (place / "app/Package.swift").write_text(recipe.replace('.package(path: "../azx")', taken), encoding="utf-8")
    output = run(swift, "run", "-q", "Outside", AZX_FOLDER=".build/by-tag/app")
    if "with AzxKit" not in output:
        sys.exit(f"release: the package that takes azx by its tag says {output[-500:]}")
    yield f"SwiftPM takes it from a clone by the tag {metadata.tag()}, and it {output.strip().splitlines()[-1]}"


def sums() -> int:
    """Write SHA256SUMS of all products; returns the number of files in it."""
    lines = [f"{digest(path)}  {path.relative_to(OUT).as_posix()}" for path in sorted(OUT.rglob("*")) if path.is_file()]
    (OUT / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)
