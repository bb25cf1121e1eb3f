"""The page: its verdict, its figures, what it leaves out, and that nothing in a bundle becomes a tag of it."""

from __future__ import annotations

import copy
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from manifests import part_with
from proofs import ARTIFACTS, EXACT, of_game, of_no_game

from azx.errors import BundleError
from azx.games.known.catalogue import GAMES
from azx.manifest import Manifest
from azx.pages.bundle_page import MARK, Facts, page
from azx.pages.figures import read_bench, read_explanation, read_proof
from azx.pages.markup import POLICY

Data = dict[str, Any]
HOSTILE = "<script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(1)>&amp;\"'\x00\x1b[31m"
# What a page is made of; anything else came out of a bundle.
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "section",
        "h1",
        "h2",
        "h3",
        "p",
        "span",
        "b",
        "strong",
    ),
    *("small", "ul", "li", "div", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure"),
    *("figcaption", "svg", "path", "rect", "circle", "text", "footer", "code"),
}


class Tags(HTMLParser):
    """Every tag with its attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data

    def count(self, kind: str) -> int:
        return sum(kind in (attributes.get("class") or "").split() for _, attributes in self.found)


def drawn(manifest: Data, parity: Data, facts: Facts | None = None) -> str:
    return page(part_with(Manifest, manifest), parity, "0.1.0", facts)


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_its_board_three_times_for_both_and_every_plot(game: str) -> None:
    manifest, parity = of_game(game)
    text = drawn(manifest, parity)
    tags = Tags(text)
    count = len(ARTIFACTS)
    kind = {"column": "discs", "point": "stones", "cell": "marks", "edge": "edges", "hexagon": "hexagons"}[
        GAMES[game].noun
    ]
    assert tags.count(kind) == 6 * count
    assert tags.count("needles") >= 2 * count
    assert tags.count("points") == count
    assert len(text.encode()) < 2**20
    assert MARK in text[:1000]
    assert f'content="{POLICY}"' in text


def test_a_position_is_not_called_drawn_as_a_game_is() -> None:
    words = Tags(drawn(*of_game("connect4"))).words
    assert re.search(r"(Random|Extreme) position [\d,]+: (yellow|red) to move\. ", words)
    assert not re.search(r"Position [\d,]+, drawn", words)


def test_without_a_game_the_moves_are_bars() -> None:
    tags = Tags(drawn(*of_no_game()))
    assert tags.count("board") == 0
    assert tags.count("original") == 3 * len(ARTIFACTS) * 6


def test_the_verdict_is_that_of_the_terminal() -> None:
    manifest, parity = of_game("tictactoe", artifacts=EXACT)
    assert "2 artifacts, equal to the original: tried on 60 boards." in drawn(manifest, parity).replace("<span>", "")
    words = Tags(drawn(*of_game("tictactoe"))).words
    assert "2 artifacts equal to the original: tried on 60 boards; 1 inside the gate; 1 outside it, marked." in words
    assert "net.int8.failing.tflite is outside its gate and kept on request" in words
    assert "Fewer than 1 in 20 random legal positions can be over the limit (95 %). That is for a converter's" in words


SAME = {"verdict": "same", "boards": 60, "operations": 4, "weights": 90, "to_the_bit": 80, "largest_rounding": 0.5}
SENTENCE = (
    "the same calculation for every board: 4 operations, 90 weights, 80 of them to the bit and the rest within 0.50 "
    "units in the last place; rounding measured on 60 boards"
)


def test_what_is_shown_for_every_board_is_said_of_each_file_and_is_not_sampled() -> None:
    manifest, parity = of_game("tictactoe", artifacts=EXACT)
    for each in parity["artifacts"]:
        each["calculation"] = SAME
    parity |= {"could_hide": None, "parts": []}
    words = Tags(drawn(manifest, parity)).words
    assert "2 artifacts, equal to the original: the same calculation for every board." in words
    assert words.count(f"T{SENTENCE[1:]}.") == 2
    assert "Fewer than 1 in" not in words
    tried = {"verdict": "tried", "boards": 60, "reason": "no rule for operation Gelu"}
    parity["artifacts"][1]["calculation"] = tried
    words = Tags(drawn(manifest, parity)).words
    assert "equal to the original: 1 the same calculation for every board, 1 tried on 60 boards." in words
    recorded = Tags(drawn(manifest, parity, Facts(is_recorded=True))).words
    assert "net.tflite: Recorded by whoever made this bundle, and not checked here: tried on 60 boards" in recorded
    assert "net.tflite: Tried on 60 boards, and not shown for every other: no rule for operation Gelu." in words


def test_what_only_the_manifest_says_is_called_recorded() -> None:
    manifest, parity = of_game("tictactoe", artifacts=EXACT)
    for each in manifest["artifacts"]:
        each["calculation"] = SAME
    words = Tags(drawn(manifest, parity)).words
    assert words.count(f"Recorded by whoever made this bundle, and not checked here: {SENTENCE}.") == 2
    assert "equal to the original: tried on 60 boards." in words


def test_what_is_outside_its_gate_is_on_top_with_its_sentences() -> None:
    artifacts = (*EXACT, ("net.fp16.tflite", "tflite", "fp16", 1.0))
    manifest, parity = of_game("connect4", artifacts=artifacts)
    assert not parity["passed"]
    words = Tags(drawn(manifest, parity)).words
    assert "Outside its gate." in words
    assert "Not equal" not in words
    assert "net.fp16.tflite: value_head: win-rate error" in words


def test_what_is_not_equal_is_said_first() -> None:
    manifest, parity = of_game("connect4", artifacts=EXACT)
    parity["passed"] = parity["artifacts"][0]["passed"] = False
    assert "Not equal to the original." in Tags(drawn(manifest, parity)).words


def test_what_was_not_run_is_neither_equal_nor_not() -> None:
    manifest, parity = of_game("connect4", artifacts=EXACT)
    lacking = parity["artifacts"][1]
    del lacking["trace"]
    lacking |= {"passed": False, "proved": False, "reason": "litert is not installed", "heads": []}
    words = Tags(drawn(manifest, parity)).words
    assert "1 artifact equal to the original: tried on 60 boards; 1 not proved here." in words
    assert "net.tflite: not proved here: litert is not installed" in words


def test_a_bundle_that_says_what_is_not_so_is_not_called_good() -> None:
    manifest, parity = of_game("connect4", artifacts=EXACT)
    words = Tags(drawn(manifest, parity, Facts(problems=("manifest.json: 'game' is a lie.",)))).words
    assert "Not equal to the original." in words
    assert "'game' is a lie" in words


def test_an_answer_that_is_no_number_is_said_to_be_none() -> None:
    manifest, parity = of_game("connect4", artifacts=EXACT)
    parity["passed"] = False
    parity["artifacts"][0] |= {"passed": False, "problems": ["net.onnx: value_head answers NaN or infinity."]}
    parity["artifacts"][0]["heads"][0]["max_error"] = None
    del parity["artifacts"][0]["trace"]
    words = Tags(drawn(manifest, parity)).words
    assert "not a number" in words
    assert "net.onnx: value_head answers NaN or infinity." in words


def test_nothing_of_a_bundle_becomes_a_tag() -> None:
    manifest, parity = of_game("connect4")
    plain = Tags(drawn(manifest, parity))

    def poisoned(value: Any, key: str = "") -> Any:
        kept = {"path", "file", "sha256", "format", "precision", "role", "game", "head", "layout", "activation"}
        if isinstance(value, dict):
            return {name: poisoned(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [poisoned(each, key) for each in value]
        packed = isinstance(value, str) and re.fullmatch(r"[-+0-9.e* ]*", value)
        return value if not isinstance(value, str) or key in kept or packed or key == "planes" else value + HOSTILE

    manifest["name"] = HOSTILE
    manifest["checkpoint"]["file"] = HOSTILE
    text = drawn(manifest, poisoned(parity), Facts(note=HOSTILE, problems=(HOSTILE,)))
    tags = Tags(text)
    assert {tag for tag, _ in tags.found} == {tag for tag, _ in plain.found} <= TAGS
    assert not [name for _, attributes in tags.found for name in attributes if name.startswith("on") or name == "src"]
    assert not [name for _, attributes in tags.found for name in attributes if name in ("href", "action", "srcset")]
    assert "<script>alert(1)</script>" in tags.words
    assert "\x1b" not in text


@pytest.mark.parametrize("game", [None, "connect4"])
def test_a_name_as_long_as_a_book_is_cut(game: str | None) -> None:
    manifest, parity = of_game("connect4") if game else of_no_game()
    manifest["name"] = "n" * 10**6
    parity["description"] = "d" * 10**6
    parity["notes"] = ["x" * 10**5] * 100
    assert len(drawn(manifest, parity)) < 2**19


BENCH = {
    "rounds": 20,
    "threads": 1,
    "artifacts": [
        {"path": "net.onnx", "size": 100_000, "latency": {"p50": 4e-4, "p99": 9e-4}, "ratio": 4.0},
        {"path": "net.fp16.tflite", "size": 100_000, "latency": {"p50": 1e-4, "p99": 2e-4}, "ratio": 1.0},
        {"path": "net.tflite", "size": 99, "latency": {"p50": 1e-5, "p99": 2e-5}, "ratio": 1.0},
    ],
}


def test_latencies_of_these_very_files_are_shown_and_no_others() -> None:
    manifest, parity = of_game("connect4")
    words = Tags(drawn(manifest, parity, Facts(bench=read_bench(BENCH)))).words
    assert "0.4 ms" in words
    assert "4.00 x quickest" in words
    assert "0.01 ms" not in words
    assert "was not measured" not in words
    without = Tags(drawn(manifest, parity)).words
    assert "How long an answer takes was not measured: azx report BUNDLE --bench" in without


def test_the_same_proof_gives_the_same_page() -> None:
    assert drawn(*of_game("gomoku", 20)) == drawn(*of_game("gomoku", 20))


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("artifacts", "none"),
        ("passed", None),
        ("description", ["some"]),
        ("artifacts.0.heads.0.limit", "large"),
        ("artifacts.0.trace.positions", 0),
        ("artifacts.0.trace.heads", []),
        ("artifacts.0.trace.heads.0.errors", "1 2 three"),
        ("artifacts.0.trace.heads.0.errors", "1 inf"),
        ("artifacts.0.trace.heads.0.limit", -0.1),
        ("artifacts.0.trace.worst.0.input", "0*999999999"),
        ("artifacts.2.gate.checks", [{"head": "value_head"}]),
    ],
)
def test_a_damaged_proof_is_a_sentence_that_names_the_member(member: str, value: object) -> None:
    manifest, parity = of_game("tictactoe")
    parity = json.loads(json.dumps(parity))
    place: Any = parity
    *path, last = member.split(".")
    for part in path:
        place = place[int(part)] if part.isdigit() else place[part]
    place[int(last) if last.isdigit() else last] = value
    with pytest.raises(BundleError, match=re.escape(f"parity.json has no sound '{member}")):
        drawn(manifest, parity)


def test_a_proof_with_fewer_answers_than_heads_is_drawn_as_far_as_it_goes() -> None:
    manifest, parity = of_game("connect4")
    for each in parity["artifacts"]:
        for at in each["trace"]["worst"]:
            at["heads"] = [dict(head, head="nobody's") for head in at["heads"]]
            at["legal"] = "99 3"
    assert "The worst positions" in drawn(manifest, parity)
    manifest, parity = of_game("connect4")
    for each in parity["artifacts"]:
        for at in each["trace"]["worst"]:
            at["legal"], at["input"] = "-1 1e9", "0*3"
    assert "The worst positions" in drawn(manifest, parity)


def test_a_proof_of_before_there_were_traces_has_figures_alone() -> None:
    manifest, parity = of_game("connect4")
    parity = copy.deepcopy(parity)
    for each in parity["artifacts"]:
        del each["trace"]
    assert read_proof(parity).artifacts[0].trace is None
    tags = Tags(drawn(manifest, parity))
    assert "How far off" not in tags.words
    assert "Formats and precisions" in tags.words


def test_games_against_the_original_are_told_in_elo_and_otherwise_how_to_play_them() -> None:
    manifest, parity = of_game("connect4")
    assert (
        "Games against the original were not played: azx validate BUNDLE --strength"
        in Tags(drawn(manifest, parity)).words
    )
    played = {"artifact": "net.fp16.tflite", "against": "net.h5", "games": 400}
    manifest["strength"] = [
        {**played, "equal": "time", "elo": {"value": 61.2, "low": 28.7, "high": None}},
        {**played, "equal": "simulations", "elo": {"value": -3.4, "low": -30.2, "high": 22.9}},
    ]
    words = Tags(drawn(manifest, parity)).words
    assert "+61+29 to no bound at equal time, 400 games; -3, -30 to +23 at equal simulations, 400 games" in words
    assert "were not played" not in words


def test_an_explanation_is_a_curve_over_the_layers_that_names_the_first_at_fault() -> None:
    manifest, parity = of_game("connect4")
    layer = {"tensor": "t", "found_by": "name", "own_error": 1e-6, "band": 1e-5, "in_band": True}
    layers = [{**layer, "layers": [f"conv_{at}"], "layer": f"conv_{at}", "drift": 10.0 ** (at - 7)} for at in range(5)]
    layers[3] |= {"in_band": False, "layers": ["conv_3", "norm_3"]}
    told = read_explanation({"artifacts": [{"path": "bundles/net/net.onnx", "layers": layers}]})
    tags = Tags(drawn(manifest, parity, Facts(explanation=told)))
    assert "The first layer outside its band is conv_3 + norm_3." in tags.words
    assert (tags.count("drift"), tags.count("drift-dot")) == (1, 5)
    with pytest.raises(BundleError, match=r"It has no sound 'artifacts': give a file that azx explain --json wrote\."):
        read_explanation({"layers": []})


def test_scores_of_moves_are_shown_as_numbers_and_not_as_shares() -> None:
    manifest, parity = of_no_game()
    manifest["outputs"][1]["activation"] = "sigmoid"
    shown = Tags(drawn(manifest, parity)).words
    assert "the original's score above" in shown
    assert not re.search(r"Best move \d+: [-\d.]+%", shown)
    assert re.search(r"Best move \d+: -?\d\.\d{3}, exported", shown) or re.search(
        r"Best move \d+ \(-?\d\.\d{3}\)", shown
    )
