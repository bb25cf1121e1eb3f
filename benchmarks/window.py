"""Measures what the last generation of a run takes to prepare for its learner: with the window encoded anew, and kept.

    python -P benchmarks/window.py RUN

Times are of the processor.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from azx.learning.window import Window
from azx.runs.run import open_run, read_progress
from azx.self_play.played import PlayedGame, load_games


def main() -> None:
    """Print the number of positions, both times, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    run = open_run(parser.parse_args().run)
    start, last = run.game.begin(run.settings), len(read_progress(run))

    def games_of(generation: int) -> list[PlayedGame]:
        return load_games(run.games(generation), None)  # they are sound: a run reads its own games so

    def seconds(window: Window) -> float:
        begun = time.process_time()
        window.examples(last, games_of)
        return time.process_time() - begun

    kept = Window(start, run.reading, run.recipe.searched)
    positions = len(kept.examples(last - 1, games_of))
    here, anew = seconds(kept), seconds(Window(start, run.reading, run.recipe.searched))
    print(f"{positions:,} positions: encoded anew {anew:.2f} s, kept {here:.2f} s, {anew / here:.1f} times as fast")


if __name__ == "__main__":
    main()
