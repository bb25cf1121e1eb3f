"""The files of a sweep: results.csv, results.parquet if pyarrow is installed, the rating curves as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..pages.drawing import write_png
from ..system.exchange import replace_file, replace_text
from .outcome import COLUMNS, Outcome, Row

if TYPE_CHECKING:
    from .rated import Standings

CSV, PARQUET, PNG = "results.csv", "results.parquet", "ratings.png"


def write(outcomes: Sequence[Outcome], folder: Path) -> list[Path]:
    """Write the table in each form available here; returns the files. BundleError if the disk refuses."""
    rows = [row for outcome in outcomes for row in outcome.rows()]
    replace_text(folder / CSV, as_csv(rows))
    if find_spec("pyarrow") is None:
        return [folder / CSV]
    _write_parquet(rows, folder / PARQUET)
    return [folder / CSV, folder / PARQUET]


def write_curves(standings: Sequence[Standings], folder: Path) -> list[Path]:
    """Write the rating curve of each game, one below the other, as ratings.png; returns the file.

    Writes nothing if no networks played or Pillow is not installed. BundleError if the disk refuses.
    """
    if not standings or find_spec("PIL") is None:
        return []
    replace_file(folder / PNG, lambda part: write_png([each.curve for each in standings], part))
    return [folder / PNG]


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows below a line of column names, taken from the first row; unknown values are empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _write_parquet(rows: Sequence[Row], path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    kinds = {"equal": pyarrow.bool_()} | dict.fromkeys(("bytes", "positions", "parameters", "games"), pyarrow.int64())
    floats = ("max_error", "limit", "best_move", "seconds", "elo", "elo_low", "elo_high", "points", "superiority")
    kinds |= dict.fromkeys(floats, pyarrow.float64())
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    table = pyarrow.Table.from_pylist(rows, schema)
    replace_file(path, lambda part: pyarrow.parquet.write_table(table, part))
