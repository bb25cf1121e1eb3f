"""Golden files of records: texts that hold a game, texts that hold none, and texts written from games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from azx.errors import RecordError
from azx.games.known.catalogue import GAMES
from azx.games.records.reading import read
from azx.games.records.record import LARGEST, MOST_MOVES
from azx.games.records.writing import LONGEST_LINK, line, link, sgf
from azx.games.rules.go import Go
from azx.games.rules.go_scoring import score_without
from azx.games.state import State

from .cases import PLAYED, Played, actions_of

# As the server of a well-known client writes them: a line of properties each, a node each line, times left.
_SERVER = """(;GM[1]FF[4]CA[UTF-8]AP[Client:3]ST[2]
RU[Japanese]SZ[9]KM[6.50]TM[600]OT[5x30 byo-yomi]
PW[white one]PB[black one]WR[3k]BR[2k]DT[2024-05-01]PC[A server]RE[W+Resign]
;B[ee]BL[598.3]
;W[gc]WL[595.1]
;B[cg]BL[590.0]C[black one [2k\\]: hello (;W[aa\\])
]
;W[]WL[580.7])
"""
_EDITOR = (
    "(;GM[1]FF[4]CA[UTF-8]AP[Editor:0.52.2]KM[7.5]SZ[13]DT[2023-01-02]HA[0]"
    ";B[dj](;W[jd];B[jj];W[dd]N[main])(;W[dd];B[jd](;W[jj])(;W[gg])))"
)
_OLD = "(;GaMe[1]SiZe[19]PlayerBlack[A]\n\n;Black[pd];White[dd];Black[pp]\n;White[tt];Black[tt])"
_RENJU = "(;FF[4]GM[4]SZ[15]RU[Renju]PB[A  \n B]PW[C\\\\D\\]];B[hh];W[hg];B[ig])"
_TWO = "\ufeff \r\n(;GM[1]SZ[9];B[aa];W[bb])\n(;GM[1]SZ[9];B[cc])"
_REVERSI = "(;FF[4]GM[2]SZ[4];B[dc];W[bd];B[ab];W[da];B[cd];W[ad];B[db];W[ba];B[ac];W[aa];B[tt];W[dd];W[ca])"
_LEFT_OUT = "(;SZ[19]LT[]ZZ[zz][yy];B[pd][dd];W[pp]TR[aa][bb]LB[cc:1])"

# What it is about, the text, and the game that is open where it is read.
GOOD: tuple[tuple[str, str, str | None], ...] = (
    ("a line of moves", "connect4: 3 3 2 4", None),
    ("a line without moves", "tictactoe:", None),
    ("a line with settings", "gomoku size=15 rule=renju: H8 H9 J9", None),
    ("a line in capitals, over several lines", "go size=9 komi=-0.5:\n E5\tPASS\r\n d4", None),
    ("a forced pass is a move", "dots_and_boxes size=2: 0 2 6 7 pass 8", None),
    ("moves alone, of the game that is open", " 3 3\n2 4 ", "connect4"),
    ("points alone, of the game that is open", "a1 b2 pass", "go"),
    ("the end of a link", "connect4/moves=3.3.2.4", None),
    ("a whole link, with words before and after it", "My game: https://host.example/azx/#go/moves=E5.pass.D4 !", None),
    ("a link with settings", "#gomoku/moves=H8.H9&rule=renju&size=15", None),
    ("a link of a bundle that has another name", "#my%20net/moves=4.0&game=tictactoe", None),
    ("a link without moves", "#go/moves=&komi=6", None),
    ("SGF of a server's client", _SERVER, None),
    ("SGF of an editor, with variations", _EDITOR, None),
    ("SGF with long names of properties, and tt as a pass", _OLD, None),
    ("SGF of Renju, with escapes", _RENJU, None),
    ("a mark in front, and a second game behind", _TWO, None),
    ("SGF without GM, and properties of other programs", _LEFT_OUT, None),
    ("SGF with points as the board names them", "(;GM[4]SZ[15];B[h8];W[I9])", None),
    ("SGF without a size of Gomoku", "(;FF[4]GM[4];B[oo];W[aa])", None),
    ("SGF without a move", "(;GM[1]SZ[9]KM[0])", None),
    ("SGF of a small board", "(;GM[1]SZ[5]KM[24];B[cc];W[bc])", None),
    ("a line of another board", "connect4 rows=5 columns=8: 7 7 0", None),
    ("a line of Reversi", "reversi size=4: D3 D4 B1 A3 A4 C1 A2 D2 D1 B4 C4 pass A1", None),
    ("a line that leaves a forced pass out", "reversi size=4: D3 D4 B1 A3 A4 C1 A2 D2 D1 B4 C4 A1", None),
    ("SGF of Reversi, with and without its passes", _REVERSI, None),
    ("SGF of Reversi with cells as the board names them", "(;GM[2]SZ[8];B[d3];W[c3])", None),
    ("SGF of Hex, with points as people name them", "(;FF[4]GM[11]SZ[5]PB[R]PW[B];B[c2];W[e1];B[B4])", None),
    ("SGF of Hex with a swap", "(;FF[4]GM[11]SZ[7];B[b2];W[swap-pieces];B[d4])", None),
    ("SGF of Hex, letters alone, and nobody swaps", "(;GM[11]SZ[13]RU[swap];B[ll];W[gg])", None),
    ("SGF of Hex without a size", "(;GM[11];B[k11])", None),
    ("a line of Hex with a swap", "hex size=7 rule=swap: b2 B2 d4", None),
    ("SGF of a handicap", "(;GM[1]SZ[9]KM[0.5]HA[3]AB[gc][cg][gg];W[ee];B[cc])", None),
    ("a handicap placed by moves", "(;GM[1]SZ[9]HA[2];B[gc];B[cg];W[ee])", None),
    ("a handicap that nobody has answered", "(;GM[1]SZ[9]HA[2]AB[gc][cg])", None),
    ("a position of both sides' stones, and black begins", "(;GM[1]SZ[9]AB[aa:cb][dd]AW[ee][ff];B[bd])", None),
    ("a position that says whose turn it is", "(;GM[1]SZ[9]AW[ee]PL[White];C[a problem])", None),
    ("a position in the node behind the root", "(;GM[1]SZ[9];AB[cc]AW[gg]PL[b];B[ee])", None),
    ("one side twice, in Go", "(;GM[1]SZ[9];B[dd];B[ee];W[ff];W[gg])", None),
    ("white begins, in Go", "(;GM[1]SZ[9];W[dd])", None),
    ("the first discs of Reversi", "(;GM[2]SZ[8]AB[ed][de]AW[dd][ee]PL[B];B[dc];W[cc])", None),
    ("stones of Gomoku", "(;GM[4]SZ[15]AB[hh][gg]AW[gh];W[ii];B[hg])", None),
    ("a stone of Hex that is taken over", "(;GM[11]SZ[7]RU[swap]AB[c2];W[swap-pieces];B[d4])", None),
    ("stones of Hex", "(;GM[11]SZ[7]AB[a1]AW[b2];B[c3])", None),
    ("SGF within SGF's first branch", "((;GM[1]SZ[9];B[ee];W[dd]))", None),
)

# Who plays in a file, in which character set its bytes are, and what it calls that.
ENCODED: tuple[tuple[str, str, str], ...] = (
    ("Müller", "utf-8", "UTF-8"),
    ("Müller", "iso8859-1", "ISO-8859-1"),
    ("Łukasz", "iso8859-2", "iso-8859-2"),
    ("Нина", "cp1251", "windows-1251"),
    ("Нина", "koi8-r", "KOI8-R"),
    # Its second byte is a backslash.
    ("ソウ", "shift_jis", "Shift_JIS"),
    ("本因坊", "euc_jp", "EUC-JP"),
    ("柯洁", "gb18030", "GB18030"),
    ("柯洁", "gb2312", "gb2312"),
    ("周俊勳", "big5", "Big5"),
    ("이세돌", "euc_kr", "EUC-KR"),
    ("Ann", "ascii", "no-such-set"),
    ("Müller", "utf-8", ""),
    ("Müller", "iso8859-1", ""),
    ("Müller", "iso8859-1", "no-such-set"),
)

# The same, with the number of repetitions of the text, the key of the message, and the move where it fails.
Bad = tuple[str, str, int, str | None, str, int | None]
BAD: tuple[Bad, ...] = (
    ("nothing", "", 1, None, "record_none", None),
    ("blanks", " \t\r\n", 1, "go", "record_none", None),
    ("a colon alone", ":", 1, None, "record_none", None),
    ("a game that there is not", "chess: e4 e5", 1, None, "record_none", None),
    ("a game whose name only objects have", "constructor: 1", 1, None, "record_none", None),
    ("a setting without a value", "go size: E5", 1, None, "record_none", None),
    ("a link of an unknown bundle", "#my-net/moves=3", 1, None, "record_none", None),
    ("a link with a word that is no setting", "#go/moves=E5&x", 1, None, "record_none", None),
    ("too large", "3 ", LARGEST // 2 + 1, "connect4", "record_too_large", None),
    ("too large in bytes", "\u00e9", LARGEST // 2 + 1, "connect4", "record_too_large", None),
    ("too many moves", "3 ", MOST_MOVES + 1, "connect4", "record_too_long", None),
    ("a setting that there is not", "connect4 size=9: 3", 1, None, "record_settings", None),
    ("a size that there is not", "gomoku size=99: H8", 1, None, "record_settings", None),
    ("a size that is no whole number", "go size=9.0: E5", 1, None, "record_settings", None),
    ("a size in other digits", "go size=\u0669: E5", 1, None, "record_settings", None),
    ("a size of hexadecimal digits", "go size=0x9: E5", 1, None, "record_settings", None),
    ("komi that is no number", "go komi=nan: E5", 1, None, "record_settings", None),
    ("komi with an exponent", "#go/moves=E5&komi=1e3", 1, None, "record_settings", None),
    ("komi with a comma", "(;GM[1]SZ[9]KM[6,5];B[ee])", 1, None, "record_settings", None),
    ("a rule that there is not", "gomoku rule=swap2: H8", 1, None, "record_settings", None),
    ("a board that is no square", "(;GM[1]SZ[9:13];B[ee])", 1, None, "record_settings", None),
    ("a small board", "(;GM[1]SZ[4];B[cc])", 1, None, "record_settings", None),
    ("a word that is no move", "3 x", 1, "connect4", "record_unknown_move", 2),
    ("prose", "Is this a game? It is not.", 1, "go", "record_unknown_move", 1),
    ("a column that there is not", "connect4: 7", 1, None, "record_unknown_move", 1),
    ("a pass where there is none", "gomoku: H8 pass", 1, None, "record_unknown_move", 2),
    ("a point beside the board", "(;GM[1]SZ[9];B[ee];W[jj])", 1, None, "record_unknown_move", 2),
    ("a point of digits of other scripts", "(;GM[1]SZ[9];B[e\u0665])", 1, None, "record_unknown_move", 1),
    ("tt on a board of Gomoku", "(;GM[4]SZ[15];B[tt])", 1, None, "record_unknown_move", 1),
    ("a full column", "connect4: 3 3 3 3 3 3 3", 1, None, "record_illegal", 7),
    ("a cell twice", "tictactoe: 4 4", 1, None, "record_illegal", 2),
    ("an edge where a pass is owed", "dots_and_boxes size=2: 0 2 6 7 8", 1, None, "record_illegal", 5),
    ("a pass that is not owed", "dots_and_boxes: 0 pass", 1, None, "record_illegal", 2),
    ("an occupied point", "(;GM[1]SZ[9];B[dd];W[dd])", 1, None, "record_illegal", 2),
    ("a hexagon that is taken", "hex: d4 d4", 1, None, "record_illegal", 2),
    ("a swap of the third move", "hex size=5 rule=swap: a1 b1 a1", 1, None, "record_illegal", 3),
    ("a row of Hex that there is not", "hex size=5: a6", 1, None, "record_unknown_move", 1),
    ("suicide", "go size=9: A2 E5 B1 A1", 1, None, "record_illegal", 4),
    ("an overline of Renju", "gomoku rule=renju: D8 A1 E8 A3 F8 A5 H8 A7 I8 A9 G8", 1, None, "record_illegal", 11),
    ("after a row of four", "connect4: 0 1 0 1 0 1 0 1", 1, None, "record_after_end", 8),
    ("after two passes", "(;GM[1]SZ[9];B[];W[];B[aa])", 1, None, "record_after_end", 3),
    ("one side twice", "(;GM[4]SZ[15];B[dd];B[ee])", 1, None, "record_turn", 2),
    ("white begins", "(;GM[4]SZ[15];W[dd])", 1, None, "record_turn", 1),
    ("one side twice, after its pass", "(;GM[1]SZ[9];B[];B[ee])", 1, None, "record_turn", 2),
    ("a cell that turns nothing", "reversi: D3 A1", 1, None, "record_illegal", 2),
    ("a pass that is not forced", "reversi: D3 pass", 1, None, "record_illegal", 2),
    ("a cell where a pass is forced, for the wrong side", "(;GM[2]SZ[4];B[dc];B[db])", 1, None, "record_turn", 2),
    ("SGF of another game", "(;FF[4]GM[3];B[aa])", 1, None, "record_other_game", None),
    ("SGF of a game of no number", "(;FF[4]GM[Go];B[aa])", 1, None, "record_other_game", None),
    ("stones that are set up later", "(;GM[1]SZ[9];B[dd];AW[ee])", 1, None, "record_setup", None),
    ("a stone that is set up twice", "(;GM[1]SZ[9]AB[dd][dd];W[ee])", 1, None, "record_setup", None),
    ("a stone beside the board", "(;GM[1]SZ[9]AB[zz];W[ee])", 1, None, "record_setup", None),
    ("a stone of Gomoku too many", "(;GM[4]SZ[15]AB[hh][gg];W[ii])", 1, None, "record_setup", None),
    (
        "five in a row that are set up",
        "(;GM[4]SZ[9]AB[aa:ea]AW[ab][bb][cb][eb][fb];B[ii])",
        1,
        None,
        "record_setup",
        None,
    ),
    ("another turn than the stones of Gomoku leave", "(;GM[4]SZ[15]AB[hh]AW[gg];W[ii])", 1, None, "record_turn", 1),
    ("other discs of Reversi", "(;GM[2]SZ[8]AB[ed][de]AW[dd][cc];B[dc])", 1, None, "record_setup", None),
    ("an occupied point, after a handicap", "(;GM[1]SZ[9]HA[2]AB[gc][cg];W[gc])", 1, None, "record_illegal", 1),
    ("stones that are taken away later", "(;GM[1]SZ[9];B[dd];AE[dd];W[ee])", 1, None, "record_setup", None),
    ("a handicap without its points", "(;GM[1]SZ[9]HA[2];W[ee])", 1, None, "record_setup", None),
    ("a parenthesis", "(", 1, None, "record_no_sgf", None),
    ("no node", "()", 1, None, "record_no_sgf", None),
    ("no node before a property", "(GM[1])", 1, None, "record_no_sgf", None),
    ("a value of no property", "(;[dd])", 1, None, "record_no_sgf", None),
    ("a value of the node before", "(;GM[1]SZ[9];B[aa];[bb])", 1, None, "record_no_sgf", None),
    ("SGF that is cut off", "(;GM[1]SZ[9];B[dd]", 1, None, "record_no_sgf", None),
    ("SGF that is cut off within a value", "(;GM[1]SZ[9]C[never ends", 1, None, "record_no_sgf", None),
    ("SGF that is cut off behind a backslash", "(;GM[1]C[\\", 1, None, "record_no_sgf", None),
    ("a sign that has no place", "(;GM[1]?)", 1, None, "record_no_sgf", None),
    ("a blank of another kind", "(;GM[1]\u00a0SZ[9])", 1, None, "record_no_sgf", None),
    ("many parentheses", "(", 200_000, None, "record_no_sgf", None),
    ("a long value that never ends", "(;C[" + "x" * 50, 15_000, None, "record_no_sgf", None),
)


def records() -> dict[str, Any]:
    """The limits, the texts that are read and those that are not, and what is written of games."""
    return {
        "limits": {"bytes": LARGEST, "moves": MOST_MOVES, "link": LONGEST_LINK},
        "good": [_good(about, text, playing) for about, text, playing in GOOD],
        "bad": [_bad(case) for case in BAD],
        "encoded": [_encoded(*case) for case in ENCODED],
        "written": [
            *(_write_case(name, case) for name in GAMES for case in PLAYED[name]),
            _too_long_for_a_link(),
            _with_dead_stones(),
            *(_with_stones_set_up(text) for about, text, _ in GOOD if read(text).set_up),
        ],
    }


def _good(about: str, text: str, playing: str | None) -> dict[str, Any]:
    record = read(text)
    states = record.states(GAMES[record.game or str(playing)].begin(record.settings))
    return {
        "about": about,
        "text": text,
        "open": playing,
        "game": record.game,
        "settings": dict(record.settings),
        "actions": _actions(states),
        "names": list(record.names),
        "result": record.result,
        "ignored": record.ignored,
        "set_up": record.set_up,
    }


def _bad(case: Bad) -> dict[str, Any]:
    """RuntimeError if what is told is something else: the list says what it has to be."""
    about, text, times, playing, key, move = case
    try:
        record = read(text * times)
        record.states(GAMES[record.game or str(playing)].begin(record.settings))
    except RecordError as error:
        if (error.key, error.move) == (key, move):
            return {"about": about, "text": text, "times": times, "open": playing, "key": key, "move": move}
        raise RuntimeError(f"{about}: {error.key}, move {error.move}") from error
    raise RuntimeError(f"{about}: it was read")


def _encoded(name: str, codec: str, called: str) -> dict[str, Any]:
    """A file's bytes, in hexadecimal digits, and whom it names."""
    named = f"CA[{called}]" if called else ""
    return {"bytes": f"(;GM[1]FF[4]{named}SZ[9]PB[{name}];B[ee])".encode(codec).hex(), "name": name}


def _write_case(name: str, case: Played) -> dict[str, Any]:
    """What is written of a game that was played; a shorter one is of a bundle of another name, and was given up."""
    game, settings = GAMES[name], dict(case.settings)
    states = _states(name, case.settings, tuple(actions_of(game, case)))
    resigned = None if states[-1].is_terminal else (len(states) + 1) % 2
    bundle, names = (name, ("", "")) if resigned is None else (f"my_{name}-2", ("A ] \\ B", "AI"))
    return {
        "game": name,
        "settings": settings,
        "actions": _actions(states),
        "resigned": resigned,
        "dead": [],
        "names": list(names),
        "bundle": bundle,
        "line": line(game, settings, states),
        "sgf": sgf(game, settings, states, resigned, names),
        "link": link(bundle, game, settings, states),
    }


def _too_long_for_a_link() -> dict[str, Any]:
    """A name is an easy way to a long link."""
    case = _write_case("tictactoe", PLAYED["tictactoe"][0])
    states = _states("tictactoe", {}, tuple(case["actions"]))
    bundle = "n" * LONGEST_LINK
    return {**case, "bundle": bundle, "link": link(bundle, GAMES["tictactoe"], {}, states)}


def _with_dead_stones() -> dict[str, Any]:
    """White's stone is taken off: without that white would win."""
    game, settings, dead = GAMES["go"], {"size": 5, "komi": 0.5}, [0]
    states = _states("go", settings, (12, 0, 25, 25))
    return {
        "game": "go",
        "settings": settings,
        "actions": _actions(states),
        "resigned": None,
        "dead": dead,
        "names": ["", ""],
        "bundle": "go",
        "line": line(game, settings, states),
        "sgf": sgf(game, settings, states, score=score_without(cast(Go, states[-1]), dead)),
        "link": link("go", game, settings, states),
    }


def _with_stones_set_up(text: str) -> dict[str, Any]:
    """What is written of a record that was read: the same stones stand before the first move."""
    record = read(text)
    game = GAMES[str(record.game)]
    states = record.states(game.begin(record.settings))
    return {
        "game": game.name,
        "settings": dict(record.settings),
        "actions": _actions(states),
        "resigned": None,
        "dead": [],
        "names": ["", ""],
        "bundle": game.name,
        "set_up": record.set_up,
        "line": line(game, record.settings, states),
        "sgf": sgf(game, record.settings, states, set_up=record.set_up),
        "link": link(game.name, game, record.settings, states),
    }


def _states(name: str, settings: Mapping[str, Any], actions: tuple[int, ...]) -> tuple[State, ...]:
    states = [GAMES[name].begin(settings)]
    for action in actions:
        states.append(states[-1].apply(action))
    return tuple(states)


def _actions(states: tuple[State, ...]) -> list[int]:
    return [state.last_action for state in states if state.last_action is not None]
