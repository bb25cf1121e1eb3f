"""The cluster that --backend and --scheduler name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ..export.installed import missing
from .cluster import Cluster, ClusterError

_PACKAGES = {"dask": "distributed", "ray": "ray"}


@contextmanager
def connected(backend: str, scheduler: str | None) -> Iterator[Cluster]:
    """The workers of a cluster, which have this machine's versions; ClusterError where they cannot be used."""
    if find_spec(_PACKAGES[backend]) is None:
        raise ClusterError(f"{missing(_PACKAGES[backend], backend)}.")
    from .dask_cluster import DaskCluster
    from .ray_cluster import RayCluster

    kind = DaskCluster if backend == "dask" else RayCluster
    with kind(scheduler) as cluster:
        cluster.check_versions()
        yield cluster
