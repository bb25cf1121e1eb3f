"""Small networks of planted readings: what the probe says of them is true, and of untrained ones it says nothing."""

from __future__ import annotations

import pytest
from planted_networks import PLANTED, judge, make

from azx.validate.reading.probe import probe

FOUND = 6


@pytest.mark.whole
def test_no_statement_is_wrong_and_most_readings_are_found() -> None:
    verdicts = {
        (one.reading, one.order, trained): judge(one, probe(one.hypotheses, make(one, trained=trained), one.widths))
        for one in PLANTED
        for trained in (True, False)
    }
    assert {verdict for (*_, trained), verdict in verdicts.items() if not trained} == {"not known"}
    assert not [verdict for verdict in verdicts.values() if "WRONG" in verdict], verdicts
    assert sum(verdict == "found" for verdict in verdicts.values()) >= FOUND, verdicts
