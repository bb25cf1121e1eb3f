"""A short run of the Connect4 recipe that keeps its versions: `python -m azx.training.connect4.versions`.

azx sweep runs/connect4 --match then rates them. Some minutes on two cores; the result depends only on the seed and
the number of steps.
"""

from __future__ import annotations

import math
from itertools import count
from pathlib import Path

from .. import recipe
from . import network
from .__main__ import CACHE, run

RUN = Path("runs") / "connect4"


def main() -> None:
    """Train from nothing and write versionN.h5 after each part of the run, counted in steps."""
    numbers = {"versions": 6, "positions": 8_000, "rate": 2e-3, "processes": 2}
    parser = recipe.options_of("connect4.versions", **numbers, cache=CACHE)
    parser.set_defaults(output=RUN, minutes=math.inf, data_minutes=math.inf)
    options = parser.parse_args()
    options.epochs = options.versions
    options.output.mkdir(parents=True, exist_ok=True)
    paths = (options.output / f"version{number}.h5" for number in count(1))
    run(options, lambda: network.build("channels_last"), lambda model: network.save(model, next(paths)))


if __name__ == "__main__":
    main()
