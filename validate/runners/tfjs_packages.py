"""Node.js and the npm packages that run TF.js and LiteRT.js: their versions, their folders, and how to add them.

The packages are searched for beside this file (tfjs_node/node_modules), or in the folder that the environment variable
AZX_TFJS_NODE names. That folder holds `node_modules` with the versions of tfjs_node/package.json.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parent / "tfjs_node"
OLDEST_NODE = 18


def node_ready() -> str | None:
    """None if Node and TF.js' npm packages can be used, otherwise the reason and the command that adds them."""
    return missing_node() or _missing_package(wanted_packages())


def litert_ready() -> str | None:
    """None if LiteRT.js can be used, otherwise the reason and the command; package.json lists it as optional."""
    return missing_node() or _missing_package(wanted_of_litert())


def missing_node() -> str | None:
    """None if Node.js is new enough, otherwise the reason and what to install."""
    version = node_version()
    if version is None:
        return f"Node.js not found: install Node.js {OLDEST_NODE} or newer"
    if too_old(version):
        return f"Node.js {version} is too old: install Node.js {OLDEST_NODE} or newer"
    return None


def _missing_package(packages: Mapping[str, str]) -> str | None:
    missing = [name for name, wanted in packages.items() if installed_version(name) != wanted]
    return f"npm package {missing[0]} not found: {npm_command()}" if missing else None


def node_version() -> str | None:
    """The version of the Node.js on PATH ("20.20.2"); None if Node.js does not run."""
    return _version_of(shutil.which("node"))


@cache
def _version_of(executable: str | None) -> str | None:
    if executable is None:
        return None
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = done.stdout.strip().removeprefix("v")
    return version if version.split(".")[0].isdigit() else None


def too_old(version: str) -> bool:
    """Whether this Node.js is too old for the packages."""
    return int(version.split(".")[0]) < OLDEST_NODE


def packages_folder() -> Path:
    """The folder that contains node_modules."""
    return Path(os.environ.get("AZX_TFJS_NODE") or PROJECT)


def wanted_packages() -> dict[str, str]:
    """The npm packages that run.mjs imports, each with the version that azx was tested with."""
    return _list_packages("dependencies")


def wanted_of_litert() -> dict[str, str]:
    """The npm packages that litert.mjs imports, with their versions."""
    return _list_packages("optionalDependencies")


def _list_packages(member: str) -> dict[str, str]:
    packages: dict[str, str] = json.loads((PROJECT / "package.json").read_text(encoding="utf-8"))[member]
    return packages


def installed_version(name: str) -> str | None:
    """The version of an npm package in the packages' folder; None if it is missing."""
    try:
        text = (packages_folder() / "node_modules" / name / "package.json").read_text(encoding="utf-8")
        return str(json.loads(text)["version"])
    except (OSError, ValueError, KeyError):
        return None


def npm_command() -> str:
    """The command that installs the packages; for another folder, it first copies the three project files there."""
    folder, project = (f'"{path}"' if " " in str(path) else str(path) for path in (packages_folder(), PROJECT))
    if folder == project:
        return f"npm ci --prefix {folder}"
    return f"cp {project}/package*.json {project}/.npmrc {folder} && npm ci --prefix {folder}"
