"""What Maven takes from elsewhere has the SHA-256 that is committed, or Maven ends before it reads the file."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKSUMS = "apps/android/checksums"
PARENT = "org/example/parent/1/parent-1.pom"
POM = (
    """<project><modelVersion>4.0.0</modelVersion>{}<artifactId>{}</artifactId><packaging>pom</packaging>{}</project>"""
)
GROUP = "<groupId>org.example</groupId><version>1</version>"
ABOVE = f"<parent>{GROUP}<artifactId>parent</artifactId><relativePath/></parent>"
REGISTRY = """<repositories><repository><id>central</id><url>file://{}</url></repository></repositories>"""


def sums(path: Path) -> dict[str, str]:
    """The sums of a list by their paths."""
    pairs = (line.split("  ", 1) for line in path.read_text(encoding="utf8").splitlines())
    return {name: value for value, name in pairs}


@pytest.fixture(scope="module")
def extension(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, compiled as Make does."""
    if shutil.which("mvn") is None or shutil.which("javac") is None:
        pytest.skip("Maven is not installed")
    folder = tmp_path_factory.mktemp("extension")
    (folder / CHECKSUMS).mkdir(parents=True)
    shutil.copy(repository / CHECKSUMS / "Checksums.java", folder / CHECKSUMS)
    subprocess.run(["make", "-s", "-f", repository / "Makefile", "maven"], cwd=folder, check=True)
    return folder / "build/maven-checksums"


@pytest.mark.parametrize(
    ("known", "code", "says"),
    [
        ("the file's", 0, ""),
        ("another", 1, f"checksums: {PARENT} has the SHA-256 "),
        ("none", 1, f"checksums: {PARENT} is not in "),
        ("none, add", 0, ""),
    ],
)
def test_a_file_with_another_sum_ends_maven(extension: Path, tmp_path: Path, known: str, code: int, says: str) -> None:
    parent = tmp_path / "registry" / PARENT
    parent.parent.mkdir(parents=True)
    parent.write_text(POM.format(GROUP, "parent", ""), encoding="utf8")
    found = hashlib.sha256(parent.read_bytes()).hexdigest()
    (tmp_path / "pom.xml").write_text(POM.format(ABOVE, "child", REGISTRY.format(tmp_path / "registry")), "utf8")
    listed = {"the file's": found, "another": "0" * 64}.get(known)
    sheet = tmp_path / "sums.sha256"
    sheet.write_text(f"{listed}  {PARENT}\n" if listed else "", encoding="utf8")
    options = [f"-Dmaven.ext.class.path={extension}", f"-Dazx.checksums={sheet}", f"-Dmaven.repo.local={tmp_path}/m2"]
    adds = f"-Dazx.checksums.add={'true' if 'add' in known else 'false'}"
    done = subprocess.run(
        ["mvn", "-q", "-B", *options, adds, "validate"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert says in done.stderr
    if "add" in known:
        assert sums(sheet) == {PARENT: found}


def test_make_gives_maven_the_list_and_the_list_is_in_order(repository: Path) -> None:
    makefile = (repository / "Makefile").read_text(encoding="utf8")
    assert re.search(r"^MVN := mvn (?:.*\\\n)*.*-Dazx\.checksums='", makefile, re.MULTILINE)
    assert re.search(r"^CHECKSUMS_ADD \?= false$", makefile, re.MULTILINE)
    lines = (repository / CHECKSUMS / "maven.sha256").read_text(encoding="utf8").splitlines()
    assert all(re.fullmatch(r"[0-9a-f]{64}  [\w./+-]+\.(?:jar|pom|aar|so|zip|signature)", line) for line in lines)
    names = [line.split("  ", 1)[1] for line in lines]
    assert names == sorted(set(names))
