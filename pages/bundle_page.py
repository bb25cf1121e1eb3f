"""report.html: one file without any other that says what was proved of a bundle, and shows where it is off.

It asks for nothing: no script, no picture, no font comes from anywhere, and a policy in it tells the browser so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from ..export.formats.precisions.precision import FP32, PRECISIONS
from ..export.formats.table import FORMATS
from ..export.statements.doubts import list_doubts
from ..games.known.catalogue import GAMES
from ..manifest import Manifest, written_by
from . import words
from .details import artifact_details
from .figures import ArtifactFigures, Bench, Explanation, Measured, Proved, read_proof
from .markup import BAD, GOOD, MARKS, OPEN, add, as_text, document, is_written_by
from .plots import latency_bars
from .tables import artifacts_table, strengths_in, title, tone

# By which the next export knows the page for its own.
MARK = "azx report"
BENCH, GAMES_PLAYED = "How long an answer takes was not measured", "Games against the original were not played"
LAYERS = "Drift over the layers was not looked at"
# What a page may lack, and what gives it.
COMMANDS = {
    BENCH: "azx report BUNDLE --bench",
    GAMES_PLAYED: "azx validate BUNDLE --strength",
    LAYERS: "azx explain BUNDLE --json > layers.json; azx report BUNDLE --explanation layers.json",
}
# Sentences of the verdict; and artifacts in pictures, so that no bundle makes a page that a phone cannot open.
MOST_SAID, MOST_DRAWN = 6, 20


@dataclass(frozen=True, eq=False)
class Facts:
    """What a page shows beside the manifest and the proof; what is None or empty is left out.

    `golden` is the name of the file whose answers stood for the original's, where they did; `note` is a clause on how
    the figures came to be, `problems` are sentences on what the bundle says of itself and is not so. `is_recorded` says
    that nothing was compared for the page: it draws what the exporter recorded.
    """

    bench: Bench | None = None
    golden: str | None = None
    note: str = ""
    problems: Sequence[str] = ()
    explanation: Explanation | None = None
    is_recorded: bool = False


def is_report(path: Path) -> bool:
    """Whether the file is a page that `azx report` or `azx export` wrote, and no other of that name."""
    return is_written_by(MARK, path)


def page(manifest: Manifest, parity: Mapping[str, Any], version: str, facts: Facts | None = None) -> str:
    """The page as text, from a manifest that is sound and from parity.json; BundleError if that is not.

    `version` is that of the azx which writes it.
    """
    proof, facts = read_proof(parity), facts or Facts()
    sizes = {artifact.path: manifest.size_of(artifact.path) for artifact in manifest.artifacts}
    measured = _measurements(facts.bench, sizes)
    proved = {each.file: each for each in proof.artifacts}
    listed = sorted(manifest.artifacts, key=lambda e: (_place(FORMATS, e.format), _place(PRECISIONS, e.precision)))
    artifacts = {entry.path: proved[entry.path] for entry in listed if entry.path in proved}
    html, main = document(f"{manifest.name}: azx report", MARK, version)
    _lead(main, manifest)
    _verdict(main, proof, list(artifacts.values()), facts)
    _calculations(main, manifest, artifacts, is_recorded=facts.is_recorded)
    add(main, "h2", "Formats and precisions")
    strengths = strengths_in(manifest)
    artifacts_table(main, artifacts, sizes, measured, strengths)
    _auto(main, manifest)
    if any(each.latency for each in measured.values()):
        add(main, "h2", "How long an answer takes")
        card = add(main, "figure", class_="card")
        latency_bars(card, list(measured.values()))
        add(card, "figcaption", _describe_bench(facts.bench))
    _far_off(main, manifest, list(artifacts.values()), facts.explanation)
    is_played = bool(strengths) or not manifest.game
    seen = {BENCH: bool(measured), GAMES_PLAYED: is_played, LAYERS: facts.explanation is not None}
    _foot(main, manifest, version, [what for what in COMMANDS if not seen[what]])
    return as_text(html)


def _place(names: Iterable[str], name: str) -> int:
    """Where a name stands among those that there are; a name that is none of them comes last."""
    known = list(names)
    return known.index(name) if name in known else len(known)


def _lead(main: Element, manifest: Manifest) -> None:
    """Name, game and origin."""
    checkpoint = manifest.checkpoint
    add(main, "h1", manifest.name)
    game = GAMES[manifest.game].title if manifest.game in GAMES else "game unknown"
    settings = "".join(f", {name} {value}" for name, value in (manifest.settings or {}).items())
    told = (
        f"{game}{settings} · {checkpoint.parameters:,} parameters · {checkpoint.file}, "
        f"{written_by(checkpoint.keras_version)}, SHA-256 {checkpoint.sha256[:12]}…"
    )
    add(main, "p", told, class_="soft lead")
    for doubt in list_doubts(manifest):
        add(main, "p", doubt, class_="doubt")


def _verdict(main: Element, proof: Proved, artifacts: Sequence[ArtifactFigures], facts: Facts) -> None:
    """The verdict in the words of the terminal, what it rests on, and what speaks against it or was not run."""
    lacking = [each for each in artifacts if not each.proved]
    ran = [each for each in artifacts if each.proved]
    equal = [each for each in ran if each.precision == FP32]
    inside = [each for each in ran if each.precision != FP32 and each.passed]
    outside = len(ran) - len(equal) - len(inside)
    good = proof.passed and not facts.problems
    kind = BAD if not good else OPEN if lacking or outside else GOOD
    card = add(main, "section", class_=f"card verdict {kind}")
    said = add(card, "p", class_="said")
    add(said, "span", MARKS[kind], class_="badge", aria_hidden="true")
    original = words.recorded_answers(proof.positions, facts.golden) if facts.golden else words.THE_ORIGINAL
    boards = None if facts.golden else proof.positions + proof.fresh.positions
    exact_ones = words.Equal(len(equal), sum(each.is_shown for each in equal), boards, original)
    told = words.verdict(exact_ones, len(inside), outside, len(lacking))
    # An approximation never was to be equal.
    exact = all(each.passed for each in equal) and not facts.problems
    failed = words.OUTSIDE_ITS_GATE if exact and len(equal) < len(ran) else words.NOT_EQUAL
    add(said, "span", f"{words.capitalize(told)}." if good else failed)
    problems = [*(sentence for each in artifacts for sentence in each.problems), *facts.problems]
    notes = [f"{each.file}: {words.NOT_PROVED}: {each.reason}" for each in lacking]
    notes += [f"{each.file} is {words.OUTSIDE}" for each in ran if tone(each) == OPEN]
    more = [f"and {len(problems) - MOST_SAID} more, which parity.json lists"] if len(problems) > MOST_SAID else []
    if problems or notes:
        listed = add(card, "ul")
        for sentence in (*problems[:MOST_SAID], *more, *notes):
            add(listed, "li", sentence)
    add(card, "p", f"{words.describe_comparison(proof.description, proof.against)}.")
    if hidden := words.could_hide(proof.hidden, proof.fresh.seed):
        add(card, "p", hidden, class_="soft")
    kinds = dict.fromkeys(line for each in artifacts if each.gate for line in each.gate.positions)
    if kinds:
        add(card, "p", f"Lower precisions are held to the gate on {'; '.join(kinds)}.", class_="soft")
    for note in (*proof.notes, *([facts.note] if facts.note else [])):
        add(card, "p", f"Note: {note}", class_="soft")


def _calculations(
    main: Element, manifest: Manifest, artifacts: Mapping[str, ArtifactFigures], *, is_recorded: bool
) -> None:
    """What the bytes of each float32 artifact are beside the checkpoint, in one sentence each."""
    said = {}
    for path, each in artifacts.items():
        entry = manifest.artifact(path)
        stated = each.compared if is_recorded else entry.calculation if entry else None
        said[path] = words.calculation(None if is_recorded else each.compared, stated)
    if any(said.values()):
        add(main, "h2", "Read back beside the checkpoint")
        listed = add(add(main, "section", class_="card"), "ul")
        for path, sentence in said.items():
            if sentence:
                add(listed, "li", f"{path}: {sentence}")


def _auto(main: Element, manifest: Manifest) -> None:
    for chosen in manifest.auto or ():
        fell = [(each.precision, each.why) for each in chosen.fell]
        line = words.auto_took(title(chosen.format), chosen.chosen, fell)
        add(main, "p", f"{words.capitalize(line)}.", class_="soft")


def _measurements(bench: Bench | None, sizes: Mapping[str, int]) -> dict[str, Measured]:
    """Figures of these very artifacts in their own runtimes: another file of the same name has hardly the same size."""
    found = bench.artifacts if bench else []
    return {each.path: each for each in found if sizes.get(each.path) == each.size and each.further is None}


def _describe_bench(bench: Bench | None) -> str:
    if bench is None:
        return ""
    threads = "one thread" if bench.threads == 1 else f"{bench.threads} threads"
    return (
        f"The median, and lighter up to the 99th percentile; {threads}, {bench.rounds} rounds in turn. "
        "The ratios hold on a busy machine, the times do not."
    )


def _far_off(
    main: Element, manifest: Manifest, artifacts: Sequence[ArtifactFigures], explanation: Explanation | None
) -> None:
    """Each artifact's errors and worst positions, that which takes most of its limits first and open."""
    shown = sorted((each for each in artifacts if each.trace), key=lambda each: -each.used)[:MOST_DRAWN]
    if not shown:
        return
    explained = {Path(each.path).name: each for each in (explanation.artifacts if explanation else [])}
    add(main, "h2", "How far off, and where")
    for at, artifact in enumerate(shown):
        artifact_details(main, manifest, artifact, explained.get(artifact.file), is_open=at == 0)


def _foot(main: Element, manifest: Manifest, version: str, missing: Sequence[str]) -> None:
    """What the page could not know, and what tells it."""
    foot = add(main, "footer")
    if missing:
        add(foot, "p", "Not in this report:")
        listed = add(foot, "ul")
        for what in missing:
            add(add(listed, "li", f"{what}: "), "code", COMMANDS[what])
    add(foot, "p", f"Written by azx {version} from manifest.json and parity.json of the bundle "
        f"'{manifest.name}'; no hash guards parity.json.")  # fmt: skip
