"""Checks a Core AI asset by the program summary of Apple's package; nothing is compiled or run.

The program is MLIR bytecode. The package lists its operations with their counts, but not the nodes. So a sentence about
an operation gives only its name.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from ...errors import BundleError
from ...export.formats.to_coreai import FUNCTION, PROGRAM, PROGRAM_HASH
from .refusal import quoted, unsafe, why

# The operations of the package's dialects whose result depends only on their inputs. They are not in `operations.json`,
# unlike those of other formats, because no app reads Core AI assets.
_NAMES = """
abs acos acosh add all and any argmax argsort asin asinh atan atanh batch_matmul bitwise_and bitwise_or bitwise_xor
blockwise_shift_scale broadcast_in_dims broadcast_shapes broadcast_to broadcasting_add broadcasting_and
broadcasting_batch_matmul broadcasting_bitwise_and broadcasting_bitwise_or broadcasting_bitwise_xor broadcasting_divide
broadcasting_equal broadcasting_floor_divide broadcasting_greater broadcasting_maximum broadcasting_minimum
broadcasting_modulo broadcasting_mul broadcasting_not_equal broadcasting_or broadcasting_pow broadcasting_sub
broadcasting_where broadcasting_xor cast concat constant conv2d conv3d conv_transpose2d conv_transpose3d cos cosh
create_complex dequantize divide equal erf exp expand_dims floor_divide gather_along_axis gather_nd gelu get_shape graph
greater imaginary_part interpolate interpolate_coordinates log lut_to_dense max_pool_2d max_pool_3d maximum minimum
modulo mul non_zero not not_equal or output pad pow quantize range real_part reduce reduce_index reduce_max reduce_mean
reduce_min reduce_product reduce_sum relu reshape reverse round rsqrt scatter_along_axis scatter_nd shrink_dims sigmoid
silu sin sinh slice slice_update softmax sort split sqrt sub sum_pool_2d sum_pool_3d tan tanh tile transpose where xor
"""
ALLOWED = frozenset(_NAMES.split())
_FILES = frozenset({PROGRAM, PROGRAM_HASH, "metadata.json"})


def look(path: Path) -> None:
    """Raise UnsafeArtifact unless the program only calculates; BundleError if it is not a Core AI program.

    Nothing runs.
    """
    from coreai.authoring import AIModelAsset

    check_program(path)
    broken = BundleError(f"'{path.name}' is not a Core AI asset that can be read: export it again.")
    odd = next((each.name for each in sorted(path.rglob("*")) if each.name not in _FILES or each.is_symlink()), None)
    if odd is not None:
        raise unsafe(path, f"it holds {quoted(odd)} beside its program")
    try:
        summary = AIModelAsset.load(path).summary()
        functions = [str(name) for name in summary.function_names]
        states = [state for name in functions for state in summary.function_states(name)]
        operations = [str(name).rpartition(".")[2] for name, _ in summary.operation_distribution]
    except Exception as error:  # Core AI's exceptions have no common base
        raise broken from error
    if functions != [FUNCTION]:
        raise unsafe(
            path, f"it has the functions {quoted(', '.join(functions))}, and '{FUNCTION}' is the only one that runs"
        )
    if states:
        raise unsafe(path, "it keeps a state")
    refused = next((name for name in operations if name not in ALLOWED), None)
    if refused is not None:
        raise unsafe(path, f"its operation {quoted(refused)} {why(refused)}")


def check_program(asset: Path) -> None:
    """Raise BundleError if the program does not have the hash beside it.

    Core AI ends the whole process if a program is cut off.
    """
    try:
        sound = sha256((asset / PROGRAM).read_bytes()).digest() == (asset / PROGRAM_HASH).read_bytes()
    except OSError:
        sound = False
    if not sound:
        raise BundleError(f"'{asset.name}' is not a Core AI asset, or is damaged: export it again.")
