"""The functions of verbs that had none: what they return, what they tell, and how a notebook shows them."""

from __future__ import annotations

import io
import logging
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import azx
from azx.bundle.contents.manifest import read_manifest
from azx.errors import CodeRefused
from azx.mobile_assets.apk.facts import Facts
from azx.mobile_assets.apk.make import App
from azx.mobile_assets.installed_index import describe
from azx.mobile_assets.page.write import Page


def test_games_and_runtimes_are_listed() -> None:
    assert {game.name for game in azx.list_games()} >= {"connect4", "go", "hex"}
    assert [game.title for game in azx.list_games("go")] == ["Go"]
    assert {status.name for status in azx.list_runtimes() if status.available} >= {"onnx"}
    with pytest.raises(azx.AzxError, match="did you mean hex"):
        azx.list_games("hexx")


def test_a_player_plays_by_the_rules(small_bundle: Path) -> None:
    with azx.open_player(small_bundle) as player:
        state = player.begin()
        action = player.choose(state, simulations=8)
        assert action in state.legal_actions()
        assert repr(player).endswith(", connect4)")


def test_an_engine_speaks_over_any_pipe(small_bundle: Path) -> None:
    answers = io.BytesIO()
    told: list[str] = []
    with azx.open_player(small_bundle) as player:
        commands = io.BytesIO(b"ugi\nisready\nquit\n")
        azx.run_engine(player, commands, answers, simulations=2, greet=lambda brain, protocol: told.append(protocol))
    assert told == ["ugi"]
    assert b"ugiok" in answers.getvalue()


def test_a_match_has_a_score_and_a_fraction(
    small_bundle: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shares: list[float] = []
    how: dict[str, Any] = {"games": 2, "simulations": 2, "workers": 1, "log": tmp_path / "log.jsonl"}
    with caplog.at_level(logging.INFO, "azx.match"):
        done = azx.match_networks([small_bundle, small_bundle], on_progress=lambda s, _: shares.append(s), **how)
    assert (len(done.records), done.logged, done.pairings[0].total.games) == (2, 0, 2)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert caplog.messages[-1].endswith("2 games")
    assert "<table>" in done._repr_html_()
    again = azx.match_networks([small_bundle, small_bundle], **how)
    assert (again.logged, again.pairings) == (2, done.pairings)
    with pytest.raises(azx.AzxError, match="A match needs two networks"):
        azx.match_networks([small_bundle])
    with pytest.raises(azx.AzxError, match="A gate is for a match of two networks"):
        azx.match_networks([small_bundle, small_bundle], gate=(0, 30), best=True)


# TensorFlow forgets functions by callbacks of weak references, which may run after what they need has gone.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_run_is_trained_and_resumed(tmp_path: Path) -> None:
    shares: list[float] = []
    how: dict[str, Any] = {"generations": 1, "bundles": None, "on_progress": lambda share, _: shares.append(share)}
    recipe: dict[str, Any] = {"net": "1x4", "games": 4, "simulations": 2}
    done = azx.train_network("tictactoe", tmp_path / "run", seed=3, **how, **recipe)
    assert ([line["generation"] for line in done.generations], done.bundle) == ([1], None)
    assert (shares[0], shares[-1]) == (0, 1)
    assert "<td>1</td>" in done._repr_html_()
    assert [line["generation"] for line in azx.train_network(tmp_path / "run", **how).generations] == [2]
    with pytest.raises(azx.AzxError, match="is a run, whose --net cannot change"):
        azx.train_network(tmp_path / "run", net="2x4")


def test_a_page_is_served_until_its_block_ends(small_bundle: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    (app / "assets").mkdir(parents=True)
    (app / "index.html").write_text("<title>azx</title>", encoding="utf8")
    with azx.serve_networks(small_bundle, port=0, app=app) as serving:
        assert [entry.game for entry in serving.bundles] == ["connect4"]
        assert "Connect4" in repr(serving)
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        with urlopen(serving.url) as answer:  # noqa: S310 - our own server
            assert answer.status == 200
        serving.server.shutdown()
        thread.join()


def test_a_description_has_the_next_question(small_checkpoint: Path) -> None:
    seen = azx.describe_network(small_checkpoint, {"game": "connect4"})
    assert seen.answers["game"] == "connect4"
    with pytest.raises(CodeRefused, match="add --allow-code"):
        azx.describe_network(small_checkpoint, code="own.py:encode")


def test_a_bundle_is_measured_and_explained(small_bundle: Path) -> None:
    shares: list[float] = []
    done = azx.bench_bundles(
        small_bundle, formats=["onnx"], rounds=1, simulations=0, on_progress=lambda s, _: shares.append(s)
    )
    assert [found.format for found in done.artifacts] == ["onnx"]
    assert (shares[0], shares[-1]) == (0, 1)
    shown = done._repr_html_()
    assert "<td>onnx" in shown or ".onnx</td>" in shown
    assert "answer, ms" in shown


def test_a_page_and_an_inspection_are_tables(small_bundle: Path, small_checkpoint: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    (app / "assets").mkdir(parents=True)
    (app / "index.html").write_text("<head></head><title>azx</title>", encoding="utf8")
    seen = azx.inspect_checkpoint(small_checkpoint)
    assert seen._repr_html_().count("<tr>") == 1 + len(seen.layers)
    assert f"{seen.parameters:,} parameters" in seen._repr_html_()
    entry = describe(small_bundle, read_manifest(small_bundle), "<one>", None)
    page = Page(tmp_path, (entry,), 1_000_000, 500_000, (500_000,))
    assert "<td>0.50 MB</td>" in page._repr_html_()
    assert ": 1.5 MB</p>" in page._repr_html_()
    app_facts = App(tmp_path / "a.apk", Facts("<b>", "org.azx.own"), (entry,), 2_000_000)
    assert "&lt;b&gt;" in app_facts._repr_html_()
    assert "org.azx.own 1.0 (1), 2.0 MB" in app_facts._repr_html_()


class Silent:
    """A view that answers what it is asked from a list, and keeps the events."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.events = list(lines), list[str]()

    def event(self, event: Any, sentence: str) -> None:
        self.events.append(event["event"])

    def ask(self, prompt: str) -> str | None:
        return self.lines.pop(0) if self.lines else None

    def position(self, state: Any) -> None: ...

    def heat(self, state: Any, policy: Any) -> None: ...

    def show_count(self, state: Any, marks: Any) -> None: ...

    def show_thinking(self) -> Any:
        return nullcontext(lambda doing: None)


def test_a_game_is_played_kept_and_gone_on_with(small_bundle: Path, tmp_path: Path) -> None:
    view = Silent("1")
    how: dict[str, Any] = {"side": "first", "simulations": 4, "seed": 1, "log": tmp_path / "game.jsonl"}
    left = azx.play_game(small_bundle, view=view, save=tmp_path / "game.txt", **how)
    assert len(left.actions) == 2
    assert view.events.count("move") == 2
    assert (tmp_path / "game.txt").is_file()
    again = azx.play_game(resume=tmp_path / "game.jsonl", view=Silent(), simulations=4)
    assert again.actions == left.actions
    with pytest.raises(azx.AzxError, match="give one of them"):
        azx.play_game(small_bundle, resume=tmp_path / "game.jsonl", record=tmp_path / "game.txt")


def test_a_sweep_takes_positions_as_a_file_alone(small_checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(azx.AzxError, match="A sweep knows `inputs` by the bytes of a file"):
        azx.sweep_checkpoints(small_checkpoint, output=tmp_path, inputs=[[0.0]])


def test_an_installed_bundle_is_listed_and_removed(small_bundle: Path, tmp_path: Path) -> None:
    placed = azx.install_bundle(small_bundle, tmp_path, kind="folder")
    ((entry, folder, state),) = azx.list_installed(tmp_path, kind="folder")
    assert (entry.name, folder, state) == (placed.entry.name, placed.folder, "ok")
    assert azx.remove_bundle(entry.name, tmp_path, kind="folder").left == ()
