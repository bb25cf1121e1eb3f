"""No sentence that a person reads has more than thirty words: help, docs, and the docstrings of the Python API."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import azx
from azx.cli import cli

ROOT = Path(__file__).parents[1]
MOST = 30
DOCS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def sentences(text: str) -> Iterator[str]:
    """Sentences of Markdown or of a docstring: code, links' targets and indented lines of commands are no words."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^ {4,}(?![-*] |\d).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "code", text))
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.)\s?)|\|", text):
        yield from re.split(r"(?<=[.!?:;])[)\"*]*\s+", " ".join(block.split()))


def too_long(text: str) -> list[str]:
    """The sentences with more words than thirty."""
    return [each for each in sentences(text) if len(re.findall(r"[A-Za-z][\w'-]*", each)) > MOST]


def commands(group: click.Group) -> Iterator[tuple[str, str]]:
    """The text of --help of each command."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield name, command.help or ""
        yield from ((name, option.help or "") for option in command.params if isinstance(option, click.Option))


def test_a_sentence_of_thirty_one_words_is_found() -> None:
    assert too_long("word " * MOST + ".") == []
    assert too_long("word " * (MOST + 1) + ".") != []


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_no_page_has_a_longer_sentence(page: Path) -> None:
    assert too_long(page.read_text(encoding="utf8")) == []


def test_no_help_has_a_longer_sentence() -> None:
    assert [(name, long) for name, text in commands(cli) for long in too_long(text)] == []


@pytest.mark.parametrize("name", azx.__all__)
def test_no_docstring_of_the_api_has_a_longer_sentence(name: str) -> None:
    assert too_long(inspect.getdoc(getattr(azx, name)) or "") == []
