"""Makes an Android app of each bundle twice and holds it to Android's own tools: verified, aligned, read back, equal.

    python -P benchmarks/apk.py --prepared build/android-wheel/package/azx_export_android/app.apk build/bundles/*

It needs Java, and apksig and aapt2 as `make test-android` and `make android-wheel` bring them to Maven's repository.
Exit code 1 if one app is not as it should be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from click.testing import CliRunner

from azx.cli import cli
from azx.mobile_assets.apk.aligned_zip import find_unaligned
from azx.mobile_assets.apk.keys import make_key

MAVEN = Path.home() / ".m2" / "repository"
VERIFIER = Path(__file__).resolve().parent.parent / "tests/mobile_assets/VerifyApk.java"
VERIFIED = "true v2 true v3 true [][]"


def find(pattern: str) -> Path:
    """A file of Maven's local repository; SystemExit if it is missing."""
    jars = sorted(path for path in MAVEN.glob(pattern) if "sources" not in path.name)
    if not jars:
        sys.exit(f"{pattern} is not in Maven's local repository: run `make test-android` first.")
    return jars[-1]


def verify(apk: Path) -> str:
    """What apksig says of an APK."""
    jar = find("com/android/tools/build/apksig/*/apksig-*.jar")
    done = subprocess.run(["java", "-cp", jar, VERIFIER, apk], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def badging(apk: Path, folder: Path) -> str:
    """What aapt2 reads in an APK."""
    tool = folder / "aapt2"
    if not tool.exists():
        with zipfile.ZipFile(find("org/apktool/apktool-lib/*/apktool-lib-*.jar")) as archive:
            name = next(each for each in archive.namelist() if each.startswith("prebuilt/linux/aapt2"))
            tool.write_bytes(archive.read(name))
        tool.chmod(0o755)
    return subprocess.run([tool, "dump", "badging", apk], capture_output=True, text=True, check=True).stdout


def read_back(apk: Path, bundle: Path) -> list[str]:
    """What an APK has otherwise than its index and the bundle say."""
    wrong = []
    with zipfile.ZipFile(apk) as archive:
        for entry in json.loads(archive.read("assets/azx/index.json"))["bundles"]:
            for file in entry["files"]:
                data = archive.read(f"assets/azx/{entry['name']}/{file['path']}")
                if hashlib.sha256(data).hexdigest() != file["sha256"] or data != (bundle / file["path"]).read_bytes():
                    wrong.append(file["path"])
    return wrong


def check(bundle: Path, prepared: Path, key: Path, folder: Path) -> bool:
    """Make the app of a bundle twice, print what was found, and return whether all is right."""
    name, made = f"Play {bundle.name}"[:30], []
    game = json.loads((bundle / "manifest.json").read_text(encoding="utf8")).get("game")
    for number in (1, 2):
        path = folder / f"{number}.apk"
        words = [bundle, "--name", name, "--version", "2.3.4", "--key", key, "--prepared", prepared, "-o", path]
        done = CliRunner().invoke(cli, ["apk", *map(str, words)])
        if done.exit_code:
            print(f"{bundle.name}: refused: {done.output.strip().splitlines()[-1]}", flush=True)
            return False
        made.append(path)
    said = badging(made[0], folder)
    right = {
        "apksig": verify(made[0]) == VERIFIED,
        "aligned": not find_unaligned(made[0].read_bytes()),
        "name": f"application-label:'{name}'" in said,
        "version": "versionCode='20304' versionName='2.3.4'" in said,
        "id": re.search(r"package: name='game\.azx\.\w+'", said) is not None,
        "hashes": not read_back(made[0], bundle),
        "equal": made[0].read_bytes() == made[1].read_bytes(),
    }
    wrong = [name for name, is_right in right.items() if not is_right]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{bundle.name} ({game}): {made[0].stat().st_size / 1e6:.1f} MB, "
        f"{'WRONG: ' + ', '.join(wrong) if wrong else 'right'}, peak memory {peak} MB",
        flush=True,
    )
    return not wrong


def main() -> int:
    """Check each bundle; 1 if one app is wrong or was refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundles", nargs="+", type=Path)
    parser.add_argument("--prepared", required=True, type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_key(folder / "key.pem", "benchmark")
        reports = [check(bundle, chosen.prepared, folder / "key.pem", folder) for bundle in chosen.bundles]
    print(f"{sum(reports)} of {len(reports)} apps right")
    return int(not all(reports))


if __name__ == "__main__":
    sys.exit(main())
