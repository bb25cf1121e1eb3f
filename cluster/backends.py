"""The names of --backend; apart, so that a command's help loads nothing."""

from __future__ import annotations

# "loky" is what joblib calls processes of this machine; azx has its own, of which a killed one leaves nothing behind.
LOCAL = ("local", "loky")
CLUSTERS = ("dask", "ray")
BACKENDS = (*LOCAL, *CLUSTERS)
