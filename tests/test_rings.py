"""The rings of tests: what `make test` leaves out takes long, and leaves no room without a test."""

from __future__ import annotations

import re
from pathlib import Path

WHOLE = re.compile(r"^@pytest\.mark\.whole$", re.MULTILINE)
TEST = re.compile(r"^def test_", re.MULTILINE)


def test_every_room_has_tests_that_make_test_runs(repository: Path) -> None:
    tests, whole = 0, 0
    for room in {path.parent for path in (repository / "tests").rglob("test_*.py")}:
        texts = [path.read_text(encoding="utf8") for path in room.glob("test_*.py")]
        here, left_out = (sum(len(pattern.findall(text)) for text in texts) for pattern in (TEST, WHOLE))
        assert here > left_out, room
        tests, whole = tests + here, whole + left_out
    # Few tests take most of the time: one in twenty at most.
    assert 0 < whole <= tests / 20
