"""Networks of every layer that azx exports, each in every format: matched, in the number of boards that it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from rings import few
from sibling import sibling

from azx.validate.equivalence import compare
from azx.validate.equivalence.compare import READERS
from azx.validate.equivalence.verdict import SameCalculation

made = sibling(__file__, "architectures")
# The first two hold 12 kinds of layers, planes first and last, one input and one and two heads.
NETWORKS = 60
# Beyond them, where converters put a scale before a product that Keras has behind it.
FURTHER = (71, 78, 97)


@pytest.mark.parametrize("seed", few([*range(NETWORKS), *FURTHER], 2))
def test_is_the_same_calculation(tmp_path: Path, seed: int) -> None:
    graph = made.architecture(seed)
    outputs, inputs = made.ports(graph)
    other = made.architecture(seed + 1)
    for name in READERS:
        path = made.write(graph, name, tmp_path, None if seed % 4 == 1 else 1)
        verdict = compare(path, name, graph, outputs, inputs)
        assert isinstance(verdict, SameCalculation), f"{name}: {verdict}"
        assert 0 < verdict.to_the_bit <= verdict.weights
        assert not isinstance(compare(path, name, other, outputs, inputs), SameCalculation)


# Layers without a rule here: their files are tried on positions, and the report names the layer.
TRIED = {
    *("Bidirectional", "ConvLSTM2D", "GRU", "LSTM", "SimpleRNN", "SpectralNormalization", "TimeDistributed"),
    *("CategoryEncoding", "Embedding", "Normalization", "Resizing", "AveragePooling3D", "Conv3D", "MaxPooling3D"),
}
# Layers of which test_products.py has networks: attention, products, and others along a line.
PRODUCTS = {
    *("AdditiveAttention", "Attention", "Dot", "EinsumDense", "GroupQueryAttention", "MultiHeadAttention"),
    *("RMSNormalization", "UnitNormalization", "RepeatVector", "GlobalAveragePooling3D", "GlobalMaxPooling3D"),
    *("Conv1DTranspose", "Cropping1D", "DepthwiseConv1D", "SeparableConv1D", "UpSampling1D", "ZeroPadding1D"),
}
# Layers over a board of one column: test_real.py has networks of them.
OF_LINES = {"Conv1D", "MaxPooling1D", "AveragePooling1D", "GlobalMaxPooling1D", "GlobalAveragePooling1D"}


def test_the_networks_have_every_layer_that_is_exported() -> None:
    from azx.export.network.simplify import RULES
    from azx.validate.equivalence.checkpoint import RULES as COMPARED

    kinds = {call.layer.kind for seed in range(NETWORKS) for call in made.architecture(seed).calls}
    training = {"InputLayer", "Dropout", "SpatialDropout1D", "SpatialDropout2D", "GaussianNoise", "GaussianDropout"}
    training |= {"AlphaDropout", "ActivityRegularization", "Identity", "SpatialDropout3D"}
    training |= {kind for kind in RULES if kind.startswith("Random")}
    assert set(RULES) - set(COMPARED) == {"InputLayer", *TRIED}
    assert set(RULES) - training - TRIED - OF_LINES - PRODUCTS <= kinds
