#!/usr/bin/env -S python3 -P
"""Build what is published to dist/release, twice, check it, and say what a person still has to do: `make release`.

The page, the jar, the AAR and the APK are there already: Make builds them first.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent))

import account
import metadata
from parts import POM, ROOT, version

OUT, WORK = ROOT / "dist/release", ROOT / "build/release"
PYTHON, TOOLS = ROOT / ".venv/bin/python", ROOT / "build/release-tools/bin/python"
LARGEST_WHEEL = 20_000_000
PUBLINT, ATTW = "publint@0.3.25", "@arethetypeswrong/cli@0.18.5"
PLAY = ROOT / "apps/android/play"


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """Run a command; its output. SystemExit with its last lines if it fails."""
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
    """The time of the last commit, which is that of every file in what is built."""
    return run("git", "log", "-1", "--format=%ct").strip()


def copy_tree(target: Path, address: str) -> None:
    """The sources of the wheel, with the metadata that is published and the built page."""
    shutil.rmtree(target, ignore_errors=True)
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
    print(run(PYTHON, "-P", "-m", "azx.mobile_assets.page_bundles", page).strip())


def build_wheel(address: str) -> Path:
    """The wheel, built in two folders to the same bytes."""
    found = []
    for name in ("first", "second"):
        tree, wheels = WORK / name, WORK / f"{name}-wheel"
        copy_tree(tree, address)
        shutil.rmtree(wheels, ignore_errors=True)
        pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-build-isolation", "--no-deps")
        run(*pip, "--wheel-dir", wheels, tree, cwd=tree, SOURCE_DATE_EPOCH=epoch())
        found.append(next(wheels.glob("*.whl")))
    if digest(found[0]) != digest(found[1]):
        sys.exit("release: two builds of the wheel differ.")
    return Path(shutil.copy(found[0], OUT))


def build_npm(address: str) -> Path:
    """The npm package, packed twice to the same bytes."""
    found = []
    for name in ("first-npm", "second-npm"):
        folder = WORK / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT / "apps/web/play/dist", folder / "dist")
        for path in ("LICENSE", "apps/web/play/README.md"):
            shutil.copy(ROOT / path, folder)
        (folder / "package.json").write_text(metadata.package_json(address), encoding="utf-8")
        run("npm", "pack", "--silent", "--ignore-scripts", cwd=folder)
        found.append(next(folder.glob("*.tgz")))
    if digest(found[0]) != digest(found[1]):
        sys.exit("release: two packings of azx-play differ.")
    return Path(shutil.copy(found[0], OUT))


def pack(target: Path, files: dict[str, bytes]) -> None:
    """A zip of files in the order of their names, all of one time."""
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
    kept = {
        name: (ROOT / name).read_bytes() for name in account.tracked() if name.startswith("apps/android/play/src/main")
    }
    pack(
        Path(f"{stem}-sources.jar"),
        {name.removeprefix("apps/android/play/src/main/kotlin/"): data for name, data in kept.items()} | licence,
    )
    pack(Path(f"{stem}-javadoc.jar"), {"in-your-app.md": (ROOT / "docs/in-your-app.md").read_bytes()} | licence)
    Path(f"{stem}.pom").write_text(metadata.pom(address), encoding="utf-8")
    for path in sorted(folder.iterdir()):
        for name in ("md5", "sha1"):
            path.with_name(f"{path.name}.{name}").write_text(
                hashlib.new(name, path.read_bytes(), usedforsecurity=False).hexdigest()
            )
    return folder


def check_wheel(wheel: Path) -> Iterator[str]:
    """What holds of the wheel; SystemExit if something does not."""
    if wheel.stat().st_size > LARGEST_WHEEL:
        sys.exit(f"release: the wheel has {wheel.stat().st_size} bytes, and may have {LARGEST_WHEEL}.")
    yield f"{wheel.stat().st_size / 1e6:.1f} MB of 20, built twice to the same bytes"
    owners = account.account(wheel)
    others = sum(names != (account.OWN,) for names in owners.values())
    yield f"{len(owners)} files, each accounted for, {others} of them of others"
    run(TOOLS, "-m", "twine", "check", "--strict", wheel)
    yield "twine check --strict"
    text = next(
        data for name, data in account.read_product(wheel).items() if name.endswith("dist-info/METADATA")
    ).decode()
    dead = re.findall(r'\]\((?![a-z]+:|#)([^)]+)\)|src="(?!https:)([^"]+)"', text)
    if dead:
        sys.exit(f"release: the long description has links that lead nowhere on an index: {dead[:5]}.")
    yield f"the long description has no relative link, and {text.count('](https://')} absolute ones"
    site = WORK / "site"
    shutil.rmtree(site, ignore_errors=True)
    run(PYTHON, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-deps", "--target", site, wheel)
    asked = "import azx, azx.mobile_assets.site as s; print(azx.__version__, s.find_web())"
    said = run(PYTHON, "-P", "-c", asked, cwd=WORK, PYTHONPATH=str(site))
    if not said.startswith(version()) or str(site) not in said:
        sys.exit(f"release: the installed wheel says {said}")
    yield "installed from its file, it has its version and its page"


def check_npm(package: Path) -> Iterator[str]:
    """What holds of the npm package; SystemExit if something does not."""
    account.account(package)
    yield f"{package.stat().st_size / 1e3:.0f} kB, packed twice to the same bytes, nothing of others in it"
    run("npx", "--yes", PUBLINT, "run", package, "--strict", cwd=WORK)
    yield "publint --strict"
    run("npx", "--yes", ATTW, package, "--profile", "esm-only", cwd=WORK)
    yield "arethetypeswrong (ES modules alone)"
    folder = WORK / "npm-site"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", package, cwd=folder)
    script = (
        "const m = await import('azx-play'); if (typeof m.openBundle !== 'function') throw new Error('no openBundle')"
    )
    run("node", "--input-type=module", "-e", script, cwd=folder)
    yield "installed from its file, it is imported in Node"


def check_maven(folder: Path, address: str) -> Iterator[str]:
    """What holds of the Maven repository; SystemExit if something does not."""
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
    consumer = WORK / "consumer"
    shutil.rmtree(consumer, ignore_errors=True)
    consumer.mkdir(parents=True)
    (consumer / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>own</groupId><artifactId>app</artifactId><version>1</version>"
        f"<repositories><repository><id>here</id><url>file://{OUT}/maven</url></repository></repositories>"
        "<dependencies><dependency><groupId>org.azx</groupId><artifactId>azx-play</artifactId>"
        f"<version>{version()}</version></dependency></dependencies></project>"
    )
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
    run("mvn", "-q", "-B", "-U", "-f", consumer / "pom.xml", goal, "-Dmdep.outputFile=classpath", cwd=consumer)
    if stem not in (consumer / "classpath").read_text():
        sys.exit("release: a project that asks for org.azx:azx-play does not get it.")
    yield "a project gets it from this folder as a repository"


def main() -> None:
    """Build all, check all, and list it."""
    address = metadata.repository()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    WORK.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[str]] = {}
    wheel = build_wheel(address)
    made[wheel.name] = list(check_wheel(wheel))
    package = build_npm(address)
    made[package.name] = list(check_npm(package))
    made["maven/"] = list(check_maven(build_maven(address), address))
    apk = Path(shutil.copy(ROOT / "apps/android/app/target/azx-debug.apk", OUT / f"azx-{version()}-debug.apk"))
    made[apk.name] = [f"{len(account.account(apk))} files, each accounted for; signed with this machine's debug key"]
    page = OUT / f"azx-page-{version()}.zip"
    pack(page, account.read_product(ROOT / "apps/web/dist"))
    made[page.name] = [f"{len(account.account(ROOT / 'apps/web/dist'))} files, each accounted for"]
    bill = OUT / f"azx-{version()}.cdx.json"
    bill.write_text(json.dumps(metadata.sbom(address), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    made[bill.name] = [f"CycloneDX 1.6, {len(metadata.sbom(address)['components'])} components"]
    sums = [f"{digest(path)}  {path.relative_to(OUT).as_posix()}" for path in sorted(OUT.rglob("*")) if path.is_file()]
    (OUT / "SHA256SUMS").write_text("\n".join(sums) + "\n", encoding="utf-8")
    print(f"\nMade in {OUT.relative_to(ROOT)}, from {metadata.tag()} and this commit:")
    for name, checks in made.items():
        print(f"  {name}")
        for check in checks:
            print(f"    checked: {check}")
    print(f"  SHA256SUMS\n    {len(sums)} files\n\nLeft for a person (docs/releasing.md says how):")
    if not address:
        print(f"  - {metadata.UNSET}")
    for line in (
        f"git tag -s {metadata.tag()} -m 'azx {version()}' && git push origin {metadata.tag()}: SwiftPM goes by it",
        "approve the workflow's environment 'release': it publishes to PyPI, npm and the container registry",
        "sign and upload maven/ at Maven Central, which wants a key of yours",
        "sign the APK with your own key before a store gets it; the iOS app needs a Mac and Xcode",
        "the container image is built by the workflow: Docker does not run in `make release`",
    ):
        print(f"  - {line}")


if __name__ == "__main__":
    try:
        main()
    except (account.Unaccounted, account.LicenceError, ValueError) as error:
        sys.exit(f"release: {error}")
