"""Real checkpoints that others made: each that exports is the same calculation in every format."""

from __future__ import annotations

from pathlib import Path

import pytest
from rings import few
from sibling import sibling

from azx.export.checkpoint.read import read_checkpoint
from azx.validate.equivalence import compare
from azx.validate.equivalence.compare import READERS
from azx.validate.equivalence.verdict import SameCalculation

made = sibling(__file__, "architectures")
# The smallest first; what is left out holds recurrent layers, two policies, or a layer that is traced from Keras.
FILES = [
    *("cases/q_two_chances.h5", "cases/r_three_styles.h5", "cases/ttt_levidyrek.h5", "cases/ttt_salendron.h5"),
    *("cases/chess_openreper.keras", "ttt_betazero.h5", "ttt_manuel.h5", "c4_iasi_nnplayer.h5", "ataxx_botzero.h5"),
    *("tictactoe_two_inputs.h5", "battlesnake_version0006.h5", "connect4_version0019.h5"),
    *("connect4_zeta36/model_best_weight.h5", "cases/m_conv1d.h5", "cases/s_dueling.h5"),
]


@pytest.mark.parametrize("name", few(FILES))
def test_is_the_same_calculation(shared_data: Path, tmp_path: Path, name: str) -> None:
    path = shared_data / name
    config = path.with_name("model_best_config.json")
    graph = read_checkpoint(path, config=config) if config.is_file() else read_checkpoint(path)
    outputs, inputs = made.ports(graph)
    for artifact_format in READERS:
        verdict = compare(made.write(graph, artifact_format, tmp_path), artifact_format, graph, outputs, inputs)
        assert isinstance(verdict, SameCalculation), f"{artifact_format}: {verdict}"
        assert verdict.largest_rounding <= 1.5
