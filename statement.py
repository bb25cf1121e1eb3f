"""Statement: a sentence about a network with its degree, from what its file proves to what nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Degree(StrEnum):
    """How a sentence is known; the order is from what is surest down.

    CERTAIN stands in the file. SHOWN is by the network's own answers. SAID is the user's word. ASSUMED is the usual
    case where nothing decides. UNKNOWN says that nothing is assumed either.
    """

    CERTAIN = "certain"
    SHOWN = "shown"
    SAID = "said"
    ASSUMED = "assumed"
    UNKNOWN = "not known"


DOUBTFUL = frozenset({Degree.ASSUMED, Degree.UNKNOWN})


@dataclass(frozen=True)
class Statement:
    """A sentence of at most 25 words, how it is known, and the figures for a person who asks for them.

    `about` is what it speaks of: "board" or the name of an output. `instead` is what to type if it is wrong or unknown.
    """

    about: str
    degree: Degree
    sentence: str
    figures: str = ""
    instead: str = ""

    @property
    def line(self) -> str:
        """The sentence behind its degree: "Assumed: ..."."""
        return f"{self.degree.capitalize()}: {self.sentence}"

    @property
    def line_with_figures(self) -> str:
        """The line, and the figures in parentheses."""
        return f"{self.line} ({self.figures})" if self.figures else self.line
