"""What the workflows name is there: Make's targets, scripts, and each other's jobs. No runner is needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

# What begins a path of the checkout in a command.
SCRIPT = re.compile(r"(?<![\w./-])((?:apps|\.ci|requirements)/[\w./-]+)")
MAKE = re.compile(r"(?:^|[\s;&|])make ([a-z][a-z0-9-]*)")


@pytest.fixture(scope="module")
def jobs(repository: Path) -> dict[str, Any]:
    """The jobs of all workflows, by name."""
    found: dict[str, Any] = {}
    for path in sorted((repository / ".github" / "workflows").glob("*.yml")):
        workflow = yaml.safe_load(path.read_text(encoding="utf8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        assert not found.keys() & workflow["jobs"].keys()
        found |= workflow["jobs"]
    return found


def steps(jobs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in jobs.values():
        yield from job["steps"]


def commands(jobs: dict[str, Any]) -> str:
    return "\n".join(step["run"] for step in steps(jobs) if "run" in step)


def test_every_target_of_make_is_one(repository: Path, jobs: dict[str, Any]) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (repository / "Makefile").read_text(), re.MULTILINE))
    named = set(MAKE.findall(commands(jobs)))
    assert {"test", "pytest-all", "test-all", "test-web", "test-android", "test-ios", "ios"} <= named <= targets


def test_every_script_is_there_and_can_be_run(repository: Path, jobs: dict[str, Any]) -> None:
    named = set(SCRIPT.findall(commands(jobs)))
    assert {".ci/run", "apps/ios/tools/swift.sh", "apps/ios/tools/xcode.sh"} <= named
    for name in named:
        assert (repository / name).is_file(), name
        assert os.access(repository / name, os.X_OK), name


def test_the_shards_are_all_there(jobs: dict[str, Any]) -> None:
    shards = jobs["python"]["strategy"]["matrix"]["shard"]
    assert shards == [f"{number}/{len(shards)}" for number in range(1, len(shards) + 1)]


def test_every_job_needs_jobs_that_are_there_and_takes_artifacts_that_they_leave(jobs: dict[str, Any]) -> None:
    for name, job in jobs.items():
        needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
        assert set(needs) <= jobs.keys() - {name}
        left = {
            step["with"]["name"]
            for each in needs
            for step in jobs[each]["steps"]
            if step.get("uses", "").startswith("actions/upload-artifact@")
        }
        taken = {step["with"]["name"] for step in job["steps"] if step.get("uses", "").startswith("actions/download-")}
        assert taken <= left, name


def test_every_job_ends_and_every_action_has_one_version(jobs: dict[str, Any]) -> None:
    # What takes hours runs at night: six of them are all that a hosted job may take.
    assert all(0 < job["timeout-minutes"] <= (360 if name == "long" else 90) for name, job in jobs.items())
    used = {step["uses"] for step in steps(jobs) if "uses" in step}
    assert all(re.fullmatch(r"(actions/[\w-]+|pypa/gh-action-pypi-publish)@[0-9a-f]{40}", each) for each in used)
    assert len({each.split("@")[0] for each in used}) == len(used)


def test_a_mac_proves_each_shipped_network_in_core_ml(repository: Path, jobs: dict[str, Any]) -> None:
    (loop,) = re.findall(r"for bundle in ([\w ]+); do\n.*azx-selftest", commands({"mac": jobs["mac"]}))
    package = (repository / "Package.swift").read_text()
    assert '.executableTarget(\n            name: "azx-selftest"' in package
    folder = repository / "mobile_assets" / "fixtures"
    assert set(loop.split()) == {path.name for path in folder.iterdir() if (path / "parity.json").is_file()}


def test_a_mac_leaves_pictures_of_every_screen(repository: Path, jobs: dict[str, Any]) -> None:
    mac = jobs["mac"]
    assert mac["strategy"]["matrix"]["os"] == ["macos-15", "macos-26"]
    assert "apps/ios/tools/pictures.sh" in commands({"mac": mac})
    (kept,) = (step for step in mac["steps"] if step.get("uses", "").startswith("actions/upload-artifact@"))
    # What was seen before a test failed is there as well.
    assert (kept["if"], kept["with"]["if-no-files-found"]) == ("always()", "error")
    script = (repository / "apps" / "ios" / "tools" / "pictures.sh").read_text()
    assert "for device in iPhone iPad; do" in script
    assert {f"build/pictures/{device}" for device in ("iPhone", "iPad")} == set(kept["with"]["path"].split())


def test_nothing_is_published_without_a_person_and_with_a_stored_key(repository: Path, jobs: dict[str, Any]) -> None:
    workflow = (repository / ".github/workflows/release.yml").read_text(encoding="utf8")
    publishing = {name for name in jobs if name.startswith("publish_")}
    assert publishing == {"publish_python", "publish_npm", "publish_image"}
    for name in publishing:
        assert (jobs[name]["needs"], jobs[name]["environment"]) == ("build_release", "release")
    assert "secrets." not in workflow
    assert "--ignore-scripts" in workflow


def test_every_npm_ci_runs_no_script(repository: Path) -> None:
    for name in ("Makefile", "Dockerfile"):
        text = (repository / name).read_text(encoding="utf8").replace("\\\n", " ")
        lines = [line for line in text.splitlines() if re.search(r"npm ci ", line)]
        assert lines
        assert [line for line in lines if line.count("npm ci ") != line.count("--ignore-scripts")] == []


def test_every_base_image_goes_by_its_digest(repository: Path) -> None:
    images = re.findall(r"^FROM (\S+)", (repository / "Dockerfile").read_text(encoding="utf8"), re.MULTILINE)
    assert len(images) == 2
    assert [image for image in images if not re.fullmatch(r"[\w./:-]+@sha256:[0-9a-f]{64}", image)] == []


# Tools that say what the environment has, and end as it says.
FAKE = """#!/bin/sh
case $0 in
  */npm) printf '%s' "$NPM"; exit "${NPM_CODE:-0}" ;;
  */pip-audit) printf '%s' "$PIP"; [ -n "$PIP" ] || { echo "ERROR: 405 Client Error" >&2; exit 1; } ;;
esac
"""
NONE, REFUSED = '{"vulnerabilities": {}}', '{"statusCode": 405, "error": {}}'
FLAW = '{"vulnerabilities": {"left": {"severity": "SEVERITY", "range": "<2"}}}'
CLEAN = '{"dependencies": [{"name": "numpy", "version": "2", "vulns": []}]}'
SKIPPED = '{"dependencies": [{"name": "numpy", "skip_reason": "Dependency not found on PyPI"}]}'
WEAK = '{"dependencies": [{"name": "numpy", "version": "2", "vulns": [{"id": "CVE-1"}]}]}'


@pytest.mark.parametrize(
    ("npm", "pip", "code", "says"),
    [
        (NONE, CLEAN, 0, "No flaw is known of what is locked"),
        (FLAW.replace("SEVERITY", "high"), CLEAN, 1, "apps/web: left <2 has a flaw of high severity"),
        (FLAW.replace("SEVERITY", "low"), CLEAN, 0, "No flaw is known"),
        (NONE, WEAK, 1, "py312.lock: numpy 2 has the flaw CVE-1"),
        (REFUSED, CLEAN, 3, "cannot be asked from here: npm's (405); what they know was not looked up"),
        (NONE, "", 3, "cannot be asked from here: PyPI's (ERROR: 405 Client Error);"),
        (NONE, SKIPPED, 3, "PyPI's (it has nothing on 1 of 1 packages);"),
        (REFUSED, WEAK, 1, "cannot be asked from here: npm's (405);"),
    ],
)
def test_a_flaw_and_a_silent_service_end_with_their_own_codes(
    repository: Path, tmp_path: Path, npm: str, pip: str, code: int, says: str
) -> None:
    for tool in ("npm", "pip-audit", "zizmor"):
        (tmp_path / tool).write_text(FAKE, encoding="utf8")
        (tmp_path / tool).chmod(0o755)
    how = {"AZX_AUDIT_TOOLS": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}", "NPM": npm, "PIP": pip}
    command = [sys.executable, "-P", str(repository / "release/audit.py")]
    done = subprocess.run(command, env=os.environ | how, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert says in done.stdout + done.stderr


def test_what_is_locked_is_audited_and_a_flaw_fails(jobs: dict[str, Any]) -> None:
    ran = commands({"audit": jobs["audit"]})
    assert "release/audit.py" in ran
    assert "|| true" not in ran
    assert 'else exit "${code:-0}"' in ran


def test_no_checkout_leaves_a_key_behind(jobs: dict[str, Any]) -> None:
    for step in steps(jobs):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
