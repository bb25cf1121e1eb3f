"""The cluster that --backend and --scheduler name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ..system.installed import missing
from .backends import DASK, RAY, RAY_IS_GONE
from .cluster import Cluster, ClusterError

_PACKAGE = "distributed"


@contextmanager
def connect(backend: str, scheduler: str | None) -> Iterator[Cluster]:
    """The workers of a cluster, which have this machine's versions; ClusterError if they cannot be used."""
    if backend == RAY:
        raise ClusterError(RAY_IS_GONE)
    if find_spec(_PACKAGE) is None:
        raise ClusterError(f"{missing(_PACKAGE, DASK)}.")
    with Cluster(scheduler) as cluster:
        cluster.check_versions()
        yield cluster
