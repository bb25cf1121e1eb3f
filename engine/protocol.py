"""The loop that all protocols share: take a line and answer it. A bad line never ends it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..errors import AzxError, GameError, first_line
from .brain import Brain
from .pipes import Closed

NAME = "azx"


class Protocol(ABC):
    """A protocol at work: `run` answers lines until the other side quits or closes the pipe."""

    def __init__(self, brain: Brain) -> None:
        self.brain, self.inbox = brain, brain.inbox
        self.left = False

    def run(self) -> None:
        """Answer lines until the end; GameError if the answers cannot be written although the reader is there."""
        try:
            while not self.left and (line := self.inbox.next()) is not None:
                try:
                    self.obey(line)
                except Closed:
                    raise
                except AzxError as error:
                    self.refuse(str(error))
                except RecursionError:
                    self.refuse("the line is nested too deeply.")
                except Exception as error:  # a protocol continues after any line
                    self.refuse(f"this failed ({type(error).__name__}: {first_line(error)[:200]}).")
        except Closed as closed:
            if str(closed):
                raise GameError(str(closed)) from closed

    @abstractmethod
    def obey(self, line: str) -> None:
        """Answer one line; an AzxError becomes the protocol's own answer to a bad one."""

    @abstractmethod
    def refuse(self, reason: str) -> None:
        """Say that the line was bad; `reason` is a sentence."""

    def write(self, *lines: str) -> None:
        """Write lines of an answer."""
        self.brain.outbox.write(*lines)

    @property
    def name(self) -> str:
        """The engine's name, with the network's."""
        return f"{NAME} {self.brain.network.name}"
