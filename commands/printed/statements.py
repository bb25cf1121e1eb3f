"""Prints the statements about a network's outputs and board, for every command that reads a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import output

if TYPE_CHECKING:
    from ...statement import Statement


def print_statements(statements: Iterable[Statement], *, verbose: bool = False) -> None:
    """Print a line for each statement, and the figures behind it if `verbose`."""
    for each in statements:
        output.line(f"  {each.line_with_figures if verbose else each.line}")
