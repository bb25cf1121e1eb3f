"""The shipped checkpoints as bundles, for the apps' builds: `make bundles`.

They go to build/bundles/<name>, in float32; TF.js also in the smallest precision inside its gate, because a browser
waits for every byte. An up-to-date bundle stays: it is whole, and made from the same checkpoint by this azx with the
installed converters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..bundle.contents.manifest import MANIFEST, load_manifest
from ..bundle.contents.manifest_model import read_part
from ..bundle.contents.shipped_search import TUNED, UNTUNED
from ..bundle.folder import amend
from ..errors import BundleError, ConversionError
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.located import FOLDER as CHECKPOINTS
from ..export.checkpoint.located import shipped_names
from ..export.formats.precisions.precision import FP16, INT8_WEIGHTS, MixedArtifact
from ..export.formats.table import FORMATS
from ..manifest import Artifact, Manifest, Search, Tuned, members
from ..version import __version__

FOLDER = Path(__file__).resolve().parent.parent / "build" / "bundles"
# What `azx export --format tfjs --precision auto` chose for each network, and the layers that it left in float. Finding
# them again takes minutes, proving them against the gate takes seconds. Tic-tac-toe has only 9 kB anyway.
SMALL = {
    "connect4": MixedArtifact("tfjs", INT8_WEIGHTS, ("conv2d",)),
    "dots_and_boxes": MixedArtifact("tfjs", FP16),
    "go": MixedArtifact(
        "tfjs",
        INT8_WEIGHTS,
        (
            "stem_conv",
            "block0_first_conv",
            "block0_second_conv",
            "block1_second_conv",
            "block2_first_conv",
            "block3_second_conv",
            "policy_head",
            "value_hidden",
        ),
    ),
    "gomoku": MixedArtifact(
        "tfjs",
        INT8_WEIGHTS,
        ("stem_conv", "block1_first_conv", "block2_second_conv", "block3_first_conv", "block3_second_conv"),
    ),
    "hex": MixedArtifact(
        "tfjs",
        INT8_WEIGHTS,
        ("stem_conv", "block0_first_conv", "block0_second_conv", "block1_first_conv", "block1_second_conv"),
    ),
    "reversi": MixedArtifact(
        "tfjs",
        INT8_WEIGHTS,
        (
            "block0_first_conv",
            "block0_second_conv",
            "block1_second_conv",
            "block2_first_conv",
            "block2_second_conv",
            "policy_logits",
        ),
    ),
}


def built_bundles() -> list[Path]:
    """The existing bundles of the shipped checkpoints, by name."""
    folders = (FOLDER / name for name in shipped_names())
    return [folder for folder in folders if (folder / MANIFEST).is_file()]


def is_up_to_date(folder: Path, checkpoint: Path) -> bool:
    """Whether a new export of the checkpoint would give the existing bundle."""
    from ..bundle.contents.describe import converter_versions

    try:
        manifest = load_manifest(folder)
    except BundleError:
        return False
    made = manifest.checkpoint.sha256, manifest.azx_version, manifest.converters
    written = {artifact.format for artifact in manifest.artifacts}
    missing = [entry for entry in FORMATS.values() if entry.name not in written and not entry.experimental]
    writable = [entry.name for entry in missing if entry.unavailable() is None]
    small = SMALL.get(checkpoint.stem)
    has_small = small is None or any(_is_written_so(artifact, small) for artifact in manifest.artifacts)
    # The export of a shipped network does not record these members.
    needed = members(Manifest).keys() - {"chosen", "auto", "strength", "assumed", "search", "tuned"}
    whole = needed <= (manifest.present or set())
    return whole and has_small and made == (sha256(checkpoint), __version__, converter_versions()) and not writable


def _is_written_so(artifact: Artifact, small: MixedArtifact) -> bool:
    in_float = set(artifact.float_layers or ())
    return (artifact.format, artifact.precision, in_float) == (small.format, small.precision, set(small.in_float))


def make(name: str) -> bool:
    """Export a shipped checkpoint unless its bundle is up to date; returns whether it was exported.

    The network's search is noted in the bundle in either case. ConversionError if its small artifact differs from
    SMALL, because then the bundle would never be up to date.
    """
    from ..bundle.case.checkpoint import Checkpoint
    from ..bundle.export import export_checkpoint

    folder, checkpoint = FOLDER / name, CHECKPOINTS / f"{name}.h5"
    is_new = not is_up_to_date(folder, checkpoint)
    if is_new:
        small = SMALL.get(name)
        done = export_checkpoint(Checkpoint(checkpoint), output=folder, mixed=[small] if small else [])
        if small and (why := done.skipped.get(f"{small.format} {small.precision}")):
            raise ConversionError(f"'{checkpoint}': {why}. Correct SMALL[\"{name}\"] in '{Path(__file__).name}'.")
    note_search(folder, name)
    return is_new


def note_search(folder: Path, name: str) -> None:
    """Note in a shipped network's bundle how to search it: as tuning confirmed, else with early stopping."""
    manifest = load_manifest(folder)
    tuned = read_part(Tuned, TUNED[name]) if name in TUNED else None
    search = tuned.search if tuned else read_part(Search, UNTUNED)
    if (manifest.search, manifest.tuned) != (search, tuned):
        amend(folder, manifest, lambda there: replace(there, search=search, tuned=tuned))


def sizes(folder: Path) -> dict[str, int]:
    """The bytes that an app of each platform carries for a bundle: its artifact, golden.json and the manifest."""
    from .app_artifact import for_platform
    from .installed_index import describe

    manifest = load_manifest(folder)
    return {
        platform: describe(folder, manifest, folder.name, for_platform(folder, manifest, platform)).size
        for platform in manifest.recommended
    }


def table(sizes_of: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Lines with the megabytes of each bundle on each platform, and their sum."""
    platforms = sorted({platform for row in sizes_of.values() for platform in row})
    total = {platform: sum(row.get(platform, 0) for row in sizes_of.values()) for platform in platforms}
    rows: list[tuple[str, Mapping[str, int]]] = [*sizes_of.items(), ("together", total)]
    lines = [f"{'MB':16}" + "".join(f"{platform:>9}" for platform in platforms)]
    for name, row in rows:
        cells = (f"{row[platform] / 1e6:9.2f}" if platform in row else f"{'-':>9}" for platform in platforms)
        lines.append(f"{name:16}" + "".join(cells))
    return lines


def main() -> None:
    """Make all bundles and print their sizes."""
    for name in shipped_names():
        print(f"{FOLDER / name}: {'exported' if make(name) else 'up to date'}", flush=True)  # noqa: T201
    for line in table({folder.name: sizes(folder) for folder in built_bundles()}):
        print(line)  # noqa: T201


if __name__ == "__main__":
    main()
