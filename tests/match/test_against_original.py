"""Artifacts against their original: who plays whom, what equal time buys, what is noted and what goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from manifests import part_with

from azx.bundle.contents.listing import text_of_listing
from azx.bundle.contents.manifest import LISTING, digest_of_export, load_manifest, read_manifest, text
from azx.errors import AzxError, BundleError, GameError
from azx.games.evaluator import Evaluation
from azx.games.known.recognition import by_name
from azx.games.search_settings import Gumbel, SearchSettings
from azx.games.state import State
from azx.manifest import Manifest
from azx.match import against_original as measured
from azx.match import against_original as strength
from azx.match.against_original import Strength, note_strength
from azx.match.games import Block, Rules, play_block
from azx.match.opponents import Contest, as_the_bundle_reads, contests
from azx.match.players import Net
from azx.match.result import pairings

Azx = Callable[..., subprocess.CompletedProcess[str]]
ARTIFACTS = [
    {"format": "onnx", "path": "a.onnx", "precision": "fp32"},
    {"format": "tflite", "path": "a.int8-dynamic.tflite", "precision": "int8-dynamic"},
    {"format": "tflite", "path": "a.tflite", "precision": "fp32"},
    {"format": "tfjs", "path": "a.fp16_tfjs", "precision": "fp16"},
]
DATA: dict[str, Any] = {
    "game": "connect4",
    "settings": {},
    "encoding": {"layout": "channels_first", "board": [6, 7], "planes": ["mover", "opponent"]},
    "actions": "cell",
    "checkpoint": {"file": "a.h5"},
    "outputs": [{"role": "value", "source_name": "v"}, {"role": "policy", "source_name": "pi"}],
    "artifacts": ARTIFACTS,
}
MANIFEST = part_with(Manifest, DATA)
FOLDER = Path("bundle")


def test_without_a_checkpoint_precisions_play_the_float32_of_their_format() -> None:
    found = {each.artifact: each for each in contests(FOLDER, MANIFEST, None)}
    assert list(found) == ["a.int8-dynamic.tflite", "a.fp16_tfjs"]
    assert found["a.int8-dynamic.tflite"].against == "a.tflite"
    assert found["a.int8-dynamic.tflite"].original == Net(str(FOLDER / "a.tflite"))
    assert found["a.fp16_tfjs"].original is None
    assert "give the checkpoint" in found["a.fp16_tfjs"].reason


def test_with_a_checkpoint_every_artifact_plays_it_and_some_can_be_named() -> None:
    original = Net("runs/a.h5")
    assert {(each.artifact, each.against, each.original) for each in contests(FOLDER, MANIFEST, original)} == {
        (entry["path"], "a.h5", original) for entry in ARTIFACTS
    }
    for chosen, paths in ((["tflite"], 2), (["fp16", "onnx"], 2), (["a.tflite"], 1), (["fp32"], 2)):
        found = contests(FOLDER, MANIFEST, original, chosen)
        assert len(found) == paths
        assert all(each.named for each in found)


@pytest.mark.parametrize(
    ("changed", "chosen", "sentence"),
    [
        ({"game": None}, [], "does not know this bundle.s game"),
        ({"encoding": None}, [], "leave --strength out"),
        ({}, ["int9"], "--strength-of int9: 'bundle' has no such artifact, format or precision"),
        ({}, ["a.tflite"], "give the checkpoint with --against"),
    ],
)
def test_what_cannot_play_is_refused_in_a_sentence(changed: dict[str, Any], chosen: list[str], sentence: str) -> None:
    with pytest.raises(AzxError, match=sentence):
        contests(FOLDER, part_with(Manifest, DATA | changed), None, chosen)


def test_the_checkpoint_is_read_as_the_bundle_says() -> None:
    with as_the_bundle_reads(Net("runs/a.h5"), MANIFEST) as net:
        assert net.encoding is not None
        said = json.loads(net.encoding.read_text())
        assert (said["game"], said["layout"], said["actions"]) == ("connect4", "channels_first", "cell")
        assert (net.names.value_head, net.names.policy_head) == ("v", "pi")
    assert not net.encoding.exists()


def test_the_checkpoint_is_searched_as_the_bundle_says() -> None:
    original = Net("runs/a.h5")
    bundle = part_with(Manifest, DATA | {"search": {"root": {"kind": "gumbel", "considered": 4}}})
    assert {each.original for each in contests(FOLDER, bundle, original)} == {
        replace(original, search=SearchSettings(Gumbel(4)))
    }
    unknown = part_with(Manifest, DATA | {"search": {"root": {"kind": "other"}}})
    with pytest.raises(GameError, match=r"search\.root\.kind\): use a newer azx"):
        contests(FOLDER, unknown, original)


class Timed:
    """Takes so long for an answer, by a clock of its own."""

    in_process, stands_in = True, False
    now = 0.0

    def __init__(self, seconds: float) -> None:
        self.seconds, self.asked = seconds, 0

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        self.asked += len(states)
        Timed.now += self.seconds * len(states)
        return [Evaluation(0.0) for _ in states]


@pytest.mark.whole
def test_equal_time_buys_a_network_four_times_as_fast_four_times_the_simulations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "process_time", lambda: Timed.now)
    start = by_name("connect4").begin()
    fast, slow = Timed(0.001), Timed(0.004)
    found = measured.measure_speeds((fast, slow), [start, start.apply(38)], 20)  # type: ignore[arg-type]
    assert fast.asked == slow.asked
    assert found.per_second == pytest.approx((1000, 250), rel=0.1)
    assert found.bought(50) == 200
    assert measured.Speeds((1.0, 1000.0), 0.001).bought(50) == 1


def test_each_side_of_a_match_gets_its_own_simulations() -> None:
    start, rules = by_name("tictactoe").begin(), Rules(10, each=(5, 40))
    few, many = Timed(0), Timed(0)
    games = list(play_block(start, (few, many), Block((0, 1), ((0, ()), (1, (4,)))), rules))
    assert len(games) == 4
    assert many.asked > 2 * few.asked
    assert rules.of(1) == Rules(40)
    assert Rules(10).of(1) == Rules(10)


@pytest.mark.parametrize(("named", "matches"), [(False, 0), (True, 1)])
def test_a_runtime_that_stands_in_is_never_timed(monkeypatch: pytest.MonkeyPatch, named: bool, matches: int) -> None:
    """Only where it is asked for does it play at all, and with equal simulations alone."""
    timed = list[object]()

    @contextmanager
    def measuring() -> Iterator[Callable[..., str | None]]:
        yield lambda function, nets: "an interpreter" if nets[0].net.endswith(".mlpackage") else None

    def played(contest: Contest, terms: object, players: object, watch: object, ask: object, on_step: object) -> Any:
        timed.append(ask)
        return [strength_of(contest.artifact)]

    monkeypatch.setattr(strength, "_measure_alone", measuring)
    monkeypatch.setattr(strength, "_play_contest", played)
    original = Net("a.h5")
    listed = [
        Contest("a.mlpackage", Net("a.mlpackage"), "a.h5", original, named),
        Contest("a.onnx", Net("a.onnx"), "a.h5", original),
    ]
    nothing: Any = nullcontext
    found = strength.play_contests(listed, strength.Terms(), nothing, nothing, print)
    assert [each.artifact for each in found.strengths] == ["a.mlpackage"] * matches + ["a.onnx"]
    assert [ask is None for ask in timed] == [True] * matches + [False]
    assert list(found.reasons) == ["a.mlpackage"]
    assert ("named with --strength-of" in found.reasons["a.mlpackage"]) is not named
    if not named:
        with pytest.raises(AzxError, match=r"No artifact could be played .*an interpreter, stands in"):
            strength.play_contests(listed[:1], strength.Terms(), nothing, nothing, print)


def strength_of(artifact: str, equal: str = "time") -> Strength:
    """As of two pairs of games, all of them won."""
    start = by_name("tictactoe").begin()
    games = list(play_block(start, (Timed(0), Timed(0)), Block((0, 1), ((0, ()), (1, (4,)))), Rules(5)))
    won = [replace(game, result=1.0 if game.first == 0 else -1.0) for game in games]
    (pairing,) = pairings(won, 2, start)
    return Strength(artifact, "a.tflite", equal, (20, 5), (4.04, 1.0), ("one", "other"), 2, pairing, Path("log"))


@pytest.mark.whole
def test_what_was_found_is_noted_in_the_manifest_and_stays_for_other_artifacts(
    small_bundle: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(small_bundle, folder)
    before, digest = load_manifest(folder), digest_of_export(folder)
    note_strength(folder, before, [strength_of("a"), strength_of("b")])
    note_strength(folder, before, [strength_of("b", "simulations"), strength_of("a")])
    noted = load_manifest(folder)
    assert [(each.artifact, each.equal) for each in noted.strength or ()] == [
        ("a", "time"),
        ("b", "simulations"),
        ("b", "time"),
    ]
    assert replace(noted, strength=None) == before
    assert digest_of_export(folder) == digest
    (one, *_) = read_manifest(folder).strength or ()
    assert (one.games, one.won, one.playouts_per_second, one.score.value) == (4, 4, (4.0, 1.0), 1.0)
    assert one.elo.value is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle"]


def test_a_bundle_that_was_exported_again_meanwhile_is_left_alone(small_bundle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(small_bundle, folder)
    manifest = load_manifest(folder)
    other = replace(manifest, files=(replace(manifest.files[0], sha256="0" * 64), *manifest.files[1:]))
    bytes_before = (folder / "manifest.json").read_bytes()
    with pytest.raises(BundleError, match="exported again during the games"):
        note_strength(folder, other, [strength_of("a")])
    assert (folder / "manifest.json").read_bytes() == bytes_before


@pytest.fixture(scope="module")
def measured_bundle(small_checkpoint: Path, run_in: Azx, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small network in ONNX and TFLite, and what `azx validate --strength --json` said of it."""
    folder = tmp_path_factory.mktemp("strength")
    options = ("--format", "onnx,tflite", "--positions", "50", "-o", "net")
    done = run_in(folder, "export", small_checkpoint, *options)
    assert done.returncode == 0, done.stderr
    told = run_in(folder, *command(small_checkpoint), "--json")
    assert told.returncode == 0, told.stderr
    (folder / "told.json").write_text(told.stdout)
    return folder


@pytest.mark.whole
def test_the_page_of_the_bundle_has_the_games(measured_bundle: Path) -> None:
    page = (measured_bundle / "net" / "report.html").read_text(encoding="utf8")
    for each in read_manifest(measured_bundle / "net").strength or ():
        low, high = ("no bound" if end is None else f"{end:+.0f}" for end in (each.elo.low, each.elo.high))
        assert f"{low} to {high} at equal {each.equal}, 6 games" in page


@pytest.mark.whole
def test_a_seed_gives_the_same_games_and_the_log_is_where_it_was_asked_for(
    measured_bundle: Path, small_checkpoint: Path, run_in: Azx
) -> None:
    shutil.copytree(measured_bundle / "net", measured_bundle / "again")
    (measured_bundle / "again" / "report.html").write_text("mine", encoding="utf8")
    (measured_bundle / "again" / LISTING).write_text(text_of_listing(measured_bundle / "again", ("report.html",)))
    own = ("validate", "again", *command(small_checkpoint)[2:], "--strength-of", "onnx", "-q")
    names = [f"{small_checkpoint.stem}.onnx-{equal}.jsonl" for equal in ("simulations", "time")]
    # The bundle itself was played with seed 0.
    logs = (measured_bundle / "azx-matches").glob("*.jsonl")
    noted = next(path for path in logs if not path.stem.endswith("-time") and ".onnx" in path.read_text())
    games = [games_of(noted, 0)]
    for place, seed in (("same", 0), ("other", 4)):
        done = run_in(measured_bundle, *own, "--seed", seed, "--log", place)
        assert done.returncode == 0, done.stderr
        assert sorted(path.name for path in (measured_bundle / place).iterdir()) == names
        games.append(games_of(measured_bundle / place / names[0], seed))
    assert games[0] == games[1] != games[2]
    assert (measured_bundle / "again" / "report.html").read_text(encoding="utf8") == "mine"
    other = run_in(measured_bundle, *own, "--seed", 5, "--log", "other")
    assert other.returncode == 1
    assert "onnx-simulations.jsonl" in other.stderr


def games_of(log: Path, seed: int) -> list[str]:
    """The games of a log that says this seed."""
    head, *games = [json.loads(line) for line in log.read_text().splitlines()]
    assert head["seed"] == seed
    return sorted(json.dumps(game, sort_keys=True) for game in games)


def command(checkpoint: Path) -> tuple[object, ...]:
    return "validate", "net", "--against", checkpoint, "--strength", "6", "--simulations", "4", "--workers", "1"


def test_the_checkpoint_is_played_in_tensorflow_with_equal_simulations_and_with_equal_time(
    measured_bundle: Path, small_checkpoint: Path
) -> None:
    told = json.loads((measured_bundle / "told.json").read_text())
    assert told["not_played"] == {}
    assert [(each["artifact"], each["equal"]) for each in told["strength"]] == [
        (f"{small_checkpoint.stem}{suffix}", equal)
        for suffix in (".onnx", ".tflite")
        for equal in ("simulations", "time")
    ]
    for each in told["strength"]:
        assert each["against"] == small_checkpoint.name
        assert each["games"] == each["won"] + each["drawn"] + each["lost"] == 6
        assert each["simulations"][1] == 4
        assert "TensorFlow" in each["runtimes"][1]
        if each["equal"] == "time":
            one, other = each["playouts_per_second"]
            assert each["simulations"][0] == pytest.approx(4 * one / other, rel=0.5, abs=1)
        else:
            # Float32 is equal to the original, and so are its moves.
            assert each["simulations"] == [4, 4]
            assert each["score"]["value"] == 0.5
        del each["log"]
    manifest = read_manifest(measured_bundle / "net")
    assert manifest.as_data()["strength"] == told["strength"]
    assert text(manifest) == (measured_bundle / "net" / "manifest.json").read_text(encoding="utf8")


@pytest.mark.whole
def test_the_same_command_plays_nothing_again_and_measures_nothing_again(
    measured_bundle: Path, small_checkpoint: Path, run_in: Azx
) -> None:
    logs = {path: path.read_bytes() for path in (measured_bundle / "azx-matches").glob("*.jsonl")}
    assert len(logs) == 4
    cut = next(path for path in logs if path.name.endswith("-time.jsonl"))
    cut.write_bytes(b"\n".join(logs[cut].split(b"\n")[:4]) + b"\n")  # as an interruption leaves it, after three games
    noted = read_manifest(measured_bundle / "net").strength
    done = run_in(measured_bundle, *command(small_checkpoint), "--verbose")
    assert done.returncode == 0, done.stderr
    assert "3 of 6 games are in the log and not played again" in done.stderr
    assert "measuring" not in done.stderr
    assert {path: path.read_bytes() for path in logs} == logs
    assert read_manifest(measured_bundle / "net").strength == noted
    assert "Against the original" in done.stdout
    assert "'strength' is the result of games" in done.stdout


def test_a_bundle_of_no_known_game_and_options_without_strength_are_refused(
    measured_bundle: Path, run_in: Azx, tmp_path: Path, azx: Azx
) -> None:
    alone = run_in(measured_bundle, "validate", "net", "--strength-of", "onnx")
    assert alone.returncode == 2
    assert "--strength-of says how artifacts play their original: give --strength too" in alone.stderr
    with pytest.raises(GameError):
        contests(tmp_path, replace(MANIFEST, game=None), None)
