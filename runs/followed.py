"""Serves the web app with a run of `azx train`: its best network so far, and its progress at azx/run.json.

Another thread exports and proves the best network as `azx serve NET` does. Until then the page has the one before.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..bundle.case.checkpoint import Checkpoint
from ..errors import AzxError
from ..games.state import State, play_line
from ..mobile_assets.app_kinds import ASSETS
from ..mobile_assets.followed import LiveSite
from ..mobile_assets.served import serve_checkpoint
from ..mobile_assets.site import JSON, Answer, Tell, parts_of
from ..self_play.played import PlayedGame, load_games
from ..system.workers import Workers
from .now import now_in
from .page import interval_of
from .run import Run, open_run, progress_of

RUN_DATA = "run.json"
LOOK_SECONDS = 1.0
# The most generations in the curve; the last one is always among them.
POINTS = 400


class FollowedRun(LiveSite):
    """The web app, the best network of a run, and the run's data for the page."""

    def __init__(self, web: Path, folder: Path, tell: Tell = lambda sentence: None) -> None:
        super().__init__(web, folder, tell)
        self._run = open_run(folder)
        self._bundle: Path | None = None
        self._exported = 0
        self._workers: Workers | None = None
        self._ends = threading.Event()
        # The last game that was read, as the page gets it, and its generation.
        self._game: tuple[int, dict[str, Any] | None] = (0, None)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Export each new best network while the block runs."""
        thread = threading.Thread(target=self._follow, name="best-of-run", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ends.set()
            if self._workers is not None:
                self._workers.stop()
            thread.join()

    def find(self, target: str, accepted: frozenset[str] = frozenset()) -> Answer | None:
        """The answer to a request's target: the run's data, or that of the app alone."""
        if parts_of(target) != [ASSETS, RUN_DATA]:
            return super().find(target, accepted)
        with self._reading:
            content = json.dumps(self.progress()).encode()
        return self._packed(Answer(content, JSON, sha256(content).hexdigest()), accepted)

    def progress(self) -> dict[str, Any]:
        """The run's progress in the page's form."""
        run, lines = self._run, progress_of(self._run)
        last = lines[-1] if lines else None
        seconds = sum(last["seconds"].values()) if last else 0
        return {
            "name": run.folder.absolute().name,
            "command": f"azx train {run.folder}",
            "judge": _judge(run, lines),
            "generations": len(lines),
            "now": now_in(run.folder),
            "curve": [_point(line) for line in _thinned(lines)],
            "games_a_second": round(last["games"] / seconds, 2) if last and seconds else None,
            "game": self._last_game(len(lines)),
        }

    def _best(self) -> Mapping[str, Path]:
        return {self._run.game.name: self._bundle} if self._bundle else {}

    def _title(self, name: str, folder: Path) -> str:
        return f"{self._run.game.title} (gen{self._exported:04})"

    def _is_run(self) -> bool:
        return True

    def _last_game(self, generation: int) -> dict[str, Any] | None:
        if self._game[0] != generation:
            game = None
            with suppress(AzxError, OSError):  # the files may have been removed to free the disk
                game = _as_record(self._run, load_games(self._run.games(generation), _start(self._run)))
            self._game = generation, game
        return self._game[1]

    def _follow(self) -> None:
        refused = 0
        while not self._ends.is_set():
            try:
                best = next((int(line["generation"]) for line in reversed(progress_of(self._run)) if line["best"]), 0)
                if best not in (self._exported, refused):
                    refused = best
                    self._export(best)
            except KeyboardInterrupt:  # the processes were ended
                return
            except (AzxError, OSError) as error:
                self.tell_once(error)
            self._ends.wait(LOOK_SECONDS)

    def _export(self, generation: int) -> None:
        """Export a generation's network for the page; AzxError as from `serve_checkpoint`."""
        try:
            with Workers() as self._workers:
                done = serve_checkpoint(Checkpoint(self._run.checkpoint(generation)), workers=self._workers)
        finally:
            self._workers = None
        with self._reading:
            self._bundle, self._exported = done.folder, generation


def _start(run: Run) -> State:
    return run.game.begin(run.settings)


def _judge(run: Run, lines: Sequence[Mapping[str, Any]]) -> str:
    """The page's name for the figure of the networks' strength: lines, solved or elo."""
    if not lines or "figure" not in lines[0]:
        return "elo"
    return "lines" if run.game.name == "tictactoe" else "solved"


def _point(line: Mapping[str, Any]) -> dict[str, Any]:
    low, high = interval_of(line) or (None, None)
    value = line["figure"] if "figure" in line else line["elo"]
    return {"generation": line["generation"], "value": value, "low": low, "high": high, "best": line["best"]}


def _thinned(lines: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    step = -(-len(lines) // POINTS) or 1
    return lines[::-1][::step][::-1]


def _as_record(run: Run, games: Sequence[PlayedGame]) -> dict[str, Any]:
    """The last finished game, else the last one, as a line of moves."""
    from ..games.records.writing import line

    start = _start(run)
    ended = (game for game in reversed(games) if play_line(start, game.moves).is_terminal)
    game = next(ended, games[-1])
    states = [start]
    for move in game.moves:
        states.append(states[-1].apply(move))
    return {"record": line(run.game, run.settings, states), "plies": len(game.moves), "result": int(game.result)}
