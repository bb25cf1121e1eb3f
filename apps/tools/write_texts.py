#!/usr/bin/env -S python3 -P
"""Write the texts of apps/texts, the tables of games/data and the list of operations in the form that one app reads.

    python3 -P apps/tools/write_texts.py android|ios

The web app imports both folders unchanged. A file that already has the right content stays untouched, so that the next
build has nothing to do.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "release"))

from notices import notices  # noqa: E402

APPS = ("android", "ios", "web")
ANDROID = ROOT / "apps/android/app/src/main"
PLAY = ROOT / "apps/android/play/src/main"
# The operations that a network may be made of, by format.
OPERATIONS = ROOT / "validate/door/operations.json"
# Those of TFLite by their numbers: a file has the numbers alone.
TFLITE = ROOT / "apps/tools/tflite_operations.txt"
TABLE_OF_TFLITE = "tflite_operations.json"
IOS = ROOT / "apps/ios"
# By language: the folder of Android's resources.
FOLDERS = {"en": "values", "zh-Hans": "values-zh-rCN"}
MARK = "<!-- Written by apps/tools/write_texts.py from apps/texts. -->"


# A text. If it counts something, it has forms by quantity: "one" and "other", or "other" alone in Chinese.
Text = str | dict[str, str]


def read_texts(language: str, app: str, folder: Path = ROOT / "apps/texts") -> dict[str, Text]:
    """The texts of an app by their keys, without texts of other apps."""
    texts = json.loads((folder / f"{language}.json").read_text(encoding="utf8"))
    own = {key: _text_of(text, app) for key, text in texts.items()}
    return {key: text for key, text in own.items() if text is not None}


def _text_of(text: Any, app: str) -> Any:
    """The text of one app: the common text, or its own form; None if the app has none."""
    return text.get(app) if isinstance(text, dict) and not text.keys().isdisjoint(APPS) else text


def android_xml(texts: dict[str, Text]) -> str:
    """Android's strings.xml."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', MARK, "<resources>"]
    for key, text in sorted(texts.items()):
        if isinstance(text, str):
            lines.append(f'    <string name="{key}">{_android_text(text)}</string>')
        else:
            items = [f'        <item quantity="{name}">{_android_text(form)}</item>' for name, form in text.items()]
            lines += [f'    <plurals name="{key}">', *items, "    </plurals>"]
    return "\n".join([*lines, "</resources>", ""])


def _android_text(text: str) -> str:
    """A text as a resource: quotes, backslashes and line ends escaped, quoted if its blanks would be lost."""
    safe = escape(re.sub(r"([\\'\"])", r"\\\1", text).replace("\n", r"\n"))
    if text != text.strip() or "  " in text:
        return f'"{safe}"'
    return f"\\{safe}" if text[:1] in ("@", "?") else safe


def ios_catalog(texts: dict[str, dict[str, Text]]) -> str:
    """Localizable.xcstrings of the texts by language and key."""
    keys = sorted(set().union(*texts.values()))
    strings = {
        key: {
            "extractionState": "manual",
            "localizations": {language: _ios_text(own[key]) for language, own in texts.items() if key in own},
        }
        for key in keys
    }
    catalog = {"sourceLanguage": "en", "strings": strings, "version": "1.0"}
    return json.dumps(catalog, ensure_ascii=False, indent=2, separators=(",", " : ")) + "\n"


def _ios_text(text: Text) -> dict[str, Any]:
    if isinstance(text, str):
        return _ios_unit(text)
    # The catalog chooses a form by the number in the first place, which a text is not.
    forms = {name: _ios_unit(form.replace("%1$s", "%1$d")) for name, form in text.items()}
    return {"variations": {"plural": forms}}


def _ios_unit(text: str) -> dict[str, Any]:
    value = re.sub(r"(%\d\$)d", r"\1lld", re.sub(r"(%\d\$)s", r"\1@", text))
    return {"stringUnit": {"state": "translated", "value": value}}


def write_file(path: Path, data: bytes) -> None:
    """Write a file unless it holds these bytes already; readers see the whole old file or the whole new one."""
    if not path.is_file() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(f".{path.name}.{os.getpid()}")
        aside.write_bytes(data)
        aside.replace(path)


def tflite_operations() -> bytes:
    """The names of TFLite's operations by their numbers, and those that a network may have."""
    allowed = json.loads(OPERATIONS.read_text(encoding="utf8"))["tflite"]
    table = {"names": TFLITE.read_text(encoding="utf8").split(), "allowed": allowed}
    return json.dumps(table, separators=(",", ":")).encode()


def copy_tables(folder: Path, *others: str) -> None:
    """Copy the tables of games/data, except the probe's positions, to `folder`, and remove tables that no longer exist.

    `others` are further tables in that folder, which stay.
    """
    tables = {path.name: path for path in (ROOT / "games/data").glob("*.json") if path.name != "probe.json"}
    for name, path in tables.items():
        write_file(folder / name, path.read_bytes())
    for path in folder.glob("*.json"):
        if path.name not in {*tables, *others}:
            path.unlink()


def main(app: str) -> None:
    """Write the files of one app."""
    texts = {language: read_texts(language, app) for language in FOLDERS}
    if app == "android":
        for language, folder in FOLDERS.items():
            write_file(ANDROID / "res" / folder / "strings.xml", android_xml(texts[language]).encode())
        write_file(ANDROID / "res/raw/licence.txt", (ROOT / "LICENSE").read_bytes())
        write_file(ANDROID / "res/raw/notices.txt", notices("apk").encode())
        copy_tables(PLAY / "resources/azx", TABLE_OF_TFLITE)
        write_file(PLAY / "resources/azx" / TABLE_OF_TFLITE, tflite_operations())
    else:
        write_file(IOS / "App/Localizable.xcstrings", ios_catalog(texts).encode())
        # The command azx-selftest runs without a catalog.
        write_file(IOS / "Sources/SelfTest/Resources/en.json", json.dumps(texts["en"], ensure_ascii=False).encode())
        copy_tables(IOS / "Sources/Engine/Resources")
        write_file(
            IOS / "Sources/Bundle/Resources/operations.json", (ROOT / "validate/door/operations.json").read_bytes()
        )
        write_file(IOS / "App/Licence.txt", (ROOT / "LICENSE").read_bytes())


if __name__ == "__main__":
    if sys.argv[1:] not in (["android"], ["ios"]):
        sys.exit("write_texts.py: give the app, android or ios.")
    main(sys.argv[1])
