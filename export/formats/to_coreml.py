"""Core ML: a frozen graph as an `.mlpackage` (ML program, iOS 15, float32 or less), the same bytes every time."""

from __future__ import annotations

import gc
import io
import json
import logging
import re
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any

from ...errors import BundleError, ConversionError, first_line
from ..graph.frozen import FrozenGraph
from ..graph.rewrites import without_erfc
from .precisions.precision import FP16, FP32, INT8_WEIGHTS
from .precisions.weights import FEWEST, StoredWeight

LARGEST_BATCH = 64  # Core ML refuses an open range
_CONVERSION_DATE = "com.github.apple.coremltools.conversion_date"
# Suffixes of a product's name after its layer's: "conv2d_BiasAdd".
_PRODUCT = re.compile(r"_(BiasAdd|Conv2D|MatMul|depthwise)(_\d+)?$")
_PRODUCTS = {"conv": "weight", "linear": "weight", "matmul": "y"}


def unavailable() -> str | None:
    """None if this coremltools can write packages, else the reason in one sentence."""
    package = find_spec("coremltools")
    homes = (package.submodule_search_locations if package else None) or []
    # A wheel without the compiled part can be installed and imported, but cannot write weights.
    if not any(any(Path(home).glob("libmilstoragepython*")) for home in homes):
        return (
            "Core ML needs the compiled part of coremltools, which this wheel lacks: use Python 3.11 on Linux or macOS"
        )
    return None


def write_ways(frozen: FrozenGraph, ways: Mapping[Path, Collection[str]], precision: str = FP32) -> None:
    """Write `frozen` as packages (folders named <stem>.mlpackage), replacing older ones, by a single conversion.

    fp16 calculates in half precision. int8-weights needs iOS 16; it stores the large weights in 8 bits with a scale per
    output channel, except in the layers of a way. Inputs and outputs are float32 in all of them.

    Names, order and metadata are those of `frozen`; a free batch becomes 1 to 64. Raises ConversionError if coremltools
    refuses the graph, and BundleError if a target cannot be written. No half-written package stays behind.
    """
    for port in frozen.inputs:
        if port.dtype != "float32":
            raise ConversionError(f"Core ML: input '{port.name}' is {port.dtype} and azx writes float32 inputs only.")
    converted: Any = None
    for target, in_float in ways.items():
        try:
            with tempfile.TemporaryDirectory(prefix=".coreml-", dir=target.parent) as staging:
                package = Path(staging) / target.name
                with quiet(), _short_collections(), _unchecked():
                    converted = converted or _convert(frozen, package, precision)
                    if precision == INT8_WEIGHTS:
                        model = _with_smaller_weights(converted, in_float)
                        model.save(str(package))
                        spec = model.get_spec()
                    else:
                        spec = converted.get_spec()
                _check_features(frozen, spec)
                _fix_bytes(package, spec, frozen)
                _replace(package, target)
        except OSError as error:
            raise BundleError(f"{target} cannot be written: {error.strerror or error}") from error


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write_ways` put into the package."""
    with quiet():
        import coremltools

        return dict(coremltools.utils.load_spec(str(path)).description.metadata.userDefined)


def stored_weights(path: Path) -> Iterator[StoredWeight]:
    """The large weights of the products of a package."""
    with quiet():
        import coremltools

        program = coremltools.utils.load_spec(str(path)).mlProgram
    (block,) = program.functions["main"].block_specializations.values()
    made = {output.name: (operation, output) for operation in block.operations for output in operation.outputs}
    for operation in block.operations:
        if operation.type not in _PRODUCTS:
            continue
        name = operation.inputs[_PRODUCTS[operation.type]].arguments[0].name
        if name in made and made[name][0].type in ("const", "constexpr_affine_dequantize"):
            maker, weight = made[name]
            count = prod(size.constant.size for size in weight.type.tensorType.dimensions)
            if count >= FEWEST:
                yield StoredWeight(_layer(operation.outputs[0].name), count, maker.type != "const")


def _layer(product: str) -> str:
    """The layer to whose product an operation belongs, named as in the graph if Core ML's names allow it."""
    return _PRODUCT.sub("", product)


@contextmanager
def quiet() -> Iterator[None]:
    """Silence coremltools: its progress bars, its logger and the warnings of its imports."""
    logger = logging.getLogger("coremltools")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def _short_collections() -> Iterator[None]:
    """Exclude loaded objects from garbage collection: coremltools collects three times, half of its whole time."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _unchecked() -> Iterator[None]:
    """Skip coremltools' checks of its own program after each pass, 40 % of the time of a conversion.

    The checks detect broken passes and change nothing. The proof detects them too, since it runs the package.
    """
    from coremltools.converters.mil import Program

    validate = Program.validate
    Program.validate = lambda *_, **__: None
    try:
        yield
    finally:
        Program.validate = validate


def _convert(frozen: FrozenGraph, package: Path, precision: str) -> Any:
    """Run coremltools and return the model; its package is then on disk, unless it needs smaller weights."""
    import coremltools as ct
    from coremltools.converters.mil.mil.types.symbolic import k_used_symbols
    from tensorflow.compat.v1 import GraphDef

    passes = ct.PassPipeline.DEFAULT
    # It would turn x * scale + shift into a batch norm with epsilon 1e-5, which adds an error of 5e-6.
    passes.remove_passes(["common::fuse_elementwise_to_batchnorm"])
    k_used_symbols.clear()  # after a failed conversion, its symbol still counts as used
    batch = ct.RangeDim(1, LARGEST_BATCH, symbol="batch") if frozen.batch is None else frozen.batch
    try:
        model = ct.convert(
            without_erfc(GraphDef.FromString(frozen.graph_def)),
            source="tensorflow",
            convert_to="mlprogram",
            compute_precision=ct.precision.FLOAT16 if precision == FP16 else ct.precision.FLOAT32,
            minimum_deployment_target=ct.target.iOS16 if precision == INT8_WEIGHTS else ct.target.iOS15,
            inputs=[ct.TensorType(port.name, shape=(batch, *port.shape[1:])) for port in frozen.inputs],
            outputs=[ct.TensorType(head.name) for head in frozen.outputs],
            pass_pipeline=passes,
            skip_model_load=True,
            package_dir=None if precision == INT8_WEIGHTS else str(package),
        )
    except (OSError, ConversionError):
        raise
    except Exception as error:
        raise ConversionError(f"Core ML: coremltools refused the graph ({first_line(error)}).") from error
    return model


def _with_smaller_weights(model: Any, in_float: Collection[str]) -> Any:
    """The model with its large weights in 8 bits except in `in_float`; ConversionError if it has no large weight."""
    from coremltools.optimize import coreml as optimize

    each = optimize.OpLinearQuantizerConfig(mode="linear_symmetric", weight_threshold=FEWEST)
    weights = optimize.get_weights_metadata(model, weight_threshold=FEWEST)
    if not weights:
        raise ConversionError(
            f"Core ML: no layer has enough weights for {INT8_WEIGHTS}, and the package would hold only float32."
        )
    exceptions = {
        name: None
        for name, weight in weights.items()
        if any(_layer(str(reader.name)) in in_float for reader in weight.child_ops)
    }
    return optimize.linear_quantize_weights(
        model, optimize.OptimizationConfig(global_config=each, op_name_configs=exceptions)
    )


def _check_features(frozen: FrozenGraph, spec: Any) -> None:
    """Raise ConversionError for a name that Core ML forbids, since coremltools would silently change it.

    Core ML allows only letters, digits and underscores.
    """
    wanted = [port.name for port in frozen.inputs] + [head.name for head in frozen.outputs]
    names = [port.name for port in (*spec.description.input, *spec.description.output)]
    for want, name in zip(wanted, names, strict=True):
        if want != name:
            raise ConversionError(f"Core ML: no feature can be called '{want}' ('{name}' could), choose another name")


def _fix_bytes(package: Path, spec: Any, frozen: FrozenGraph) -> None:
    """Remove what differs between runs: the date, the order of maps and the random item ids."""
    user = spec.description.metadata.userDefined
    user.pop(_CONVERSION_DATE, None)
    user.update(frozen.metadata)
    manifest = package / "Manifest.json"
    contents = _with_fixed_ids(json.loads(manifest.read_text()))
    model = package / "Data" / contents["itemInfoEntries"][contents["rootModelIdentifier"]]["path"]
    _rewrite(model, spec.SerializeToString(deterministic=True))
    _rewrite(manifest, (json.dumps(contents, indent=4, sort_keys=True) + "\n").encode())


def _with_fixed_ids(manifest: dict[str, Any]) -> dict[str, Any]:
    entries = manifest["itemInfoEntries"]
    ids = {old: str(uuid.uuid5(uuid.NAMESPACE_URL, entry["path"])) for old, entry in entries.items()}
    return {
        **manifest,
        "itemInfoEntries": {ids[old]: entry for old, entry in entries.items()},
        "rootModelIdentifier": ids[manifest["rootModelIdentifier"]],
    }


def _rewrite(path: Path, data: bytes) -> None:
    path.unlink()  # coremltools leaves it readable by its owner only; a new file has the usual mode
    path.write_bytes(data)


def _replace(package: Path, target: Path) -> None:
    if target.is_dir():
        shutil.rmtree(target)
    package.rename(target)
