"""`azx validate`: prove a bundle again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import against_original, output

if TYPE_CHECKING:
    from ..bundle.validate import ValidateResult


@command()
@click.argument("bundle", required=False, type=options.FILE)
@click.option("--against", metavar="CHECKPOINT", help="The checkpoint that the bundle was made from.")
@options.file_option("--inputs", metavar="FILE.npz", help="Your own positions; needs --against.")
@click.option("--positions", "count", type=click.IntRange(1), help="Another number of positions; needs --against.")
@from_fields.also_option
@from_fields.require_option
@from_fields.architecture_options
@from_fields.code_option
@against_original.strength_options
@options.loudness_options
@options.json_option
def validate(bundle: Path | None, quiet: bool, verbose: bool, as_json: bool, **chosen: Any) -> None:
    """Check every file of BUNDLE and prove every artifact in it, each in its own runtime.

    Without BUNDLE azx takes the one written last below the current folder, and names it. With --against it derives
    manifest.json and golden.json from the checkpoint again and compares them, member by member. Without it the
    artifacts are compared with the 20 positions in golden.json. The bundle's statements are checked against the
    artifacts and the rules of the game. The output says what that does not prove. Exit code 1: the bundle is damaged,
    or an artifact does more than calculate; nothing was run. Exit code 3: an artifact differs from the original, or the
    bundle makes a false statement about itself.

    With --strength the artifacts then play the checkpoint of --against or, without it, the float32 artifact of their
    format. They play once with the same number of simulations for a move, and once with the same time. Games are kept
    in azx-matches: the same command resumes.
    """
    playing = against_original.take_options(chosen)
    from ..bundle.validate import NotEqualBundle, NotProvedBundle, validate_bundle

    against = options.take_original(chosen)
    loudness = options.loudness(quiet, verbose)
    bundle = options.bundle_or_last(bundle, "Validating", loudness)
    try:
        with output.progress("Validating", None, loudness) as step:
            done = validate_bundle(bundle, against=against, on_step=step, **chosen)
    except (NotEqualBundle, NotProvedBundle) as error:
        if as_json:
            error.report = output.plain(_data(error.result))
        else:
            _show(error.result, loudness)
        raise
    if not as_json:
        _show(done, loudness)
    played = None
    if playing is not None:
        played = against_original.play(done.folder, done.contents, against, playing, loudness)
    if as_json:
        output.print_json(_data(done) | (against_original.as_data(played) if played else {}))
    elif played:
        against_original.show(played)


def _data(done: ValidateResult) -> dict[str, Any]:
    from ..pages import words

    seconds = round(done.seconds, 3)
    compared = {artifact.file for artifact in done.proof.artifacts if artifact.calculation}
    stated = {each.path: each.calculation for each in done.contents.artifacts if each.path not in compared}
    proof = {**done.proof.as_data(), "passed": done.passed}
    return {
        "folder": done.folder,
        "passed": done.passed,
        "seconds": seconds,
        **proof,
        "claims": done.claims.as_data(),
        "recorded": {path: words.calculation(None, calculation) for path, calculation in stated.items() if calculation},
        "not_listed": done.unlisted,
    }


def _show(done: ValidateResult, loudness: output.Loudness) -> None:
    from .printed.gate import print_gates
    from .printed.proof import print_claims, print_proof, print_verdict

    if loudness is not output.Loudness.QUIET:
        print_proof(done.proof, done.contents)
        print_gates(done.proof, done.contents)
        print_claims(done.claims, loudness)
        if done.unlisted:
            output.warning(done.unlisted)
    if done.passed:
        listed = loudness is output.Loudness.VERBOSE
        print_verdict(done.folder, done.proof, done.seconds, len(done.claims.unproved), listed=listed)
