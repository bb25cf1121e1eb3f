"""Fixtures of the tests of readings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from azx.validate.reading import positions


@pytest.fixture
def no_stored_positions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As for a board that nobody has drawn positions of."""
    monkeypatch.setattr(positions, "read_table", lambda name: {})
    positions._stored.cache_clear()
    yield
    positions._stored.cache_clear()
