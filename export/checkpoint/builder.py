"""A model that the user's own function builds, and which stored weights Keras itself gives to each of its layers.

The pairing of `weights` goes by what azx knows of Keras' layers. A layer of the user's own class may keep any weights,
and layers inside it. If that pairing fails or leaves weights over, Keras' load_weights decides.
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

# (shape, bytes) of every weight: equal counts mean that each was used once, but for weights that are equal anyway.
_Contents = Counter[tuple[tuple[int, ...], bytes]]
Shape = tuple[int, ...]
BY_ORDER, BY_NAME = "in the order of the layers", "by the layers' names"


def build(builder: str) -> Any:
    """The Keras model that "module:function" or "file.py:function" returns; CheckpointError if none.

    A module is found from the current folder too.
    """
    module_name, separator, function_name = builder.rpartition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"--builder '{builder}' is not of the form MODULE:FUNCTION or FILE.py:FUNCTION.")
    try:
        sys.path.insert(0, str(Path.cwd()))
        # What the user's code prints must not stand among azx's own answer, which may be JSON.
        with redirect_stdout(StringIO()) as printed, quietly():
            function = getattr(_module(module_name), function_name)
            model = function()
        sys.stderr.write(printed.getvalue())
        return model
    except Exception as error:  # the user's code may raise anything
        raise CheckpointError(f"--builder {builder} failed: {type(error).__name__}: {error}.") from error
    finally:
        sys.path.pop(0)


def load_function(spec: str) -> Any:
    """The function "file.py:function" of the user's; CheckpointError if there is none. Its module runs."""
    module_name, separator, function_name = spec.rpartition(":")
    if not (module_name and separator and function_name):
        raise CheckpointError(f"'{spec}' is not of the form MODULE:FUNCTION or FILE.py:FUNCTION")
    sys.path.insert(0, str(Path.cwd()))
    return getattr(_module(module_name), function_name)


def _module(name: str) -> Any:
    """A module by its name, or by its file's, whose folder is then looked at for what it imports."""
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
    sys.modules[path.stem] = module  # Keras looks a layer's class up by the name of its module
    sys.path.insert(1, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


@dataclass(frozen=True, eq=False)
class Built:
    """What a builder returned: `inner`, which has the weights; `model` is the same, or a Functional model around it.

    `architecture` is {"class_name", "config"} of `model`; `activations` are those of its outputs where it is around
    another, whose layers Keras does not list.
    """

    inner: Any
    model: Any
    architecture: Mapping[str, Any]
    activations: tuple[str, ...] = ()

    @property
    def is_opaque(self) -> bool:
        """Whether the layers of the user's model are not known."""
        return self.inner is not self.model


def family_of(model: Any) -> str:
    """tf_keras or keras."""
    ours = any(cls.__module__.startswith("tf_keras.") for cls in type(model).__mro__)
    return "tf_keras" if ours else "keras"


def build_model(builder: str, find_input: Callable[[Any], Shape]) -> Built:
    """The model of a builder as a Functional or Sequential one; CheckpointError if it is no Keras model.

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
            return Built(model, model, architecture)
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        pass  # a layer of the user's own that does not say how it is built again
    with quietly():
        outer, architecture, activations = wrap_model(model, importlib.import_module(family_of(model)), builder)
    return Built(model, outer, architecture, activations)


def _build_input(model: Any, shape: Shape, builder: str) -> None:
    try:
        with quietly():
            model.build((None, *shape))
    except Exception as error:  # Keras raises whatever its layers raise
        raise CheckpointError(
            f"--builder {builder}: its Sequential model cannot be built for an input of shape {shape} "
            f"({first_line(error)[:160]}): begin it with keras.Input(SHAPE)."
        ) from error


def pair_weights(given: Built, tree: ModelConfig, file: h5py.File, path: Path) -> tuple[Assigned, str | None]:
    """The weights of each layer of `tree`, and how Keras paired them; None if azx' own pairing accounts for all.

    Raises CheckpointError if neither does: the weights are not of the network that was built.
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
    """What the layers of a Keras model hold, by the id of their configuration; both list them in one order."""
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
    """Let Keras load the weights into a model, and say how it paired them: by order (as it does unasked), or by name.

    CheckpointError unless every weight of the file was then used exactly once and every variable was set.
    """
    wanted, reasons = _contents(stored_values(file, path)), []
    with known_suffix(file, path) as copy:
        for how, options in ((BY_ORDER, {}), (BY_NAME, {"by_name": True})):
            # A variable that stays NaN was not set; for whole numbers only the content can tell.
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
    """The values of each weight, in float32 as Keras will hold them."""
    return Counter((array.shape, np.ascontiguousarray(array, np.float32).tobytes()) for array in arrays)


@contextmanager
def known_suffix(file: h5py.File, path: Path) -> Iterator[Path]:
    """The file as Keras opens it: under a name whose suffix tells the format, with slashes in the names of groups."""
    suffix = ".h5" if has_layer_names(file, path) else ".weights.h5"
    known = path.name.endswith(suffix) and not (suffix == ".h5" and path.name.endswith(".weights.h5"))
    # What was renamed is held in memory.
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
