"""Every error that azx raises on purpose: one sentence that says what, where and what to do.

AzxError                    exit code 1
├── CheckpointError         the file cannot be read as a network
│   ├── NoArchitecture      it holds weights alone, and the network's layers are unknown
│   ├── CodeRefused         it carries code (a Lambda layer) and --allow-code was not given
│   └── HeadError           no output has the name that the user gave
├── UnsupportedLayer        Network cannot express a layer: callers fall back to the traced graph
├── GameError               a game, an encoding or an action that does not fit
│   ├── Undecided           networks of its shapes read the board in several ways, and this one's is unknown
│   └── RecordError         a text is no record of a game, or its game breaks the rules
├── ConversionError         a converter refused the graph
│   └── FormatUnavailable   the format's converter is not installed
├── BundleError             a bundle is missing, damaged, busy or cannot be written
│   ├── Refused             an artifact is sound as its format, but its runtime does not accept what it holds
│   └── UnsafeArtifact      an artifact holds more than the calculation of a board: no runtime opened it
├── NotRunHere              the runtime of an artifact is not installed, so the artifact is not judged
└── NotEqual                exit code 3: an artifact does not answer as the original does
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import category


class AzxError(Exception):
    """The base of all errors of azx; the message is one sentence for the user."""

    exit_code = 1
    report: Mapping[str, Any] | None = None
    """The results before the failure, for --json; only commands set it."""


class CheckpointError(AzxError):
    """The checkpoint cannot be read as a network."""


class NoArchitecture(CheckpointError):
    """The checkpoint holds weights alone, and no architecture was given or found beside it."""


class CodeRefused(CheckpointError):
    """The checkpoint carries code, which azx does not run without the user's consent."""


class HeadError(CheckpointError):
    """No output has the name that the user gave for the value or the policy."""


class UnsupportedLayer(AzxError):
    """The canonical network cannot express a layer."""

    def __init__(self, layer: str, reason: str) -> None:
        super().__init__(f"layer '{layer}': {reason}")
        self.layer = layer
        self.reason = reason

    def __reduce__(self) -> tuple[type[UnsupportedLayer], tuple[str, str]]:
        return type(self), (self.layer, self.reason)


class GameError(AzxError):
    """A game, an encoding or an action does not fit."""


class Undecided(GameError):
    """Networks of its shapes read the board in several ways, and this one's is unknown; the message is a clause.

    `figures` are those of the test, as a clause, empty if nothing was tested.
    """

    def __init__(self, clause: str, figures: str = "") -> None:
        super().__init__(clause)
        self.figures = figures

    def __reduce__(self) -> tuple[type[Undecided], tuple[str, str]]:
        return type(self), (str(self), self.figures)


class RecordError(GameError):
    """A text is no record of a game. `key` names the sentence in every app; `move`, from 1 on, is where it fails."""

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
    """An artifact holds more than the calculation of a board needs, so no runtime opened it."""


class NotRunHere(AzxError):
    """The runtime of an artifact is not installed, so that it can be neither played nor proved here."""


class NotEqual(AzxError):
    """An artifact does not answer as the original does."""

    exit_code = 3


def first_line(error: BaseException) -> str:
    """The first line of a foreign error's message, without its full stop; its class if the message is empty."""
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
