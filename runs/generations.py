"""A run's work, generation by generation: play, learn, judge, write; the same after a kill as without one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import AzxError, first_line
from ..export.checkpoint.read import read_checkpoint
from ..learning import networks
from ..learning.judges import Contest, contest, exact_judge
from ..learning.learner import Learner
from ..learning.onnx_graph import write_graph
from ..learning.solved import solved_positions
from ..learning.window import examples_of, generations_in
from ..self_play.actor import Task
from ..self_play.fast_network import FastNetwork
from ..self_play.played import Played, load_games, save_games
from ..system.quietly import quietly
from . import page
from .actors import Harvest, Plays
from .learner_state import keep_state, restore_state
from .run import Run, add_progress, read_progress

# Games of the contest that a new network plays against the best one, and the simulations of its searches.
CONTEST_GAMES, CONTEST_SIMULATIONS = 40, 16
# The share of the points that makes a network the best one.
GATE = 0.52
# Forty games tell some hundred Elo at the most; what lies beyond counts as that.
MOST_ELO = 400.0
# Apart from the gate's contests, whose openings are drawn by the generation.
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
        """Counted from 1."""
        return int(self.line["generation"])


def rate_at(share: float) -> float:
    """The learning rate as a share of the recipe's, when this share of the run's time is over."""
    if share <= FALLS_FROM:
        return 1.0
    return float(FALLS_TO ** min(1.0, (share - FALLS_FROM) / (1 - FALLS_FROM)))


class Training:
    """A run that is being trained: its learner, its best network so far, and what plays."""

    def __init__(self, run: Run, actors: Plays) -> None:
        self._run, self._actors, self._reading = run, actors, run.reading
        # With all settings of the run: a reading has those of the board alone, and no rule or komi.
        self._start = run.game.begin(run.settings)
        self._done = read_progress(run)
        self._sound = set[int]()
        self._judge = exact_judge(self._start)
        # TensorFlow says a dozen lines as it is loaded.
        with quietly():
            self._learner = Learner(_begin(run, len(self._done)), self._reading, run.recipe, run.seed)
            if self._done:
                restore_state(self._learner.model, run.folder, len(self._done))
        self._best = _graph_of(run, self.best) if self.best else None

    @property
    def best(self) -> int:
        """The best generation so far; 0 if none is finished."""
        return next((int(line["generation"]) for line in reversed(self._done) if line["best"]), 0)

    def generations(self, time_share: Callable[[], float], tell: Tell = lambda event: None) -> Iterator[Generation]:
        """Make one generation after the other, without end.

        `time_share` is how much of the run's time is over, from 0 to 1. `tell` receives events of the one under way.
        """
        if self._done:
            page.write(self._run, self._done)  # a kill may have come before it was
        while True:
            yield Generation(self._make(len(self._done) + 1, time_share, tell))

    def _make(self, number: int, time_share: Callable[[], float], tell: Tell) -> dict[str, Any]:
        run, clock = self._run, _Clock()
        harvest = self._play(number, tell)
        games = harvest.games
        clock.mark("play")
        begun = time.process_time()
        played = sum(len(game.policies) for game in games)
        window = [game for each in generations_in(number - 1) for game in self._games_of(each)] + games
        examples = examples_of(window, self._start, self._reading)
        tell({"event": "learning", "generation": number, "positions": len(examples)})
        losses = self._learner.learn(examples, played, number, rate_at(time_share()))
        clock.mark("learn")
        tell({"event": "judging", "generation": number})
        graph = write_graph(self._learner.averaged)
        judged = self._compare(graph, number) | self._count_kept(graph)
        clock.mark("judge")
        networks.save(self._learner.averaged, run.checkpoint(number))
        keep_state(self._learner.model, run.folder, number)
        line = {
            "generation": number,
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
            "processor": round(harvest.processor + time.process_time() - begun, 2),
            "actors": {
                "places": harvest.places,
                "seconds": round(harvest.clock, 2),
                "processor": round(harvest.processor, 2),
            },
        }
        add_progress(run, line)
        if line["best"]:
            self._best = graph
        self._done.append(line)
        page.write(run, self._done)
        return line

    def _games_of(self, generation: int) -> list[Played]:
        """The games of a generation; none if somebody removed them to have room."""
        path = self._run.games(generation)
        if not path.exists():
            return []
        # What this process has written or read before is known to be games of this board.
        games = load_games(path, None if generation in self._sound else self._start)
        self._sound.add(generation)
        return games

    def _play(self, number: int, tell: Tell) -> Harvest:
        run, ended = self._run, 0

        def count(games: int) -> None:
            nonlocal ended
            ended += games
            tell({"event": "playing", "generation": number, "games": ended, "of": run.recipe.games})

        count(0)
        task = Task(self._start, run.recipe, run.seed * 100_003 + number, run.recipe.games)
        harvest = self._actors.play(task, write_graph(self._learner.averaged), self._reading, count)
        save_games(harvest.games, run.games(number))
        self._sound.add(number)
        return harvest

    def _compare(self, graph: bytes, number: int) -> dict[str, Any]:
        """The judge's figure or the contest against the best network, and whether this one is the best now."""
        start, network = self._start, FastNetwork(graph, self._reading)
        if self._judge is not None:
            figure = self._judge.measure(network, start)
            earlier = [line["figure"] for line in self._done]
            return {"figure": figure, "about": self._judge.about, "best": figure <= min(earlier, default=math.inf)}
        if self._best is None:
            return {"elo": 0.0, "best": True}
        best = FastNetwork(self._best, self._reading)
        found = contest(network, best, start, self._run.game, CONTEST_GAMES, CONTEST_SIMULATIONS, number)
        if found.points >= GATE * found.games:
            return {"contest": _as_data(found), **self._measure_best(network, number), "best": True}
        reached = next(line["elo"] for line in reversed(self._done) if line["best"])
        return {"contest": _as_data(found), "elo": _added(reached, found), "best": False}

    def _measure_best(self, network: FastNetwork, number: int) -> dict[str, Any]:
        """The Elo of a new best network, by games that did not choose it against the best one of half its age.

        The contest that it won does not measure it: who is chosen by a contest had luck in it. And differences that
        are added up over fewer contests add up fewer errors.
        """
        half = max(1, number // 2)
        anchor = next(line for line in reversed(self._done) if line["best"] and line["generation"] <= half)
        other = FastNetwork(_graph_of(self._run, anchor["generation"]), self._reading)
        seed = OTHER_OPENINGS + number
        found = contest(network, other, self._start, self._run.game, CONTEST_GAMES, CONTEST_SIMULATIONS, seed)
        told = {"generation": anchor["generation"], **_as_data(found)}
        return {"anchor": told, "elo": _added(anchor["elo"], found)}

    def _count_kept(self, graph: bytes) -> dict[str, Any]:
        """The share of solved positions whose value the policy alone keeps, where something here solves the game."""
        solved = None if self._judge else solved_positions(self._start)
        return {"solved": asdict(solved.measure(FastNetwork(graph, self._reading)))} if solved else {}


def _begin(run: Run, done: int) -> Any:
    """The network to go on with: untrained, or that of the last finished generation."""
    import keras

    keras.utils.set_random_seed(run.seed)
    model = networks.build(networks.Design.read(run.recipe.net), run.reading)
    if done:
        _take_weights(run.checkpoint(done), model)
    elif run.start_from is not None:
        _take_weights(Path(run.start_from), model)
    return model


def _graph_of(run: Run, generation: int) -> bytes:
    """The graph of a generation that was saved."""
    model = networks.build(networks.Design.read(run.recipe.net), run.reading)
    _take_weights(run.checkpoint(generation), model)
    return write_graph(model)


def _take_weights(path: Path, model: Any) -> None:
    """Give a network the weights of a saved one, whose policy has a softmax behind it; AzxError if they do not fit."""
    try:
        layers = {call.layer.name: call.layer.weights for call in read_checkpoint(path).calls}
        for layer in model.layers:
            if layer.weights:
                saved = layers["policy_logits" if layer.name == "policy_head" else layer.name]
                layer.set_weights([saved[weight.name] for weight in layer.weights])
    except (AzxError, OSError, ValueError, KeyError) as error:
        reason = f"it has no {first_line(error)}" if isinstance(error, KeyError) else first_line(error).rstrip(".")
        raise AzxError(
            f"'{path}' is no network that this run can go on with ({reason}): restore the file, or begin another run "
            "with the --net that it has."
        ) from error


class _Clock:
    """Seconds by the clock of each part of a generation."""

    def __init__(self) -> None:
        self._last, self.seconds = time.monotonic(), dict[str, float]()

    def mark(self, name: str) -> None:
        now = time.monotonic()
        self.seconds[name], self._last = round(now - self._last, 2), now


def _as_data(found: Contest) -> dict[str, float | None]:
    return {name: _finite(value) for name, value in asdict(found).items()}


def _added(elo: float, found: Contest) -> float:
    return round(elo + max(-MOST_ELO, min(MOST_ELO, found.elo)), 1)


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
