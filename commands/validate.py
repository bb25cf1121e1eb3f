"""`azx validate`: prove a bundle again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .reports import strength

if TYPE_CHECKING:
    from ..bundle.validate import ValidateResult

# By which the checkpoint is read, for its games too.
READING = ("against", "config", "builder", "preset", "board", "allow_code")


@click.command()
@click.argument("bundle", required=False, type=options.FILE)
@click.option("--against", metavar="CHECKPOINT", help="The checkpoint that the bundle was made from.")
@click.option("--inputs", type=options.FILE, metavar="FILE.npz", help="Your own positions; needs --against.")
@click.option("--positions", "count", type=click.IntRange(1), help="Another number of positions; needs --against.")
@options.also_option
@options.require_option
@options.architecture_options
@options.code_option
@strength.strength_options
@options.loudness_options
@options.json_option
def validate(bundle: Path | None, quiet: bool, verbose: bool, as_json: bool, **chosen: Any) -> None:
    """Check every file of BUNDLE and prove every artifact in it, each in its own runtime.

    Without BUNDLE the one written last is taken. With --against what manifest.json and golden.json say is derived from
    the checkpoint again and compared, member by member. Without it the artifacts are compared with the 20 positions
    recorded in golden.json, and what is said of them with the artifacts and the rules of the game; the output says what
    that does not prove. Exit code 1 for a damaged bundle, 3 where an artifact is not equal to the original or the
    bundle says of itself what is not so.

    With --strength the artifacts then play the checkpoint of --against, or, without it, the float32 artifact of their
    format: with as many simulations for a move, and with as many as the same time buys. Games are kept in azx-matches:
    the same command goes on where it was stopped.
    """
    playing = strength.taken(chosen)
    from ..bundle.validate import NotEqualBundle, NotProvedBundle, validate_bundle

    loudness = options.loudness(quiet, verbose)
    try:
        with output.progress("Validating", None, loudness) as step:
            done = validate_bundle(bundle, on_step=step, **chosen)
    except (NotEqualBundle, NotProvedBundle) as error:
        if as_json:
            error.report = output.plain(_data(error.result))
        else:
            _show(error.result, quiet)
        raise
    if not as_json:
        _show(done, quiet)
    played = None
    if playing is not None:
        reading = {name: chosen[name] for name in READING}
        played = strength.play(done.folder, done.manifest, reading, playing, loudness)
    if as_json:
        output.print_json(_data(done) | (strength.as_data(played) if played else {}))
    elif played:
        strength.show(played)


def _data(done: ValidateResult) -> dict[str, Any]:
    seconds = round(done.seconds, 3)
    proof = {**done.proof.as_data(), "passed": done.passed}
    return {"folder": done.folder, "passed": done.passed, "seconds": seconds, **proof, "claims": done.claims.as_data()}


def _show(done: ValidateResult, quiet: bool) -> None:
    from .proof_report import print_claims, print_proof, print_verdict
    from .reports.gate import print_gates

    if not quiet:
        print_proof(done.proof, done.manifest)
        print_gates(done.proof, done.manifest)
        print_claims(done.claims)
    if done.passed:
        print_verdict(done.folder, done.proof, done.seconds)
