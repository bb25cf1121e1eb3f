"""Turns nets (bundles, checkpoints or names of shipped networks) into bundles, for an app or a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol, TypedDict

from ..bundle.case.checkpoint import Checkpoint
from ..bundle.case.keywords import ReadOptions
from ..bundle.case.settings import as_settings
from ..bundle.contents import playable
from ..bundle.contents.manifest import load_manifest
from ..mobile_assets.served import Purpose, ServedBundle, is_bundle, serve_checkpoint
from ..system.progress import Step, no_step


class _GameOptions(TypedDict, total=False):
    game: str | None
    encoding: str | Path | None
    value_head: str | None
    policy_head: str | None


class NetOptions(ReadOptions, _GameOptions, total=False):
    """Facts that a checkpoint's file may lack: how it is read, which game it plays, what its outputs are."""


class Exports(Protocol):
    """Follows the exports of checkpoints that become bundles on the way."""

    def begin(self, net: Path) -> AbstractContextManager[Step]:
        """A checkpoint's export begins; the function receives the name of each step."""
        return nullcontext(no_step)

    def end(self, net: Path, made: ServedBundle) -> None:
        """The export is done, or was in the cache."""
        return


class SilentExports(Exports):
    """Ignores all progress."""


def one_or_more(nets: str | Path | Sequence[str | Path]) -> list[Path]:
    """Several nets, or one, as paths."""
    return [Path(nets)] if isinstance(nets, (str, Path)) else [Path(net) for net in nets]


def bundles_of(
    nets: Sequence[Path], purpose: Purpose, options: Mapping[str, Any], exports: Exports | None = None
) -> list[Path]:
    """The bundle of each net: its own folder, or the one exported from a checkpoint, kept in the user's cache.

    `options` are those of `NetOptions`, for the checkpoints. AzxError as from an export, NotEqual if the proof fails,
    BundleError if the purpose is to play it and no app can.
    """
    exports = exports or SilentExports()
    settings = dict(options)
    named = [field.name for field in fields(Checkpoint) if field.name in settings]
    like = Checkpoint(**{name: settings.pop(name) for name in named})
    made = {}
    for net in nets:
        if is_bundle(net):
            continue
        with exports.begin(net) as step:
            made[net] = serve_checkpoint(like.at(net), as_settings(**settings), purpose=purpose, on_step=step)
        if purpose.is_played:
            advice = f" `azx describe {net}` asks how it reads its board, and --encoding takes the answers."
            playable.check_playable(net, load_manifest(made[net].folder), advice=advice)
        exports.end(net, made[net])
    return [made[net].folder if net in made else net for net in nets]
