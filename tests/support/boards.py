"""A network that finds every move as good as another, at a board of each game, and protocols that talk to it."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from typing import Any, cast

from azx.engine.brain import Brain, Choices
from azx.engine.pipes import Inbox, Outbox
from azx.engine.table import speak
from azx.games.evaluator import Uniform
from azx.games.game import Reading
from azx.games.known.recognition import by_name
from azx.games.search_settings import USUAL


class Even(Uniform):
    """A network as `open_network` gives one, for a game's first shape."""

    name, search = "even.h5", USUAL

    def __init__(self, game: str, **settings: Any) -> None:
        found = by_name(game)
        shape = found.shapes[0]
        self.reading = Reading(found, shape.encodings[0], shape.numberings[0], {**shape.settings, **settings})


def brain_of(game: str, inbox: Inbox, outbox: Outbox, choices: Choices | None = None, **settings: Any) -> Brain:
    """A brain with such a network, which makes four simulations a move unless `choices` say otherwise."""
    network = cast("Any", Even(game, **settings))
    return Brain(network, settings, choices or Choices(simulations=4), inbox, outbox)


def talk(protocol: str, game: str, *lines: str, choices: Choices | None = None, **settings: Any) -> list[str]:
    """The lines that a protocol answers to lines that came all at once."""
    out = io.BytesIO()
    inbox = Inbox(io.BytesIO("".join(f"{line}\n" for line in lines).encode("utf8", "surrogateescape")))
    speak(brain_of(game, inbox, Outbox(out), choices, **settings), protocol).run()
    return out.getvalue().decode().splitlines()


def answers(game: str, *lines: str, **settings: Any) -> list[str]:
    """GTP's answers, without the empty lines."""
    return [line for line in talk("gtp", game, *lines, **settings) if line]


class Wire:
    """A protocol that runs in a thread of its own, behind two real pipes."""

    def __init__(self, protocol: str, game: str, choices: Choices) -> None:
        incoming, self._to = os.pipe()
        self._from, outgoing = os.pipe()
        self.reader, self.writer = os.fdopen(self._from, "rb"), os.fdopen(self._to, "wb", buffering=0)
        self._in, self._out = os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")
        inbox, outbox = Inbox(self._in), Outbox(self._out)

        def run() -> None:
            speak(brain_of(game, inbox, outbox, choices), protocol).run()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def say(self, line: str) -> None:
        """Send a line."""
        self.writer.write(f"{line}\n".encode())

    def close(self) -> None:
        """Close what is still open."""
        # The inbox reads until its pipe has no writer left.
        for pipe in (self.writer, self.reader, self._out, self._in):
            with contextlib.suppress(OSError):
                pipe.close()
