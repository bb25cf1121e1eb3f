"""Decides which network is the best of its game: a new one must pass the test against the present best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...bundle.case.reading import UNKNOWN
from ...bundle.contents.manifest import load_manifest, read_manifest
from ...errors import AzxError
from ...games.known.recognition import by_name
from ...match.rating.sprt import in_words
from ...mobile_assets.best import name_of
from ...mobile_assets.install import OK, clear_up_after, install, list_installed
from ...system.disk import is_full
from . import events
from .champions import Champions, identity_of
from .contest import Terms, contest
from .events import Event, Tell


class Judge:
    """Compares the bundles of the folder `output`, and puts each new best network into `app`, if given.

    `chosen_game` is the value of --game, None without it.
    """

    def __init__(
        self, output: Path, terms: Terms, app: Path | None, kind: str | None, tell: Tell, chosen_game: str | None = None
    ) -> None:
        self._output, self._terms, self._app, self._kind, self._tell = output, terms, app, kind, tell
        self._chosen_game = chosen_game
        self._champions = Champions(output)

    def judge(self, bundle: Path) -> None:
        """Let a bundle play the best of its game; the first network of a game becomes its best without playing.

        If it cannot play, the reason is reported; raises AzxError or OSError if the disk is full.
        """
        manifest = read_manifest(bundle)
        game = name_of(manifest)
        if game is None:
            reason = _unplayable(self._chosen_game)
            self._tell(Event(events.NOT_PLAYED, bundle.name, f"does not play: {reason}", {"message": reason}))
            return
        identity, best = identity_of(bundle), self._champions.best(game)
        if best is None:
            self._crown(game, bundle, None)
        elif identity_of(best) != identity and not self._champions.find_contest(identity, self._terms.as_data()):
            result = self._play(game, bundle, best)
            if result is not None:
                self._decide(game, bundle, {"game": game, "net": bundle.name, "identity": identity, **result})

    def install_all(self) -> None:
        """Put those best networks into the app that it lacks, for example after a watch that was killed."""
        if self._app is not None:
            clear_up_after(self._app, kind=self._kind)  # if the app has them all, no install follows that would do so
        for game in self._champions.games():
            self._install(game)

    def _play(self, game: str, bundle: Path, best: Path) -> dict[str, Any] | None:
        """The result of the contest; None if there was none."""
        rival = self._champions.bundle_of(game)

        def begin(pairs: int, logged: int) -> None:
            went_on = f", after {logged} games of it before" if logged else ""
            text = f"plays {rival}, the best of {game}, in at most {pairs} pairs of games{went_on}"
            about = {"game": game, "against": rival, "pairs": pairs, "logged": logged}
            self._tell(Event(events.PLAYING, bundle.name, text, about))

        try:
            result = contest(bundle, best, self._terms, self._output, begin)
        except AzxError as error:
            if is_full(error):
                raise
            about = {"game": game, "against": rival, "message": str(error)}
            self._tell(Event(events.NOT_PLAYED, bundle.name, f"does not play {rival}: {error}", about))
            return None
        return {"against": rival, "against_identity": identity_of(best), **result, "terms": self._terms.as_data()}

    def _decide(self, game: str, bundle: Path, result: dict[str, Any]) -> None:
        if result["passed"]:
            self._crown(game, bundle, result)
        else:
            self._champions.add(result)
            self._tell(Event(events.PLAYED, bundle.name, _verdict(result), result))

    def _crown(self, game: str, bundle: Path, result: dict[str, Any] | None) -> None:
        """Make a bundle the best of its game, and install it; `result` is None for the first network."""
        folder = self._champions.crown(game, bundle, load_manifest(bundle), result)
        if result is not None:
            self._tell(Event(events.PLAYED, bundle.name, _verdict(result), result))
        first = ", as the first" if result is None else ""
        about = {"game": game, "folder": folder, "first": result is None}
        self._tell(Event(events.BEST, bundle.name, f"is the best of {game}{first}: {folder}", about))
        self._install(game)

    def _install(self, game: str) -> None:
        """Put the best of a game into the app, under the game's name, unless it is there already."""
        app, best = self._app, self._champions.best(game)
        if app is None or best is None:
            return
        bundle = self._champions.bundle_of(game)
        try:
            whole = {entry.name: entry for entry, _, state in list_installed(app, kind=self._kind) if state == OK}
            # The manifest is the first of a bundle's files, and has the hashes of all others.
            if game in whole and whole[game].files[0].sha256 == identity_of(best):
                return
            placed = install(best, app, kind=self._kind, name=game)
        except AzxError as error:
            if is_full(error):
                raise
            about = {"app": app, "message": str(error)}
            self._tell(Event(events.NOT_INSTALLED, bundle, f"is not installed: {error}", about))
            return
        about = {"app": app, "folder": placed.folder, "problems": [problem.as_data() for problem in placed.problems]}
        self._tell(Event(events.INSTALLED, bundle, f"installed: {placed.folder}", about))


def _unplayable(chosen: str | None) -> str:
    """Why a bundle without a game does not play, and what to do; `chosen` is the value of --game."""
    if chosen == UNKNOWN:
        return "--game none leaves its game out"
    if chosen is None:
        return "its game is not known: say it with --game, or how the network reads its board with --encoding"
    title = by_name(chosen).title
    return (
        f"it may play {title}, but how it reads the board is not known: choose a name that `azx games {chosen}` lists, "
        "and say it with --encoding"
    )


def _verdict(result: Mapping[str, Any]) -> str:
    """The result of a contest in words."""
    gate, pairs = result["terms"]["gate"], result["pairs"]
    return (
        f"{in_words(result['passed'], gate['elo0'], gate['elo1'])} against {result['against']}, after {pairs} pairs of "
        f"games ({result['points']:g} of {2 * pairs} points)"
    )
