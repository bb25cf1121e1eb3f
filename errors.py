"""Every error that azx raises on purpose: one sentence that says what, where and what to do.

AzxError                    exit code 1
├── CheckpointError         the file cannot be read as a network
│   ├── NoArchitecture      it holds weights alone, and nothing tells the network that they are of
│   ├── CodeRefused         it carries code (a Lambda layer) and --allow-code was not given
│   └── HeadError           a name that the user gave is that of no output
├── UnsupportedLayer        Network has no word for a layer: callers fall back to the traced graph
├── GameError               a game, an encoding or an action that does not fit
│   ├── Undecided           networks of its shapes read the board in several ways, and nothing tells which
│   └── RecordError         a text that is no record of a game, or of one that the rules forbid
├── ConversionError         a converter refused the graph
│   └── FormatUnavailable   the format's converter is not installed
├── BundleError             a bundle is missing, damaged, busy or cannot be written
│   ├── Refused             an artifact is sound as its format, but its runtime does not accept what it holds
│   └── UnsafeArtifact      an artifact holds more than the calculation of a board: no runtime opened it
├── NotRunHere              the runtime of an artifact is not installed: nothing is said of the artifact
└── NotEqual                exit code 3: an artifact does not answer as the original does
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import category


class AzxError(Exception):
    """Base of all; the message is one sentence fit to be shown to the user."""

    exit_code = 1
    report: Mapping[str, Any] | None = None
    """What a command found before it failed, for --json; set by commands alone."""


class CheckpointError(AzxError):
    """The checkpoint cannot be read as a network."""


class NoArchitecture(CheckpointError):
    """The checkpoint holds weights alone, and no architecture was given or found beside it."""


class CodeRefused(CheckpointError):
    """The checkpoint carries code that azx does not run unasked."""


class HeadError(CheckpointError):
    """A name that the user gave for the value or the policy is that of no output."""


class UnsupportedLayer(AzxError):
    """The canonical network has no word for a layer."""

    def __init__(self, layer: str, reason: str) -> None:
        super().__init__(f"layer '{layer}': {reason}")
        self.layer = layer
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnsupportedLayer], tuple[str, str]]:
        return type(self), (self.layer, self.reason)


class GameError(AzxError):
    """A game, an encoding or an action does not fit."""


class Undecided(GameError):
    """Networks of its shapes read the board in several ways, and nothing tells which; the message is a clause.

    `figures` are those of the test, as a clause, empty if nothing was tested.
    """

    def __init__(self, clause: str, figures: str = "") -> None:
        super().__init__(clause)
        self.figures = figures

    def __reduce__(self) -> tuple[type[Undecided], tuple[str, str]]:
        return type(self), (str(self), self.figures)


class RecordError(GameError):
    """A text is no record of a game: `key` names the sentence in every app, `move` is where it fails, from 1 on."""

    def __init__(self, key: str, sentence: str, move: int | None = None) -> None:
        super().__init__(sentence)
        self.key = key
        self.move = move

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, str, int | None]]:
        return type(self), (self.key, str(self), self.move)


class ConversionError(AzxError):
    """A converter refused the graph."""


class FormatUnavailable(ConversionError):
    """The converter of a format is not installed."""


class BundleError(AzxError):
    """A bundle is missing, damaged, in use or cannot be written."""


class Refused(BundleError):
    """An artifact is sound as its format, but what it holds breaks the contract or does not run."""


class UnsafeArtifact(BundleError):
    """An artifact holds what no calculation of a board needs, so that no runtime was given it."""


class NotRunHere(AzxError):
    """The runtime of an artifact is not installed, so that it can be neither played nor proved here."""


class NotEqual(AzxError):
    """An artifact does not answer as the original does."""

    exit_code = 3


def first_line(error: BaseException) -> str:
    """The first line of what a foreign error says, without its full stop, or its class if it says nothing."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def printable(text: str) -> str:
    """The text with control characters escaped: names in untrusted files must not steer a terminal.

    Spaces of any width stay, and the ends of lines.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter == "\n" or category(letter) == "Zs" else ascii(letter)[1:-1]
        for letter in text
    )
