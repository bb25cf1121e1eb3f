"""`azx serve --watch`: what a page gets while the best network changes under it."""

from __future__ import annotations

import http.client
import json
import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from serving import answering, app_of_one_page

from azx.cli import cli
from azx.mobile_assets.followed import LiveSite
from azx.mobile_assets.server import Server
from azx.system.exchange import beside, swap


@pytest.fixture
def app(tmp_path: Path) -> Path:
    folder: Path = app_of_one_page(tmp_path / "app")
    return folder


def become(place: Path, bundle: Path, name: str) -> None:
    """Let a bundle, with a name in its manifest, be the best one, as a watch does it."""
    new = beside(place)
    shutil.copytree(bundle, new)
    manifest = json.loads((new / "manifest.json").read_text(encoding="utf8"))
    (new / "manifest.json").write_text(json.dumps({**manifest, "name": name}), encoding="utf8")
    if place.exists():
        swap(new, place)
    else:
        new.rename(place)


def asked(server: Server, target: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def index(server: Server) -> Any:
    return json.loads(asked(server, "/azx/index.json")[2])


def test_the_index_follows_the_best_and_is_sent_once_for_each(app: Path, small_bundle: Path, tmp_path: Path) -> None:
    place = tmp_path / "bundles" / "best-of" / "connect4"
    place.parent.mkdir(parents=True)
    with answering(LiveSite(app, tmp_path / "bundles")) as server:
        assert index(server) == {"schema_version": 2, "watched": True, "bundles": []}
        become(place, small_bundle, "version1")
        _, headers, body = asked(server, "/azx/index.json")
        (entry,) = json.loads(body)["bundles"]
        assert (entry["name"], entry["title"], entry["format"]) == ("connect4", "Connect4 (version1)", "tfjs")
        assert asked(server, "/azx/index.json", If_None_Match=headers["ETag"])[0] == 304
        become(place, small_bundle, "version2")
        status, _, body = asked(server, "/azx/index.json", If_None_Match=headers["ETag"])
        assert (status, json.loads(body)["bundles"][0]["title"]) == (200, "Connect4 (version2)")
        assert asked(server, "/")[0] == 200


def test_a_page_gets_the_files_that_its_index_named(app: Path, small_bundle: Path, tmp_path: Path) -> None:
    place = tmp_path / "bundles" / "best-of" / "connect4"
    place.parent.mkdir(parents=True)
    become(place, small_bundle, "version1")
    with answering(LiveSite(app, tmp_path / "bundles")) as server:
        (old,) = index(server)["bundles"]
        become(place, small_bundle, "version2")
        (new,) = index(server)["bundles"]
        for entry in (old, new):
            for file in entry["files"]:
                target = f"/azx/connect4/{quote(file['path'])}"
                status, _, body = asked(server, f"{target}?sha256={file['sha256']}")
                assert (status, sha256(body).hexdigest()) == (200, file["sha256"])
        assert sha256(asked(server, "/azx/connect4/manifest.json")[2]).hexdigest() == new["files"][0]["sha256"]
        for target in ("/azx/connect4/manifest.json?sha256=0", "/azx/connect4/parity.json", "/azx/none/manifest.json"):
            assert asked(server, target)[0] == 404
        for target in (
            "/azx/connect4/../../index.html",
            "/azx/connect4/%2e%2e/manifest.json",
            "/azx/",
            "/azx/connect4",
        ):
            assert asked(server, target)[0] == 404


def test_what_cannot_be_shown_is_told_of_once_and_leaves_the_one_before(
    app: Path, small_bundle: Path, tmp_path: Path
) -> None:
    place = tmp_path / "bundles" / "best-of" / "connect4"
    place.parent.mkdir(parents=True)
    become(place, small_bundle, "version1")
    told: list[str] = []
    with answering(LiveSite(app, tmp_path / "bundles", told.append)) as server:
        before = index(server)
        become(place, small_bundle, "version2")
        (place / "golden.json").write_text("{}")
        assert [index(server), index(server)] == [before, before]
        assert len(told) == 1
        assert "golden.json" in told[0]
        become(place, small_bundle, "version3")
        assert index(server)["bundles"][0]["title"] == "Connect4 (version3)"


def test_without_such_a_folder_it_says_so(app: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", "--watch", str(tmp_path / "none"), "--app", str(app), "--no-browser"])
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith(f"Error: There is no folder at '{tmp_path / 'none'}'")


def test_networks_beside_a_watch_are_wrong_usage(app: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", "connect4", "--watch", str(tmp_path), "--app", str(app)])
    assert (done.exit_code, "--watch serves what a watch finds best" in done.stderr) == (2, True)
