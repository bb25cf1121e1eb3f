"""What this installation can write and run: one table, asked without importing a converter or a runtime.

`azx doctor` prints it. A new format or runtime is one more line in `ABILITIES`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

__all__ = ["ABILITIES", "Ability", "Kind", "Status", "environment", "statuses"]

NODE_RUNNER = Path(__file__).parent / "runners" / "tfjs_node"
NODE_PACKAGES = ("tfjs-core", "tfjs-converter", "tfjs-backend-cpu", "tfjs-backend-wasm")
OLDEST_NODE = 18


class Kind(StrEnum):
    """What an ability is for."""

    REFERENCE = "reference"
    FORMAT = "format"
    RUNTIME = "runtime"


@dataclass(frozen=True)
class Part:
    """Something that an ability needs: `version` is None where it is missing, `add` is how to get it."""

    name: str
    version: Callable[[], str | None]
    add: Callable[[], str]


@dataclass(frozen=True)
class Ability:
    """A format that can be written or a runtime that can be run once all its parts are there."""

    kind: Kind
    name: str
    what: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Status:
    """How an ability stands here.

    `versions` has one entry a part, None for a missing one; `add` is what would bring each missing one, in order.
    """

    kind: Kind
    name: str
    what: str
    available: bool
    versions: dict[str, str | None]
    add: tuple[str, ...]


def _package(distribution: str, wanted: str, *flags: str, module: str = "") -> Part:
    """A Python package, found under its distribution's name or, in a variant build, under its module's."""
    version = partial(_package_version, distribution, module or distribution.replace("-", "_"))
    return Part(distribution, version, partial(_pip_install, wanted, *flags))


def _package_version(distribution: str, module: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unknown version" if find_spec(module) else None


def _pip_install(wanted: str, *flags: str) -> str:
    """The pip of the Python that runs azx, by its short name where that is the one on PATH."""
    pip = shutil.which("pip")
    same = pip is not None and Path(pip).parent == Path(sys.executable).parent
    return " ".join(["pip" if same else f"{_quoted(sys.executable)} -m pip", "install", *flags, _quoted(wanted)])


def _node_version() -> str | None:
    """Version of Node.js where it is new enough for the TF.js packages."""
    if shutil.which("node") is None:
        return None
    try:
        answer = subprocess.run(["node", "--version"], capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    version = answer.stdout.strip().removeprefix("v")
    return version if version.split(".")[0].isdigit() and int(version.split(".")[0]) >= OLDEST_NODE else None


def _node_packages_version() -> str | None:
    """Version of the TF.js packages in `NODE_RUNNER`, None unless all are there."""
    files = [NODE_RUNNER / "node_modules" / "@tensorflow" / name / "package.json" for name in NODE_PACKAGES]
    try:
        versions = {str(json.loads(file.read_text(encoding="utf-8"))["version"]) for file in files}
    except (OSError, ValueError, KeyError):
        return None
    return ", ".join(sorted(versions))


def _macos_version() -> str | None:
    return platform.mac_ver()[0] or None


def _quoted(word: str) -> str:
    return f'"{word}"' if any(character in word for character in " <>=!~*") and "==" not in word else word


TENSORFLOW = _package("tensorflow", "tensorflow>=2.21,<2.22")
KERAS = _package("keras", "keras>=3.15,<3.16")
TF_KERAS = _package("tf-keras", "tf-keras>=2.21,<2.22")
TF2ONNX = _package("tf2onnx", "tf2onnx>=1.17,<1.18")
ONNX = _package("onnx", "onnx>=1.17")
ONNXRUNTIME = _package("onnxruntime", "onnxruntime>=1.20")
LITERT = _package("ai-edge-litert", "ai-edge-litert>=2.1")
COREMLTOOLS = _package("coremltools", "coremltools>=9,<10")
# With its dependencies it would bring TensorFlow 2.19 and, on Python 3.13, find no solution at all.
TENSORFLOWJS = _package("tensorflowjs", "tensorflowjs==4.22.0", "--no-deps")
MACOS = Part("macOS", _macos_version, lambda: "run azx on macOS")
NODE = Part("Node.js", _node_version, lambda: f"install Node.js {OLDEST_NODE} or newer, with npm")
NODE_TFJS = Part("@tensorflow/tfjs", _node_packages_version, lambda: f"npm ci --prefix {_quoted(str(NODE_RUNNER))}")

ABILITIES = (
    Ability(Kind.REFERENCE, "Keras 2", "runs checkpoints of Keras 2 and tf.keras", (TENSORFLOW, TF_KERAS)),
    Ability(Kind.REFERENCE, "Keras 3", "runs checkpoints of Keras 3", (TENSORFLOW, KERAS)),
    Ability(Kind.FORMAT, "pb", "frozen TensorFlow graph", (TENSORFLOW,)),
    Ability(Kind.FORMAT, "tflite", "TensorFlow Lite", (TENSORFLOW, LITERT)),
    Ability(Kind.FORMAT, "onnx", "ONNX", (TENSORFLOW, TF2ONNX, ONNX)),
    Ability(Kind.FORMAT, "coreml", "Core ML package", (TENSORFLOW, COREMLTOOLS)),
    Ability(Kind.FORMAT, "tfjs", "TF.js graph model", (TENSORFLOW, TENSORFLOWJS)),
    Ability(Kind.RUNTIME, "TensorFlow", "runs .pb", (TENSORFLOW,)),
    Ability(Kind.RUNTIME, "LiteRT", "runs .tflite", (LITERT,)),
    Ability(Kind.RUNTIME, "ONNX Runtime", "runs .onnx", (ONNXRUNTIME,)),
    Ability(Kind.RUNTIME, "Core ML", "runs .mlpackage as devices do", (COREMLTOOLS, MACOS)),
    Ability(Kind.RUNTIME, "MIL interpreter", "runs .mlpackage in NumPy, on any system", (COREMLTOOLS, TENSORFLOW)),
    Ability(Kind.RUNTIME, "TF.js in Node", "runs TF.js as browsers do, on wasm", (NODE, NODE_TFJS)),
    Ability(Kind.RUNTIME, "TF.js decoded", "runs TF.js's graph in TensorFlow", (TENSORFLOW,)),
)


def statuses() -> list[Status]:
    """Ask for each ability once; each part is looked up once."""
    parts = {part.name: part for ability in ABILITIES for part in ability.parts}
    found = {name: part.version() for name, part in parts.items()}
    return [_status(ability, found) for ability in ABILITIES]


def _status(ability: Ability, found: dict[str, str | None]) -> Status:
    versions = {part.name: found[part.name] for part in ability.parts}
    add = tuple(part.add() for part in ability.parts if versions[part.name] is None)
    return Status(ability.kind, ability.name, ability.what, not add, versions, add)


def environment() -> dict[str, str | int]:
    """Versions of Python and of the system, and the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(affinity(0)) if affinity else os.cpu_count() or 1,
    }
