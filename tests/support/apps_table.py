"""docs/apps.md, written from the list docs/apps.toml: `python -P tests/support/apps_table.py` writes it.

The list says of each thing which app has it, and which texts tell of it; test_apps.py holds the apps' texts to that.
"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

APPS = {"web": "web", "android": "Android", "ios": "iOS"}
# What an app's word on a thing may begin with: nobody has run the iOS app.
WORDS = {"web": {"yes", "no"}, "android": {"yes", "no"}, "ios": {"tested on Linux", "written", "no"}}
HEAD = """\
# What the three apps can do

<!-- Written by `make docs` from docs/apps.toml; a test fails when the two differ. -->

One row for each thing. **yes**: it is in the app and its tests run it. Of the iOS app, **tested on Linux** is said of
what its package does there, without a screen; **written** of what nobody has run: its sources compile against
declarations of our own, no more is known. The texts of all three stand in `apps/texts`; `tests/test_apps.py` holds them
to this table.

"""


@dataclass(frozen=True)
class Thing:
    """A thing that an app can do; `said` has each app's word on it, `texts` the keys of the texts that tell of it."""

    name: str
    said: dict[str, str]
    texts: tuple[str, ...]

    def word(self, app: str) -> str:
        """What the app's word begins with: "yes", "no", "written" or "tested on Linux"."""
        return self.said[app].split(",")[0].split(":")[0]


def things(repository: Path) -> list[Thing]:
    """The list; ValueError for an entry that has another member, lacks one, or says what there is no word for."""
    listed = tomllib.loads((repository / "docs" / "apps.toml").read_text(encoding="utf8"))["thing"]
    return [_thing(each) for each in listed]


def _thing(entry: dict[str, Any]) -> Thing:
    name = entry.get("name", "")
    if not name or set(entry) - {"texts"} != {"name", *APPS}:
        raise ValueError(f"docs/apps.toml: '{name}' has {', '.join(entry)}: give name, {', '.join(APPS)}, and texts.")
    found = Thing(name, {app: entry[app] for app in APPS}, tuple(entry.get("texts", ())))
    for app, words in WORDS.items():
        if found.word(app) not in words:
            raise ValueError(f"docs/apps.toml: '{name}' says '{found.said[app]}' of {app}: begin with {sorted(words)}.")
    return found


def table(repository: Path) -> str:
    """docs/apps.md as the list has it."""
    head = f"| | {' | '.join(APPS.values())} |\n|{'---|' * (len(APPS) + 1)}\n"
    rows = (f"| {' | '.join([each.name, *each.said.values()])} |\n" for each in things(repository))
    return HEAD + head + "".join(rows)


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    (root / "docs" / "apps.md").write_text(table(root), encoding="utf8")
    sys.stdout.write("docs/apps.md is written.\n")
