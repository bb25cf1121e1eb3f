"""Other programs as opponents: those that play, and those that crash, hang, cheat, resign or refuse."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from boards import Even

from azx.engine.clients import client as client_module
from azx.engine.clients.process import CRASHED, HUNG, ILLEGAL, REFUSED, RESIGNED, EngineError, FaultError, Program
from azx.engine.clients.table import CLIENTS, start_engine
from azx.engine.nboard import states_of
from azx.engine.table import PROTOCOLS
from azx.games.known.recognition import by_name
from azx.games.state import State

GAMES = {"gtp": "hex", "gomocup": "gomoku", "nboard": "reversi", "ugi": "dots_and_boxes"}
# A GTP program whose answer to genmove is the first argument, a Python expression.
FAKE = """
import sys, time, os, subprocess
for line in sys.stdin:
    words = line.split()
    if not words: continue
    text = {"name": "fake", "version": "1", "known_command": "false"}.get(words[0], "")
    if words[0] == "play" and REFUSES:
        print("? illegal move\\n", flush=True)
        continue
    if words[0] == "genmove":
        text = eval(ANSWER)
    if words[0] == "quit" and STAYS:
        continue
    print(f"= {text}\\n", flush=True)
"""


def fake(tmp_path: Path, answer: str, refuses: bool = False, stays: bool = False) -> str:
    """The command of a program that answers genmove so."""
    file = tmp_path / "fake.py"
    text = FAKE.replace("ANSWER", repr(answer)).replace("REFUSES", str(refuses)).replace("STAYS", str(stays))
    file.write_text(text, encoding="utf8")
    return shlex.join([sys.executable, str(file)])


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hang is noticed after a second."""
    monkeypatch.setattr(client_module, "GRACE", 1.0)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_client_plays_a_game_with_azx_own_engine(protocol: str, tmp_path: Path) -> None:
    game = GAMES[protocol]
    support = Path(__file__).parents[1] / "support"
    code = (
        f"import sys; sys.path.insert(0, {str(support)!r}); from boards import *; "
        f"speak(brain_of({game!r}, Inbox(sys.stdin.buffer), Outbox(sys.stdout.buffer)), {protocol!r}).run()"
    )
    start: State = by_name(game).begin(Even(game).reading.settings)
    settings = {**Even(game).reading.settings}
    client, name = start_engine(shlex.join([sys.executable, "-P", "-c", code]), protocol, game, settings, 20.0)
    try:
        assert "azx" in name
        for opening in (0, 3):
            client.begin(start)
            state = start
            for ply in range(opening + 12):
                own = ply >= opening and ply % 2 == opening % 2
                action = client.choose(state) if own else state.legal_actions()[ply % len(state.legal_actions())]
                assert action in state.legal_actions()
                client.tell(state, action, own)
                state = state.apply(action)
    finally:
        client.end()


def choose(command: str, play: bool = False) -> tuple[int | None, str]:
    """The action that a GTP program of Hex chooses, or what it did instead."""
    start = by_name("hex").begin()
    client, _ = start_engine(command, "gtp", "hex", {}, 0.2)
    try:
        client.begin(start)
        state = start
        if play:
            client.tell(start, 3, own=False)
            state = start.apply(3)
        return client.choose(state), ""
    except FaultError as fault:
        return None, fault.kind
    finally:
        client.end()


@pytest.mark.parametrize(
    ("answer", "refuses", "kind"),
    [
        ("'a1'", False, ""),
        ("'d1'", False, ILLEGAL),
        ("'z99'", False, ILLEGAL),
        ("'Resign'", False, RESIGNED),
        ("os._exit(3)", False, CRASHED),
        ("time.sleep(60)", False, HUNG),
        ("'a1'", True, REFUSED),
    ],
)
def test_what_ends_a_game_is_told_by_its_kind(tmp_path: Path, answer: str, refuses: bool, kind: str) -> None:
    action, found = choose(fake(tmp_path, answer, refuses), play=True)
    assert found == kind
    assert (action == 0) is (kind == "")


def test_what_a_hung_program_has_started_ends_with_it(tmp_path: Path) -> None:
    place = tmp_path / "pid"
    start = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], stdout=subprocess.DEVNULL)"
    answer = f"(open({str(place)!r}, 'w').write(str({start}.pid)), time.sleep(600))"
    assert choose(fake(tmp_path, answer, stays=True)) == (None, HUNG)
    child = int(place.read_text())
    for _ in range(100):
        if not _runs(child):
            break
        time.sleep(0.1)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A dead child of nobody's is still a number until it is collected.
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def test_what_cannot_be_started_is_a_sentence() -> None:
    for command, sentence in (("", "is empty"), ("no-such-program-here", "install it"), ("a 'b", "close its quotes")):
        with pytest.raises(EngineError, match=sentence):
            Program(command)


def test_every_protocol_has_both_sides() -> None:
    assert set(CLIENTS) == set(PROTOCOLS)


@pytest.fixture
def floods(tmp_path: Path) -> str:
    """A program that never stops to write, and whose lines have no end."""
    file = tmp_path / "flood.py"
    file.write_text("import sys\nwhile True: sys.stdout.write('x' * 99999)", encoding="utf8")
    return shlex.join([sys.executable, str(file)])


def test_a_flood_ends_with_the_time(floods: str) -> None:
    def read_on() -> None:
        until = time.monotonic() + 1
        while True:
            program.read(until)

    with Program(floods) as program, pytest.raises(FaultError) as error:
        read_on()
    assert error.value.kind == HUNG


def test_a_program_may_refuse_a_pass_that_the_rules_force(tmp_path: Path) -> None:
    start = by_name("reversi").begin()
    # White has to pass, as programs do by themselves that know no pass.
    (state,) = states_of(start, f"(;GM[Othello]BO[8 *O-{'-' * 58}-O* O];)")
    client, _ = start_engine(fake(tmp_path, "'a1'", refuses=True), "gtp", "reversi", {}, 0.2)
    try:
        client.tell(state, 64, own=False)
        assert client.choose(state) == 64
        with pytest.raises(FaultError, match="it refused D3"):
            client.tell(start, 19, own=False)
    finally:
        client.end()
