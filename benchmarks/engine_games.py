r"""Plays `azx engine` against random players and itself, with OpenSpiel as the referee of every move.

    python -P benchmarks/engine_games.py gomocup --games 100
    python -P benchmarks/engine_games.py ugi --games 34 --game connect4
    python -P benchmarks/engine_games.py gtp --game go --opponent "gnugo --mode gtp --level 1 --chinese-rules \
      --never-resign --capture-all-dead --positional-superko --forbid-suicide"

The script speaks the protocol by itself and imports nothing of azx. In every second game the engine plays both sides,
after a random opening, because games against a random player are short. With `--opponent`, a program that speaks GTP
too, it plays that program in every game. It counts moves that OpenSpiel refuses, answers that take longer than a
minute, moves of the opponent that azx refuses, and results on which the two disagree, where the protocol states one.
"""

from __future__ import annotations

import argparse
import queue
import random
import shlex
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable

import pyspiel

# Seconds for an answer, and for the first one, before which the engine loads its network.
PATIENCE, LOADING = 60.0, 900.0
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
PASS_OF_GO = 81
COLUMNS = "abcdefghijklmnopqrs"


class HangError(Exception):
    """No answer in a minute."""


class RefusedError(Exception):
    """The engine refuses a move or command of the other side."""


class Engine:
    """The engine's process."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None  # noqa: S101 - they were opened just now
        assert self.process.stdout is not None  # noqa: S101
        self._to, self._from = self.process.stdin, self.process.stdout
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.patience = LOADING
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
        until = time.monotonic() + self.patience
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise HangError from None
            if line is None:
                raise EOFError
            self.patience = PATIENCE
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
    """GTP, for Hex and Go; it may have an opponent."""

    def __init__(self, engine: Engine, game: str, opponent: str | None = None) -> None:
        self.engine, self.game, self.size = engine, game, 7 if game == "hex" else 9
        self.opponent = None if opponent is None else Gtp(Engine(shlex.split(opponent)), game)

    def _ask(self, command: str) -> str:
        self.engine.say(command)
        answer = self.engine.hear(lambda line: line[:1] in "=?" and line != "")
        self.engine.hear(lambda line: line == "")
        if answer[0] == "?":
            raise RefusedError(f"{command}: {answer}")
        return answer[1:].strip()

    def begin(self) -> None:
        """A new game."""
        if self.game == "go":
            self._ask(f"boardsize {self.size}")
            self._ask("komi 7.5")
        self._ask("clear_board")
        if self.opponent is not None:
            self.opponent.begin()

    def tell(self, player: int, action: int) -> None:
        """A move that the engine did not make."""
        self._ask(f"play {'bw'[player]} {gtp_name(self.game, action, self.size)}")

    def ask(self, player: int) -> int:
        """The engine's move."""
        vertex = self._ask(f"genmove {'bw'[player]}").lower()
        known = {gtp_name(self.game, action, self.size).lower(): action for action in range(self.size**2 + 1)}
        return known.get(vertex, -1)

    def result(self) -> str | None:
        """The result that the engine states."""
        if self.opponent is not None:
            own, other = self._ask("final_score"), self.opponent._ask("final_score")
            return None if own == other else f"{own}, the opponent {other}"
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


Speaker = Gtp | Gomocup | NBoard | Ugi
SPEAKERS: dict[str, type[Speaker]] = {"gtp": Gtp, "gomocup": Gomocup, "nboard": NBoard, "ugi": Ugi}
STATED = {1.0: ("B", "p1win"), -1.0: ("W", "p2win"), 0.0: ("0", "draw")}


def play(speaker: Speaker, spiel: pyspiel.Game, number: int, rng: random.Random) -> Counter[str]:
    """One game; what was counted in it."""
    counted: Counter[str] = Counter(games=1)
    state = spiel.new_initial_state()
    speaker.begin()
    opponent = speaker.opponent if isinstance(speaker, Gtp) else None
    opening = rng.randrange(9)
    alone, side = (number % 2 == 1, number // 2 % 2) if opponent is None else (False, number % 2)
    ply = 0
    while not state.is_terminal():
        player, legal = state.current_player(), state.legal_actions()
        is_own = ply >= opening and (alone or player == side)
        if is_own:
            action = speaker.ask(player)
            counted["moves"] += 1
        elif opponent is not None and ply >= opening:
            action = opponent.ask(player)
        else:
            # Nobody passes in an opening.
            action = rng.choice([each for each in legal if opponent is None or each != PASS_OF_GO])
        if action not in legal:
            counted["illegal" if is_own else "opponent's illegal"] += 1
            print(f"illegal: {action} in\n{state}", file=sys.stderr)
            return counted
        if not is_own:
            speaker.tell(player, action)
        if opponent is not None and (is_own or ply < opening):
            opponent.tell(player, action)
        state.apply_action(action)
        ply += 1
    stated = speaker.result()
    if stated is not None and stated not in STATED[state.returns()[0]]:
        counted["other result"] += 1
        print(f"other result: {stated} in\n{state}", file=sys.stderr)
    return counted


def play_all(speaker: Speaker, spiel: pyspiel.Game, games: int, rng: random.Random) -> Counter[str]:
    """All games; the count ends with the first that a program does not end."""
    total: Counter[str] = Counter()
    try:
        for number in range(games):
            try:
                total += play(speaker, spiel, number, rng)
            except RefusedError as error:
                total += Counter(games=1, refusals=1)
                print(f"refused: {error}", file=sys.stderr)
    except HangError:
        total["hangs"] += 1
    except EOFError:
        total["crashes"] += 1
    return total


def main() -> int:
    """Play the games and print the counts; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("protocol", choices=SPEAKERS)
    parser.add_argument("--game", choices=SPIEL)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--net")
    parser.add_argument("--opponent", help="another program by GTP, for Go")
    parser.add_argument("--azx", default="azx")
    parser.add_argument("--simulations", default="20")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    game = chosen.game or GAMES[chosen.protocol]
    command = [chosen.azx, "engine", chosen.net or game, "--protocol", chosen.protocol]
    engine = Engine([*command, "--simulations", chosen.simulations])
    rng, spiel = random.Random(chosen.seed), pyspiel.load_game(SPIEL[game])  # noqa: S311 - games, not secrets
    begun = time.monotonic()
    more = () if chosen.opponent is None else (chosen.opponent,)
    total = Counter[str]()
    try:
        speaker = SPEAKERS[chosen.protocol](engine, game, *more)
        total = play_all(speaker, spiel, chosen.games, rng)
    except HangError:
        total["hangs"] += 1
    except EOFError:
        total["crashes"] += 1
    left = time.monotonic()
    try:
        engine.say("quit", "END")
        engine.process.wait(PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        total["hangs"] += 1
        engine.process.kill()
    wrong = {name: total[name] for name in ("illegal", "refusals", "hangs", "crashes", "other result")}
    print(
        f"{chosen.protocol}, {game}: {total['games']} games, {total['moves']} moves of the engine, {wrong}, "
        f"{left - begun:.0f} s; ended {time.monotonic() - left:.1f} s after quit with {engine.process.returncode}"
    )
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
