"""Builds the products that are published, each twice to the same bytes. Make builds page, jar, AAR and APKs first."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import account
import metadata
from parts import ROOT, version

OUT, WORK = ROOT / "dist/release", ROOT / "build/release"
PYTHON = ROOT / ".venv/bin/python"
PLAY, APP = ROOT / "apps/android/play", ROOT / "apps/android/app/target"
# Where `make android-wheel` leaves the sources of azx-export-android, with the prepared app.
ANDROID_WHEEL = ROOT / "build/android-wheel/package"
PIP = (PYTHON, "-m", "pip", "--disable-pip-version-check", "-q")


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """Run a command and return its output; SystemExit with its last lines if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
        sys.exit(f"release: '{' '.join(map(str, command[:4]))} ...' failed with {done.returncode}:\n{last}")
    return done.stdout


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def epoch() -> str:
    """The time of the last commit; every file in a product gets it."""
    return run("git", "log", "-1", "--format=%ct").strip()


def twice(what: str, build: Callable[[Path], Path]) -> Path:
    """Run `build` in two empty folders, and copy its file to OUT; SystemExit if the two files differ."""
    built = []
    for name in ("first", "second"):
        folder = WORK / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        built.append(build(folder))
    if digest(built[0]) != digest(built[1]):
        sys.exit(f"release: two builds of {what} differ.")
    return Path(shutil.copy(built[0], OUT))


def copy_tree(target: Path, address: str) -> None:
    """The sources of the wheel, with the metadata that is published and the built page."""
    for name in sorted(account.tracked()):
        if not name.startswith(("apps/", "tests/", "docs/", "benchmarks/")) or name.startswith("apps/texts"):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    (target / "apps/web/public").mkdir(parents=True)
    shutil.copyfile(ROOT / "apps/web/public/notices.txt", target / "apps/web/public/notices.txt")
    (target / "pyproject.toml").write_text(metadata.pyproject(address), encoding="utf-8")
    (target / "README-index.md").write_text(metadata.long_description(address), encoding="utf-8")
    page = target / "mobile_assets/web"
    shutil.copytree(ROOT / "apps/web/dist", page)
    for path in [*page.rglob("*.br"), *(path.with_suffix("") for path in page.rglob("*.wasm.gz"))]:
        path.unlink()
    run(PYTHON, "-P", "-m", "azx.mobile_assets.page_bundles", page)


def wheel_of(sources: Path, folder: Path) -> Path:
    """The wheel of a folder or an archive of sources; every file in it has the last commit's time."""
    run(*PIP, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, sources, SOURCE_DATE_EPOCH=epoch())
    return next(folder.glob("*.whl"))


def build_wheel(address: str) -> Path:
    """The wheel, built in two folders to the same bytes."""

    def build(folder: Path) -> Path:
        copy_tree(folder / "tree", address)
        return wheel_of(folder / "tree", folder)

    return twice("the wheel", build)


def build_sdist(address: str) -> Path:
    """The sources of the wheel as an archive, with the built page. Python alone can build the wheel from it."""

    def build(folder: Path) -> Path:
        tree = folder / "tree"
        copy_tree(tree, address)
        script = f"import setuptools.build_meta as build; build.build_sdist({str(folder)!r})"
        run(PYTHON, "-c", script, cwd=tree, SOURCE_DATE_EPOCH=epoch())
        made = next(folder.glob("*.tar.gz"))
        made.write_bytes(_without_times(made.read_bytes()))
        return made

    return twice("the sources", build)


def _without_times(archive: bytes) -> bytes:
    """A .tar.gz with its files in order, without owners, and all with the last commit's time."""
    made, time = io.BytesIO(), int(epoch())
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as old,
        gzip.GzipFile(fileobj=made, mode="wb", filename="", mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted((each for each in old if each.isfile()), key=lambda each: each.name):
            entry = tarfile.TarInfo(member.name)
            entry.size, entry.mtime, entry.mode = member.size, time, 0o644
            new.addfile(entry, old.extractfile(member))
    return made.getvalue()


def build_android_wheel(address: str) -> Path:
    """The wheel azx-export-android, with the app that `azx apk` puts networks into."""

    def build(folder: Path) -> Path:
        tree = folder / "tree"
        shutil.copytree(ANDROID_WHEEL, tree, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        path = tree / "pyproject.toml"
        path.write_text(metadata.with_addresses(path.read_text(encoding="utf-8"), address), encoding="utf-8")
        return wheel_of(tree, folder)

    return twice("azx-export-android", build)


def build_npm(address: str) -> Path:
    """The npm package, packed twice to the same bytes."""

    def build(folder: Path) -> Path:
        shutil.copytree(ROOT / "apps/web/play/dist", folder / "dist")
        for path in ("LICENSE", "apps/web/play/README.md"):
            shutil.copy(ROOT / path, folder)
        (folder / "package.json").write_text(metadata.package_json(address), encoding="utf-8")
        run("npm", "pack", "--silent", "--ignore-scripts", cwd=folder)
        return next(folder.glob("*.tgz"))

    return twice("azx-play", build)


def pack(target: Path, files: dict[str, bytes]) -> None:
    """Write a zip of files in the order of their names, all with the same time."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[name])


def build_maven(address: str) -> Path:
    """azx-play for Android as a Maven repository: jar, AAR, POM, sources and documentation, with their checksums."""
    folder = OUT / "maven/org/azx/azx-play" / version()
    folder.mkdir(parents=True)
    stem = folder / f"azx-play-{version()}"
    licence = {"META-INF/LICENSE": (ROOT / "LICENSE").read_bytes()}
    jar = account.read_product(PLAY / f"target/azx-play-{version()}.jar")
    pack(Path(f"{stem}.jar"), {name: data for name, data in jar.items() if name != "META-INF/MANIFEST.MF"} | licence)
    aar = account.read_product(PLAY / f"target/azx-play-{version()}.aar")
    aar["classes.jar"] = Path(f"{stem}.jar").read_bytes()
    pack(Path(f"{stem}.aar"), aar)
    sources = {
        name: (ROOT / name).read_bytes() for name in account.tracked() if name.startswith("apps/android/play/src/main")
    }
    pack(
        Path(f"{stem}-sources.jar"),
        {name.removeprefix("apps/android/play/src/main/kotlin/"): data for name, data in sources.items()} | licence,
    )
    pack(Path(f"{stem}-javadoc.jar"), {"in-your-app.md": (ROOT / "docs/in-your-app.md").read_bytes()} | licence)
    Path(f"{stem}.pom").write_text(metadata.pom(address), encoding="utf-8")
    for path in sorted(folder.iterdir()):
        for name in ("md5", "sha1"):
            path.with_name(f"{path.name}.{name}").write_text(
                hashlib.new(name, path.read_bytes(), usedforsecurity=False).hexdigest()
            )
    return folder
