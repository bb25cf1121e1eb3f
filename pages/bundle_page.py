"""report.html: a single file with a bundle's proof, the largest errors, and where they occur.

The page loads no script, picture or font, and its content policy forbids the browser to load any.
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
from .figures import ArtifactBench, ArtifactFigures, Bench, Explanation, ProofFigures, read_proof
from .markup import BAD, GOOD, MARKS, OPEN, add, as_text, document, is_written_by
from .plots import latency_bars
from .tables import artifacts_table, strengths_in, title, tone

# The next export recognizes the page by this mark.
MARK = "azx report"
BENCH, GAMES_PLAYED = "How long an answer takes was not measured", "Games against the original were not played"
LAYERS = "Drift over the layers was not looked at"
# The parts that a page may lack, and the commands that add them.
COMMANDS = {
    BENCH: "azx report BUNDLE --bench",
    GAMES_PLAYED: "azx validate BUNDLE --strength",
    LAYERS: "azx explain BUNDLE --json > layers.json; azx report BUNDLE --explanation layers.json",
}
# The most sentences in the verdict and the most artifacts drawn, so that a phone can open every page.
MOST_SAID, MOST_DRAWN = 6, 20


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts for a page beside the manifest and the proof; None and empty ones are left out.

    `golden` names the file whose answers replaced the original's, if one did. `note` is a clause on the origin of the
    figures. `problems` are sentences on false statements of the bundle. If `is_recorded`, nothing was compared for the
    page: it shows what the exporter recorded.
    """

    bench: Bench | None = None
    golden: str | None = None
    note: str = ""
    problems: Sequence[str] = ()
    explanation: Explanation | None = None
    is_recorded: bool = False


def is_report(path: Path) -> bool:
    """Whether `azx report` or `azx export` wrote the file; another program's file may have the same name."""
    return is_written_by(MARK, path)


def page(manifest: Manifest, parity: Mapping[str, Any], version: str, facts: Facts | None = None) -> str:
    """The page as text, from a sound manifest and from parity.json; BundleError if parity.json is not sound.

    `version` is that of the azx that writes the page.
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
    is_there = {BENCH: bool(measured), GAMES_PLAYED: is_played, LAYERS: facts.explanation is not None}
    _foot(main, manifest, version, [what for what in COMMANDS if not is_there[what]])
    return as_text(html)


def _place(names: Iterable[str], name: str) -> int:
    """The place of a name in `names`; an unknown name comes last."""
    known = list(names)
    return known.index(name) if name in known else len(known)


def _lead(main: Element, manifest: Manifest) -> None:
    """Draw the bundle's name, game and origin."""
    checkpoint = manifest.checkpoint
    add(main, "h1", manifest.name)
    game = GAMES[manifest.game].title if manifest.game in GAMES else "game unknown"
    settings = "".join(f", {name} {value}" for name, value in (manifest.settings or {}).items())
    line = (
        f"{game}{settings} · {checkpoint.parameters:,} parameters · {checkpoint.file}, "
        f"{written_by(checkpoint.keras_version)}, SHA-256 {checkpoint.sha256[:12]}…"
    )
    add(main, "p", line, class_="soft lead")
    for doubt in list_doubts(manifest):
        add(main, "p", doubt, class_="doubt")


def _verdict(main: Element, proof: ProofFigures, artifacts: Sequence[ArtifactFigures], facts: Facts) -> None:
    """Draw the verdict in the terminal's words, its grounds, and the facts against it or not tested."""
    lacking = [each for each in artifacts if not each.proved]
    ran = [each for each in artifacts if each.proved]
    equal = [each for each in ran if each.precision == FP32]
    inside = [each for each in ran if each.precision != FP32 and each.passed]
    outside = len(ran) - len(equal) - len(inside)
    good = proof.passed and not facts.problems
    kind = BAD if not good else OPEN if lacking or outside else GOOD
    card = add(main, "section", class_=f"card verdict {kind}")
    headline = add(card, "p", class_="said")
    add(headline, "span", MARKS[kind], class_="badge", aria_hidden="true")
    original = words.recorded_answers(proof.positions, facts.golden) if facts.golden else words.THE_ORIGINAL
    boards = None if facts.golden else proof.positions + proof.fresh.positions
    exact_ones = words.EqualArtifacts(len(equal), sum(each.is_shown for each in equal), boards, original)
    summary = words.verdict(exact_ones, len(inside), outside, len(lacking))
    # Approximations need not be equal.
    exact = all(each.passed for each in equal) and not facts.problems
    failed = words.OUTSIDE_ITS_GATE if exact and len(equal) < len(ran) else words.NOT_EQUAL
    add(headline, "span", f"{words.capitalize(summary)}." if good else failed)
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
        add(card, "p", f"Lower precisions must pass the gate on {'; '.join(kinds)}.", class_="soft")
    for note in (*proof.notes, *([facts.note] if facts.note else [])):
        add(card, "p", f"Note: {note}", class_="soft")


def _calculations(
    main: Element, manifest: Manifest, artifacts: Mapping[str, ArtifactFigures], *, is_recorded: bool
) -> None:
    """Write one sentence per float32 artifact: how its bytes compare with the checkpoint."""
    sentences = {}
    for path, each in artifacts.items():
        entry = manifest.artifact(path)
        stated = each.compared if is_recorded else entry.calculation if entry else None
        sentences[path] = words.calculation(None if is_recorded else each.compared, stated)
    if any(sentences.values()):
        add(main, "h2", "Read back beside the checkpoint")
        listed = add(add(main, "section", class_="card"), "ul")
        for path, sentence in sentences.items():
            if sentence:
                add(listed, "li", f"{path}: {sentence}")


def _auto(main: Element, manifest: Manifest) -> None:
    for chosen in manifest.auto or ():
        fell = [(each.precision, each.why) for each in chosen.fell]
        line = words.auto_took(title(chosen.format), chosen.chosen, fell)
        add(main, "p", f"{words.capitalize(line)}.", class_="soft")


def _measurements(bench: Bench | None, sizes: Mapping[str, int]) -> dict[str, ArtifactBench]:
    """The figures of exactly these artifacts in their own runtimes.

    The size tells an artifact from another of its name.
    """
    artifacts = bench.artifacts if bench else []
    return {each.path: each for each in artifacts if sizes.get(each.path) == each.size and each.further is None}


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
    """Draw each artifact's errors and worst positions; the artifact nearest its limits comes first and is open."""
    farthest = sorted((each for each in artifacts if each.trace), key=lambda each: -each.used)[:MOST_DRAWN]
    if not farthest:
        return
    explained = {Path(each.path).name: each for each in (explanation.artifacts if explanation else [])}
    add(main, "h2", "How far off, and where")
    for at, artifact in enumerate(farthest):
        artifact_details(main, manifest, artifact, explained.get(artifact.file), is_open=at == 0)


def _foot(main: Element, manifest: Manifest, version: str, missing: Sequence[str]) -> None:
    """Write what the page lacks, and the commands that add it."""
    foot = add(main, "footer")
    if missing:
        add(foot, "p", "Not in this report:")
        listed = add(foot, "ul")
        for what in missing:
            add(add(listed, "li", f"{what}: "), "code", COMMANDS[what])
    add(foot, "p", f"Written by azx {version} from manifest.json and parity.json of the bundle "
        f"'{manifest.name}'; no hash guards parity.json.")  # fmt: skip
