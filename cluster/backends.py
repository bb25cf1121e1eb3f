"""The names of --backend, in a file of their own, so that a command's help loads nothing else."""

from __future__ import annotations

# "loky" is joblib's name for processes of this machine. azx has its own, which leave nothing behind when killed.
LOCAL = ("local", "loky")
DASK, RAY = "dask", "ray"
BACKENDS = (*LOCAL, DASK)
# Older commands name it.
RAY_IS_GONE = "Ray is no longer a backend, because Dask does all that it did: use dask (docs/scaling.md)."
