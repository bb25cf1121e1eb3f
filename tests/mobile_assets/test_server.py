"""What `azx serve` spends on each client, the bytes of a file that one asks for, and bundles that are damaged later."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from io import FileIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from serving import answering, app_of_one_page

from azx.bundle.contents.manifest import read_manifest
from azx.cli import cli
from azx.errors import BundleError
from azx.mobile_assets import server as servers
from azx.mobile_assets import site as sites
from azx.mobile_assets.byte_ranges import choose_bytes
from azx.mobile_assets.prepared import ContentCache
from azx.mobile_assets.server import Server
from azx.mobile_assets.site import Answer, Site, open_site
from azx.system.plain_file import open_plain

NAME = "small net é"
DOUBT = "! How this network sees the board is not known; the usual way is assumed."
WEIGHTS = bytes(range(256)) * 16
LARGE = 6_000_000


@pytest.fixture
def app(tmp_path: Path) -> Path:
    folder: Path = app_of_one_page(tmp_path / "app")
    (folder / "weights.bin").write_bytes(WEIGHTS)
    with (folder / "large.bin").open("wb") as file:
        file.truncate(LARGE)
    return folder


@pytest.fixture
def server(app: Path) -> Iterator[Server]:
    with answering(Site(app, [])) as found:
        yield found


def ask(server: Server, target: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        connection.request(method, target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def begin(server: Server, target: str) -> socket.socket:
    """A request whose answer nobody reads."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.settimeout(300)
    wire.connect(("127.0.0.1", server.port))
    wire.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    return wire


def wait_until(happens: Callable[[], Any]) -> None:
    end = time.monotonic() + 300
    while not happens():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


# From here on: clients that take and do not give.


def test_a_client_that_does_not_read_has_a_piece_of_the_file_and_no_more(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    class Counted(FileIO):
        def read(self, count: int | None = -1) -> bytes:
            data = super().read(count)
            read.append(len(data))
            return data

    monkeypatch.setattr(Answer, "open", lambda answer: Counted(answer.body))
    with answering(Site(app, [])) as server, ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(begin(server, "/large.bin"))
        wait_until(lambda: read)
        time.sleep(0.5)
        assert max(read) <= servers.PIECE_BYTES
        # What the system's own buffers hold, of both ends, was read too.
        assert sum(read) < 4 * LARGE / 3


def test_a_client_that_does_not_read_loses_its_place_after_a_while(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "IDLE_SECONDS", 0.3)
    left: list[Server] = []
    leave = Server.shutdown_request

    def noted(server: Server, request: Any) -> None:
        left.append(server)  # threads of an earlier test's server may still end
        leave(server, request)

    monkeypatch.setattr(Server, "shutdown_request", noted)
    with answering(Site(app, [])) as server, begin(server, "/large.bin"), begin(server, "/large.bin"):
        wait_until(lambda: left.count(server) == 2)
        wait_until(lambda: server._open == 0)


def test_a_request_that_comes_letter_by_letter_has_a_time_limit_as_a_whole(
    app: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "IDLE_SECONDS", 0.5)
    refused = pytest.raises((BrokenPipeError, ConnectionResetError))
    with answering(Site(app, [])) as server, socket.create_connection(("127.0.0.1", server.port)) as wire, refused:
        # For a minute, if no letter is refused before.
        for _ in range(1200):
            wire.sendall(b"G")
            time.sleep(0.05)


def test_who_finds_no_place_waits_for_one_and_costs_no_thread(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "MOST_CONNECTIONS", 3)
    before = set(threading.enumerate())
    with answering(Site(app, [])) as server, ExitStack() as stack:
        slow = [stack.enter_context(begin(server, "/large.bin")) for _ in range(3)]
        wait_until(lambda: server._open == 3)
        late = [stack.enter_context(begin(server, "/weights.bin")) for _ in range(20)]
        time.sleep(0.3)
        assert (server._open, len(set(threading.enumerate()) - before)) == (3, 1 + 3)
        slow[0].close()
        for wire in late:
            assert wire.recv(15) == b"HTTP/1.1 200 OK"
            wire.close()


def test_in_a_crowd_a_connection_ends_with_its_answer(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "MOST_CONNECTIONS", 4)
    with answering(Site(app, [])) as server, ExitStack() as stack:
        assert "Connection" not in ask(server, "/")[1]
        for _ in range(2):
            stack.enter_context(begin(server, "/large.bin"))
        wait_until(lambda: server._open == 2)
        assert ask(server, "/")[1]["Connection"] == "close"


def test_many_who_ask_for_a_packed_file_share_one() -> None:
    made: list[str] = []
    prepared = ContentCache(most_bytes=10)

    def make(key: str, size: int = 4) -> bytes:
        return prepared.get(key, lambda: made.append(key) or bytes(size))  # type: ignore[func-returns-value]

    assert make("a") is make("a")
    make("b")
    make("a")
    make("c")
    make("a")
    assert made == ["a", "b", "c"], "what was asked for last is kept"
    make("b")
    assert len(make("large", 100)) == 100
    assert made == ["a", "b", "c", "b", "large"]


def test_a_file_that_is_cut_while_it_is_sent_ends_the_connection(app: Path) -> None:
    with answering(Site(app, [])) as server, begin(server, "/large.bin") as wire:
        wire.recv(100)
        os.truncate(app / "large.bin", 10)
        rest = sum(len(data) for data in iter(lambda: wire.recv(65536), b""))
    assert rest < LARGE


# From here on: ranges.


@pytest.mark.parametrize(
    ("asked", "status", "sent", "said"),
    [
        ("bytes=0-9", 206, slice(0, 10), "bytes 0-9/4096"),
        ("bytes=4090-", 206, slice(4090, None), "bytes 4090-4095/4096"),
        ("bytes=-6", 206, slice(-6, None), "bytes 4090-4095/4096"),
        ("bytes=-5000", 206, slice(None), "bytes 0-4095/4096"),
        ("bytes=4095-999999999999", 206, slice(4095, None), "bytes 4095-4095/4096"),
        ("Bytes=7-7", 206, slice(7, 8), "bytes 7-7/4096"),
        ("bytes=4096-", 416, slice(0, 0), "bytes */4096"),
        ("bytes=-0", 416, slice(0, 0), "bytes */4096"),
        ("bytes=9-8", 200, slice(None), None),
        ("bytes=-", 200, slice(None), None),
        ("bytes=a-b", 200, slice(None), None),
        ("bytes=\xb2-\xb3", 200, slice(None), None),
        ("bytes=0-1,4-5", 200, slice(None), None),
        ("lines=0-1", 200, slice(None), None),
        (f"bytes=0-{'9' * 5000}", 200, slice(None), None),
    ],
)
def test_the_bytes_that_are_asked_for_are_sent(
    server: Server, asked: str, status: int, sent: slice, said: str | None
) -> None:
    got, headers, body = ask(server, "/weights.bin", Range=asked)
    assert (got, body, headers.get("Content-Range")) == (status, WEIGHTS[sent], said)
    assert headers["Content-Length"] == str(len(body))


def test_a_range_of_what_was_meanwhile_replaced_is_the_whole_file(server: Server, app: Path) -> None:
    tag = ask(server, "/weights.bin", "HEAD")[1]["ETag"]
    assert ask(server, "/weights.bin", Range="bytes=0-1", If_Range=tag)[0] == 206
    for other in ('"other"', f"W/{tag}", "Sat, 01 Jan 2028 00:00:00 GMT"):
        assert ask(server, "/weights.bin", Range="bytes=0-1", If_Range=other)[::2] == (200, WEIGHTS)
    assert ask(server, "/weights.bin", Range="bytes=0-1", If_None_Match=tag)[::2] == (304, b"")


def test_head_tells_of_the_whole_file_and_that_ranges_are_sent(server: Server) -> None:
    status, headers, body = ask(server, "/weights.bin", "HEAD", Range="bytes=0-1")
    assert (status, headers["Content-Length"], headers["Accept-Ranges"], body) == (200, "4096", "bytes", b"")
    assert "Content-Range" not in headers


@pytest.mark.skipif(os.name != "posix", reason="whoever may make links may do so here")
def test_a_link_out_of_the_app_is_no_file_of_it(server: Server, app: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("secret", encoding="utf8")
    (app / "assets").mkdir()
    (app / "assets" / "link.js").symlink_to(tmp_path / "secret.js")
    (app / "outside").symlink_to(tmp_path)
    (app / "inside.bin").symlink_to("weights.bin")
    for target in ("/assets/link.js", "/outside/secret.js", "/../secret.js", "/assets/%2e%2e/%2e%2e/secret.js"):
        assert ask(server, target)[0] == 404, target
    assert ask(server, "/inside.bin")[2] == WEIGHTS


def test_nothing_of_an_empty_file_is_a_range() -> None:
    assert choose_bytes("bytes=0-", None, "", 0) == (416, range(0))
    assert choose_bytes(None, None, "", 0) == (200, range(0))


def test_a_connection_goes_on_after_a_range(server: Server) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        for asked, length in (("bytes=1-3", 3), ("bytes=9000-", 0), ("bytes=-2", 2)):
            connection.request("GET", "/weights.bin", headers={"Range": asked})
            assert len(connection.getresponse().read()) == length


# From here on: what is damaged while it is served.


def copies(bundle: Path, folder: Path, *names: str) -> list[Path]:
    """The bundle under other names."""
    made = []
    for name in names:
        made.append(Path(shutil.copytree(bundle, folder / name)))
        manifest = json.loads((made[-1] / "manifest.json").read_text(encoding="utf8"))
        (made[-1] / "manifest.json").write_text(json.dumps({**manifest, "name": name}), encoding="utf8")
    return made


def test_a_damaged_bundle_is_told_of_once_and_the_others_are_listed(
    app: Path, small_bundle: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    good, bad = copies(small_bundle, tmp_path, "good", "bad")
    with answering(open_site([bad, good], app, told.append)) as server:
        (bad / "manifest.json").write_text("{")
        for _ in range(2):
            assert [entry["name"] for entry in json.loads(ask(server, "/azx/index.json")[2])["bundles"]] == ["good"]
        status, _, body = ask(server, "/azx/bad/golden.json")
        assert (status, ask(server, "/azx/good/golden.json")[0]) == (503, 200)
    assert str(tmp_path).encode() not in body
    assert len(told) == 1
    assert f"'{bad / 'manifest.json'}' is damaged" in told[0]


@pytest.mark.parametrize("change", ["longer", "gone", "link"])
def test_an_error_names_no_path_of_this_machine(change: str, app: Path, bundle: Path, tmp_path: Path) -> None:
    told: list[str] = []
    golden = bundle / "golden.json"
    with answering(open_site([bundle], app, told.append)) as server:
        if change == "longer":
            golden.write_bytes(golden.read_bytes() + b" ")
        else:
            golden.unlink()
        if change == "link":
            golden.symlink_to(tmp_path / "app" / "index.html")
        for accepted in ("gzip", "identity"):
            status, _, body = ask(server, quote(f"/azx/{NAME}/golden.json"), Accept_Encoding=accepted)
            assert (status, body) == (503, f"{servers.UNREADABLE}\n".encode())
    assert str(bundle) in told[0]


@pytest.mark.parametrize("name", ["manifest.json", "golden.json", f"{NAME}_tfjs/group1-shard1of1.bin"])
def test_a_pipe_in_place_of_a_file_holds_no_thread(name: str, app: Path, bundle: Path) -> None:
    told: list[str] = []
    with answering(open_site([bundle], app, told.append)) as server:
        (bundle / name).unlink()
        os.mkfifo(bundle / name)
        for accepted in ("gzip", "identity"):
            assert ask(server, quote(f"/azx/{NAME}/{name}"), Accept_Encoding=accepted)[0] == 503
        wait_until(lambda: server._open == 0)
    assert "it is a pipe or a device and no file" in told[0]


def test_a_pipe_is_never_opened_to_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a pipe or a device and no file"):
        open_plain(tmp_path / "pipe")


def test_a_file_that_a_manifest_lists_twice_is_not_read_twice(bundle: Path) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    path.write_text(json.dumps({**manifest, "files": manifest["files"] * 2}), encoding="utf8")
    with pytest.raises(BundleError, match=r"the manifest lists .* more than once"):
        read_manifest(bundle)


def test_a_damaged_bundle_that_nobody_named_is_told_of_at_the_start(
    app: Path, small_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "built_bundles", list)
    monkeypatch.setattr(Server, "serve_forever", lambda self: None)
    monkeypatch.chdir(tmp_path)
    _, bad = copies(small_bundle, tmp_path / "bundles", "good", "bad\x1b[31m")
    os.truncate(bad / "golden.json", 5)
    done = CliRunner().invoke(cli, ["serve", "--app", str(app), "--port", "0", "--no-browser"])
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (0, ["✓ Connect4 (good)", DOUBT])
    assert done.stderr.startswith(r"Not shown: 'bundles/bad\x1b[31m': 'golden.json' is not the file")
