"""A sweep exports and proves each checkpoint like `azx export`, several at a time; if one fails, the others continue.

    swept = sweep(["runs/first"], Recipe(), output=Path("bundles"), jobs=2)

A job is a thread with two processes that stay loaded (`system/workers.py`). So each job loads TensorFlow and the
converters only once; their import takes longer than the conversion of a network.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..bundle.export import BUNDLES
from ..bundle.precision.plan import plan_formats
from ..cluster.backends import LOCAL
from ..errors import AzxError
from ..export.formats.table import check_also, choose
from ..system.workers import Workers
from . import page, table
from .done import Notes, key_of
from .exported import export_item
from .held import hold_folder
from .outcome import PROVED, Outcome
from .pool import in_pool
from .recipe import Recipe
from .sources import Item, find
from .twins import copy_twin, find_twins

if TYPE_CHECKING:
    from ..cluster.cluster import Cluster
    from .rated import Matches, Standings


class Watcher(Protocol):
    """Receives the progress of a sweep."""

    def begin(self, count: int) -> None:
        """The sweep begins, with `count` checkpoints."""
        return

    def step(self, item: Item, name: str) -> None:
        """A step of one export begins; called from any thread."""
        return

    def outcome(self, outcome: Outcome) -> None:
        """A checkpoint is done; called in the order in which they end."""
        return


class SilentWatcher(Watcher):
    """Ignores all progress."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """The result of a sweep: `outcomes` in the order of the checkpoints, and `files` with their table, in `folder`.

    `standings` are those of each game, if the networks played.
    """

    folder: Path
    outcomes: list[Outcome]
    files: list[Path]
    seconds: float
    standings: tuple[Standings, ...] = ()


class SweepError(AzxError):
    """Some checkpoints of a sweep failed; the exit code is the worst of their exports."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        failed = [outcome for outcome in outcomes if outcome.code]
        first = failed[0]
        others = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
        super().__init__(
            f"{len(failed)} of {len(outcomes)} checkpoints failed (first '{first.item.checkpoint}'{others}): "
            "mend or leave out those listed above; the same command keeps what is done."
        )
        self.exit_code = max(outcome.code for outcome in failed)


def default_jobs() -> int:
    """The default number of jobs: one for each two usable cores, because an export keeps two processes busy."""
    from loky import cpu_count

    return max(1, int(cpu_count()) // 2)


def sweep(
    checkpoints: Sequence[str | Path],
    recipe: Recipe,
    *,
    output: Path = BUNDLES,
    jobs: int | None = None,
    backend: str = "local",
    scheduler: str | None = None,
    matches: Matches | None = None,
    watcher: Watcher | None = None,
) -> Sweep:
    """Export and prove each checkpoint into its own folder below `output`; what is already done stays.

    Args:
        checkpoints: files, folders, patterns and shipped names, as `sources.find` accepts them.
        recipe: how each of them is exported.
        output: the folder of the bundles.
        jobs: exports at a time, from 1; None for `default_jobs`. A cluster uses all its workers.
        backend: "local", or "dask" for the workers of a cluster (docs/scaling.md).
        scheduler: the cluster's address; None for the one in the engine's own settings.
        matches: how the networks play each other after all exports, on the cluster if one is given; None for no
            games.
        watcher: receives the progress.

    Returns:
        The outcome of each; a single failure raises nothing.

    Raises:
        AzxError: before the first export, for problems that concern all of them. These are a missing checkpoint, an
            unknown format, or a folder that another sweep uses or that cannot hold one. An unusable or lost cluster is
            a ClusterError, which can also come later.

    """
    started = time.perf_counter()
    settings, watcher = recipe.settings, watcher or SilentWatcher()
    written, _ = choose(settings.formats, settings.without)
    check_also(settings.also, written)
    plan_formats(written, settings.precisions, settings.formats)
    items = find(checkpoints)
    watcher.begin(len(items))
    done: dict[str, Outcome] = {}
    with hold_folder(output, "azx sweep"), _cluster(backend, scheduler) as cluster:
        notes = Notes(output)

        def one(item: Item, workers: Workers) -> tuple[Outcome, str | None]:
            key = key_of(item, recipe)
            return notes.find(item, key) or export_item(item, workers, output, watcher.step, recipe), key

        def finish(result: tuple[Outcome, str | None]) -> None:
            outcome, key = result
            if outcome.status == PROVED:
                notes.add(outcome, key, proved_here=cluster is None or recipe.verify)
            done[outcome.item.name] = outcome
            watcher.outcome(outcome)

        def export(some: Sequence[Item]) -> None:
            if cluster is None:
                in_pool(some, jobs or default_jobs(), one, finish)
            else:
                from .on_cluster import on_cluster

                on_cluster(some, cluster, output, notes, watcher.step, finish, recipe)

        twins = find_twins(items, recipe, lambda item: notes.find(item, key_of(item, recipe)) is not None)
        export([item for item in items if item.name not in twins])
        alone = []
        for item in (item for item in items if item.name in twins):
            key = key_of(item, recipe)
            outcome = notes.find(item, key) or copy_twin(item, done[twins[item.name].name], recipe)
            if outcome is None:  # each export reports its own failure
                alone.append(item)
            else:
                finish((outcome, key))
        if alone:
            export(alone)
        outcomes = [done[item.name] for item in items]
        standings: tuple[Standings, ...] = ()
        if matches is not None:
            from . import standing
            from .rated import rate

            ratings = rate(outcomes, output, matches if cluster is None else _play_on(cluster, matches))
            standing.write(output, ratings, outcomes)
            standings, outcomes = ratings.standings, [ratings.add_to(outcome) for outcome in outcomes]
        curves = table.write_curves(standings, output)
        files = [*table.write(outcomes, output), *curves, page.write(outcomes, output, standings)]
    return Sweep(output, outcomes, files, time.perf_counter() - started, standings)


@contextmanager
def _cluster(backend: str, scheduler: str | None) -> Iterator[Cluster | None]:
    """The cluster of a backend; None for this machine."""
    if backend in LOCAL:
        yield None
        return
    from ..cluster.cluster import connect

    with connect(backend, scheduler) as cluster:
        yield cluster


def _play_on(cluster: Cluster, matches: Matches) -> Matches:
    from ..cluster.players import ClusterPlayers

    return replace(matches, players=lambda: nullcontext(ClusterPlayers(cluster)))
