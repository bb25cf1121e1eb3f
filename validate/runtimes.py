"""A table of what this installation can write and run, made without importing a converter or a runtime.

`azx doctor` prints it. A new format needs two more lines in `ABILITIES`: one for writing it, one for running it.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ..export.formats.table import FORMATS, Format
from ..system.installed import NOT_MADE, brought_by, distribution, quote
from .runners import tfjs_packages

__all__ = ["ABILITIES", "Ability", "Kind", "Status", "environment", "statuses"]


class Kind(StrEnum):
    """The purpose of an ability."""

    REFERENCE = "reference"
    FORMAT = "format"
    RUNTIME = "runtime"


@dataclass(frozen=True)
class Part:
    """A requirement of an ability: `version` is None if it is missing, `add` says how to install it."""

    name: str
    version: Callable[[], str | None]
    add: Callable[[], str]


@dataclass(frozen=True)
class Ability:
    """A format that can be written, or a runtime that can run, if all its parts are present."""

    kind: Kind
    name: str
    what: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Status:
    """Whether an ability is available here.

    `versions` has one entry per part, None if it is missing; `add` says how to install each missing part, in order.
    """

    kind: Kind
    name: str
    what: str
    available: bool
    versions: dict[str, str | None]
    add: tuple[str, ...]


def _package(distribution: str) -> Part:
    """A Python package, found by its distribution's name or, in a variant build, by its module's.

    If azx's extras list the package, the extra installs it.
    """

    def version() -> str | None:
        try:
            return metadata.version(distribution)
        except metadata.PackageNotFoundError:
            return "unknown version" if find_spec(distribution.replace("-", "_")) else None

    def add() -> str:
        wanted = brought_by(distribution)
        if wanted is None:
            return f"{distribution} {NOT_MADE}"
        # The pip of the Python that runs azx, by its short name if that is the one on PATH.
        pip = shutil.which("pip")
        same = pip is not None and Path(pip).parent == Path(sys.executable).parent
        return " ".join(["pip" if same else f"{quote(sys.executable)} -m pip", "install", quote(wanted)])

    return Part(distribution, version, add)


def _node_version() -> str | None:
    """The version of Node.js, if it is new enough for the TF.js packages."""
    version = tfjs_packages.node_version()
    return None if version is None or tfjs_packages.too_old(version) else version


def _add_node() -> str:
    """The command that installs Node.js, for the first package manager that is present."""
    managers = {
        "brew": "brew install node",
        "winget": "winget install OpenJS.NodeJS",
        "conda": "conda install -c conda-forge nodejs",
        "apt-get": "apt-get install nodejs npm",
        "dnf": "dnf install nodejs npm",
        "apk": "apk add nodejs npm",
        "pacman": "pacman -S nodejs npm",
    }
    command = next((command for name, command in managers.items() if shutil.which(name)), None)
    wanted = f"Node.js {tfjs_packages.OLDEST_NODE} or newer, with npm"
    return f"{command} ({wanted})" if command else f"install {wanted}"


def _npm_version(wanted: Mapping[str, str]) -> str | None:
    """The version of some npm packages, None unless all are present."""
    there = all(tfjs_packages.installed_version(name) == version for name, version in wanted.items())
    return ", ".join(sorted(set(wanted.values()))) if there else None


TENSORFLOW, LITERT, COREAI_CORE = map(_package, ("tensorflow", "ai-edge-litert", "coreai-core"))
COREMLTOOLS = _package("coremltools")
MACOS = Part("macOS", lambda: platform.mac_ver()[0] or None, lambda: "run azx on macOS")
NODE = Part("Node.js", _node_version, _add_node)
NODE_TFJS = Part("@tensorflow/tfjs", lambda: _npm_version(tfjs_packages.wanted_packages()), tfjs_packages.npm_command)
NODE_LITERT = Part("@litertjs/core", lambda: _npm_version(tfjs_packages.wanted_of_litert()), tfjs_packages.npm_command)

PB, TFLITE, ONNX, COREML, TFJS, COREAI = (
    FORMATS[name] for name in ("pb", "tflite", "onnx", "coreml", "tfjs", "coreai")
)


def _writes(entry: Format, what: str) -> Ability:
    """The ability to write a format, with the packages in its row of the table of formats."""
    return Ability(Kind.FORMAT, entry.name, what, tuple(_package(distribution(name)) for name in entry.packages))


ABILITIES = (
    Ability(Kind.REFERENCE, "Keras 2", "runs checkpoints of Keras 2 and tf.keras", (TENSORFLOW, _package("tf-keras"))),
    Ability(Kind.REFERENCE, "Keras 3", "runs checkpoints of Keras 3", (TENSORFLOW, _package("keras"))),
    _writes(PB, "frozen TensorFlow graph"),
    _writes(TFLITE, "TensorFlow Lite"),
    _writes(ONNX, ONNX.title),
    _writes(COREML, f"{COREML.title} package"),
    _writes(TFJS, f"{TFJS.title} graph model"),
    _writes(COREAI, f"{COREAI.title} asset (experimental)"),
    Ability(Kind.RUNTIME, "TensorFlow", f"runs {PB.suffix}", (TENSORFLOW,)),
    Ability(Kind.RUNTIME, "LiteRT", f"runs {TFLITE.suffix}", (LITERT,)),
    Ability(Kind.RUNTIME, "LiteRT.js in Node", f"runs {TFLITE.suffix} as browsers do, on wasm", (NODE, NODE_LITERT)),
    Ability(Kind.RUNTIME, "ONNX Runtime", f"runs {ONNX.suffix}", (_package("onnxruntime"),)),
    Ability(Kind.RUNTIME, "Core ML", f"runs {COREML.suffix} as devices do", (COREMLTOOLS, MACOS)),
    Ability(
        Kind.RUNTIME, "MIL interpreter", f"runs {COREML.suffix} in NumPy, on any system", (COREMLTOOLS, TENSORFLOW)
    ),
    Ability(Kind.RUNTIME, "Core AI", f"runs {COREAI.suffix} in Apple's runtime", (COREAI_CORE,)),
    Ability(Kind.RUNTIME, "TF.js in Node", f"runs {TFJS.title} as browsers do, on wasm", (NODE, NODE_TFJS)),
    Ability(Kind.RUNTIME, "TF.js decoded", f"runs {TFJS.title}'s graph in TensorFlow", (TENSORFLOW,)),
)


def statuses() -> list[Status]:
    """The status of each ability; each part is looked up once, however many abilities need it."""
    parts = {part.name: part for ability in ABILITIES for part in ability.parts}
    installed = {name: part.version() for name, part in parts.items()}
    listed = []
    for ability in ABILITIES:
        versions = {part.name: installed[part.name] for part in ability.parts}
        add = tuple(part.add() for part in ability.parts if versions[part.name] is None)
        listed.append(Status(ability.kind, ability.name, ability.what, not add, versions, add))
    return listed


def environment() -> dict[str, str | int]:
    """Versions of Python and of the system, and the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(affinity(0)) if affinity else os.cpu_count() or 1,
    }
