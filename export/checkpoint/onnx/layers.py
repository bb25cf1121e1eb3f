"""Translates ONNX' operations into layers of Keras 3, one by one.

(https://onnx.ai/onnx/operators.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import moves, pointwise, products, recurrent, truth, windows
from .model import Node
from .operation import Calls, Operation
from .positions import BY_ROW, back, by_row, find_apart
from .values import NoForm, Tensor, Value, fold


def read_operation(calls: Calls, node: Node) -> None:
    """Add the layers of one operation; NoForm, with the reason, if it has none."""
    values = [calls.values[name] if name else None for name in node.inputs]
    folded = fold(node, values, calls.opset)
    if folded is None:
        rule = _RULES.get(node.kind)
        if rule is None:
            raise NoForm("azx does not know it")
        operation = Operation(calls, node, values)
        layout = find_apart(values) if node.kind in BY_ROW else None
        made = rule(operation if layout is None else by_row(operation, layout))
        answers: Sequence[Value] = made if isinstance(made, list) else [made]
        if layout is not None:
            answers = [back(answer, layout) for answer in answers]
    else:
        calls.count_folded(folded)
        answers = folded
    calls.values.update(zip(node.outputs, answers, strict=False))


def _dropout(op: Operation) -> Tensor:
    raise NoForm("it draws random numbers in training: export the model after model.eval()")


_ACTIVATIONS = ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Mish")
_RULES: dict[str, Callable[[Operation], Value | list[Value]]] = {
    "Conv": windows.convolution,
    "ConvTranspose": windows.transposed_convolution,
    "MaxPool": windows.pool,
    "AveragePool": windows.pool,
    "GlobalAveragePool": moves.reduction("Mean", everywhere=True),
    "GlobalMaxPool": moves.reduction("Max", everywhere=True),
    "Gemm": products.gemm,
    "MatMul": products.matmul,
    "BatchNormalization": products.batch_norm,
    "LayerNormalization": products.layer_norm,
    **{
        name: pointwise.activation(name.lower()) for name in ("Relu", "Tanh", "Sigmoid", "Softplus", "Softsign", "Mish")
    },
    "Exp": pointwise.activation("exponential"),
    "HardSwish": pointwise.activation("hard_swish"),
    "HardSigmoid": pointwise.hard_sigmoid,
    "Selu": pointwise.activation("selu"),
    "Gelu": lambda op: op.make(
        "ops.Gelu", arguments={"args": [{"tensor": 0}], "approximate": op.get("approximate") == "tanh"}
    ),
    "Elu": lambda op: op.make("ELU", alpha=op.get("alpha", 1.0)),
    "LeakyRelu": lambda op: op.make("LeakyReLU", negative_slope=op.get("alpha", 0.01)),
    "Celu": pointwise.celu,
    "InstanceNormalization": products.instance_norm,
    "ThresholdedRelu": lambda op: op.make("ThresholdedReLU", theta=op.get("alpha", 1.0)),
    "PRelu": pointwise.prelu,
    "Softmax": pointwise.softmax("softmax"),
    "LogSoftmax": pointwise.softmax("log_softmax"),
    "Clip": pointwise.clip,
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Max", "Min", "Sum", "Pow"), pointwise.combine),
    "Mean": pointwise.mean,
    "Neg": pointwise.plain("Negative"),
    "Abs": pointwise.plain("Absolute"),
    "Sqrt": pointwise.plain("Sqrt"),
    "Log": pointwise.plain("Log"),
    "Reciprocal": pointwise.plain("Reciprocal"),
    "ReduceMean": moves.reduction("Mean"),
    "ReduceSum": moves.reduction("Sum"),
    "ReduceMax": moves.reduction("Max"),
    "ReduceMin": moves.reduction("Min"),
    **dict.fromkeys(("ReduceL2", "ReduceSumSquare"), moves.length),
    "Reshape": moves.reshape,
    "Flatten": moves.flatten,
    "Transpose": moves.transpose,
    "Squeeze": moves.squeeze,
    "Unsqueeze": moves.unsqueeze,
    "Concat": moves.concat,
    "Slice": moves.slice_of,
    "Split": moves.split,
    "Gather": moves.gather,
    "DepthToSpace": moves.depth_to_space,
    "SpaceToDepth": moves.space_to_depth,
    "Pad": windows.pad,
    "Expand": moves.expand,
    "Cast": moves.cast,
    "Erf": pointwise.plain("Erf"),
    "Sign": pointwise.plain("Sign"),
    "Einsum": products.einsum,
    "Resize": windows.resize,
    "GRU": recurrent.recurrent,
    "LSTM": recurrent.recurrent,
    "RNN": recurrent.recurrent,
    "Where": truth.where,
    "OneHot": truth.one_hot,
    "Not": truth.negated,
    **{name: truth.comparison(kind) for name, kind in truth.COMPARISONS.items()},
    **dict.fromkeys(("And", "Or"), truth.joined),
    "RMSNormalization": products.rms_norm,
    "GroupNormalization": products.group_norm,
    "Identity": lambda op: op.x,
    "Dropout": _dropout,
}
