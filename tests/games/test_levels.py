"""Levels: what is kept and drawn, that a seed says all, and that every game has eight of them."""

from __future__ import annotations

from collections import Counter

import pytest

from azx.errors import GameError
from azx.games.known.catalogue import GAMES
from azx.games.levels.choice import Level, chance, choose_action, find_pass, splitmix64
from azx.games.levels.table import FULL, LEVELS, NAMES, UNMEASURED, level_number, levels_of

WEIGHTS = [(0, 10.0), (3, 40.0), (4, 0.0), (7, 20.0), (9, 40.0)]
PASS = 9


def drawn(level: Level, pass_action: int | None = None, count: int = 4000) -> Counter[int]:
    return Counter(choose_action(WEIGHTS, level, 5, ply, pass_action) for ply in range(count))


def test_splitmix64_is_the_sequence_that_its_authors_publish() -> None:
    # The first five numbers of the seed 1234567, as Rosetta Code and the reference implementation in C give them.
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert [splitmix64(1234567, ply) for ply in range(5)] == known


def test_chances_are_even_and_below_one() -> None:
    numbers = [chance(1, ply) for ply in range(20_000)]
    assert min(numbers) >= 0
    assert max(numbers) < 1
    assert abs(sum(numbers) / len(numbers) - 0.5) < 0.01


def test_temperature_zero_takes_the_best_and_the_lowest_of_equals() -> None:
    assert drawn(Level(16)) == {3: 4000}


def test_moves_below_the_threshold_and_those_without_a_weight_are_never_drawn() -> None:
    assert set(drawn(Level(16, 0.0, 1))) == {0, 3, 7, 9}
    assert set(drawn(Level(16, 0.25, 1))) == {0, 3, 7, 9}
    assert set(drawn(Level(16, 0.26, 1))) == {3, 7, 9}
    assert set(drawn(Level(16, 1.0, 1))) == {3, 9}


@pytest.mark.parametrize(("temperature", "power"), [(1, 1), (2, 0.5), (4, 0.25), (0.5, 2), (0.25, 4)])
def test_moves_are_drawn_in_proportion_to_their_weights_to_a_power(temperature: float, power: float) -> None:
    found, total = drawn(Level(16, 0, temperature), count=20_000), sum(weight**power for _, weight in WEIGHTS if weight)
    for action, weight in WEIGHTS:
        expected = weight**power / total if weight else 0
        assert abs(found[action] / 20_000 - expected) < 0.015


def test_a_pass_is_played_where_it_alone_is_best_and_never_drawn() -> None:
    assert set(drawn(Level(16, 0, 8), PASS)) == {0, 3, 7}
    best = [*WEIGHTS[:-1], (PASS, 41.0)]
    assert {choose_action(best, Level(16, 0, 8), 1, ply, PASS) for ply in range(100)} == {PASS}


def test_no_weights_at_all_give_the_first_action_and_no_actions_an_error() -> None:
    assert choose_action([(2, 0.0), (5, 0.0)], Level(16, 0, 1), 0, 0) == 2
    with pytest.raises(GameError, match="the game is over"):
        choose_action([], Level(16), 0, 0)


def test_only_go_has_a_pass_among_other_moves() -> None:
    states = {name: game.begin() for name, game in GAMES.items()}
    assert {name: find_pass(state) for name, state in states.items() if find_pass(state) is not None} == {"go": 81}
    forced = GAMES["dots_and_boxes"].begin()
    for action in (0, 12, 13, 3):
        forced = forced.apply(action)
    assert forced.legal_actions() == (24,)
    assert find_pass(forced) is None


@pytest.mark.parametrize(
    ("simulations", "threshold", "temperature"), [(1, 0, 0), (-1, 0, 0), (2, 1.5, 0), (2, float("nan"), 0), (2, 0, 3)]
)
def test_a_level_that_no_language_could_play_alike_is_refused(
    simulations: int, threshold: float, temperature: float
) -> None:
    with pytest.raises(GameError, match="level"):
        Level(simulations, threshold, temperature)


def test_every_game_has_eight_levels_of_which_the_last_is_full_strength() -> None:
    assert LEVELS.keys() == GAMES.keys()
    for levels in (*LEVELS.values(), UNMEASURED):
        assert len(levels) == len(NAMES) == 8
        assert len(set(levels)) == 8
        assert levels[-1] == FULL
        assert FULL.temperature == 0


def test_a_game_that_was_not_measured_and_a_network_without_a_policy_have_levels_that_search() -> None:
    assert levels_of("chess") == levels_of("go", has_policy=False) == UNMEASURED
    assert all(level.simulations for level in UNMEASURED)


def test_levels_have_numbers_and_names() -> None:
    assert [level_number(name) for name in NAMES] == list(range(1, 9))
    assert [level_number(text) for text in ("1", "8", " Full ")] == [1, 8, 8]
    for text in ("0", "9", "fulll", ""):
        with pytest.raises(GameError, match="no level"):
            level_number(text)
