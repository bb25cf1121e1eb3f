"""apps/android/gradlew fetches the Gradle that its properties name, once, and runs it. The one here is a script."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

ADDRESS = re.compile(r"^distributionUrl=(.+)$", re.MULTILINE)
SUM = re.compile(r"^distributionSha256Sum=[0-9a-f]{64}$", re.MULTILINE)
SAYS_ITS_ARGUMENTS = '#!/bin/sh\necho "$0" "$@"\n'


@pytest.fixture
def project(repository: Path, tmp_path: Path) -> Path:
    """A copy of the project's script, whose properties name an archive on this disk."""
    for name in ("curl", "unzip"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    android, folder = repository / "apps" / "android", tmp_path / "a project"
    properties = folder / "gradle" / "wrapper" / "gradle-wrapper.properties"
    properties.parent.mkdir(parents=True)
    shutil.copy(android / "gradlew", folder)
    archive = tmp_path / "gradle-9.9-bin.zip"
    with zipfile.ZipFile(archive, "w") as file:
        entry = zipfile.ZipInfo("gradle-9.9/bin/gradle")
        entry.external_attr = 0o755 << 16
        file.writestr(entry, SAYS_ITS_ARGUMENTS)
    text = (android / "gradle" / "wrapper" / "gradle-wrapper.properties").read_text(encoding="utf8")
    address = str(archive.as_uri()).replace(":", "\\:")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    text = ADDRESS.sub(lambda _: f"distributionUrl={address}", SUM.sub(f"distributionSha256Sum={digest}", text))
    properties.write_text(text, encoding="utf8")
    return folder


def run(project: Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [project / "gradlew", "assembleDebug", "-Pname=a b"],
        env={**os.environ, "GRADLE_USER_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_gradle_is_fetched_once_and_run_in_the_project_with_the_arguments(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = run(project, home)
    assert first.returncode == 0, first.stderr
    assert first.stdout.split(" --project-dir ")[1] == f"{project} assembleDebug -Pname=a b\n"
    assert "Fetching" in first.stderr
    (tmp_path / "gradle-9.9-bin.zip").unlink()
    second = run(project, home)
    assert (second.returncode, second.stderr, second.stdout) == (0, "", first.stdout)


def test_a_fetch_that_fails_leaves_nothing_that_looks_like_gradle(project: Path, tmp_path: Path) -> None:
    (tmp_path / "gradle-9.9-bin.zip").write_bytes(b"no archive")
    broken = run(project, tmp_path / "home")
    assert broken.returncode != 0
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file() or path.name == "bin"]


def test_another_archive_than_the_one_named_is_not_run(project: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "gradle-9.9-bin.zip", "a") as file:
        file.writestr("gradle-9.9/lib/more", "x")
    changed = run(project, tmp_path / "home")
    assert changed.returncode == 1
    assert "has the SHA-256 " in changed.stderr
    assert not [path for path in (tmp_path / "home").rglob("*") if path.is_file() or path.name == "bin"]


def test_the_properties_name_gradles_own_archive_of_the_version_that_the_plugin_asks_for(repository: Path) -> None:
    """`com.android.tools:common` of the plugin has it as SdkConstants.GRADLE_LATEST_VERSION."""
    folder = repository / "apps" / "android" / "gradle"
    (address,) = ADDRESS.findall((folder / "wrapper" / "gradle-wrapper.properties").read_text(encoding="utf8"))
    assert re.fullmatch(r"https\\://services\.gradle\.org/\w+/gradle-9\.3\.1-bin\.zip", address)
    assert SUM.search((folder / "wrapper" / "gradle-wrapper.properties").read_text(encoding="utf8"))
    assert 'agp = "9.1.1"' in (folder / "libs.versions.toml").read_text(encoding="utf8")
