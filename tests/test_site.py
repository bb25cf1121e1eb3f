"""The site of the documentation: every page has its place, the tutorial types commands, the picture is the house."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from click.testing import CliRunner
from release_rooms import room

from azx.cli import COMMANDS, cli
from azx.games.known.catalogue import GAMES


def places(repository: Path) -> set[str]:
    """The pages that the site's navigation names."""
    return set(re.findall(r"([\w-]+\.md)$", (repository / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))


def test_every_page_has_its_place(repository: Path) -> None:
    written = {"index.md", "python-names.md", "gallery.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
    pages = written | {path.name for path in (repository / "docs").glob("*.md")}
    assert sorted(pages ^ places(repository)) == [], "give each page of docs/ a line under nav in mkdocs.yml"
    assert yaml.safe_load((repository / "mkdocs.yml").read_text(encoding="utf-8"))["strict"] is True


def test_the_picture_is_that_of_the_house(repository: Path) -> None:
    drawn = room(repository, "site_pages").house_svg()
    assert (repository / "docs/images/house.svg").read_text(encoding="utf-8") == drawn, "run `make docs`"


def test_links_that_leave_the_site_become_text(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZX_REPOSITORY", raising=False)
    pages = room(repository, "site_pages")
    text = "[a](../README.md#the-house) [b](train.md) [c](../training/README.md) [d](https://example.org)"
    assert pages.on_site(text, "docs/x.md") == "[a](index.md#the-house) [b](train.md) c [d](https://example.org)"
    monkeypatch.setenv("AZX_REPOSITORY", "https://example.org/azx")
    assert "[c](https://example.org/azx/blob/main/training/README.md)" in pages.on_site(text, "docs/x.md")


@pytest.mark.parametrize("page", ["tutorial", "your-own-network"])
def test_each_line_of_a_page_is_a_command_with_options_that_it_has(page: str, repository: Path) -> None:
    text = (repository / f"docs/{page}.md").read_text(encoding="utf-8")
    typed = [shlex.split(line, comments=True) for line in re.findall(r"^    (azx .+)$", text, re.MULTILINE)]
    assert len(typed) > 4
    for words in typed:
        command = COMMANDS[words[1]].load()
        # Words are read, and nothing is run.
        context = command.make_context(words[1], words[2:])
        assert context.params
    assert CliRunner().invoke(cli, ["--help"]).exit_code == 0


def test_what_stands_below_a_number_stays_there_on_the_site(repository: Path) -> None:
    pages = room(repository, "site_pages")
    page = "1. one\n   goes on\n   * below\n\n   ```python\n   code\n   ```\n2. two\n\nNo more:\n\n    a command\n"
    moved = (
        "1. one\n    goes on\n    * below\n\n    ```python\n    code\n    ```\n2. two\n\nNo more:\n\n    a command\n"
    )
    assert pages.nested(page) == moved


def test_a_drawing_keeps_its_lines_on_a_phone(repository: Path) -> None:
    pages = room(repository, "site_pages")
    page = "```\n| a |\n+---+\n```\n\n```python\ncode\n```\n\n```text\nwords\n```\n"
    assert pages.drawn(page) == page.replace("```\n| a |", "``` { .text .as-is }\n| a |")


def test_the_gallery_has_a_picture_of_each_game(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = room(repository, "site_pages")
    monkeypatch.setattr(pages, "TARGET", tmp_path)
    page = pages.gallery()
    pictures = re.findall(r'src="(images/[^"]+)"', page)
    assert all((tmp_path / picture).is_file() for picture in pictures)
    assert set(GAMES) == {name for name, _, _ in pages.GALLERY}
    assert {f"images/board-{name}.png" for name in GAMES} <= set(pictures)


def test_commands_become_blocks_of_shell(repository: Path) -> None:
    pages = room(repository, "site_pages")
    page = "Type:\n\n    azx games   # all\n\n    azx doctor\n\nA tree:\n\n    games/   rules for all\n\n1. one\n"
    shown = page.replace("    azx games   # all\n\n    azx doctor\n", "```bash\nazx games   # all\n\nazx doctor\n```\n")
    assert pages.typed(page) == shown
