"""What `make test` runs of a test with many cases; the whole run has all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def few(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """The cases of a parameter; all but the first `count` are marked `whole`."""
    return [case if at < count else _marked(case) for at, case in enumerate(cases)]


def _marked(case: Any) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.whole], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.whole)
