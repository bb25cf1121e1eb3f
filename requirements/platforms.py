"""`make platforms`: whether pip finds a wheel of everything that azx asks for, on the systems that azx is for.

pip looks for the wheels of another system, but reads markers as this machine's. So the markers of azx's own list and of
the locks are evaluated here, for that system, and pip is asked for what they leave: `pip install --dry-run`, with the
dependencies of the extras and, for a lock, with its hashes and nothing beside it. Nothing is installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement

HERE = Path(__file__).parent
PYTHONS = ("3.11", "3.12", "3.13")
_MANYLINUX = ("2_28", "2_27", "2_26", "2_24", "2_17", "2_12", "2_5", "2014", "1")


@dataclass(frozen=True)
class System:
    """A system: its name, what markers read of it, and the tags of the wheels that it takes."""

    name: str
    sys_platform: str
    platform_system: str
    platform_machine: str
    tags: tuple[str, ...]

    def environment(self, python: str) -> dict[str, str]:
        """What markers are evaluated against."""
        return {
            "sys_platform": self.sys_platform,
            "platform_system": self.platform_system,
            "platform_machine": self.platform_machine,
            "os_name": "nt" if self.sys_platform == "win32" else "posix",
            "python_version": python,
            "python_full_version": f"{python}.0",
        }


def _manylinux(machine: str) -> tuple[str, ...]:
    return tuple(f"manylinux{'_' if '_' in version else ''}{version}_{machine}" for version in _MANYLINUX)


SYSTEMS = (
    System("Linux x86-64", "linux", "Linux", "x86_64", _manylinux("x86_64")),
    System("Linux arm64", "linux", "Linux", "aarch64", _manylinux("aarch64")),
    System("macOS arm64", "darwin", "Darwin", "arm64", tuple(f"macosx_{n}_0_arm64" for n in (14, 13, 12, 11))),
    System("Windows x86-64", "win32", "Windows", "AMD64", ("win_amd64",)),
)


def wanted(extra: str, system: System, python: str) -> list[str]:
    """What azx and one extra ask for on a system, extras of azx itself followed."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = list(project["dependencies"])
    asked = [extra] if extra else []
    while asked:
        for entry in map(Requirement, project["optional-dependencies"][asked.pop()]):
            asked += list(entry.extras) if entry.name == "azx" else []
            listed += [str(entry)] if entry.name != "azx" else []
    found = map(Requirement, listed)
    here = system.environment(python)
    return [f"{e.name}{e.specifier}" for e in found if e.marker is None or e.marker.evaluate(here)]


def locked(python: str, system: System) -> str:
    """The lock of a Python without what its markers leave out on a system, and without the markers."""
    text = (HERE / f"py{python.replace('.', '')}.lock").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
    kept = []
    for entry in entries:
        head, _, hashes = entry.partition(" \\\n")
        pinned, _, marker = head.partition(" ; ")
        if not marker or Marker(marker).evaluate(system.environment(python)):
            kept.append(f"{pinned} \\\n{hashes}")
    return "".join(kept)


def asked_of_pip(words: list[str], system: System, python: str) -> str | None:
    """None where pip finds it all, else the last line of what it says."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--dry-run"]
        command += ["--only-binary", ":all:", "--target", folder, "--implementation", "cp", "--python-version", python]
        command += [word for tag in (*system.tags, "any") for word in ("--platform", tag)]
        done = subprocess.run([*command, *words], capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return None if done.returncode == 0 else (lines or ["pip failed"])[-1]


def main() -> int:
    """Print a line for each system, Python and extra; 1 where something has no wheel."""
    failed = 0
    for system in SYSTEMS:
        for python in PYTHONS:
            told = []
            for extra in ("", "play", "export"):
                problem = asked_of_pip(wanted(extra, system, python), system, python)
                told.append(f"azx{f'[{extra}]' if extra else ''} {problem or 'found'}")
                failed += problem is not None
            with tempfile.NamedTemporaryFile("w", suffix=".lock") as file:
                file.write(locked(python, system))
                file.flush()
                problem = asked_of_pip(["--no-deps", "--require-hashes", "-r", file.name], system, python)
            told.append(f"lock {problem or 'found'}")
            failed += problem is not None
            sys.stdout.write(f"{system.name}, Python {python}: {'; '.join(told)}\n")
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
