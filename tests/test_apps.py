"""The three apps say the same: a text that one of them lacks is a thing that it cannot do, or does not tell.

The Android app's resources are the list. The iOS app has every one of them but those of `IOS_OTHERWISE`, the web app
every one but those of `WEB_OTHERWISE`: they are of what it cannot do. It has some of its own. What is told of bad
bundles is that of bad_bundles.json in all three: the web app's tests hold it to that list at work.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from apps_table import APPS, table, things

from azx.mobile_assets.golden.bundles import SENTENCES

PLACE = re.compile(r"%\d+\$(?:@|lld|s|d)")
LANGUAGES = {"values": "en", "values-zh-rCN": "zh-Hans"}
WEB_LANGUAGES = {"values": "English", "values-zh-rCN": "Chinese"}
# A text that tells how to build an app, or names the app's own format: the app's name is in it.
OWN = {"no_games", "problem_no_artifact"}
# A text that names the app's own runtime, by what it is called.
RUNTIMES = {"error_load": ("TensorFlow Lite", "network"), "error_no_artifact": ("TFLite", "Core ML")}
# A text of the web app's and the iOS app's that names where a bundle is kept, or from where it is removed.
KEPT = {"given_no_room", "given_not_kept", "given_not_removed", "remove_ask"}
WEB_RUNTIMES = {"error_load": "TF.js", "error_no_artifact": "TF.js"}
# Texts of bundles that a person opens, where the web app speaks of its page or its browser and Android of the device.
PLACES = {"open_about", "opened_here", "remove_ask", "given_no_room", "given_not_kept", "given_not_removed"}
# A text that Android says of its own format, and the others of the one that they are asked for.
OF_A_FORMAT = {"given_too_large"}
# What the system's own choice of a file says on iOS.
IOS_OTHERWISE = {"open_about", "open_folder", "open_zip", "opened_here"}
# Texts of the Android app that the web app has not: what it cannot do (docs/apps.md), and what it has in another form.
# One that stands here and is there fails, as does one that is nowhere.
WEB_OTHERWISE = {
    "open_zip",  # it is open_file: the page names other files too
    # The list has neither cards nor a screen of its own.
    *("play", "play_label", "self_test_label", "grid_size", "no_games_title", "back_to_games", "cannot_open"),
    *("went_wrong", "index_damaged", "app_name"),
    # The self-test says for each backend what it has found, runs to its end, and is not shared.
    *("share", "test_stopped", "test_again", "testing", "self_test_about", "ms_p90", "settings"),
    # A network whose answer is no number, or whose value is not described, is told of as it is opened.
    *("test_cannot_run", "problem_unreadable_value", "problem_no_golden", "error_unplayable", "error_no_number"),
    *("error_no_output", "board_percent"),
    # A button of the list is called by what stands on it.
    "resume_label",
    # The graph's title has the chances in it where they are known.
    "chances_of",
    # Its colours and its language are those of the page.
    *("app_settings", "language_system", "language_english", "language_chinese"),
}


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
    assert given.keys() - found.keys() == IOS_OTHERWISE
    for key in given.keys() & found.keys() - OWN - OF_A_FORMAT - RUNTIMES.keys() - {"given_not_removed"}:
        assert words(found[key]) == words(given[key]), key
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
    assert words(web(repository, "English")[key]) == {"other": wanted[key]}
    for folder, language in LANGUAGES.items():
        # Each place stands in every language.
        for texts in (android(repository, folder), ios(repository, language)):
            assert sorted(PLACE.findall(texts[key]["other"])) == sorted(set(PLACE.findall(texts[key]["other"])))
            assert len(PLACE.findall(texts[key]["other"])) == len(PLACE.findall(SENTENCES[key]))


def web(repository: Path, language: str) -> dict[str, dict[str, str]]:
    """The web app's texts, in the same way: objects of TypeScript, whose strings are those of JSON."""
    files = sorted((repository / "apps/web/src/texts").glob(f"{language}*.ts"))
    source = "\n".join(path.read_text(encoding="utf8") for path in files)
    text = r'"(?:[^"\\\n]|\\.)*"'
    found = {}
    for key, one, forms in re.findall(rf"^  (\w+):\s+(?:({text})|(\{{[^}}]*\}})),$", source, re.MULTILINE):
        quantities = [("other", one)] if one else re.findall(rf"(\w+): ({text})", forms)
        # The number and its sign stay on one line: a browser would break it.
        found[key] = {name: str(json.loads(each)).replace("\xa0", " ") for name, each in quantities}
    assert len(found) == len(re.findall(r"^  \w+:", source, re.MULTILINE))
    return found


@pytest.mark.parametrize("folder", LANGUAGES)
def test_web_has_the_texts_of_android_in_the_same_words(repository: Path, folder: str) -> None:
    given, found = android(repository, folder), web(repository, WEB_LANGUAGES[folder])
    for key in sorted(given.keys() & found.keys() - OWN - PLACES - OF_A_FORMAT - WEB_RUNTIMES.keys()):
        assert words(found[key]) == words(given[key]), key
    for key in PLACES:
        # Neither speaks of the other's place.
        assert not re.search(r"\b(page|browser|drop(ped)?|tfjs)\b|本页|浏览器|拖", given[key]["other"]), key
        assert not re.search(r"\b(this app|device|tflite)\b|本应用|设备", found[key]["other"]), key
    for key in OWN & found.keys():
        assert "ndroid" not in found[key]["other"]
        assert "安卓" not in found[key]["other"]
    for key, runtime in WEB_RUNTIMES.items():
        assert runtime in found[key]["other"]
    assert given.keys() - found.keys() == WEB_OTHERWISE


@pytest.mark.parametrize("folder", LANGUAGES)
def test_what_web_and_ios_say_and_android_does_not_is_said_in_the_same_words(repository: Path, folder: str) -> None:
    ours, theirs = web(repository, WEB_LANGUAGES[folder]), ios(repository, LANGUAGES[folder])
    shared = ours.keys() & theirs.keys() - android(repository, folder).keys()
    assert "runs_on" in shared
    for key in shared - KEPT:
        assert words(ours[key]) == words(theirs[key]), key
    for key in KEPT & shared:
        place, other = ("browser", "device") if folder == "values" else ("浏览器", "设备")
        assert place in ours[key]["other"]
        assert other not in ours[key]["other"]
        assert place not in theirs[key]["other"]


def test_the_page_names_texts_that_are_there_and_each_text_is_said(repository: Path) -> None:
    app, known = repository / "apps/web", set(web(repository, "English"))
    page = (app / "index.html").read_text(encoding="utf8")
    named = set(re.findall(r'data-(?:text|label)="(\w+)"', page))
    assert named
    assert named <= known, sorted(named - known)
    paths = [path for path in (app / "src").rglob("*.ts") if not path.stem.startswith(tuple(WEB_LANGUAGES.values()))]
    source = "\n".join(path.read_text(encoding="utf8") for path in paths)
    said = named | set(re.findall(r'"(\w+)"', source))
    # A key that is put together of its beginning and a name.
    beginnings = tuple(re.findall(r"`(\w+_)\$\{", source))
    said |= {key for key in known if key.startswith(beginnings)}
    # Titles of games are named by their games, clauses of the index by what they say.
    unsaid = {key for key in known - said if not key.startswith(("game_", "problem_"))}
    assert not unsaid, sorted(unsaid)
    # What shows before the script has come stands there twice.
    assert f">{web(repository, 'English')['starting']['other']}<" in page


def test_no_app_lacks_a_text_in_a_language(repository: Path) -> None:
    for read, languages in ((android, LANGUAGES), (ios, LANGUAGES.values()), (web, WEB_LANGUAGES.values())):
        english, *others = (read(repository, language) for language in languages)
        for texts in others:
            assert texts.keys() == english.keys()
            for key, quantities in texts.items():
                assert all(quantities.values()), key
                # Each place stands in every language.
                places = set(PLACE.findall(english[key]["other"]))
                assert set(PLACE.findall(quantities["other"])) == places, key


def test_the_table_of_apps_is_what_its_list_says(repository: Path) -> None:
    assert (repository / "docs" / "apps.md").read_text(encoding="utf8") == table(repository), "run `make docs`"
    listed = things(repository)
    assert len({thing.name for thing in listed}) == len(listed) > 30


@pytest.mark.parametrize("app", APPS)
def test_an_app_has_the_texts_of_what_it_can_do_and_of_nothing_else(repository: Path, app: str) -> None:
    known = {
        "web": lambda: web(repository, "English"),
        "android": lambda: android(repository, "values"),
        "ios": lambda: ios(repository, "en"),
    }[app]().keys()
    named = [(thing, key) for thing in things(repository) for key in thing.texts]
    assert len(named) > 50
    for thing, key in named:
        assert (key in known) == (thing.word(app) != "no"), f"{thing.name}: {app} says '{thing.said[app]}', text {key}"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('web = "perhaps"', "says 'perhaps' of web"),
        ('web = "yes"\nmore = 1', "give name, web, android, ios, and texts"),
    ],
)
def test_a_list_of_other_words_or_members_is_refused(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "docs").mkdir()
    entry = f'[[thing]]\nname = "flying"\n{line}\nandroid = "no"\nios = "no"\n'
    (tmp_path / "docs" / "apps.toml").write_text(entry, encoding="utf8")
    with pytest.raises(ValueError, match=reason):
        things(tmp_path)
