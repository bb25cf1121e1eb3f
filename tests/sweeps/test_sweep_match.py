"""`azx sweep --match`: the tables have ratings, the curve is drawn, and what was played is not played again."""

from __future__ import annotations

import csv
import json
import math
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from azx.bundle.case.checkpoint import Checkpoint
from azx.cli import cli
from azx.errors import BundleError
from azx.match.games import Rules
from azx.match.players import LocalPlayers
from azx.match.rating.elo import Interval
from azx.play.network import open_network
from azx.sweeps import standing
from azx.sweeps.outcome import FAILED, KEPT, Outcome, likely, of_bundle
from azx.sweeps.rated import FOLDER, Matches, rate
from azx.sweeps.sources import Item

Azx = Callable[..., subprocess.CompletedProcess[str]]
SWEEP = ("sweep", "runs", "--format", "onnx", "--positions", "50", "--jobs", "1")
MATCH = (*SWEEP, "--match", "--games", "8", "--simulations", "4")
MATCHES = Matches(Rules(simulations=0), 4, players=partial(LocalPlayers, 1))
NAMES = ["version1", "version2", "version10"]


@pytest.fixture(scope="module")
def matched(
    versions: Path, run_in: Azx, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A folder with runs/, and with bundles/ after a sweep whose three networks have played."""
    folder = tmp_path_factory.mktemp("matched")
    shutil.copytree(versions, folder / "runs")
    return folder, run_in(folder, *MATCH)


def table(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "bundles" / "results.csv").open(encoding="utf8", newline="") as file:
        return {Path(row["checkpoint"]).stem: row for row in csv.DictReader(file)}


def games(folder: Path) -> list[dict[str, Any]]:
    (log,) = (folder / "bundles" / FOLDER).glob("*.jsonl")
    return [line for line in map(json.loads, log.read_text().splitlines()) if "moves" in line]


def outcomes(folder: Path) -> list[Outcome]:
    return [of_bundle(Item(Path(f"{name}.h5"), name), KEPT, folder / "bundles" / name) for name in NAMES]


@pytest.mark.whole
def test_the_table_has_each_rating_with_its_interval(matched: tuple[Path, Any]) -> None:
    rows = table(matched[0])
    assert list(rows) == NAMES
    elos = [float(row["elo"]) for row in rows.values()]
    assert sum(elos) == pytest.approx(0, abs=0.3)
    for row in rows.values():
        assert float(row["elo_low"]) < float(row["elo"]) < float(row["elo_high"])
        assert (row["games"], row["unrated"]) == ("16", "")
    assert sum(float(row["points"]) for row in rows.values()) == len(games(matched[0])) == 3 * 8
    likelihoods = [row["superiority"] for row in rows.values()]
    assert likelihoods[0] == ""
    assert all(
        (float(share) > 0.5) == (two > one) for (one, two), share in zip(pairwise(elos), likelihoods[1:], strict=True)
    )


def test_what_is_printed_names_the_leader(matched: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    folder, done = matched
    assert done.returncode == 0, done.stderr
    assert "Tic-tac-toe: 3 networks, 24 games, 4 simulations; 24 of the games are new" in done.stdout
    assert "better than the one before" in done.stdout
    assert "Match: 3 networks of Tic-tac-toe, at most 24 games\n" in done.stderr
    rows = table(folder)
    leader = max(rows, key=lambda name: float(rows[name]["elo"]))
    assert any(line.startswith("Best: ") and leader in line for line in done.stdout.splitlines())


def test_the_page_has_the_curve_and_the_ratings(matched: tuple[Path, Any]) -> None:
    text = (matched[0] / "bundles" / "index.html").read_text(encoding="utf8")
    assert text.count("<svg") == 1
    assert text.count("<circle") == 4  # each network, and the leader once more
    assert '<th scope="col">Elo</th>' in text
    for row in table(matched[0]).values():
        assert f"<span>{float(row['elo']):+.0f}<small>" in text


def test_the_curve_is_a_picture_too_where_pillow_is_installed(matched: tuple[Path, Any]) -> None:
    image = pytest.importorskip("PIL.Image")
    with image.open(matched[0] / "bundles" / "ratings.png") as picture:
        assert picture.size == (960, 600)
        assert len(picture.getcolors(256)) > 10
    assert (matched[0] / "bundles" / "ratings.png").stat().st_size < 60_000


@pytest.mark.whole
def test_the_same_again_plays_nothing_and_one_more_only_its_own(
    matched: tuple[Path, Any], tmp_path: Path, azx: Azx
) -> None:
    shutil.copytree(matched[0], tmp_path, dirs_exist_ok=True)
    before = games(tmp_path)
    told = json.loads(azx(*MATCH, "--json").stdout)
    assert (told["standings"][0]["games"], told["standings"][0]["new_games"]) == (24, 0)
    assert games(tmp_path) == before
    shutil.copy(shipped(), tmp_path / "runs" / "version3.h5")
    told = json.loads(azx(*MATCH, "--json").stdout)
    (standings,) = told["standings"]
    assert [rating["bundle"] for rating in standings["ratings"]] == ["version1", "version2", "version3", "version10"]
    assert standings["new_games"] == 3 * 8
    after = games(tmp_path)
    assert after[: len(before)] == before
    known = {line[side] for line in before for side in ("first", "second")}
    (new,) = {line[side] for line in after for side in ("first", "second")} - known
    assert all(new in (line["first"], line["second"]) for line in after[len(before) :])
    better = standings["better"]
    assert all(better[i][j] == pytest.approx(1 - better[j][i]) for i in range(4) for j in range(4))


def shipped() -> Path:
    from azx.export.checkpoint.located import find_checkpoint

    return find_checkpoint("tictactoe")


def test_one_that_cannot_be_opened_or_does_not_run_has_a_reason(
    matched: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:

    def refused(net: Checkpoint, **options: Any) -> Any:
        if str(net.place).endswith("version2"):
            raise BundleError("'version2.onnx' does not run (no such operator): export its checkpoint again.")
        return open_network(net, **options)

    monkeypatch.setattr("azx.match.players.open_network", refused)
    failed = Outcome(Item(Path("x.h5"), "x"), FAILED, code=1, message="It is none.")
    found = rate([*outcomes(matched[0]), failed], tmp_path, MATCHES)
    assert list(found.unrated) == ["version2"]
    assert found.unrated["version2"].startswith("'version2.onnx' does not run")
    (standings,) = found.standings
    assert (standings.names, standings.games) == (("version1", "version10"), 8)
    told = [found.add_to(outcome) for outcome in outcomes(matched[0])]
    assert [outcome.rating is not None for outcome in told] == [True, False, True]


def test_equal_networks_have_one_rating(matched: tuple[Path, Any], tmp_path: Path) -> None:
    shutil.copytree(matched[0] / "bundles" / "version1", tmp_path / "copy")
    copy = of_bundle(Item(Path("copy.h5"), "copy"), KEPT, tmp_path / "copy")
    (standings,) = rate([*outcomes(matched[0]), copy], tmp_path, MATCHES).standings
    assert standings.names == (*NAMES, "copy")
    assert standings.ratings[0].elo == standings.ratings[3].elo
    assert standings.better[0][3] == 0.5


def test_a_network_alone_in_its_game_is_not_rated(matched: tuple[Path, Any], tmp_path: Path) -> None:
    found = rate(outcomes(matched[0])[:1], tmp_path, MATCHES)
    assert found.standings == ()
    assert found.unrated == {"version1": "no other network here plays Tic-tac-toe on its board"}
    assert rate([], tmp_path, MATCHES).standings == ()


def test_a_log_that_is_damaged_costs_the_ratings_and_nothing_else(matched: tuple[Path, Any], tmp_path: Path) -> None:
    log = rate(outcomes(matched[0]), tmp_path, MATCHES).standings[0].log
    log.write_text("mine")
    before = log.read_text()
    log.write_text(before + "\n")
    found = rate(outcomes(matched[0]), tmp_path, MATCHES)
    assert set(found.unrated) == set(NAMES)
    assert all("is no log of these matches" in reason for reason in found.unrated.values())
    assert log.read_text() == before + "\n"


@pytest.mark.whole
def test_a_watch_in_the_same_folder_keeps_ratings_and_curve(
    matched: tuple[Path, Any], tmp_path: Path, azx: Azx
) -> None:
    shutil.copytree(matched[0], tmp_path, dirs_exist_ok=True)
    columns = ("elo", "elo_low", "elo_high", "games", "points", "superiority")
    before = {name: [row[column] for column in columns] for name, row in table(tmp_path).items()}
    curve = svg_in(tmp_path)
    command = ("watch", "runs", "--once", "--format", "onnx", "--positions", "50", "--games", "2", "--simulations", "0")
    done = azx(*command)
    assert done.returncode == 0, done.stderr
    rows = table(tmp_path)
    assert {row["status"] for row in rows.values()} == {KEPT}
    assert {name: [row[column] for column in columns] for name, row in rows.items()} == before
    assert svg_in(tmp_path) == curve


def svg_in(folder: Path) -> str:
    return (folder / "bundles" / "index.html").read_text(encoding="utf8").partition("<svg")[2].partition("</figure>")[0]


def test_kept_ratings_are_those_that_were_found_and_only_of_the_bytes_that_played(
    matched: tuple[Path, Any], tmp_path: Path
) -> None:
    own = outcomes(matched[0])
    found = rate(own, tmp_path, MATCHES)
    (first, *others) = found.standings[0].ratings
    endless = replace(first, elo=Interval(5.0, -math.inf, math.inf))
    found = replace(found, standings=(replace(found.standings[0], ratings=(endless, *others)),))
    standing.write(tmp_path, found, own)
    kept = standing.read(tmp_path)
    assert kept.ratings.standings[0].curve == found.standings[0].curve
    assert [kept.add_to(each).rating for each in own] == list(found.standings[0].ratings)
    made = own[0].manifest
    assert made is not None
    trained = replace(made, checkpoint=replace(made.checkpoint, sha256="0" * 64))
    assert kept.add_to(replace(own[0], manifest=trained)).rating is None
    for text in ("", "{}", '{"schema_version": 1, "standings": [{}], "unrated": {}, "sha256": {}}'):
        (tmp_path / standing.FILE).write_text(text)
        assert standing.read(tmp_path).ratings.standings == ()


def test_an_interrupted_match_says_that_its_games_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tournament = SimpleNamespace(entrants=[SimpleNamespace(game=SimpleNamespace(title="Tic-tac-toe"))] * 3)

    def interrupted(checkpoints: Any, recipe: Any, *, matches: Matches, **options: Any) -> Any:
        assert matches.listener is not None
        matches.listener.begin(tournament, 4, 24)  # type: ignore[arg-type]
        matches.listener.game(None)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr("azx.sweeps.sweep.sweep", interrupted)
    done = CliRunner().invoke(cli, ["sweep", "runs", "-o", str(tmp_path), "--match"])
    assert done.exit_code == 130
    said = "Match stopped after 5 of at most 24 games of Tic-tac-toe: they are kept, and the same command resumes."
    assert done.stderr.splitlines()[-2:] == [said, "Interrupted."]


@pytest.mark.parametrize("option", [("--games", "4"), ("--simulations", "3"), ("--opening-plies", "2"), ("--proven",)])
def test_options_of_matches_want_a_match(option: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli, ["sweep", "runs", *option])
    assert done.exit_code == 2
    assert f"{option[0]} says how networks play each other: give --match too." in done.stderr


def test_a_likelihood_that_is_nearly_sure_is_not_called_sure() -> None:
    assert [likely(share) for share in (1.0, 0.99951, 0.9994, 0.5, 0.0001)] == [
        "over 99.9 %",
        "over 99.9 %",
        "99.9 %",
        "50.0 %",
        "under 0.1 %",
    ]


def test_a_match_of_many_draws_the_same_curve(matched: tuple[Path, Any], tmp_path: Path) -> None:
    nets = [str(matched[0] / "bundles" / name) for name in NAMES]
    command = ["match", *nets, "--games", "4", "--simulations", "0", "--workers", "1", "--log", str(tmp_path / "log")]
    runner = CliRunner()
    done = runner.invoke(cli, [*command, "--plot", str(tmp_path / "curve.svg")])
    assert done.exit_code == 0, done.stderr
    text = (tmp_path / "curve.svg").read_text(encoding="utf8")
    assert "Tic-tac-toe: 3 networks, 12 games, the policy alone" in text
    assert text.count("<circle") == 4
    for name, code, sentence in (
        ("curve.jpg", 2, "ends in neither .png nor .svg"),
        ("nowhere/curve.svg", 1, "cannot be written"),
    ):
        done = runner.invoke(cli, [*command, "--plot", str(tmp_path / name)])
        assert (done.exit_code, sentence in done.stderr) == (code, True)


def test_png_without_pillow_is_refused_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("azx.system.installed.find_spec", lambda name: None)
    done = CliRunner().invoke(cli, ["match", "tictactoe", "tictactoe", "--plot", str(tmp_path / "curve.png")])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: pillow is not installed: pip install ")
    assert list(tmp_path.iterdir()) == []
