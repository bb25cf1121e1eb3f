"""GTP's commands that show the board, set stones up, read and write records, and count points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import GameError
from ..games.records.writing import sgf
from ..games.rules.go import Go
from ..games.rules.go_scoring import dead_stones, estimate_ownership, score_without
from .gtp_speaker import Speaker
from .moves import by_vertex, pass_of, vertex_of
from .words import whole

SMALLEST_HANDICAP, MIDDLE = 7, 9
# What GoGui calls a game that an engine plays.
GAME_IDS = {"go": "Go", "hex": "Hex", "reversi": "Othello", "gomoku": "Gomoku"}
STATUSES = ("alive", "seki", "dead")


class Board:
    """The commands, bound to a protocol at work."""

    def __init__(self, gtp: Speaker) -> None:
        self._gtp = gtp
        self.commands: dict[str, Callable[[Sequence[str]], str | None]] = {
            "showboard": lambda _: "\n" + gtp.brain.state.board_text(),
            "final_score": self._final_score,
            "loadsgf": self._load,
            "printsgf": self._print,
            "all_legal": lambda words: self._legal(words),
            "is_legal": self._is_legal,
            "gogui-play_sequence": self._sequence,
            "gogui-rules_game_id": lambda _: self._game_id(),
            "gogui-rules_board": lambda _: gtp.brain.state.board_text(),
            "gogui-rules_board_size": lambda _: str(gtp.brain.state.board[0]),
            "gogui-rules_legal_moves": lambda _: self._legal(()),
            "gogui-rules_side_to_move": lambda _: ("black", "white")[gtp.brain.state.to_move],
            "gogui-rules_final_result": lambda _: self._result(),
        }
        if gtp.game == "go":
            self.commands |= {
                "final_status_list": self._status,
                "fixed_handicap": self._fixed_handicap,
                "place_free_handicap": self._fixed_handicap,
                "set_free_handicap": self._set_handicap,
                "kata-get-rules": lambda _: _RULES,
                "kata-set-rules": lambda _: "",
            }

    def _game_id(self) -> str:
        return GAME_IDS[self._gtp.game]

    def _legal(self, words: Sequence[str]) -> str:
        state = self._gtp.brain.state
        if words and self._gtp.colour(words) != state.to_move:
            passing = pass_of(state)
            if passing is None:
                return ""
            state = state.apply(passing)
        return " ".join(vertex_of(self._gtp.game, state, action) for action in state.legal_actions())

    def _is_legal(self, words: Sequence[str]) -> str:
        player = self._gtp.colour(words)
        state = self._gtp.brain.state
        if len(words) < 2:
            raise GameError("syntax error: is_legal takes a colour and a vertex")
        passing = pass_of(state)
        if player != state.to_move and passing is not None:
            state = state.apply(passing)
        try:
            by_vertex(self._gtp.game, state, words[1])
        except GameError:
            return "0"
        return "1"

    def _sequence(self, words: Sequence[str]) -> str:
        brain, game = self._gtp.brain, self._gtp.game
        before = list(brain.states)
        try:
            for at in range(0, len(words), 2):
                ply = brain.ply
                self._gtp.give_turn(self._gtp.colour(words[at:]))
                brain.play(by_vertex(game, brain.state, "".join(words[at + 1 : at + 2])))
                self._gtp.note_step(ply)
        except GameError:
            brain.set_states(before)
            raise
        return ""

    def _final_score(self, words: Sequence[str]) -> str:
        state = self._gtp.brain.state
        if not isinstance(state, Go):
            return self._result()
        score = score_without(state, dead_stones(state, estimate_ownership(state)))
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def _result(self) -> str:
        state = self._gtp.brain.state
        if not state.is_terminal:
            raise GameError("cannot score: the game is not over")
        result = state.returns()
        scores = getattr(state, "scores", None)
        margin = f"+{abs(scores[0] - scores[1])}" if scores else "+"
        return "0" if result == 0 else f"{'B' if result > 0 else 'W'}{margin}"

    def _status(self, words: Sequence[str]) -> str:
        state = self._gtp.brain.state
        if not words or words[0] not in STATUSES or not isinstance(state, Go):
            raise GameError(f"syntax error: a status is {', '.join(STATUSES)}")
        dead = set(dead_stones(state, estimate_ownership(state)))
        stones = {*state.stones(0), *state.stones(1)}
        points = {"dead": dead, "seki": set(), "alive": stones - dead}[words[0]]
        return " ".join(vertex_of("go", state, point) for point in sorted(points))

    def _fixed_handicap(self, words: Sequence[str]) -> str:
        brain = self._gtp.brain
        points = handicap_points(brain.state.board[0], whole(words))
        self._place(points)
        return " ".join(points)

    def _set_handicap(self, words: Sequence[str]) -> str:
        self._place(list(words))
        return ""

    def _place(self, points: Sequence[str]) -> None:
        """Black's stones in turn, white passing between them, and then white is to move."""
        brain = self._gtp.brain
        if brain.ply:
            raise GameError("board not empty")
        if len(points) < 2:
            raise GameError("bad vertex list: a handicap has two stones or more")
        try:
            for at, point in enumerate(points):
                if at:
                    brain.play(by_vertex("go", brain.state, "pass"))
                action = by_vertex("go", brain.state, point)
                if action == pass_of(brain.state):
                    raise GameError("a pass is no stone")
                brain.play(action)
        except GameError as error:
            brain.begin()
            raise GameError(f"bad vertex list: {error}") from error
        self._gtp.note_step(0)

    def _load(self, words: Sequence[str]) -> str:
        from ..play.records import read_record

        if not words:
            raise GameError("syntax error: loadsgf takes a file and, if need be, the number of a move")
        # A path may have spaces. Only a number as the last word does not belong to it.
        has_number = len(words) > 1 and words[-1].isdecimal()
        path = Path(" ".join(words[:-1] if has_number else words))
        try:
            record = read_record(path).record
            self._gtp.brain.set_record(record)
        except GameError as error:
            raise GameError(f"cannot load file: {error}") from error
        if has_number:
            states = self._gtp.brain.states
            self._gtp.brain.set_states(states[: max(1, record.set_up + int(words[-1]))])
        return ""

    def _print(self, words: Sequence[str]) -> str:
        brain = self._gtp.brain
        text = sgf(brain.game, brain.settings, brain.states)
        if text is None:
            raise GameError(f"SGF has no {brain.game.title}")
        return text.replace("\n\n", "\n").rstrip("\n")


_RULES = (
    '{"friendlyPassOk":false,"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE",'
    '"whiteHandicapBonus":"0"}'
)


def handicap_points(size: int, stones: int) -> list[str]:
    """The vertices of a fixed handicap, in the order of GTP's table; GameError for a board or number without one."""
    most = MIDDLE if size % 2 and size >= MIDDLE else 4
    if size < SMALLEST_HANDICAP or not 2 <= stones <= most:
        raise GameError(f"invalid number of stones: this board has 2 to {most if size >= SMALLEST_HANDICAP else 0}")
    low = 4 if size >= 13 else 3
    high, middle = size + 1 - low, (size + 1) // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]
    sides = [(low, middle), (high, middle)], [(middle, low), (middle, high)]
    points = corners[: min(stones, 4)]
    if stones >= 6:
        points = [*corners, *sides[0]]
    if stones >= 8:
        points = [*points, *sides[1]]
    if stones in (5, 7, 9):
        points = [*points, (middle, middle)]
    columns = "ABCDEFGHJKLMNOPQRST"
    return [f"{columns[column - 1]}{row}" for column, row in points]
