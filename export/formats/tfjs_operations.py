"""The operations of TF.js 4.22, and the error for a missing one."""

from __future__ import annotations

from ...errors import ConversionError
from ..graph.rewrites import Graph

# Every `tfOpName` in the operation lists of the npm package @tensorflow/tfjs-converter 4.22.0, which uses them to read
# a graph. Those of decision forests (SimpleML...) are left out, because they need another package, which the apps do
# not have.
# fmt: off
KNOWN = frozenset({
    "Abs", "Acos", "Acosh", "Add", "AddN", "AddV2", "All", "Any", "ArgMax", "ArgMin", "Asin", "Asinh", "Atan",
    "Atan2", "Atanh", "AvgPool", "AvgPool3D", "BatchMatMul", "BatchMatMulV2", "BatchToSpaceND", "BiasAdd",
    "Bincount", "BitwiseAnd", "BroadcastArgs", "BroadcastTo", "Cast", "Ceil", "ClipByValue", "Complex",
    "ComplexAbs", "Concat", "ConcatV2", "Const", "Conv1D", "Conv2D", "Conv2DBackpropInput", "Conv3D", "Cos", "Cosh",
    "CropAndResize", "Cumprod", "Cumsum", "DenseBincount", "DepthToSpace", "DepthwiseConv2d",
    "DepthwiseConv2dNative", "Dilation2D", "Div", "DivNoNan", "Einsum", "Elu", "EmptyTensorList", "EnsureShape",
    "Enter", "Equal", "Erf", "EuclideanNorm", "Exit", "Exp", "ExpandDims", "Expm1", "FFT",
    "FakeQuantWithMinMaxVars", "Fill", "Floor", "FloorDiv", "FloorMod", "FusedBatchNorm", "FusedBatchNormV2",
    "FusedBatchNormV3", "FusedDepthwiseConv2dNative", "Gather", "GatherNd", "GatherV2", "Greater", "GreaterEqual",
    "HashTable", "HashTableV2", "IFFT", "IRFFT", "Identity", "IdentityN", "If", "Imag",
    "ImageProjectiveTransformV3", "InitializeTable", "InitializeTableV2", "IsFinite", "IsInf", "IsNan", "LRN",
    "LeakyRelu", "Less", "LessEqual", "LinSpace", "ListDiff", "Log", "Log1p", "LogSoftmax", "LogicalAnd",
    "LogicalNot", "LogicalOr", "LookupTableFind", "LookupTableFindV2", "LookupTableImport", "LookupTableImportV2",
    "LookupTableSize", "LookupTableSizeV2", "LoopCond", "LowerBound", "MatMul", "MatrixBandPart", "Max", "MaxPool",
    "MaxPool3D", "MaxPoolWithArgmax", "Maximum", "Mean", "Merge", "Min", "Minimum", "MirrorPad", "Mod", "Mul",
    "Multinomial", "Neg", "NextIteration", "NoOp", "NonMaxSuppressionV2", "NonMaxSuppressionV3",
    "NonMaxSuppressionV4", "NonMaxSuppressionV5", "NotEqual", "OneHot", "Ones", "OnesLike", "Pack", "Pad", "PadV2",
    "Placeholder", "PlaceholderWithDefault", "Pow", "Prelu", "Print", "Prod", "RFFT", "RaggedGather", "RaggedRange",
    "RaggedTensorToTensor", "RandomStandardNormal", "RandomUniform", "RandomUniformInt", "Range", "Rank", "Real",
    "RealDiv", "Reciprocal", "Relu", "Relu6", "Reshape", "ResizeBilinear", "ResizeNearestNeighbor", "Reverse",
    "ReverseV2", "Round", "Rsqrt", "ScatterNd", "Select", "SelectV2", "Selu", "Shape", "ShapeN", "Sigmoid", "Sign",
    "Sin", "Sinh", "Size", "Slice", "Snapshot", "Softmax", "Softplus", "SpaceToBatchND", "SparseFillEmptyRows",
    "SparseReshape", "SparseSegmentMean", "SparseSegmentSum", "SparseToDense", "Split", "SplitV", "Sqrt", "Square",
    "SquaredDifference", "Squeeze", "StatelessIf", "StatelessWhile", "StaticRegexReplace", "StopGradient",
    "StridedSlice", "StringNGrams", "StringSplit", "StringToHashBucketFast", "Sub", "Sum", "Switch", "Tan", "Tanh",
    "TensorArrayCloseV3", "TensorArrayConcatV3", "TensorArrayGatherV3", "TensorArrayReadV3", "TensorArrayScatterV3",
    "TensorArraySizeV3", "TensorArraySplitV3", "TensorArrayV3", "TensorArrayWriteV3", "TensorListConcat",
    "TensorListConcatV2", "TensorListFromTensor", "TensorListGather", "TensorListGetItem", "TensorListLength",
    "TensorListPopBack", "TensorListPushBack", "TensorListReserve", "TensorListResize", "TensorListScatter",
    "TensorListScatterV2", "TensorListSetItem", "TensorListSplit", "TensorListStack", "TensorScatterUpdate", "Tile",
    "TopKV2", "Transpose", "TruncatedNormal", "Unique", "UniqueV2", "Unpack", "UpperBound", "Where", "While",
    "Zeros", "ZerosLike", "_FusedConv2D", "_FusedMatMul",
})
# fmt: on
# The wasm backend has no kernel for these. Its OneHot differs from TensorFlow's; `without_one_hot` usually removes
# every OneHot from a network.
WASM_ERRS = frozenset({"OneHot"})
WASM_LACKS = frozenset({"Complex", "ComplexAbs", "Einsum", "FFT", "IFFT", "IRFFT", "Imag", "RFFT", "Real"})


def refuse_unknown(graph: Graph) -> None:
    """Raise ConversionError if TF.js does not know an operation."""
    if lacking := sorted({node.op for node in graph.node} - KNOWN):
        raise ConversionError(f"TF.js has no operation {' or '.join(lacking)}, which this network needs.")


def refuse_what_wasm_lacks(graph: Graph) -> None:
    """Raise ConversionError if the wasm backend lacks a kernel for an operation, or has one with other answers."""
    for node in graph.node:
        if node.op in WASM_ERRS:
            raise ConversionError(
                f"TF.js: {node.op} of the wasm backend errs (node '{node.name}'), and this network needs it."
            )
        if node.op in WASM_LACKS:
            raise ConversionError(
                f"TF.js: the wasm backend has no {node.op} (node '{node.name}'), which this network needs."
            )
