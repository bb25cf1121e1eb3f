"""Plays `azx engine` against random players and itself, with OpenSpiel as the referee of every move.

    python -P benchmarks/engine_games.py gomocup --games 100
    python -P benchmarks/engine_games.py ugi --games 34 --game connect4

The script speaks the protocol by itself and imports nothing of azx. In every second game the engine plays both sides,
after a random opening, because games against a random player are short. It counts moves that OpenSpiel refuses, answers
that take longer than a minute, and results on which the two disagree, where the protocol states one.
"""

from __future__ import annotations

import argparse
import queue
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pyspiel

PATIENCE = 60.0
SPIEL = {
    "go": "go(board_size=9,komi=7.5,max_game_length=1000)",
    "hex": "hex(board_size=7)",
    "gomoku": "gomoku(size=15)",
    "reversi": "othello",
    "connect4": "connect_four",
    "tictactoe": "tic_tac_toe",
    "dots_and_boxes": "dots_and_boxes(num_rows=3,num_cols=3)",
}
GAMES = {"gtp": "hex", "gomocup": "gomoku", "nboard": "reversi", "ugi": "connect4"}
COLUMNS = "abcdefghijklmnopqrs"


class HangError(Exception):
    """No answer in a minute."""


class Engine:
    """The engine's process."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None  # noqa: S101 - they were opened just now
        assert self.process.stdout is not None  # noqa: S101
        self._to, self._from = self.process.stdin, self.process.stdout
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._from:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def say(self, *lines: str) -> None:
        """Send lines."""
        self._to.write("".join(f"{line}\n" for line in lines))
        self._to.flush()

    def hear(self, wanted: Callable[[str], bool]) -> str:
        """The next line that is wanted."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise HangError from None
            if line is None:
                raise EOFError
            if wanted(line):
                return line


def gtp_name(game: str, action: int, size: int) -> str:
    """A cell as GTP writes it in Hex and Go."""
    if game == "go":
        if action == size * size:
            return "pass"
        row, column = divmod(action, size)
        return f"{'ABCDEFGHJ'[column]}{row + 1}"
    row, column = divmod(action, size)
    return f"{COLUMNS[column]}{row + 1}"


class Gtp:
    """GTP, for Hex and Go."""

    def __init__(self, engine: Engine, game: str) -> None:
        self.engine, self.game, self.size = engine, game, 7 if game == "hex" else 9

    def _ask(self, command: str) -> str:
        self.engine.say(command)
        answer = self.engine.hear(lambda line: line[:1] in "=?" and line != "")
        self.engine.hear(lambda line: line == "")
        if answer[0] == "?":
            raise ValueError(f"{command}: {answer}")
        return answer[1:].strip()

    def begin(self) -> None:
        """A new game."""
        self._ask("clear_board")

    def tell(self, player: int, action: int) -> None:
        """A move that the engine did not make."""
        self._ask(f"play {'bw'[player]} {gtp_name(self.game, action, self.size)}")

    def ask(self, player: int) -> int:
        """The engine's move."""
        vertex = self._ask(f"genmove {'bw'[player]}").lower()
        known = {gtp_name(self.game, action, self.size).lower(): action for action in range(self.size**2 + 1)}
        return known[vertex]

    def result(self) -> str | None:
        """The result that the engine states."""
        return self._ask("gogui-rules_final_result")[:1] if self.game == "hex" else None


class Gomocup:
    """Gomocup's protocol."""

    def __init__(self, engine: Engine, game: str) -> None:
        self.engine = engine

    def begin(self) -> None:
        """A new game."""
        self.engine.say("START 15")
        self.engine.hear(lambda line: line == "OK")
        self.moves: list[tuple[int, int]] = []
        self.known = 0

    def tell(self, player: int, action: int) -> None:
        """A move that the engine did not make: it is sent with the next question."""
        self.moves.append((player, action))

    def ask(self, player: int) -> int:
        """The engine's move: by TURN if it knows all moves but the last, else by BOARD with all stones, or BEGIN."""
        if self.known and len(self.moves) == self.known + 1:
            last = self.moves[-1][1]
            self.engine.say(f"TURN {last % 15},{last // 15}")
        else:
            stones = [f"{a % 15},{a // 15},{1 if who == player else 2}" for who, a in self.moves]
            self.engine.say(*(["BOARD", *stones, "DONE"] if stones else ["BEGIN"]))
        answer = self.engine.hear(lambda line: line[:1].isdigit() or line.startswith(("ERROR", "UNKNOWN")))
        column, row = map(int, answer.split(","))
        self.moves.append((player, row * 15 + column))
        self.known = len(self.moves)
        return row * 15 + column

    def result(self) -> str | None:
        """The protocol states none."""
        return None


class NBoard:
    """NBoard's protocol."""

    def __init__(self, engine: Engine, game: str) -> None:
        self.engine, self.pings = engine, 0
        engine.say("nboard 2")

    def begin(self) -> None:
        """A new game."""
        board = "8 ---------------------------O*------*O--------------------------- *"
        self.engine.say(f"set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[{board}];)", "set depth 6")

    def tell(self, player: int, action: int) -> None:
        """A move, also the engine's own."""
        self.engine.say("move PA//1" if action == 64 else f"move {COLUMNS[action % 8].upper()}{action // 8 + 1}//0.1")

    def ask(self, player: int) -> int:
        """The engine's move."""
        self.pings += 1
        self.engine.say(f"ping {self.pings}")
        self.engine.hear(lambda line: line == f"pong {self.pings}")
        self.engine.say("go")
        move = self.engine.hear(lambda line: line.startswith("===")).split()[1].split("/")[0]
        action = 64 if move == "PA" else (int(move[1]) - 1) * 8 + COLUMNS.index(move[0].lower())
        self.tell(player, action)
        return action

    def result(self) -> str | None:
        """The protocol states none."""
        return None


class Ugi:
    """UGI, for Connect4, tic-tac-toe and Dots and Boxes."""

    def __init__(self, engine: Engine, game: str) -> None:
        self.engine, self.game = engine, game
        engine.say("ugi", "isready")
        engine.hear(lambda line: line == "readyok")

    def begin(self) -> None:
        """A new game."""
        self.engine.say("uginewgame")
        self.moves: list[str] = []
        self.last: int | None = None

    def tell(self, player: int, action: int) -> None:
        """A move. In Dots and Boxes azx' players alternate: who does not move on has passed."""
        if self.game == "dots_and_boxes" and self.last == player:
            self.moves.append("pass")
        self.moves.append(str(action))
        self.last = player

    def ask(self, player: int) -> int:
        """The engine's move."""
        passed = ["pass"] if self.game == "dots_and_boxes" and self.last == player else []
        moves = " ".join([*self.moves, *passed])
        self.engine.say(f"position startpos{' moves ' + moves if moves else ''}", "go nodes 40")
        action = int(self.engine.hear(lambda line: line.startswith("bestmove")).split()[1])
        self.tell(player, action)
        return action

    def result(self) -> str | None:
        """The result that the engine states."""
        self.engine.say(f"position startpos moves {' '.join(self.moves)}", "query result")
        return self.engine.hear(lambda line: line.startswith("response")).split()[1]


SPEAKERS: dict[str, type[Gtp | Gomocup | NBoard | Ugi]] = {"gtp": Gtp, "gomocup": Gomocup, "nboard": NBoard, "ugi": Ugi}
STATED = {1.0: ("B", "p1win"), -1.0: ("W", "p2win"), 0.0: ("0", "draw")}


def play(speaker: Gtp | Gomocup | NBoard | Ugi, spiel: pyspiel.Game, number: int, rng: random.Random) -> Counter[str]:
    """One game; what was counted in it."""
    counted: Counter[str] = Counter(games=1)
    state = spiel.new_initial_state()
    speaker.begin()
    alone, side, opening = number % 2 == 1, number // 2 % 2, rng.randrange(9)
    ply = 0
    while not state.is_terminal():
        player = state.current_player()
        if ply < opening or (not alone and player != side):
            action = rng.choice(state.legal_actions())
            speaker.tell(player, action)
        else:
            action = speaker.ask(player)
            counted["moves"] += 1
            if action not in state.legal_actions():
                counted["illegal"] += 1
                print(f"illegal: {action} in\n{state}", file=sys.stderr)
                return counted
        state.apply_action(action)
        ply += 1
    stated = speaker.result()
    if stated is not None and stated not in STATED[state.returns()[0]]:
        counted["other result"] += 1
    return counted


def main() -> int:
    """Play the games and print the counts; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("protocol", choices=SPEAKERS)
    parser.add_argument("--game", choices=SPIEL)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--net")
    parser.add_argument("--azx", default="azx")
    parser.add_argument("--simulations", default="20")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    game = chosen.game or GAMES[chosen.protocol]
    command = [chosen.azx, "engine", chosen.net or game, "--protocol", chosen.protocol]
    engine = Engine([*command, "--simulations", chosen.simulations])
    rng, spiel = random.Random(chosen.seed), pyspiel.load_game(SPIEL[game])  # noqa: S311 - games, not secrets
    total: Counter[str] = Counter()
    begun = time.monotonic()
    try:
        speaker = SPEAKERS[chosen.protocol](engine, game)
        for number in range(chosen.games):
            total += play(speaker, spiel, number, rng)
    except HangError:
        total["hangs"] += 1
    except EOFError:
        total["crashes"] += 1
    engine.say("quit", "END")
    left = time.monotonic()
    engine.process.wait(30)
    wrong = {name: total[name] for name in ("illegal", "hangs", "crashes", "other result")}
    print(
        f"{chosen.protocol}, {game}: {total['games']} games, {total['moves']} moves of the engine, {wrong}, "
        f"{left - begun:.0f} s; ended {time.monotonic() - left:.1f} s after quit with {engine.process.returncode}"
    )
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
