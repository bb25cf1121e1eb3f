"""Why a network does not play in a watch: by what its user said of its game, and what to say instead."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from azx.match.rating.sprt import Sprt
from azx.sweeps.watch.contest import Terms
from azx.sweeps.watch.events import Event
from azx.sweeps.watch.judge import Judge


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (None, "its game is not known: say it with --game, or how the network reads its board with --encoding"),
        ("none", "--game none leaves its game out"),
        (
            "tictactoe",
            "it may play Tic-tac-toe, but how it reads the board is not known: choose a name that "
            "`azx games tictactoe` lists, and say it with --encoding",
        ),
    ],
)
def test_a_network_that_does_not_play_is_told_what_is_missing(
    said: str | None, reason: str, small_bundle: Path, tmp_path: Path
) -> None:
    bundle = Path(shutil.copytree(small_bundle, tmp_path / "gen0004"))
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    for member in ("game", "encoding", "actions", "settings", "assumed"):
        manifest.pop(member, None)
    (bundle / "manifest.json").write_text(json.dumps({**manifest, "game": None}), encoding="utf8")
    told: list[Event] = []
    Judge(tmp_path, TERMS, None, None, told.append, said).judge(bundle)
    [event] = told
    assert (event.kind, event.text, event.data) == ("not_played", f"does not play: {reason}", {"message": reason})


TERMS = Terms(Sprt(0, 35), 2, 0)
