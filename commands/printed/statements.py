"""What is said of a network's outputs and board, printed alike by every command that reads a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    from ...statement import Statement


def print_statements(statements: Iterable[Statement], *, verbose: bool = False) -> None:
    """A line for each; the figures behind it if `verbose`."""
    for each in statements:
        output.line(f"  {each.line_with_figures if verbose else each.line}")
