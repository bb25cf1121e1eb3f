#!/usr/bin/env -S python3 -P
"""Look up known flaws of all locked packages, and weak places in the workflows: `make audit`.

The exit code is 0 without findings, 1 with findings, and 3 if only an audit service could not be asked. Make turns 1
and 3 into 2, so a workflow runs this file itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(os.environ.get("AZX_AUDIT_TOOLS") or ROOT / "build/release-tools/bin")
NPM_FOLDERS = ("apps/web", "validate/runners/tfjs_node", "release/tools")
LOCKS = ("requirements/py312.lock",)
FOUND, NOT_ASKED = 1, 3
# zizmor's exit codes for findings.
WEAK = range(11, 15)


class NotAskedError(Exception):
    """An audit service gave no answer."""


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command; returns its exit code and all that it printed."""
    return subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True, check=False)


def audit_workflows() -> list[str]:
    """The weak places of high severity in the hosted workflows; no audit service is asked."""
    done = run(TOOLS / "zizmor", "--offline", "--quiet", "--min-severity", "high", ".github/workflows")
    if done.returncode and done.returncode not in WEAK:
        sys.exit(f"audit: zizmor failed with {done.returncode}:\n{done.stderr[-2000:]}")
    return [done.stdout.strip()] if done.returncode else []


def audit_npm(folder: str) -> list[str]:
    """The packages of a folder's lock with a flaw of high severity."""
    done = run("npm", "audit", "--prefix", folder, "--audit-level=high", "--json")
    answer = _json(done.stdout)
    if "vulnerabilities" not in answer:
        status = answer.get("statusCode") or answer.get("message") or f"npm ended with {done.returncode}"
        raise NotAskedError(f"npm's ({status})")
    flaws: dict[str, Any] = answer["vulnerabilities"]
    return [
        f"{folder}: {name} {flaw['range']} has a flaw of {flaw['severity']} severity"
        for name, flaw in flaws.items()
        if flaw["severity"] in ("high", "critical")
    ]


def audit_python(lock: str) -> list[str]:
    """The packages of a lock that have a known flaw."""
    options = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json")
    done = run(TOOLS / "pip-audit", *options, "-r", lock)
    answer = _json(done.stdout)
    if "dependencies" not in answer:
        raise NotAskedError(f"PyPI's ({_reason(done.stderr)})")
    packages: list[dict[str, Any]] = answer["dependencies"]
    # pip-audit skips packages on which no service answered, and then reports no known flaw.
    silent = sum("skip_reason" in each for each in packages)
    flaws = [
        f"{lock}: {each['name']} {each['version']} has the flaw {flaw['id']}"
        for each in packages
        for flaw in each.get("vulns", ())
    ]
    if silent and not flaws:
        raise NotAskedError(f"PyPI's (it has nothing on {silent} of {len(packages)} packages)")
    return flaws


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _reason(text: str) -> str:
    lines = text.strip().splitlines() or ["no answer"]
    return lines[-1].strip().rstrip(".")[:120]


def main(folders: Sequence[str] = NPM_FOLDERS, locks: Sequence[str] = LOCKS) -> int:
    """Ask all services, print the findings and the services that could not be asked; returns the exit code."""
    findings, silent = audit_workflows(), dict[str, None]()
    for ask, places in ((audit_npm, folders), (audit_python, locks)):
        for place in places:
            try:
                findings += ask(place)
            except NotAskedError as error:
                silent[str(error)] = None
    for line in findings:
        print(line)
    if silent:
        print(
            f"audit: these audit services cannot be asked from here: {' and '.join(silent)}; what they know was not "
            "looked up, so run it again where they answer.",
            file=sys.stderr,
        )
    if not findings and not silent:
        print("No flaw is known of what is locked, and the workflows have no weak place of high severity.")
    return FOUND if findings else NOT_ASKED if silent else 0


if __name__ == "__main__":
    sys.exit(main())
