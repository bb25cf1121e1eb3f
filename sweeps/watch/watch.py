"""A watch exports and proves whatever training writes into a folder, like a sweep, and lets it play the best so far.

One thread looks at the folder. The caller's thread does all else, one checkpoint after the other. So Ctrl-C ends it
like an export or a match.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...bundle.export import BUNDLES
from ...errors import AzxError, BundleError, CheckpointError, first_line
from ...export.formats.table import FORMATS, choose
from ...mobile_assets.app_kinds import kind_of
from ...mobile_assets.best import FOLDER
from ...system.disk import PROBE, has_room, is_full, says_full
from ...system.temporary import temporary_folder
from ...system.workers import Workers
from .. import page, standing, table
from ..done import Notes, key_of
from ..exported import export_item
from ..held import hold_folder
from ..outcome import FAILED, PROVED, Outcome
from ..recipe import Recipe
from ..sources import Item
from . import events
from .arrivals import Arrival, Arrivals, looking
from .contest import LOGS, Terms
from .events import Event, Tell
from .files import copy_checkpoint, mark_of
from .judge import Judge

# Seconds between two attempts if the disk has room again but still refuses a write.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
_WAKE_SECONDS = 0.2


@dataclass(frozen=True)
class Plan:
    """The task of a watch.

    `app`, of a `kind` of `azx install`, gets each new best network. `once` ends the watch when all present checkpoints
    are done. `interval` is the number of seconds between two looks at `folder`. The bundles and the best networks lie
    in `output`. `recipe` says how to export each checkpoint.
    """

    folder: Path
    terms: Terms
    output: Path = BUNDLES
    app: Path | None = None
    kind: str | None = None
    once: bool = False
    interval: float = 0.25
    recipe: Recipe = field(default_factory=Recipe)


def watch(plan: Plan, tell: Tell) -> None:
    """Watch until Ctrl-C, or until all present checkpoints are done.

    Two threads report the events. A problem of a single checkpoint is an event and stops nothing.

    Raises:
        AzxError: before the first export, if a folder, format or app does not exist, or the bundles' folder is in use
            or not writable. Also later, if that folder can no longer be written for any reason except a full disk.

    """
    _check(plan)
    with ExitStack() as stack:
        stack.enter_context(hold_folder(plan.output, "azx watch"))
        (plan.output / PROBE).unlink(missing_ok=True)
        place = stack.enter_context(temporary_folder("watch"))
        workers = stack.enter_context(Workers())
        watching = _Watch(plan, tell, place, workers)
        stack.enter_context(looking(watching.arrivals, plan.interval, watching.cannot_look))
        watching.run()


def _check(plan: Plan) -> None:
    written, _ = choose(plan.recipe.settings.formats, plan.recipe.settings.without)
    if not plan.folder.is_dir():
        raise CheckpointError(f"There is no folder at '{plan.folder}': give the one that training writes into.")
    if plan.app is None:
        return
    platform = kind_of(plan.app, plan.kind).platform
    if platform is not None and not any(entry.platform == platform for entry in written):
        wanted = next(entry for entry in FORMATS.values() if entry.platform == platform)
        raise BundleError(f"'{plan.app}' loads {wanted.title}, which is not written: add --format {wanted.name}.")


class _Watch:
    """A watch at work."""

    def __init__(self, plan: Plan, tell: Tell, place: Path, workers: Workers) -> None:
        self._plan, self._tell, self._workers = plan, tell, workers
        self.arrivals = Arrivals(plan.folder, plan.recipe.like, place, tell)
        self._notes = Notes(plan.output)
        self._rated = standing.read(plan.output)
        self._judge = Judge(plan.output, plan.terms, plan.app, plan.kind, tell, plan.recipe.settings.game)
        self._outcomes: dict[str, Outcome] = {}
        self._complaint = ""

    def run(self) -> None:
        """Handle each arrival; KeyboardInterrupt ends it."""
        self._judge.install_all()
        while True:
            arrival = self.arrivals.take(_WAKE_SECONDS)
            if arrival is not None:
                self._do(arrival)
            elif self._plan.once and self.arrivals.is_done():
                return

    def cannot_look(self, error: Exception) -> None:
        """Report once why the folder cannot be looked at; called from the looking thread."""
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        sentence = f"'{self._plan.folder}' cannot be looked at ({reason}): it is tried again"
        if sentence != self._complaint:
            self._complaint = sentence
            self._tell(Event(events.NOT_LOOKED, "", sentence, {"folder": self._plan.folder, "message": sentence}))

    def _do(self, arrival: Arrival) -> None:
        """Handle one checkpoint, again and again while the disk is full."""
        pause = FIRST_PAUSE
        while True:
            try:
                self._export_and_play(arrival)
                return
            except (AzxError, OSError) as error:
                if not is_full(error) or self._plan.once:
                    raise
                if pause == FIRST_PAUSE:
                    where = f"there is no room in '{self._plan.output}': free some, and it continues ({error})"
                    about = {"folder": self._plan.output, "message": str(error)}
                    self._tell(Event(events.NO_ROOM, arrival.item.name, f"waits, {where}", about))
                self._wait_for_room(arrival, pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _wait_for_room(self, arrival: Arrival, pause: float) -> None:
        """Wait until the disk has room for as much as the checkpoint needs."""
        end = time.monotonic() + pause
        while time.monotonic() < end or not has_room(self._plan.output, arrival.size):
            time.sleep(min(self._plan.interval, _WAKE_SECONDS))
        self._tell(Event(events.ROOM, arrival.item.name, "is tried again", {"folder": self._plan.output}))

    def _export_and_play(self, arrival: Arrival) -> None:
        """Export, prove, note and let it play; a full disk raises an error, all else is reported."""
        path = arrival.item.checkpoint
        with temporary_folder("watch") as place:
            try:
                copy = copy_checkpoint(path, arrival.mark, place)
            except OSError as error:
                if is_full(error):
                    raise
                reason = error.strerror or first_line(error)
                message = f"'{path}' cannot be read ({reason}): see to its disk, and save it again."
                self._finish_one(Outcome(arrival.item, FAILED, code=1, message=message))
                return
            if copy is None:
                # If it has changed, its new state gets its own turn.
                if mark_of(path) is None:
                    self._tell(Event(events.GONE, path.name, "is gone before its turn", {"checkpoint": path}))
                return
            outcome = self._export(Item(copy, arrival.item.name))
        message = outcome.message.replace(str(copy), str(path))
        if outcome.status == FAILED and says_full(message):
            raise BundleError(message)
        self._finish_one(replace(outcome, item=arrival.item, message=message))
        if outcome.status != FAILED and outcome.folder is not None:
            self._judge.judge(outcome.folder)

    def _export(self, item: Item) -> Outcome:
        """Export it as a sweep does, or return the outcome that an earlier run noted."""
        recipe = self._plan.recipe
        if item.name.casefold() in (FOLDER, LOGS):
            taken = f"'{self._plan.output / item.name}' has another use here: give the checkpoint another name."
            return Outcome(item, FAILED, code=1, message=taken)
        key = key_of(item, recipe)
        if earlier := self._notes.find(item, key):
            return earlier
        outcome = export_item(item, self._workers, self._plan.output, lambda item, name: None, recipe)
        if outcome.status == PROVED:
            self._notes.add(outcome, key)
        return outcome

    def _finish_one(self, outcome: Outcome) -> None:
        """Report a checkpoint, and update the table of all."""
        name = outcome.item.name
        about: dict[str, Any] = {"checkpoint": outcome.item.checkpoint, "bundle": outcome.folder}
        about["seconds"] = round(outcome.seconds, 3)
        if outcome.status == FAILED:
            about |= {"message": outcome.message, "exit_code": outcome.code}
            self._tell(Event(events.FAILED, name, f"failed: {outcome.message}", about))
        else:
            took = f" in {outcome.seconds:.1f} s" if outcome.status == PROVED else ""
            self._tell(Event(outcome.status, name, f"{outcome.status}{took}", about))
        self._outcomes[name] = self._rated.add_to(outcome)
        table.write(list(self._outcomes.values()), self._plan.output)
        page.write(list(self._outcomes.values()), self._plan.output, self._rated.ratings.standings)
