"""The table of a bundle's artifacts: formats and precisions, with the measurements of each."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from ..export.formats.precisions.precision import FP32
from ..export.formats.table import FORMATS
from ..manifest import Manifest
from . import words
from .figures import ArtifactBench, ArtifactFigures, Figures
from .markup import BAD, GOOD, OPEN, add, cell, mark, table

Cells = dict[str, tuple[str, str]]
ARTIFACT, SIZE, ERROR, MOVES = "Artifact", "Size", "Error", "Best move kept"
LATENCY, PLAYOUTS, ELO = "An answer takes", "Playouts/s", "Elo"
# Beyond this multiple of its limit, a figure is not written as a number.
MOST_USED = 1000
COLUMNS = (SIZE, ERROR, MOVES, LATENCY, PLAYOUTS, ELO)


def artifacts_table(
    parent: Element,
    artifacts: Mapping[str, ArtifactFigures],
    sizes: Mapping[str, int],
    measured: Mapping[str, ArtifactBench],
    strengths: Mapping[str, tuple[str, str]],
) -> None:
    """Draw a row for each artifact, by path, and for each further runtime; columns without values are left out."""
    rows: list[tuple[Figures, Cells]] = []
    for path, artifact in artifacts.items():
        rows.append((artifact, _cells(artifact, sizes, artifacts, measured.get(path), strengths.get(path))))
        rows += [(each, _answers(each)) for each in artifact.also]
    columns = [name for name in COLUMNS if any(cells.get(name) for _, cells in rows)]
    body = table(parent, (ARTIFACT, *columns))
    for each, cells in rows:
        line = add(body, "tr")
        _name(add(line, "td"), each)
        for name in columns:
            figure, note = cells.get(name, ("", ""))
            cell(line, name, figure, note)


def share_text(share: float) -> str:
    """The `share` of positions that keep their best move, 0 to 1, as text; 100 % only if all keep it."""
    return f"{100 if share >= 1 else min(100 * share, 99.99):.4g} %"


def tone(artifact: Figures) -> str:
    """Whether it is good, bad or open; open means not proved here, or outside its gate but kept on request."""
    if not artifact.proved:
        return OPEN
    if artifact.passed:
        return GOOD
    return BAD if artifact.problems or artifact.precision == FP32 else OPEN


def _name(name: Element, artifact: Figures) -> None:
    mark(name, tone(artifact))
    where = f" in {artifact.further}" if artifact.further else ""
    add(name, "b", f"{title(artifact.format)} {artifact.precision}{where}")
    add(name, "small", artifact.file)
    add(name, "small", f"{words.NOT_PROVED}: {artifact.reason}" if not artifact.proved else artifact.runtime)


def of_limit(used: float) -> str:
    """The share of its limit that a figure uses: "25 % of its limit", "3.2 x its limit"."""
    if used <= 1:
        return f"{100 * used:.0f} % of its limit"
    return f"{used:.2g} x its limit" if used < MOST_USED else "far over its limit"


def title(format_name: str) -> str:
    """The name of a format for people."""
    return FORMATS[format_name].title if format_name in FORMATS else format_name


def _cells(
    artifact: ArtifactFigures,
    sizes: Mapping[str, int],
    artifacts: Mapping[str, ArtifactFigures],
    measured: ArtifactBench | None,
    strength: tuple[str, str] | None,
) -> Cells:
    """For each column, the value and the small text below it."""
    size = sizes.get(artifact.file, 0)
    whole = next(
        (each for each in artifacts.values() if each.format == artifact.format and each.precision == FP32), None
    )
    of_whole = size / sizes[whole.file] if whole and whole is not artifact and sizes.get(whole.file) else None
    cells: Cells = {SIZE: (f"{size / 1e6:.2f} MB", f"{of_whole:.2f} of fp32" if of_whole else "")}
    cells |= _answers(artifact)
    if measured is not None and "p50" in measured.latency:
        ratio = f"{measured.ratio:.2f} x quickest" if measured.ratio is not None else ""
        cells[LATENCY] = (f"{measured.latency['p50'] * 1e3:.3g} ms", ratio)
    if measured is not None and measured.playouts_per_second is not None:
        cells[PLAYOUTS] = (f"{measured.playouts_per_second:,.0f}", "")
    return cells | ({ELO: strength} if strength else {})


def _answers(artifact: Figures) -> Cells:
    """The cells on an artifact's answers."""
    cells: Cells = {ERROR: _error(artifact)} if artifact.proved else {}
    if artifact.best_move is not None:
        cells[MOVES] = (share_text(artifact.best_move), "")
    return cells


def _error(artifact: Figures) -> tuple[str, str]:
    """The figure that uses the largest share of its limit, and that limit."""
    if artifact.gate is not None:
        closest = artifact.gate.closest
        if closest is None:
            return "not a number", ""
        return of_limit(closest.check.used), closest.check.clause
    worst = artifact.worst
    if worst is None:
        return "no answer", ""
    error = "not a number" if worst.max_error is None else f"{worst.max_error:.1e}"
    return error, f"{worst.head}, limit {worst.limit:.1e}"


def strengths_in(manifest: Manifest) -> dict[str, tuple[str, str]]:
    """For each artifact, the Elo difference from the original, at equal time if such games exist, and its basis."""
    strengths: dict[str, tuple[str, str]] = {}
    for each in sorted(manifest.strength or (), key=lambda played: played.equal):
        how = f"{_points(each.elo.low)} to {_points(each.elo.high)} at equal {each.equal}, {each.games:,} games"
        value, below = strengths.get(each.artifact, ("", ""))
        # "time" sorts after "simulations", so the result for equal simulations is already present and moves behind it.
        strengths[each.artifact] = (_points(each.elo.value), f"{how}; {value}, {below}" if value else how)
    return strengths


def _points(elo: float | None) -> str:
    return "no bound" if elo is None else f"{elo:+.0f}"
