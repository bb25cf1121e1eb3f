"""`azx sweep` and `azx watch` as functions."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from ..bundle.case.checkpoint import Checkpoint, as_checkpoint
from ..bundle.case.keywords import ReadOptions
from ..bundle.case.option import takes_options
from ..bundle.case.settings import Settings, as_settings
from ..bundle.export import BUNDLES, ExportOptions
from ..match.rating.sprt import Sprt
from ..sweeps import sweep as sweeps
from ..sweeps.outcome import Outcome
from ..sweeps.rated import Matches
from ..sweeps.recipe import Recipe
from ..sweeps.sweep import SilentWatcher, Sweep, Watcher
from ..sweeps.watch.contest import Terms
from ..sweeps.watch.events import Event, Tell
from ..sweeps.watch.watch import Plan
from ..sweeps.watch.watch import watch as run_watch
from ..system.progress import Fraction, Progress, no_step
from .defaults import WATCH_GAMES, WATCH_GATE, WATCH_INTERVAL

_LOG = logging.getLogger("azx.watch")


def recipe_of(options: ExportOptions, *, verify: bool = False) -> Recipe:
    """How each checkpoint is read and exported, by the keywords of `export_checkpoint`."""
    chosen: dict[str, Any] = dict(options)
    reading = {name: chosen.pop(name) for name in ReadOptions.__annotations__ if name in chosen}
    return Recipe(as_checkpoint(None, **reading), as_settings(**chosen), verify)


@takes_options(Settings, Checkpoint)
def sweep_checkpoints(  # noqa: PLR0913 - each is a keyword
    checkpoints: str | Path | Sequence[str | Path],
    recipe: Recipe | None = None,
    *,
    output: str | Path = BUNDLES,
    jobs: int | None = None,
    backend: str = "local",
    scheduler: str | None = None,
    verify: bool = False,
    matches: Matches | None = None,
    watcher: Watcher | None = None,
    on_progress: Fraction | None = None,
    **options: Unpack[ExportOptions],
) -> Sweep:
    """Export each checkpoint, each proved equal to the original; results of an earlier sweep stay.

    Args:
        checkpoints: files, folders, patterns such as "runs/**/*.h5" and shipped names, or one of them.
        recipe: how each is read and exported, instead of the keywords of `export_checkpoint`.
        output: the folder of the bundles; results.csv and index.html lie there too.
        jobs: exports at a time; one for every two cores if left out.
        backend: "local", or "dask" for the workers of a cluster.
        scheduler: the cluster's address; that of Dask's own settings if left out.
        verify: on a cluster, prove each bundle on this machine too.
        matches: how the networks play each other afterwards; None for no games.
        watcher: receives each step and outcome.
        on_progress: receives the fraction of the checkpoints that is done, and the name of the last one.
        options: as below.

    Returns:
        The outcome of each checkpoint; if one fails, the others continue and nothing is raised.

    Raises:
        AzxError: before the first export, if a checkpoint is missing, a format is unknown, or the folder cannot be
            used. ClusterError if a cluster is lost.

    """
    sources = [checkpoints] if isinstance(checkpoints, (str, Path)) else list(checkpoints)
    made = recipe or recipe_of(options, verify=verify)
    followed = _Follower(watcher or SilentWatcher(), on_progress)
    how: dict[str, Any] = {"jobs": jobs, "backend": backend, "scheduler": scheduler, "matches": matches}
    done = sweeps.sweep(sources, made, output=Path(output), watcher=followed, **how)
    followed.end(f"{done.folder}: {len(done.outcomes)} checkpoints")
    return done


class _Follower(Watcher):
    """Counts a sweep's progress, and passes it on to another watcher."""

    def __init__(self, watcher: Watcher, on_progress: Fraction | None) -> None:
        self._watcher, self._on_progress = watcher, on_progress
        self._progress = Progress("azx.sweep", 1, on_progress=on_progress)

    def begin(self, count: int) -> None:
        self._watcher.begin(count)
        self._progress = Progress("azx.sweep", count + 1, on_progress=self._on_progress)
        self._progress(f"{count} checkpoints")

    def step(self, item: Any, name: str) -> None:
        self._watcher.step(item, name)

    def outcome(self, outcome: Outcome) -> None:
        self._watcher.outcome(outcome)
        self._progress(f"{outcome.item.name}: {outcome.status}")

    def end(self, result: str) -> None:
        """The sweep is over."""
        self._progress.end(result)


@takes_options(Settings, Checkpoint)
def watch_folder(  # noqa: PLR0913 - each is a keyword
    folder: str | Path,
    recipe: Recipe | None = None,
    *,
    output: str | Path = BUNDLES,
    app: str | Path | None = None,
    kind: str | None = None,
    gate: Sprt | tuple[float, float] = WATCH_GATE,
    games: int = WATCH_GAMES,
    simulations: int = 50,
    once: bool = False,
    interval: float = WATCH_INTERVAL,
    tell: Tell = no_step,
    **options: Unpack[ExportOptions],
) -> None:
    """Export each checkpoint in a folder once it is written whole, and let it play the best so far, until Ctrl-C.

    Args:
        folder: the folder that training writes into.
        recipe: how each is read and exported, instead of the keywords of `export_checkpoint`.
        output: the folder of the bundles; the best of each game lies in best-of/GAME there.
        app: an app's project that gets each new best network.
        kind: the app's kind, as in `install_bundle`.
        gate: (Elo0, Elo1): a new network becomes the best once it clearly leads by Elo1, not just Elo0.
        games: games of a contest at most.
        simulations: simulations of the search for each move; 0 plays by the policy alone.
        once: return when all present checkpoints are done.
        interval: seconds between two looks at the folder.
        tell: receives each event, from two threads.
        options: as below.

    Raises:
        AzxError: before the first export, if a folder, format or app does not exist, or the bundles' folder cannot be
            used.

    """

    def note(event: Event) -> None:
        _LOG.info("%s %s", event.name, event.text)
        tell(event)

    terms = Terms(gate if isinstance(gate, Sprt) else Sprt(*gate), games, simulations)
    place = None if app is None else Path(app)
    made = recipe or recipe_of(options)
    run_watch(Plan(Path(folder), terms, Path(output), place, kind, once, interval, made), note)
