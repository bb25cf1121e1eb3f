"""The apps' texts as Python says them."""

from __future__ import annotations

import pytest

from azx.texts import has_text, say


@pytest.mark.smoke
def test_a_text_is_packed_and_its_places_are_filled_in_their_order() -> None:
    assert say("problem_size", ["84", "126"]) == "its encoding makes 84 numbers and its network reads 126"


def test_what_apps_and_terminal_say_of_an_assumed_reading_is_one_text() -> None:
    assert say("reading_assumed") == "How this network sees the board is not known; the usual way is assumed."


def test_a_text_that_is_not_there_or_is_an_apps_own_is_none_of_pythons() -> None:
    for key in ("no_such_text", "problem_no_artifact"):
        assert not has_text(key)
        with pytest.raises(KeyError):
            say(key)
