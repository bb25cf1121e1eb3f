"""A model that the user's function builds, and the pairing of its layers with stored weights.

`weights` pairs them by azx's knowledge of Keras' layers. A layer of the user's own class may have any weights, and
inner layers. If that pairing fails or leaves weights over, Keras' load_weights decides.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ...errors import CheckpointError, first_line
from ...system.quietly import quietly
from ...system.temporary import temporary_folder
from . import hdf5
from .keras_json import ModelConfig
from .layer_graph import Array
from .opaque import wrap_model
from .weights import Assigned, assign, has_layer_names, name_weights, stored_values

# (shape, bytes) of each weight: equal counts mean that each was used once, except for weights with equal values.
_Contents = Counter[tuple[tuple[int, ...], bytes]]
Shape = tuple[int, ...]
BY_ORDER, BY_NAME = "in the order of the layers", "by the layers' names"


def build(builder: str) -> Any:
    """The Keras model that "module:function" or "file.py:function" returns; CheckpointError if it fails.

    A module is also searched for in the current folder.
    """
    module_name, separator, function_name = builder.rpartition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"--builder '{builder}' is not of the form MODULE:FUNCTION or FILE.py:FUNCTION.")
    try:
        sys.path.insert(0, str(Path.cwd()))
        # Text that the user's code prints must not mix with azx's own output, which may be JSON.
        with redirect_stdout(StringIO()) as printed, quietly():
            function = getattr(_module(module_name), function_name)
            model = function()
        sys.stderr.write(printed.getvalue())
        return model
    except Exception as error:  # the user's code may raise any error
        raise CheckpointError(f"--builder {builder} failed: {type(error).__name__}: {error}.") from error
    finally:
        sys.path.pop(0)


def load_function(spec: str) -> Any:
    """The user's function "file.py:function"; CheckpointError if it is missing. Its module runs."""
    module_name, separator, function_name = spec.rpartition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"'{spec}' is not of the form MODULE:FUNCTION or FILE.py:FUNCTION")
    sys.path.insert(0, str(Path.cwd()))
    return getattr(_module(module_name), function_name)


def _module(name: str) -> Any:
    """A module by its name, or by its file's path, in whose folder its imports are then searched for."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name).resolve()
    known = sys.modules.get(path.stem)
    if known is not None and getattr(known, "__file__", None) == str(path):
        return known
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(f"there is no '{name}'")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # Keras finds a layer's class by the name of its module
    sys.path.insert(1, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


@dataclass(frozen=True, eq=False)
class BuiltModel:
    """What a builder returned: `inner` has the weights; `model` is the same, or a Functional model around it.

    `architecture` is {"class_name", "config"} of `model`. `activations` are those of the outputs if `model` is a
    wrapper, because Keras then does not list the layers.
    """

    inner: Any
    model: Any
    architecture: Mapping[str, Any]
    activations: tuple[str, ...] = ()

    @property
    def is_opaque(self) -> bool:
        """Whether the layers of the user's model are unknown."""
        return self.inner is not self.model


def family_of(model: Any) -> str:
    """The package of the model, tf_keras or keras."""
    ours = any(cls.__module__.startswith("tf_keras.") for cls in type(model).__mro__)
    return "tf_keras" if ours else "keras"


def build_model(builder: str, find_input: Callable[[Any], Shape]) -> BuiltModel:
    """A builder's model as a Functional or Sequential one; CheckpointError if it is not a Keras model.

    `find_input` finds the input's shape, without the batch, for a Sequential model that was neither called nor built.
    """
    model = build(builder)
    if not callable(getattr(model, "load_weights", None)):
        raise CheckpointError(
            f"--builder {builder}: what it returns has no Keras architecture ({type(model).__name__}): "
            "return a Keras model."
        )
    if type(model).__name__ == "Sequential" and not model.built:
        _build_input(model, find_input(model), builder)
    try:
        with quietly():
            architecture = dict(json.loads(model.to_json()))
        config = architecture.get("config")
        if isinstance(config, list) or (isinstance(config, Mapping) and "layers" in config):
            return BuiltModel(model, model, architecture)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        pass  # a layer of the user that cannot describe itself
    with quietly():
        outer, architecture, activations = wrap_model(model, importlib.import_module(family_of(model)), builder)
    return BuiltModel(model, outer, architecture, activations)


def _build_input(model: Any, shape: Shape, builder: str) -> None:
    try:
        with quietly():
            model.build((None, *shape))
    except Exception as error:  # Keras raises whatever its layers raise
        raise CheckpointError(
            f"--builder {builder}: its Sequential model cannot be built for an input of shape {shape} "
            f"({first_line(error)[:160]}): begin it with keras.Input(SHAPE)."
        ) from error


def pair_weights(given: BuiltModel, tree: ModelConfig, file: h5py.File, path: Path) -> tuple[Assigned, str | None]:
    """The weights of each layer of `tree`, and how Keras paired them; None if azx's own pairing covers all weights.

    Raises CheckpointError if neither pairing works, because the weights belong to another network.
    """
    where = f"'{path}'"
    wanted = _contents(stored_values(file, path))
    problem = CheckpointError(f"{where}: azx does not know the layers of the builder's model.")
    try:
        if given.is_opaque:
            raise problem
        assigned = assign(tree, file, path)
        for leaf in tree.leaves():
            name_weights(leaf, assigned.get(id(leaf), []), where)
        if _contents(values for stored in assigned.values() for _, values in stored) == wanted:
            return assigned, None
        problem = CheckpointError(f"{where}: layers of the builder's own classes hold weights that azx cannot pair.")
    except CheckpointError as error:
        problem = error
    try:
        how = fill(given.inner, file, path)
    except CheckpointError as error:
        raise CheckpointError(f"{str(problem).rstrip('.')}; {error}") from error
    return dict(_of_model(given.model, tree)), f"by Keras' own load_weights, {how}"


def _of_model(model: Any, tree: ModelConfig) -> Iterator[tuple[int, list[tuple[str, Array]]]]:
    """The weights in the layers of a Keras model, by the id of their configuration; both list layers in one order."""
    layers = iter([layer for layer in model.layers if type(layer).__name__ != "InputLayer"])
    for entry in tree.layers:
        if entry.kind == "InputLayer" or entry.kind.startswith("ops."):
            continue
        layer = next(layers)
        if entry.model:
            yield from _of_model(layer, entry.model)
        else:
            yield id(entry), [(str(at), np.asarray(weight)) for at, weight in enumerate(layer.get_weights())]


def fill(model: Any, file: h5py.File, path: Path) -> str:
    """Let Keras load the weights into a model; returns how it paired them: by order (its default), or by name.

    CheckpointError unless each weight of the file was then used exactly once and each variable was set.
    """
    wanted, reasons = _contents(stored_values(file, path)), []
    with known_suffix(file, path) as copy:
        for how, options in ((BY_ORDER, {}), (BY_NAME, {"by_name": True})):
            # A variable that stays NaN was not set; for whole numbers only the values can show it.
            model.set_weights(
                [np.full_like(old, np.nan if old.dtype.kind == "f" else 0) for old in model.get_weights()]
            )
            try:
                with quietly():
                    model.load_weights(str(copy), **options)
            except Exception as error:  # Keras raises whatever its layers raise
                reasons.append(f"{how}: {first_line(error)[:160]}")
                continue
            values = model.get_weights()
            loaded = _contents(iter(values))
            if loaded == wanted:
                return how
            unset = sum(bool(np.isnan(value).any()) for value in values)
            unused = (wanted - loaded).total()
            reasons.append(f"{how}: {unset} of {len(values)} stay unset, {unused} in the file unused")
    raise CheckpointError(f"Keras' own load_weights does not pair them either ({'; '.join(reasons)}).")


def _contents(arrays: Iterator[Array]) -> _Contents:
    """The values of each weight, in float32 as Keras will store them."""
    return Counter((array.shape, np.ascontiguousarray(array, np.float32).tobytes()) for array in arrays)


@contextmanager
def known_suffix(file: h5py.File, path: Path) -> Iterator[Path]:
    """The file in a form that Keras opens: a suffix that shows the format, and slashes in the names of groups."""
    suffix = ".h5" if has_layer_names(file, path) else ".weights.h5"
    known = path.name.endswith(suffix) and not (suffix == ".h5" and path.name.endswith(".weights.h5"))
    # A file with renamed groups is held in memory.
    renamed = Path(file.filename) != path and hdf5.read_head(path) == hdf5.HDF5_SIGNATURE
    if path.suffix == ".keras" or (known and not renamed):
        yield path
        return
    with temporary_folder("weights") as folder:
        copy = Path(folder, f"net{suffix}")
        if renamed:
            copy.write_bytes(hdf5.with_slashes(path.read_bytes(), f"'{path}'"))
        else:
            shutil.copyfile(path, copy)
        yield copy
