"""The three apps say the same: a text that one of them lacks is a thing that it cannot do, or does not tell.

The Android app's resources are the list. The iOS app has every one of them; the web app, which speaks English alone and
makes some sentences up of parts, has those of `WEB`.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

PLACE = re.compile(r"%\d+\$(?:@|lld|s|d)")
LANGUAGES = {"values": "en", "values-zh-rCN": "zh-Hans"}
# A text that tells how to build an app, or names the app's own format: the app's name is in it.
OWN = {"no_games", "problem_no_artifact"}
# Texts of the Android app that the web app shows, by the names of the resources.
# fmt: off
WEB = [
    "tap_column", "tap_cell", "tap_edge", "tap_point", "tap_point_or_pass", "waiting", "you_won", "ai_won", "draw",
    "you", "ai", "red", "yellow", "blue", "orange", "black", "white", "you_pass", "ai_passes", "hint_move", "move_of",
    "boxes_score", "captured", "go_score", "even", "chances", "chances_now", "pass", "undo", "hint", "stop",
    "new_game", "mode_play", "mode_replay", "first_position", "one_back", "one_on", "last_position", "simulations",
    "depth", "win_rate", "unknown", "strength", "policy_only", "begins_random", "begins_you", "begins_ai",
    "always_heat", "self_test", "largest_error", "best_move_web", "game_dots_and_boxes", "game_tictactoe",
    "cannot_play", "board_forbidden", "board_overline", "board_double_four", "board_double_three",
]
# fmt: on
# What the web app says in words of its own, as it has the room or lacks it.
WEB_WORDS = {"best_move_web": "Best move", "cannot_play": "Cannot be played: %1$s", "board_forbidden": "forbidden"}


def plain(text: str | None) -> str:
    """A text of a resource as it is shown."""
    text = text or ""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    return " ".join(text.split()).replace(r"\n", "\n").replace(r"\'", "'").replace(r"\"", '"')


def android(repository: Path, folder: str) -> dict[str, dict[str, str]]:
    """The Android app's texts by name and quantity, "other" where there is only one."""
    found = {}
    for path in (repository / "apps/android/app/src/main/res" / folder).glob("strings*.xml"):
        for node in ElementTree.parse(path).getroot():  # noqa: S314 (our own file)
            if node.tag == "plurals":
                found[node.attrib["name"]] = {item.attrib["quantity"]: plain(item.text) for item in node}
            else:
                found[node.attrib["name"]] = {"other": plain(node.text)}
    return found


def ios(repository: Path, language: str) -> dict[str, dict[str, str]]:
    """The iOS app's texts, in the same way."""
    strings = json.loads((repository / "apps/ios/App/Localizable.xcstrings").read_text(encoding="utf8"))["strings"]

    def quantities(unit: dict[str, Any]) -> dict[str, str]:
        if "stringUnit" in unit:
            return {"other": unit["stringUnit"]["value"]}
        return {name: each["stringUnit"]["value"] for name, each in unit["variations"]["plural"].items()}

    return {key: quantities(entry["localizations"][language]) for key, entry in strings.items()}


def words(texts: dict[str, str]) -> dict[str, str]:
    """Texts in which all places look alike: which type one has is a platform's own affair."""
    return {name: PLACE.sub(lambda found: found[0].split("$")[0], text) for name, text in texts.items()}


@pytest.mark.parametrize("folder", LANGUAGES)
def test_ios_has_every_text_of_android_in_the_same_words(repository: Path, folder: str) -> None:
    given, found = android(repository, folder), ios(repository, LANGUAGES[folder])
    assert len(given) > 150
    assert given.keys() <= found.keys(), sorted(given.keys() - found.keys())
    for key, texts in given.items():
        if key not in OWN:
            assert words(found[key]) == words(texts), key
    for key in OWN:
        assert "ndroid" in given[key]["other"] or "安卓" in given[key]["other"]
        assert "ndroid" not in found[key]["other"]
        assert "ios" in found[key]["other"].lower()


class Page(HTMLParser):
    """The texts and the attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name == "aria-label" and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(data.split()))


def web(repository: Path) -> list[str]:
    """Every text of the web app: those of its page, and what stands in quotes in its sources, places as %s."""
    app = repository / "apps/web"
    page = Page()
    page.feed((app / "index.html").read_text(encoding="utf8"))
    sources = "\n".join(path.read_text(encoding="utf8") for path in sorted((app / "src").rglob("*.ts")))
    quoted = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', sources)
    return page.texts + [re.sub(r"\$\{[^{}]*\}", "%s", one or other) for one, other in quoted]


def bare(text: str) -> str:
    """A text without what only one of the apps writes: round apostrophes, marks at its end."""
    return text.replace("’", "'").rstrip(" .!:,")


@pytest.mark.parametrize("name", WEB)
def test_web_has_the_texts_that_it_shares(repository: Path, name: str) -> None:
    text = WEB_WORDS.get(name) or android(repository, "values")[name]["other"]
    wanted = bare(PLACE.split(text)[0])
    assert wanted
    has_places = PLACE.search(text) is not None
    texts = web(repository)
    assert any(each.startswith(wanted) if has_places else bare(each) == wanted for each in texts), wanted


def test_the_table_of_apps_has_a_row_for_each_thing_and_says_what_ios_is(repository: Path) -> None:
    text = (repository / "docs" / "apps.md").read_text(encoding="utf8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    assert rows[0] == ["", "web", "Android", "iOS"]
    things = rows[2:]
    assert len({row[0] for row in things}) == len(things) > 30
    assert {len(row) for row in rows} == {4}
    assert all(all(row) for row in things)
    # Nobody has run the iOS app: what it has is "written", and only what runs on Linux is said to be tested.
    assert {row[3].split(",")[0].split(":")[0] for row in things} <= {"written", "tested on Linux", "no"}
    assert {row[column].split(",")[0].split(":")[0] for row in things for column in (1, 2)} <= {"yes", "no"}
