"""`azx train` as a function."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bundle.export import BUNDLES
from ..errors import AzxError
from ..export.checkpoint.located import find_checkpoint
from ..export.checkpoint.run_folder import RUN
from ..runs.actors import actors
from ..runs.brought import bring
from ..runs.generations import Training
from ..runs.now import Now
from ..runs.publish import publish
from ..runs.run import LOCK, Run, begin_run, open_run
from ..system.lock import hold_lock
from ..system.progress import Fraction, no_step

RUNS = Path("runs")
_LOG = logging.getLogger("azx.train")
Event = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Trained:
    """A run: its folder, a mapping for each generation made now, and the number of the best generation of all.

    `bundle` is the folder of the best network's bundle, None if it was not exported.
    """

    folder: Path
    generations: tuple[Mapping[str, Any], ...]
    best: int
    bundle: Path | None

    def _repr_html_(self) -> str:
        """The generations as a table, for notebooks."""
        from ..pages.notebook import html_table

        rows = [
            (line["generation"], f"{line['elo']:+.0f}" if "elo" in line else "", f"{line['policy_loss']:.3f}",
             f"{line['value_loss']:.3f}", "best" if line["generation"] == self.best else "")
            for line in self.generations
        ]  # fmt: skip
        return html_table(str(self.folder), ("generation", "Elo", "policy loss", "value loss", ""), rows)


def _open(
    what: str | Path,
    output: str | Path | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    start_from: str | Path | None = None,
    encoding: str | Path | None = None,
    note: Callable[[str], None],
    recipe: Mapping[str, Any],
) -> Run:
    """The run that `train_network` begins or resumes; its parameters are of the same names."""
    chosen = dict(recipe)
    settings = dict(settings or {})
    if (Path(what) / RUN).is_file():
        changed = [name for name, value in (*settings.items(), *chosen.items()) if value is not None]
        changed += ["start-from"] if start_from is not None else []
        if changed or output is not None:
            named = ", ".join(f"--{name}" for name in changed) or "--output"
            raise AzxError(f"'{what}' is a run, whose {named} cannot change: leave it out, or begin another.")
        return open_run(Path(what))
    game, place = str(what), RUNS / what if output is None else Path(output)
    if start_from is None:
        if encoding is not None:
            raise AzxError("--encoding says how the network of --start-from reads the board: give both.")
        return begin_run(place, game, settings, chosen, seed, None)
    # Before anything is written, since a run's folder stands for its best network.
    source = find_checkpoint(start_from).absolute()
    brought = bring(source, game, settings, None if encoding is None else Path(encoding))
    if brought.given is not None:
        if chosen["net"] is not None:
            raise AzxError(f"'{source}' has layers of its own: leave --net out.")
        chosen["net"] = source.stem
    run = begin_run(
        place, game, brought.settings, chosen, seed, str(source), reading=brought.reading, given=brought.given
    )
    if brought.given is not None:
        note(f"{source.name}: {brought.reading.line}")
    return run


def _train(  # noqa: PLR0913 - each is a keyword
    run: Run,
    *,
    minutes: float | None,
    generations: int | None,
    workers: int,
    backend: str,
    scheduler: str | None,
    bundles: str | Path | None,
    on_event: Event,
    on_generation: Event,
    on_progress: Fraction | None,
) -> Trained:
    """Train an open run; the parameters are those of `train_network`."""
    begun, lines = time.monotonic(), list[Mapping[str, Any]]()

    def share() -> float:
        return 0.0 if minutes is None else min(1.0, (time.monotonic() - begun) / (60 * minutes))

    def report(doing: str) -> None:
        _LOG.info("%s: %s", run.folder, doing)
        if on_progress is not None:
            by_count = 0.0 if generations is None else len(lines) / generations
            on_progress(min(0.99, max(share(), by_count)), doing)

    busy = AzxError(f"'{run.folder}' is being trained by another process: wait for it, or begin another run.")
    with hold_lock(run.folder / LOCK, busy), Now(run.folder) as now, actors(backend, scheduler, workers) as players:

        def tell(event: Mapping[str, Any]) -> None:
            on_event(event)
            now.event(dict(event))

        training = Training(run, players)
        report("training")
        with closing(training.generations(share, tell, generations)) as made:
            for generation in made:
                lines.append(generation.line)
                on_generation(generation.line)
                report(f"generation {generation.number}")
                if share() >= 1:
                    break
        best = training.best
    folder = None
    if bundles is not None:
        on_event({"event": "exporting", "generation": best})
        folder = publish(run, best, Path(bundles))
    if on_progress is not None:
        on_progress(1.0, f"generation {best} is the best")
    return Trained(run.folder, tuple(lines), best, folder)


def train_network(  # noqa: PLR0913 - each is a keyword
    what: str | Path,
    output: str | Path | None = None,
    *,
    minutes: float | None = None,
    generations: int | None = None,
    settings: Mapping[str, Any] | None = None,
    net: str | None = None,
    games: int | None = None,
    simulations: int | None = None,
    rate: float | None = None,
    seed: int = 0,
    start_from: str | Path | None = None,
    encoding: str | Path | None = None,
    workers: int = 1,
    backend: str = "local",
    scheduler: str | None = None,
    bundles: str | Path | None = BUNDLES,
    on_begin: Callable[[Run], None] = no_step,
    on_note: Callable[[str], None] = no_step,
    on_event: Event = no_step,
    on_generation: Event = no_step,
    on_progress: Fraction | None = None,
) -> Trained:
    """Train a network of a game from nothing: it plays itself, learns from its games, and is judged.

        done = azx.train_network("tictactoe", "runs/first", generations=3)
        print(done.best, done.bundle)

    Without `minutes` and `generations` it trains until KeyboardInterrupt. A killed run loses only the generation under
    way; call this function with its folder to resume.

    Args:
        what: a game's name, or the folder of an earlier run, which resumes.
        output: the run's folder; runs/GAME if left out.
        minutes: train for this time, with a rate that falls over the second half.
        generations: how many more to make.
        settings: of the game's board, such as {"size": 9} or {"rows": 6, "columns": 7}.
        net: BLOCKSxFILTERS such as "4x32", "cells:BLOCKSxFILTERS" (one policy for every cell),
            "dense:LAYERSxUNITS", or "counting:LAYERSxUNITS" (dense, counting drawn edges); by game if left out, as the
            next three.
        games: games of each generation.
        simulations: simulations of each move.
        rate: the learning rate.
        seed: of all draws.
        start_from: a network to begin with.
        encoding: how that network reads the board, if its answers do not show it.
        workers: processes of this machine that play.
        backend: "local", or "dask" for the workers of a cluster.
        scheduler: the cluster's address.
        bundles: the folder for the best network's bundle; None for no export.
        on_begin: receives the run before its first generation.
        on_note: receives how a network of `start_from` that keeps its layers reads the board.
        on_event: receives each event of the generation under way.
        on_generation: receives each finished generation.
        on_progress: receives the fraction that is done, from 0 to 1, and what is done; 1 comes at the end.

    Returns:
        The run's folder, its generations, the best one and its bundle.

    Raises:
        AzxError: the run cannot be begun or resumed, or another process trains it.

    """

    def note(sentence: str) -> None:
        _LOG.info("%s", sentence)
        on_note(sentence)

    how: dict[str, Any] = {"settings": settings, "seed": seed, "start_from": start_from, "encoding": encoding}
    recipe = {"net": net, "games": games, "simulations": simulations, "rate": rate}
    run = _open(what, output, note=note, recipe=recipe, **how)
    on_begin(run)
    return _train(
        run,
        minutes=minutes,
        generations=generations,
        workers=workers,
        backend=backend,
        scheduler=scheduler,
        bundles=bundles,
        on_event=on_event,
        on_generation=on_generation,
        on_progress=on_progress,
    )
