"""GNU Go as a player: one process of Debian's `gnugo`, asked over the Go Text Protocol.

Points are numbered as in `azx.games.rules.go`: row by row, row 0 on top, then pass. The protocol counts
rows from the bottom and leaves the letter I out of the columns.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import Self

COLUMNS = "ABCDEFGHJKLMNOPQRST"
COLOURS = ("black", "white")
# Chinese rules, and playing on until every capture is real: then Tromp-Taylor counting agrees with it.
RULES = ("--chinese-rules", "--capture-all-dead", "--positional-superko", "--forbid-suicide")


class GnuGoError(RuntimeError):
    """GNU Go is missing, has ended, or refuses a command."""


class GnuGo:
    """A running GNU Go on a `size` x `size` board; a context manager, which ends the process."""

    def __init__(self, size: int = 9, komi: float = 7.5, level: int = 1, seed: int = 1) -> None:
        program = shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin") or shutil.which("gnugo")
        if program is None:
            raise GnuGoError("gnugo is not installed: `apt-get install gnugo`")
        self.size = size
        settings = ("--boardsize", str(size), "--komi", str(komi), "--level", str(level), "--seed", str(seed))
        command = [program, "--mode", "gtp", *RULES, *settings]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def ask(self, command: str) -> str:
        """The answer to one command, without its sign; GnuGoError if GNU Go refuses it or has ended."""
        if self._process.stdin is None or self._process.stdout is None:
            raise GnuGoError("gnugo: its pipes are closed")
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline()) not in ("\n", ""):
            lines.append(line.strip())
        if not lines or not lines[0].startswith("="):
            raise GnuGoError(f"gnugo: '{command}' was answered with '{' '.join(lines) or 'nothing'}'")
        return " ".join(lines).removeprefix("=").strip()

    def clear(self, level: int, seed: int) -> None:
        """Clear the board, and set the strength and seed of the new game."""
        self.ask("clear_board")
        self.ask(f"level {level}")
        self.ask(f"set_random_seed {seed}")

    def play(self, player: int, action: int) -> None:
        """Play a move on its board."""
        self.ask(f"play {COLOURS[player]} {self.vertex(action)}")

    def generate(self, player: int) -> int:
        """Let it play a move, and return the action; a resignation counts as a pass."""
        return self.action(self.ask(f"genmove {COLOURS[player]}"))

    def suggest(self, player: int) -> int:
        """The move that it would play, without playing it."""
        return self.action(self.ask(f"reg_genmove {COLOURS[player]}"))

    def legal(self, player: int) -> list[int]:
        """Its legal points (a pass is always legal too)."""
        return sorted(self.action(vertex) for vertex in self.ask(f"all_legal {COLOURS[player]}").split())

    def vertex(self, action: int) -> str:
        """An action as the protocol writes it: `A9` for 0 on 9x9, `PASS` for the last one."""
        if action == self.size * self.size:
            return "PASS"
        row, column = divmod(action, self.size)
        return f"{COLUMNS[column]}{self.size - row}"

    def action(self, vertex: str) -> int:
        """The action that the protocol writes as `vertex`."""
        if vertex.upper() in ("PASS", "RESIGN"):
            return self.size * self.size
        return (self.size - int(vertex[1:])) * self.size + COLUMNS.index(vertex[0].upper())
