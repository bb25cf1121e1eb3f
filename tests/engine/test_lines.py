"""No line ends a protocol, whatever it has; and what ends a search does so at once."""

from __future__ import annotations

import io
import random
import time
from pathlib import Path

import pytest
from boards import Wire, brain_of, talk

from azx.engine.brain import Choices
from azx.engine.clock import LEAST, Clock
from azx.engine.pipes import Inbox, Outbox, first_word
from azx.engine.table import protocol_of, speak
from azx.errors import GameError

WORDS = {
    "gtp": "play genmove undo komi boardsize level kata-analyze loadsgf set_free_handicap time_left b w D4 pass -1 "
    "1e999 final_status_list is_legal gogui-play_sequence lz-setoption name value kata-set-param maxVisits nan "
    "99999999999 \x00",
    "gomocup": "START BEGIN TURN BOARD DONE INFO timeout_turn rule TAKEBACK 7,7 15,15 -1,2 , ,, 1,2,3 RECTSTART 15 nan",
    "nboard": "set game depth (;BO[8 *] go hint move F5 PA ping B[ W[] nan -3 set level simulations (; ;) learn F5",
    "ugi": "position startpos moves fen go nodes movetime p1time nan -1 setoption name value Level query result 3 pass",
}
GAME = {"gtp": "go", "gomocup": "gomoku", "nboard": "reversi", "ugi": "connect4"}
LAST = {"gtp": ("name", "= azx"), "gomocup": ("ABOUT", 'name="azx"'), "nboard": ("ping 77", "pong 77"),
        "ugi": ("isready", "readyok")}  # fmt: skip
FULL = Path("/dev/full")
ENDLESS = Choices(simulations=None, clock=Clock(per_move=3600.0))


@pytest.mark.parametrize("protocol", GAME)
def test_bad_lines_are_answered_and_none_shows_a_fault_of_azx(protocol: str) -> None:
    rng = random.Random(5)  # noqa: S311
    known = WORDS[protocol].split(" ")
    lines = [" ".join(rng.choices(known, k=rng.randrange(1, 6))) for _ in range(300)]
    lines += ["", " ", "\t", "x" * 200_000, "\udcff\udcfe", "(" * 3000, "=" * 9, "-", "💥", "7", "0", "DONE"]
    last, wanted = LAST[protocol]
    said = talk(protocol, GAME[protocol], *lines, last, choices=Choices(simulations=2))
    assert any(line.startswith(wanted) for line in said[-12:])
    assert not [line for line in said if "this failed" in line or "Traceback" in line]


@pytest.mark.parametrize(
    ("protocol", "question", "word"),
    [("gtp", "genmove b", "quit"), ("gtp", "kata-analyze b 1000", "quit"), ("ugi", "go infinite", "stop"),
     ("ugi", "go movetime 3600000", "quit"), ("nboard", "go", "ping 1"), ("gomocup", "BEGIN", "END")],
)  # fmt: skip
def test_a_word_ends_a_search_at_once(protocol: str, question: str, word: str) -> None:
    wire = Wire(protocol, GAME[protocol], ENDLESS)
    try:
        if protocol == "gomocup":
            wire.say("START 15")
        wire.say(question)
        time.sleep(0.7)
        assert wire.thread.is_alive()
        wire.say(word)
        if word not in ("quit", "END"):
            expected = b"bestmove" if protocol == "ugi" else b"pong 1"
            while not wire.reader.readline().startswith(expected):
                pass
            wire.say("quit")
        wire.thread.join(60)
        assert not wire.thread.is_alive()
    finally:
        wire.close()


@pytest.mark.parametrize("question", ["genmove b", "lz-analyze b 1000"])
@pytest.mark.parametrize("which", ["reader", "writer"])
def test_a_closed_pipe_ends_a_search_at_once(question: str, which: str) -> None:
    wire = Wire("gtp", "go", ENDLESS)
    try:
        wire.say(question)
        time.sleep(0.7)
        assert wire.thread.is_alive()
        getattr(wire, which).close()
        wire.thread.join(60)
        assert not wire.thread.is_alive()
    finally:
        wire.close()


def test_ugi_answers_isready_while_it_searches_and_a_new_question_ends_an_endless_search() -> None:
    wire = Wire("ugi", "connect4", ENDLESS)
    try:
        for question in ("go infinite", "go movetime 3600000"):
            wire.say(question)
            time.sleep(0.5)
            wire.say("isready")
            while (line := wire.reader.readline()) != b"readyok\n":
                assert line.startswith(b"info ")
            assert wire.thread.is_alive()
            # The endless search ends by the next question, the other one by `stop`.
            wire.say("stop" if "movetime" in question else "position startpos moves 3")
            while not wire.reader.readline().startswith(b"bestmove "):
                pass
        wire.say("quit")
        wire.thread.join(60)
        assert not wire.thread.is_alive()
    finally:
        wire.close()


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_answers_that_cannot_be_written_end_the_engine_with_a_sentence() -> None:
    inbox = Inbox(io.BytesIO(b"ugi\nisready\n"))
    with FULL.open("wb", buffering=0) as full, pytest.raises(GameError, match="No space left on device"):
        speak(brain_of("connect4", inbox, Outbox(full)), "ugi").run()


def test_a_script_that_ends_with_quit_gets_its_whole_search() -> None:
    said = talk("gtp", "go", "genmove b", "quit", choices=Choices(simulations=60))
    assert said[0].startswith("= ")
    assert said[2] == "="


def test_a_name_is_found_behind_a_number() -> None:
    assert [first_word(line) for line in ("12 Quit", "quit now", "", "12", " \t")] == ["quit", "quit", "", "", ""]


def test_a_move_takes_no_more_than_the_clock_leaves() -> None:
    assert Clock().budget(30) is None
    assert Clock(per_move=1.0).budget(30) == pytest.approx(0.9)
    assert Clock(main=60.0).budget(30) == pytest.approx(1.85, abs=0.1)
    assert Clock(main=60.0, left=0.0).budget(30) == pytest.approx(0.01)
    # Byo-yomi: a whole period, once the main time is over and before.
    assert Clock(main=60.0, period=10.0, stones=1, left=0.0).budget(30) == pytest.approx(9.45)
    assert Clock(period=10.0, stones=1).set_left(4.0, 1).budget(30) == pytest.approx(3.75)
    assert Clock(period=300.0, stones=25).set_left(50.0, 10).budget(30) == pytest.approx(4.7)
    assert (Clock(main=2.0, increment=1.0, left=0.5).budget(30) or 9.0) < 0.5
    # Without a setting before it, what is said to be left is the clock; no time left and no clock is no word at all.
    assert Clock().set_left(30.0).budget(30) == pytest.approx(0.9, abs=0.1)
    assert Clock().set_left(30.0).set_left(0.0).budget(30) == pytest.approx(0.01)
    assert Clock().set_left(20.0, 2).budget(30) == pytest.approx(9.45)
    assert Clock().set_left(0.0).budget(30) is None
    assert Clock(main=10.0).spend(4.0).left == pytest.approx(6.0)


@pytest.mark.parametrize(("left", "to_go"), [(60.0, 40), (5.0, 10), (0.3, 8), (0.0, 8)])
def test_the_main_time_lasts_for_the_game(left: float, to_go: int) -> None:
    clock = Clock(main=60.0, left=left)
    for remaining in range(to_go, 0, -1):
        budget = clock.budget(max(8, remaining))
        assert budget is not None
        clock = clock.spend(budget)
        assert budget <= 0.01 or clock.left is None or clock.left > 0


def test_a_time_control_is_kept_by_the_search() -> None:
    # Without it the move would take an hour.
    said = talk("gtp", "go", "kata-set-param maxTime 0.2", "time_settings 0 1 1", "genmove b", choices=ENDLESS)
    assert said[4].startswith("= ")


@pytest.mark.parametrize(
    "settings",
    ["kgs-time_settings absolute 0", "kgs-time_settings byoyomi 0 0 1", "time_settings 9 0 1\ntime_left b 0 0",
     "time_settings 0 1 1\ntime_left b 0 1", "kgs-time_settings fischer 9 0\ntime_left b 0 0",
     "time_left b 9 0\ntime_left b 0 0", "kata-set-param maxTime 0"],
)  # fmt: skip
def test_a_clock_with_nothing_left_leaves_the_least_time(settings: str) -> None:
    out = io.BytesIO()
    brain = brain_of("go", Inbox(io.BytesIO()), Outbox(out), Choices())
    gtp = speak(brain, "gtp")
    for line in settings.split("\n"):
        gtp.obey(line)
    assert brain.clocks[0].budget(30) == LEAST
    gtp.obey("genmove b")
    assert b"?" not in out.getvalue()


def test_each_game_has_its_usual_protocol() -> None:
    usual = {"go": "gtp", "hex": "gtp", "gomoku": "gomocup", "reversi": "nboard", "connect4": "ugi", "tictactoe": "ugi"}
    assert {game: protocol_of(game) for game in usual} == usual
    with pytest.raises(GameError, match="use nboard or gtp or ugi"):
        protocol_of("reversi", "gomocup")
