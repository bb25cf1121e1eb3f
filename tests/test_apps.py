"""The three apps say the same: a text that one of them lacks is a thing that it cannot do, or does not tell.

The Android app's resources are the list. The iOS app has every one of them; the web app, which speaks English alone and
makes some sentences up of parts, has every one but those of `WEB_OTHERWISE`. What is told of bad bundles is that of
bad_bundles.json in all three: the web app's tests hold it to that list at work.
"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from azx.mobile_assets.golden_bundles import SENTENCES

PLACE = re.compile(r"%\d+\$(?:@|lld|s|d)")
LANGUAGES = {"values": "en", "values-zh-rCN": "zh-Hans"}
# A text that tells how to build an app, or names the app's own format: the app's name is in it.
OWN = {"no_games", "problem_no_artifact"}
# A text that names the app's own runtime, by what it is called.
RUNTIMES = {"error_load": ("TensorFlow Lite", "network"), "error_no_artifact": ("TFLite", "Core ML")}
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
# Texts of the Android app that the web app does not have in these words: what it cannot do (docs/apps.md), what it
# makes up of parts, and what it says otherwise. One that stands here and is there fails, as does one that is nowhere.
# fmt: off
WEB_OTHERWISE = {
    "resume_game", "game_in_progress", "resume_label",
    "share", "test_stopped", "test_again", "back_to_games", "settings",
    "no_games", "no_games_title", "play_label", "self_test_label", "grid_size", "parameters", "and_clause", "test_runs",
    "test_cannot_run", "problem_unreadable_value", "problem_no_artifact", "problem_no_golden", "error_unplayable",
    "error_no_artifact", "error_no_number", "error_no_output", "error_load",
    "cannot_open", "went_wrong", "index_damaged", "opening", "not_possible", "reason_no_such_action", "reason_occupied",
    "reason_full", "reason_drawn", "reason_must_pass", "reason_no_pass", "reason_suicide", "reason_superko",
    "reason_overline", "reason_double_four", "reason_double_three", "you_begin", "ai_begins", "hint_move_rate",
    "move_across", "move_down", "percent", "you_passed", "ai_passed", "black_wins_by", "white_wins_by", "move_slider",
    "chances_unknown", "strength_simulations", "strength_seconds", "who_begins", "renju", "self_test_about", "testing",
    "passed", "failed", "best_move", "ms_p50", "ms_p90", "evaluations_second", "playouts_second", "board_connect4",
    "board_dots", "board_tictactoe", "board_gomoku", "board_go", "board_last", "board_share", "board_percent",
    "board_move", "board_passes", "board_column", "board_from_below", "board_full", "board_discs", "board_across",
    "board_down", "board_completes", "board_edge_drawn", "board_cell",
}
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
        if key not in OWN | RUNTIMES.keys():
            assert words(found[key]) == words(texts), key
    for key in OWN:
        assert "ndroid" in given[key]["other"] or "安卓" in given[key]["other"]
        assert "ndroid" not in found[key]["other"]
        assert "ios" in found[key]["other"].lower()


@pytest.mark.parametrize("name", RUNTIMES)
def test_each_app_names_its_own_runtime(repository: Path, name: str) -> None:
    theirs, ours = android(repository, "values")[name]["other"], ios(repository, "en")[name]["other"]
    assert RUNTIMES[name][0] in theirs
    assert RUNTIMES[name][1] in ours
    assert RUNTIMES[name][0] not in ours


@pytest.mark.parametrize("key", SENTENCES)
def test_what_is_told_of_a_bad_bundle_is_that_of_the_list(repository: Path, key: str) -> None:
    wanted = words({key: SENTENCES[key]})
    assert words(android(repository, "values")[key]) == {"other": wanted[key]}
    assert words(ios(repository, "en")[key]) == {"other": wanted[key]}
    for folder, language in LANGUAGES.items():
        # Each place stands in every language.
        for texts in (android(repository, folder), ios(repository, language)):
            assert sorted(PLACE.findall(texts[key]["other"])) == sorted(set(PLACE.findall(texts[key]["other"])))
            assert len(PLACE.findall(texts[key]["other"])) == len(PLACE.findall(SENTENCES[key]))


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


def test_every_text_is_in_the_web_app_or_known_to_be_otherwise(repository: Path) -> None:
    texts = {bare(" ".join(text.split())) for text in web(repository)}
    lacking = {
        name
        for name, quantities in android(repository, "values").items()
        if name not in {*WEB, *SENTENCES} and bare(PLACE.sub("%s", quantities["other"])) not in texts
    }
    assert lacking == WEB_OTHERWISE


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
