"""Weights of a lower precision: half precision, or 8 bits with a scale, each with its largest rounding error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .normal import NoRuleError
from .weights import Weights, ulp

# On at least one side, codes must reach this far: a scale that is wider than necessary would accept any weights.
_FULL = 127


@dataclass(frozen=True, eq=False)
class CodedConstant:
    """A constant as a runtime calculates it: `values` in float32, and `half_step`, the largest rounding of its format.

    If `is_plain`, they are codes that no scale has multiplied yet.
    """

    values: NDArray[Any]
    half_step: NDArray[Any]
    is_plain: bool = False

    def weights(self) -> Weights:
        """The numbers with their bounds: half a step, and the roundings when float32 is stored and read."""
        bound: NDArray[Any] = np.broadcast_to(self.half_step, self.values.shape) + 2 * ulp(self.values)
        return Weights(self.values, bound, True, is_coded=True)


def widened(stored: NDArray[Any]) -> CodedConstant:
    """Half precision, or codes, as float32."""
    values = stored.astype(np.float32)
    if stored.dtype == np.float16:
        return CodedConstant(values, np.spacing(np.abs(stored)).astype(np.float64) / 2)
    if stored.dtype == np.int8:
        return CodedConstant(values, np.full(values.shape, 0.5), is_plain=True)
    raise NoRuleError("constant", "", f"weights of {stored.dtype} have no rule")


def scaled(left: Any, right: Any, node: str) -> CodedConstant:
    """Codes times their scale; either may come first."""
    codes, scale = (left, right) if isinstance(left, CodedConstant) else (right, left)
    if not isinstance(codes, CodedConstant) or not codes.is_plain or not isinstance(scale, np.ndarray):
        raise NoRuleError("scale", node, "a product of two constants has no rule")
    return dequantized(codes.values, np.asarray(scale, np.float32), np.float32(0), node)


def dequantized(codes: NDArray[Any], scale: NDArray[Any], zero: Any, node: str, *, full: int = _FULL) -> CodedConstant:
    """(codes - zero) * scale, with broadcasting; NoRuleError if the scale is wider than the codes need.

    If all codes of a scale mean zero, the weights are exactly zero.
    """
    shape = np.broadcast_shapes(codes.shape, scale.shape)
    if shape != codes.shape or not np.isfinite(scale).all() or (scale < 0).any():
        raise NoRuleError("scale", node, f"a scale {scale.shape} of codes {codes.shape} has no rule")
    offset = codes.astype(np.float32) - np.float32(zero)
    one_scale = [1] * (offset.ndim - scale.ndim) + list(scale.shape)
    over = tuple(axis for axis, size in enumerate(one_scale) if size == 1)
    most = np.abs(offset).max(axis=over, keepdims=True)
    if ((most > 0) & (most < full)).any():
        raise NoRuleError("scale", node, "its scale is wider than its weights need")
    half = np.where(most > 0, scale.astype(np.float64).reshape(one_scale) / 2, 0.0)
    return CodedConstant(offset * scale.astype(np.float32), half)
