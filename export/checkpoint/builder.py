"""The architecture from the user's own function, for files that hold weights alone."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import CheckpointError


def built_config(builder: str) -> Mapping[str, Any]:
    """{"class_name", "config"} of the model that "module:function" returns; the module is the user's own."""
    model = build(builder)
    try:
        return dict(json.loads(model.to_json()))
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        raise CheckpointError(
            f"--builder {builder}: what it returns has no Keras architecture ({type(error).__name__}): "
            "return a Functional or Sequential model."
        ) from error


def build(builder: str) -> Any:
    """Call "module:function" (found from the current folder too) and return its Keras model."""
    module_name, separator, function_name = builder.partition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"--builder '{builder}' is not of the form MODULE:FUNCTION.")
    try:
        sys.path.insert(0, str(Path.cwd()))
        function = getattr(importlib.import_module(module_name), function_name)
        return function()
    except Exception as error:  # the user's code may raise anything
        raise CheckpointError(f"--builder {builder} failed: {type(error).__name__}: {error}.") from error
    finally:
        sys.path.pop(0)
