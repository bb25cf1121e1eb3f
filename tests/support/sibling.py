"""Modules that lie beside a test: tests are loaded by their files, so their folders are on no import path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def sibling(test: str, name: str) -> Any:
    """The module `name` in the folder of the file `test`, loaded once."""
    path = Path(test).with_name(f"{name}.py")
    known = f"{path.parent.name}_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, path)
        assert spec is not None
        assert spec.loader is not None
        # Before it runs: a dataclass looks its module up by name.
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]
