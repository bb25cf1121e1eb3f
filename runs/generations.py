"""A run's work, generation by generation: play, learn, judge, write. A killed run continues with the same result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import AzxError, first_line
from ..export.checkpoint.read import read_checkpoint
from ..learning import networks
from ..learning.given import set_weights, take
from ..learning.judges import Contest, contest_of, exact_judge
from ..learning.learner import Learner
from ..learning.onnx_graph import write_graph
from ..learning.solved import solved_positions
from ..learning.window import Window
from ..match.pairs import draw_pairs
from ..self_play.actor import Task
from ..self_play.fast_network import FastNetwork
from ..self_play.played import PlayedGame, load_games, save_games
from ..system.quietly import quietly
from . import page
from .actors import ContestScores, Harvest, PendingGames, Plays, total
from .learner_state import keep_state, restore_state
from .run import Run, add_progress, description_of, read_progress

# Games of the contest that a new network plays against the best one, and the simulations of its searches.
CONTEST_GAMES, CONTEST_SIMULATIONS = 40, 16
# The share of the points that makes a network the best one.
GATE = 0.52
# Forty games can show a few hundred Elo; a larger difference counts as this one.
MOST_ELO = 400.0
# Added to the seed, so that the openings differ from those of the gate's contests.
OTHER_OPENINGS = 1_000_000
# The rate falls from here on, as a share of the run's time, down to this share of itself.
FALLS_FROM, FALLS_TO = 0.5, 0.1
Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Generation:
    """A finished generation as `progress.jsonl` has it."""

    line: dict[str, Any]

    @property
    def number(self) -> int:
        """The generation's number, from 1."""
        return int(self.line["generation"])


def rate_at(share: float) -> float:
    """The learning rate as a share of the recipe's, when this share of the run's time is over."""
    if share <= FALLS_FROM:
        return 1.0
    return float(FALLS_TO ** min(1.0, (share - FALLS_FROM) / (1 - FALLS_FROM)))


class Training:
    """A run in training: its learner, its best network so far, and its players."""

    def __init__(self, run: Run, actors: Plays) -> None:
        self._run, self._actors, self._reading = run, actors, run.reading
        # With all settings of the run; a reading has only the board's, without rule or komi.
        self._start = run.game.begin(run.settings)
        self._done = read_progress(run)
        self._sound = set[int]()
        self._window = Window(self._start, self._reading, run.recipe.searched)
        self._judge = exact_judge(self._start)
        # TensorFlow prints a dozen lines when it loads.
        with quietly():
            self._learner = Learner(_begin(run, len(self._done)), self._reading, run.recipe, run.seed)
            if self._done:
                restore_state(self._learner.model, run.folder, len(self._done))
            self._whole = networks.with_softmax(self._learner.averaged)
        self._best = _graph_of(run, self.best) if self.best else None
        # A generation that new best ones are measured by, and its graph; for long it is the same one.
        self._anchor: tuple[int, bytes] | None = None
        # The generation whose network plays, and its games, if they are played ahead.
        self._ahead: tuple[int, PendingGames] | None = None

    @property
    def best(self) -> int:
        """The best generation so far; 0 if none is finished."""
        return next((int(line["generation"]) for line in reversed(self._done) if line["best"]), 0)

    def generations(
        self, time_share: Callable[[], float], tell: Tell = lambda event: None, most: int | None = None
    ) -> Generator[Generation, None, None]:
        """Make generations, at most `most` of them or without end.

        `time_share` returns the elapsed share of the run's time, 0 to 1. `tell` receives events of the generation under
        way. If other processes play while this one learns, a generation's games are played by the last network but one.
        """
        if self._done:
            page.write(self._run, self._done)  # after a kill it may be missing
        last = None if most is None else len(self._done) + most
        try:
            while len(self._done) != last:
                yield Generation(self._make(len(self._done) + 1, time_share, tell, last))
        finally:
            if self._ahead is not None:
                self._ahead[1].close()

    def _make(self, number: int, time_share: Callable[[], float], tell: Tell, last: int | None) -> dict[str, Any]:
        run, clock = self._run, _Clock()
        player, harvest = self._play(number, tell)
        games = harvest.games
        if self._actors.plays_ahead and number != last and time_share() < 1:
            self._ahead = self._begin(number + 1)
        clock.mark("play")
        begun = time.process_time()
        played = sum(len(game.policies) for game in games)
        examples = self._window.examples(number, lambda each: games if each == number else self._games_of(each))
        tell({"event": "learning", "generation": number, "positions": len(examples)})
        losses = self._learner.learn(examples, played, number, rate_at(time_share()))
        clock.mark("learn")
        tell({"event": "judging", "generation": number})
        graph = write_graph(self._learner.averaged)
        contests = list[ContestScores]()
        judged = self._compare(graph, number, contests) | self._count_kept(graph)
        clock.mark("judge")
        playing, judging = total(harvest.spent), total([spent for contest in contests for spent in contest.spent])
        networks.save(self._learner.averaged, run.checkpoint(number), description_of(self._reading), whole=self._whole)
        keep_state(self._learner.model, run.folder, number)
        line = {
            "generation": number,
            "player": player,
            "games": len(games),
            "positions": played,
            "window": len(examples),
            "plies": round(sum(len(game.moves) for game in games) / len(games), 1),
            "proven": round(sum(game.proven < len(game.moves) for game in games) / len(games), 3),
            "policy_loss": round(float(losses.policy), 4),
            "value_loss": round(float(losses.value), 4),
            "steps": losses.steps,
            **judged,
            "seconds": clock.seconds,
            "processor": round(playing.processor + judging.processor + time.process_time() - begun, 2),
            "actors": {
                "places": harvest.places,
                "seconds": round(playing.clock, 2),
                "processor": round(playing.processor, 2),
                "judging": round(judging.clock, 2),
            },
        }
        add_progress(run, line)
        if line["best"]:
            self._best = graph
        self._done.append(line)
        page.write(run, self._done)
        return line

    def _games_of(self, generation: int) -> list[PlayedGame]:
        """The games of a generation; empty if their file was removed."""
        path = self._run.games(generation)
        if not path.exists():
            return []
        # Files that this process has written or read are known to be sound.
        games = load_games(path, None if generation in self._sound else self._start)
        self._sound.add(generation)
        return games

    def _begin(self, number: int) -> tuple[int, PendingGames]:
        """Begin the games of a generation; returns the generation whose network plays (0: untrained) and the games."""
        run, done = self._run, len(self._done)
        # With games played ahead it is one earlier, also after a kill, so that the run stays the same.
        player = max(0, number - 2) if self._actors.plays_ahead else number - 1
        if player == done or (player and not run.checkpoint(player).exists()):
            player, graph = done, write_graph(self._learner.averaged)
        else:
            graph = _graph_of(run, player) if player else write_graph(_begin(run, 0))
        task = Task(self._start, run.recipe, run.seed * 100_003 + number, run.recipe.games)
        return player, self._actors.begin(task, graph, self._reading)

    def _play(self, number: int, tell: Tell) -> tuple[int, Harvest]:
        """The generation whose network played, and the games."""
        run, ended = self._run, 0

        def count(games: int) -> None:
            nonlocal ended
            ended += games
            tell({"event": "playing", "generation": number, "games": ended, "of": run.recipe.games})

        count(0)
        player, pending = self._ahead or self._begin(number)
        harvest = pending.harvest(count)
        self._ahead = None
        save_games(harvest.games, run.games(number))
        self._sound.add(number)
        return player, harvest

    def _compare(self, graph: bytes, number: int, contests: list[ContestScores]) -> dict[str, Any]:
        """The judge's figure or the contest with the best network, and whether this network is now the best.

        The played contests are appended to `contests`.
        """
        if self._judge is not None:
            figure = self._judge.measure(FastNetwork(graph, self._reading, exact=True), self._start)
            least = min((line["figure"] for line in self._done), default=figure)
            # The least of many figures has had luck; a later network that is as good within chance has learnt more.
            best = figure <= least + self._judge.chance(least)
            return {"figure": figure, "about": self._judge.about, "best": best}
        if self._best is None:
            return {"elo": 0.0, "best": True}
        contest = self._contest(graph, self._best, number, contests)
        if contest.points >= GATE * contest.games:
            return {"contest": _as_data(contest), **self._measure_best(graph, number, contests), "best": True}
        reached = next(line["elo"] for line in reversed(self._done) if line["best"])
        return {"contest": _as_data(contest), "elo": _added(reached, contest), "best": False}

    def _contest(self, graph: bytes, other: bytes, seed: int, contests: list[ContestScores]) -> Contest:
        pairs = draw_pairs(self._start, self._run.game, CONTEST_GAMES, CONTEST_SIMULATIONS, seed)
        contests.append(self._actors.compete(pairs, (graph, other), self._reading))
        return contest_of(contests[-1].scores)

    def _measure_best(self, graph: bytes, number: int, contests: list[ContestScores]) -> dict[str, Any]:
        """The Elo of a new best network, by new games against the best network of half its age.

        The contest that it won overrates it, because luck helped to choose it. Also, each summed difference adds an
        error, and this way few are summed.
        """
        half = max(1, number // 2)
        anchor = next(line for line in reversed(self._done) if line["best"] and line["generation"] <= half)
        if self._anchor is None or self._anchor[0] != anchor["generation"]:
            self._anchor = anchor["generation"], _graph_of(self._run, anchor["generation"])
        contest = self._contest(graph, self._anchor[1], OTHER_OPENINGS + number, contests)
        measured = {"generation": anchor["generation"], **_as_data(contest)}
        return {"anchor": measured, "elo": _added(anchor["elo"], contest)}

    def _count_kept(self, graph: bytes) -> dict[str, Any]:
        """The share of solved positions whose value the policy keeps; None without a solver."""
        solved = None if self._judge else solved_positions(self._start)
        return {"solved": asdict(solved.measure(FastNetwork(graph, self._reading, exact=True)))} if solved else {}


def _begin(run: Run, done: int) -> Any:
    """The network to continue with: untrained, or from the last finished generation."""
    import keras

    keras.utils.set_random_seed(run.seed)
    model = _untrained(run)
    if done:
        _take_weights(run.checkpoint(done), model)
    elif run.given is not None:
        network, weights = take(Path(run.start_from or ""))
        if network != run.given:
            raise AzxError(f"'{run.start_from}' is not the network that the run began with: restore the file.")
        set_weights(model, weights)
    elif run.start_from is not None:
        _take_weights(Path(run.start_from), model)
    return model


def _untrained(run: Run) -> Any:
    network = run.given
    return network.build() if network else networks.build(networks.Design.read(run.recipe.net), run.reading)


def _graph_of(run: Run, generation: int) -> bytes:
    """The graph of a saved generation."""
    model = _untrained(run)
    _take_weights(run.checkpoint(generation), model)
    return write_graph(model)


def _take_weights(path: Path, model: Any) -> None:
    """Copy the weights of a saved network, whose policy ends with a softmax; AzxError if they do not fit."""
    try:
        layers = {call.layer.name: call.layer.weights for call in read_checkpoint(path).calls}
        for layer in model.layers:
            if layer.weights:
                saved = layers["policy_logits" if layer.name == "policy_head" else layer.name]
                layer.set_weights([saved[weight.name] for weight in layer.weights])
    except (AzxError, OSError, ValueError, KeyError) as error:
        reason = f"it has no {first_line(error)}" if isinstance(error, KeyError) else first_line(error).rstrip(".")
        raise AzxError(
            f"'{path}' is no network that this run can continue with ({reason}): restore the file, or begin another "
            f"run with its --net."
        ) from error


class _Clock:
    """Seconds of wall time of each part of a generation."""

    def __init__(self) -> None:
        self._last, self.seconds = time.monotonic(), dict[str, float]()

    def mark(self, name: str) -> None:
        now = time.monotonic()
        self.seconds[name], self._last = round(now - self._last, 2), now


def _as_data(contest: Contest) -> dict[str, float | None]:
    return {name: _finite(value) for name, value in asdict(contest).items()}


def _added(elo: float, contest: Contest) -> float:
    return round(elo + max(-MOST_ELO, min(MOST_ELO, contest.elo)), 1)


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
