"""The three apps say the same: their texts stand once, in apps/texts, and each is used and is in both languages.

A text is one for all apps, or one for each app where they need other words. A text that an app lacks is of a thing
that it cannot do (docs/apps.toml).
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from apps_table import APPS, table, things
from golden.bundles import bad_bundles

LANGUAGES = ("en", "zh-Hans")
PLACE = re.compile(r"%\d\$[sd]")
SOURCES = {
    "web": ("index.html", "src/**/*.html", "src/**/*.ts"),
    "android": ("*/src/main/**/*.kt", "app/src/main/res/[!v]*/**/*.xml", "app/src/main/AndroidManifest.xml"),
    "ios": ("Sources/**/*.swift", "App/**/*.swift"),
}
# Where a key stands in an app: as a literal, or as a resource of Android.
NAMED = re.compile(r"(?:R\.(?:string|plurals)\.|@string/)(\w+)|[\"'](\w+)[\"']")
# A key that is put together of its beginning and a name: `level_${n}`, "level_$n", "level_\(n)", "level_" + n.
BEGINNING = re.compile(r"[\"`](\w+_)(?:\$|\\\(|\")")
# Where a text of one app names what the others have not.
FOREIGN = {
    "web": re.compile(r"ndroid|安卓|\biOS\b|Core ML|this app was built|kept on this device"),
    "android": re.compile(r"\biOS\b|Core ML|TF\.js|\bbrowser\b|浏览器|本页|apps/(ios|web)"),
    "ios": re.compile(r"ndroid|安卓|TFLite|TensorFlow Lite|TF\.js|\bbrowser\b|浏览器|本页|apps/(android|web)"),
}


@pytest.fixture(scope="module")
def tool(repository: Path) -> ModuleType:
    """apps/tools/write_texts.py."""
    spec = importlib.util.spec_from_file_location("write_texts", repository / "apps/tools/write_texts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def forms(text: str | dict[str, str]) -> dict[str, str]:
    return {"other": text} if isinstance(text, str) else text


@pytest.mark.parametrize("app", SOURCES)
def test_no_app_lacks_a_text_in_a_language(tool: ModuleType, app: str) -> None:
    english, chinese = (tool.read_texts(language, app) for language in LANGUAGES)
    assert len(english) > 250
    assert chinese.keys() == english.keys()
    for key, text in english.items():
        assert isinstance(text, str) == isinstance(chinese[key], str), key
        assert all([*forms(text).values(), *forms(chinese[key]).values()]), key
        # Each place stands in every language.
        places = set(PLACE.findall(forms(text)["other"]))
        assert set(PLACE.findall(forms(chinese[key])["other"])) == places, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_stands_once(repository: Path, language: str) -> None:
    """Of a key that stands twice only the last one counts: another app's text would be gone."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in pairs]
        assert len(set(keys)) == len(keys), sorted({key for key in keys if keys.count(key) > 1})
        return dict(pairs)

    json.loads((repository / f"apps/texts/{language}.json").read_text(encoding="utf8"), object_pairs_hook=once)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_members_that_an_app_reads(repository: Path, language: str) -> None:
    texts = json.loads((repository / f"apps/texts/{language}.json").read_text(encoding="utf8"))
    for key, text in texts.items():
        for each in [text, *(text.values() if isinstance(text, dict) else ())]:
            if isinstance(each, dict):
                counts, apps = each.keys() <= {"one", "other"} and "other" in each, each.keys() <= SOURCES.keys()
                assert counts or apps, key


def source_of(repository: Path, app: str) -> str:
    root = repository / "apps" / app
    paths = [path for pattern in SOURCES[app] for path in sorted(root.glob(pattern))]
    assert len(paths) > 40
    return "\n".join(path.read_text(encoding="utf8") for path in paths)


@pytest.mark.parametrize("app", SOURCES)
def test_an_app_uses_each_of_its_texts(repository: Path, tool: ModuleType, app: str) -> None:
    known, source = tool.read_texts("en", app).keys(), source_of(repository, app)
    used = {one or other for one, other in NAMED.findall(source)}
    beginnings = tuple(BEGINNING.findall(source))
    unused = {key for key in known - used if not key.startswith(beginnings)}
    assert not unused, sorted(unused)


def test_the_texts_that_an_app_names_are_there(repository: Path, tool: ModuleType) -> None:
    named = {
        "web": r'data-(?:text|label)="(\w+)"|\bsay\("(\w+)"',
        "android": r"(?<!android\.)R\.(?:string|plurals)\.(\w+)|@string/(\w+)",
        "ios": r'\bPhrase\("(\w+)"|\bsay\("(\w+)"',
    }
    for app, pattern in named.items():
        keys = {one or other for one, other in re.findall(pattern, source_of(repository, app))}
        assert len(keys) > 20
        missing = keys - tool.read_texts("en", app).keys()
        assert not missing, f"{app}: {sorted(missing)}"


def test_what_the_page_shows_before_its_script_has_come_is_that_of_the_list(repository: Path, tool: ModuleType) -> None:
    page = (repository / "apps/web/index.html").read_text(encoding="utf8")
    assert f">{tool.read_texts('en', 'web')['starting']}<" in page


@pytest.mark.parametrize("app", SOURCES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_app_speaks_of_itself_alone(tool: ModuleType, language: str, app: str) -> None:
    for key, text in tool.read_texts(language, app).items():
        for form in forms(text).values():
            assert not FOREIGN[app].search(form), f"{key}: {form}"


@pytest.mark.parametrize("app", SOURCES)
def test_every_app_has_a_text_for_what_is_wrong_with_a_bundle(tool: ModuleType, app: str) -> None:
    known = tool.read_texts("en", app)
    for case in bad_bundles()["cases"]:
        if case["key"]:
            assert case["key"] in known
            if case["names"]:
                assert "%1$s" in known[case["key"]]


def test_what_is_written_for_android_and_ios_says_what_the_list_says(tool: ModuleType) -> None:
    texts = {
        "quoted": 'it\'s "so" \\ & <b>',
        "ask": "?",
        "blanks": " and ",
        "lines": "one\ntwo",
        "count": {"one": "%1$s box of %2$s", "other": "%1$s boxes of %2$s"},
        "percent": "%1$d %%",
    }
    xml = tool.android_xml(texts)
    for line in (
        r'<string name="quoted">it\'s \"so\" \\ &amp; &lt;b&gt;</string>',
        r'<string name="ask">\?</string>',
        '<string name="blanks">" and "</string>',
        r'<string name="lines">one\ntwo</string>',
        '<item quantity="one">%1$s box of %2$s</item>',
        '<string name="percent">%1$d %%</string>',
    ):
        assert line in xml
    catalog = json.loads(tool.ios_catalog({"en": texts, "zh-Hans": texts}))
    english = {key: entry["localizations"]["en"] for key, entry in catalog["strings"].items()}
    assert english["lines"]["stringUnit"] == {"state": "translated", "value": "one\ntwo"}
    assert english["percent"]["stringUnit"]["value"] == "%1$lld %%"
    # The form is chosen by a number, which the first place is then.
    assert english["count"]["variations"]["plural"]["one"]["stringUnit"]["value"] == "%1$lld box of %2$@"


def test_the_operations_of_tflite_are_those_of_its_schema(tool: ModuleType) -> None:
    """A file has their numbers alone; what a network may be made of is `validate/door/operations.json`."""
    from ai_edge_litert import schema_py_generated as schema

    table = json.loads(tool.tflite_operations())
    numbers = {name: number for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}
    assert {name: number for number, name in enumerate(table["names"])} == numbers
    assert set(table["allowed"]) <= numbers.keys()
    assert not {"CUSTOM", "CALL_ONCE", "WHILE", "IF", "VAR_HANDLE"} & set(table["allowed"])


def test_a_file_that_says_the_same_is_left_alone(tool: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "strings.xml"
    tool.write_file(path, b"one")
    before = path.stat().st_mtime_ns
    tool.write_file(path, b"one")
    assert path.stat().st_mtime_ns == before
    tool.write_file(path, b"two")
    assert path.read_bytes() == b"two"
    tool.copy_tables(tmp_path)
    for name in ("gone.json", "other.json"):
        (tmp_path / name).write_text("{}")
    tool.copy_tables(tmp_path, "other.json")
    assert {file.name for file in tmp_path.glob("*.json")} == {
        "connect4_openings.json",
        "levels.json",
        "other.json",
        "positions.json",
        "shapes.json",
        "star_points.json",
        "thresholds.json",
    }


def test_the_table_of_apps_is_what_its_list_says(repository: Path) -> None:
    assert (repository / "docs" / "apps.md").read_text(encoding="utf8") == table(repository), "run `make docs`"
    listed = things(repository)
    assert len({thing.name for thing in listed}) == len(listed) > 30


@pytest.mark.parametrize("app", APPS)
def test_an_app_has_the_texts_of_what_it_can_do_and_of_nothing_else(
    repository: Path, tool: ModuleType, app: str
) -> None:
    known = tool.read_texts("en", app).keys()
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
