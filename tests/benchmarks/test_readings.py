"""Small networks of planted readings: what the probe says of them is true, and of untrained ones it says nothing."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from azx.games.known.catalogue import GAMES
from azx.games.known.hypotheses import hypotheses_of
from azx.validate.reading.probe import probe

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "readings.py"
# By their places in `planted`: signs, codes, absolute colours, planes, one-hot, three orders of classes, Q-values.
CHOSEN, FOUND = (0, 1, 4, 8, 12, 15, 17, 21), 6


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> Any:
    spec = importlib.util.spec_from_file_location("planted_readings", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    vars(module)["PLACE"] = tmp_path_factory.mktemp("readings")
    # A third of the benchmark's lesson is enough for these to be found: what they learn in the rest changes no verdict.
    vars(module)["STEPS"] = {"tictactoe": 300}
    return module


@pytest.mark.whole
def test_no_statement_is_wrong_and_most_readings_are_found(readings: ModuleType) -> None:
    verdicts = {}
    for number, one in enumerate(readings.planted()):
        if number in CHOSEN:
            for trained in (True, False):
                network = readings.make(one, 300 + number, trained=trained)
                known = hypotheses_of(GAMES[one.game], one.shapes, one.width)
                verdicts[one.title, trained] = readings.judge(one, probe(known, network, readings.widths_of(one)))
    assert {verdict for (_, trained), verdict in verdicts.items() if not trained} == {"not known"}
    assert not [verdict for verdict in verdicts.values() if "WRONG" in verdict], verdicts
    assert sum(verdict == "found" for verdict in verdicts.values()) >= FOUND, verdicts
