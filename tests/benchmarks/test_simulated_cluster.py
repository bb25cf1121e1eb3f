"""The simulated cluster where a clock on paper says what it must take."""

from __future__ import annotations

from pathlib import Path

import pytest
from sibling import sibling

simulated = sibling(str(Path(__file__).parents[2] / "benchmarks" / "any"), "simulated_cluster")
NOTHING = simulated.Costs(
    load=0.0, place=1.0, processor=1.0, client=0.0, scheduler=0.0, per_megabyte=0.0, sent=0.0, returned=0.0
)


@pytest.mark.parametrize(
    ("told", "tasks", "places", "options", "seconds", "limit"),
    [
        ({}, 10, 1, {}, 10.0, "workers"),
        ({}, 10, 5, {}, 2.0, "workers"),
        ({}, 11, 5, {}, 3.0, "workers"),
        ({"load": 4.0}, 10, 5, {}, 6.0, "workers"),
        ({}, 10, 5, {"cores": 2}, 5.0, "workers"),
        ({"processor": 0.4}, 10, 5, {"cores": 2}, 2.0, "workers"),
        ({}, 8, 8, {"together": 4}, 2.0, "workers"),
        ({"client": 2.0}, 100, 50, {}, 201.0, "client"),
        ({"scheduler": 2.0}, 100, 50, {}, 201.0, "scheduler"),
        ({"per_megabyte": 0.1, "sent": 10.0}, 100, 50, {"link": 1e12}, 101.0, "scheduler"),
        ({"returned": 100.0}, 100, 50, {"link": 50.0}, 201.0, "link"),
    ],
)
def test_tasks_take_as_long_as_what_does_the_most(
    told: dict[str, float], tasks: int, places: int, options: dict[str, float], seconds: float, limit: str
) -> None:
    run = simulated.simulate(simulated.replace(NOTHING, **told), tasks, places, **options)
    assert run.seconds == pytest.approx(seconds, rel=0.02)
    assert run.limit == limit
    assert max(run.busy.values()) <= 1.0 + 1e-9


def test_a_client_with_few_tasks_ahead_keeps_all_places_busy() -> None:
    run = simulated.simulate(simulated.replace(NOTHING, client=0.001, scheduler=0.001), 1_000, 10)
    assert run.busy["workers"] > 0.98
