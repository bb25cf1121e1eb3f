"""The build backend: setuptools', and beside an editable install a folder by which type checkers find azx.

The checkout is the package itself, under another name than `azx`. Python finds it by setuptools' import hook, which
type checkers do not run. They look for packages called `azx-stubs` on the paths of .pth files: here that is a folder of
links into the checkout. Python never imports a package of such a name.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build/types"
PATHS = "azx_export_types.pth"


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """The editable wheel of setuptools, with one more .pth file."""
    name: str = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    if link_types():
        add_file(Path(wheel_directory) / name, PATHS, f"{PLACE}\n".encode())
    return name


def link_types() -> bool:
    """Make build/types/azx-stubs, a folder of links to azx's modules and rooms; False where the system allows no links.

    A folder of stubs begins with a .pyi, so the link to azx's own first module is called so.
    """
    shutil.rmtree(PLACE, ignore_errors=True)
    stubs = PLACE / "azx-stubs"
    stubs.mkdir(parents=True)
    rooms = [path.parent for path in ROOT.glob("*/__init__.py")]
    parts = {path.name: path for path in [*ROOT.glob("*.py"), *rooms, ROOT / "py.typed"]}
    parts["__init__.pyi"] = parts.pop("__init__.py")
    try:
        for name, path in parts.items():
            (stubs / name).symlink_to(os.path.relpath(path, stubs), target_is_directory=path.is_dir())
    except OSError:
        return False
    return True


def add_file(wheel: Path, name: str, data: bytes) -> None:
    """Add a file to a wheel, and to the wheel's list of its files."""
    with zipfile.ZipFile(wheel) as old:
        files = {entry.filename: old.read(entry) for entry in old.infolist()}
    record = next(path for path in files if path.endswith(".dist-info/RECORD"))
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    files[record] += f"{name},sha256={digest},{len(data)}\n".encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as new:
        for path, content in {name: data, **files}.items():
            new.writestr(path, content)
