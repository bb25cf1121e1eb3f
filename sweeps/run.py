"""A sweep: each checkpoint is exported and proved as `azx export` does it, several at a time, and a failure stops none.

    swept = sweep(["runs/first"], output=Path("bundles"), jobs=2)

A job is a thread with two processes that stay loaded (`validate/workers.py`): TensorFlow and the converters, which take
longer to import than a network takes to convert, are loaded once for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bundle.artifacts.plan import planned
from ..bundle.export import BUNDLES
from ..cluster.backends import LOCAL
from ..errors import AzxError
from ..export.formats.precisions.precision import FP32, listed
from ..export.formats.table import ALL, as_names, check_also, choose
from ..validate.workers import Workers
from . import page, table
from .done import Notes, key_of
from .exported import OnStep, exported
from .found import Item, find
from .held import held
from .outcome import PROVED, Outcome
from .pool import in_pool

if TYPE_CHECKING:
    from ..cluster.cluster import Cluster
    from .rated import Matches, Standings

OnOutcome = Callable[[Outcome], None]


@dataclass(frozen=True, eq=False)
class Sweep:
    """What a sweep did: `outcomes` in the order of the checkpoints, `files` with their table, in `folder`.

    `standings` are those of each game, where the networks played.
    """

    folder: Path
    outcomes: list[Outcome]
    files: list[Path]
    seconds: float
    standings: tuple[Standings, ...] = ()


class SweepError(AzxError):
    """Some checkpoints of a sweep failed; the exit code is the worst that their exports had."""

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
    """One for each two cores that this process may use: an export keeps two processes busy."""
    from loky import cpu_count

    return max(1, int(cpu_count()) // 2)


def sweep(
    checkpoints: Sequence[str | Path],
    *,
    output: Path = BUNDLES,
    jobs: int | None = None,
    backend: str = "local",
    scheduler: str | None = None,
    matches: Matches | None = None,
    on_begin: Callable[[int], None] = lambda count: None,
    on_step: OnStep = lambda item, name: None,
    on_outcome: OnOutcome = lambda outcome: None,
    **options: Any,
) -> Sweep:
    """Export and prove each checkpoint into a folder of its own below `output`; what is done already stays.

    Args:
        checkpoints: files, folders, patterns and shipped names, as `found.find` takes them.
        output: the folder of the bundles.
        jobs: how many exports at a time, from 1; None for `default_jobs`. On a cluster its workers tell.
        backend: "local", or the engine of a cluster, "dask" or "ray" (docs/scaling.md).
        scheduler: the cluster's address; None for the one that the engine's own settings name.
        matches: how the networks are to play each other when all are exported, on the cluster where there is one; None
            where they are not to.
        on_begin: told the number of checkpoints.
        on_step: told what begins, by any thread.
        on_outcome: told of each checkpoint that is done, in the order in which they end.
        options: those of `export_checkpoint`, for every checkpoint.

    Returns:
        What became of each; the failure of one raises nothing.

    Raises:
        AzxError: before anything is done, for what concerns all of them: no such checkpoint, no such format, a folder
            that is in use by another sweep or cannot be one's, a cluster that cannot be used (ClusterError; also later,
            where it is lost).

    """
    started = time.perf_counter()
    asked = as_names(options.get("formats", ALL))
    written, _ = choose(asked, as_names(options.get("without", ())))
    check_also(options.get("also", ()), written)
    planned(written, listed(as_names(options.get("precision", FP32))), asked)
    items = find(checkpoints)
    on_begin(len(items))
    done: dict[str, Outcome] = {}
    with held(output, "azx sweep"), _cluster(backend, scheduler) as cluster:
        notes = Notes(output)

        def one(item: Item, workers: Workers) -> tuple[Outcome, str | None]:
            key = key_of(item, options)
            return notes.kept(item, key) or exported(item, workers, output, on_step, options), key

        def ended(told: tuple[Outcome, str | None]) -> None:
            outcome, key = told
            if outcome.status == PROVED:
                notes.add(outcome, key)
            done[outcome.item.name] = outcome
            on_outcome(outcome)

        if cluster is None:
            in_pool(items, jobs or default_jobs(), one, ended)
        else:
            from .on_cluster import on_cluster

            on_cluster(items, cluster, output, notes, on_step, ended, options)
        outcomes = [done[item.name] for item in items]
        standings: tuple[Standings, ...] = ()
        if matches is not None:
            from . import standing
            from .rated import rate

            ratings = rate(outcomes, output, matches if cluster is None else _played_on(cluster, matches))
            standing.write(output, ratings, outcomes)
            standings, outcomes = ratings.standings, [ratings.told_to(outcome) for outcome in outcomes]
        curves = table.write_curves(standings, output)
        files = [*table.write(outcomes, output), *curves, page.write(outcomes, output, standings)]
    return Sweep(output, outcomes, files, time.perf_counter() - started, standings)


@contextmanager
def _cluster(backend: str, scheduler: str | None) -> Iterator[Cluster | None]:
    """The cluster of a backend; None where that is this machine."""
    if backend in LOCAL:
        yield None
        return
    from ..cluster.connect import connected

    with connected(backend, scheduler) as cluster:
        yield cluster


def _played_on(cluster: Cluster, matches: Matches) -> Matches:
    from ..cluster.players import ClusterPlayers

    return replace(matches, players=lambda: nullcontext(ClusterPlayers(cluster)))
