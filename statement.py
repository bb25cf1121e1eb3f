"""Statement: a sentence about a network, with the degree to which it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Degree(StrEnum):
    """How a sentence is known, from the surest degree down.

    CERTAIN: the file states it. SHOWN: the network's own answers show it. SAID: the user gave it. ASSUMED: the usual
    case, where nothing decides. UNKNOWN: not even assumed.
    """

    CERTAIN = "certain"
    SHOWN = "shown"
    SAID = "said"
    ASSUMED = "assumed"
    UNKNOWN = "not known"


DOUBTFUL = frozenset({Degree.ASSUMED, Degree.UNKNOWN})


@dataclass(frozen=True)
class Statement:
    """A sentence of at most 25 words, how it is known, and figures for readers who want them.

    `about` is its subject: "board" or the name of an output. `instead` is what to type if the sentence is wrong or
    unknown.
    """

    about: str
    degree: Degree
    sentence: str
    figures: str = ""
    instead: str = ""

    @property
    def line(self) -> str:
        """The sentence after its degree: "Assumed: ..."."""
        return f"{self.degree.capitalize()}: {self.sentence}"

    @property
    def line_with_figures(self) -> str:
        """The line, and the figures in parentheses."""
        return f"{self.line} ({self.figures})" if self.figures else self.line
