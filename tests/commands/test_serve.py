"""`azx serve`, asked over the loopback: what it sends, with which headers, and what it never sends."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from serving import answering

from azx.cli import cli
from azx.errors import AzxError, BundleError
from azx.mobile_assets import site as sites
from azx.mobile_assets.server import Server
from azx.mobile_assets.site import Site, encodings, open_site

NAME = "small net é"
# Of an untrained network nothing shows it.
DOUBT = "How this network sees the board is not known; the usual way is assumed."
SCRIPT = "assets/index-BhA1x2_k.js"
APP = {
    "index.html": "<!doctype html><title>azx</title>",
    SCRIPT: "let a = 1;" * 300,
    "sw.js": "self.x = 1;",
    "assets/tfjs-backend-wasm-simd-0a1b2c3d.wasm": "\0asm",
    "manifest.webmanifest": "{}",
    ".secret": "secret",
}


@dataclass(frozen=True)
class Reply:
    """What came over the wire."""

    status: int
    headers: dict[str, str]
    body: bytes


Get = Callable[..., Reply]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small built app with a packed script, and a secret beside its folder."""
    folder = tmp_path_factory.mktemp("built") / "dist"
    for name, text in APP.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / f"{SCRIPT}.gz").write_bytes(gzip.compress(APP[SCRIPT].encode()))
    (folder / f"{SCRIPT}.br").write_bytes(b"as if packed by Brotli")
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    (folder / "folder-link").symlink_to(folder.parent)
    return folder


def ask(server: Server, target: str, method: str = "GET", **headers: str) -> Reply:
    """One request, its target sent as it stands."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    try:
        connection.putrequest(method, target, skip_host="Host" in headers, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        return Reply(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()


@pytest.fixture(scope="module")
def server(app: Path, small_bundle: Path) -> Iterator[Server]:
    with answering(open_site([small_bundle], app)) as found:
        yield found


@pytest.fixture
def get(server: Server) -> Get:
    def send(target: str, method: str = "GET", **headers: str) -> Reply:
        return ask(server, target, method, **headers)

    return send


@pytest.mark.parametrize("target", ["/", "/index.html", "/?game=go#x"])
def test_the_page_is_sent(get: Get, target: str) -> None:
    reply = get(target)
    assert (reply.status, reply.body.decode()) == (200, APP["index.html"])
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (SCRIPT, "text/javascript; charset=utf-8"),
        ("assets/tfjs-backend-wasm-simd-0a1b2c3d.wasm", "application/wasm"),
        ("manifest.webmanifest", "application/manifest+json"),
        (f"azx/{NAME}/manifest.json", "application/json"),
        (f"azx/{NAME}/{NAME}_tfjs/group1-shard1of1.bin", "application/octet-stream"),
    ],
)
def test_each_file_has_its_type(get: Get, name: str, kind: str) -> None:
    reply = get(f"/{quote(name)}")
    assert (reply.status, reply.headers["Content-Type"]) == (200, kind)


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        (".bin", "application/octet-stream"),
        (".css", "text/css; charset=utf-8"),
        (".HTML", "text/html; charset=utf-8"),
        (".ico", "image/x-icon"),
        (".js", "text/javascript; charset=utf-8"),
        (".js.gz", "application/octet-stream"),
        (".json", "application/json"),
        (".js.map", "application/json"),
        (".mjs", "text/javascript; charset=utf-8"),
        (".png", "image/png"),
        (".svg", "image/svg+xml"),
        (".txt", "text/plain; charset=utf-8"),
        (".wasm", "application/wasm"),
        (".webmanifest", "application/manifest+json"),
        (".woff2", "font/woff2"),
        (".unknown", "application/octet-stream"),
    ],
)
def test_a_suffix_has_the_same_type_on_every_machine(suffix: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / f"a{suffix}").touch()
    answer = Site(tmp_path, []).find(f"/a{suffix}")
    assert answer is not None
    assert answer.content_type == kind


def test_every_answer_is_strict_errors_too(get: Get) -> None:
    for reply in (get("/"), get("/none"), get("/", "POST"), get("/", Host="evil.example")):
        policy = dict(part.strip().split(" ", 1) for part in reply.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == policy["connect-src"] == policy["worker-src"] == policy["style-src"] == "'self'"
        assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
        assert policy["img-src"] == "'self' data:"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert reply.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert "Python" not in reply.headers["Server"]


def test_the_index_lists_the_bundle_and_every_file_has_its_hash(get: Get) -> None:
    (entry,) = json.loads(get("/azx/index.json").body)["bundles"]
    assert (entry["name"], entry["game"], entry["format"], entry["problems"]) == (NAME, "connect4", "tfjs", [])
    assert len(entry["files"]) == 5
    assert [file["path"] for file in entry["files"] if file["path"].endswith(".tflite")] == [f"{NAME}.tflite"]
    for file in entry["files"]:
        body = get(quote(f"/azx/{NAME}/{file['path']}")).body
        assert (sha256(body).hexdigest(), len(body)) == (file["sha256"], file["size"])


def test_json_of_a_bundle_is_packed_where_the_client_takes_it(get: Get) -> None:
    plain = get(quote(f"/azx/{NAME}/golden.json"))
    packed = get(quote(f"/azx/{NAME}/golden.json"), Accept_Encoding="gzip, deflate, br")
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2
    assert packed.headers["ETag"] != plain.headers["ETag"]


def test_a_file_that_is_there_packed_alone_is_sent_to_everyone(tmp_path: Path) -> None:
    name = "assets/runtime-0a1b2c3d.wasm"
    (tmp_path / "assets").mkdir()
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(b"a runtime"))
    site = Site(tmp_path, [])
    packed, plain = site.find(f"/{name}", frozenset({"gzip"})), site.find(f"/{name}")
    assert packed is not None
    assert plain is not None
    assert (packed.encoding, gzip.decompress(packed.content())) == ("gzip", b"a runtime")
    assert (plain.encoding, plain.content()) == (None, b"a runtime")
    assert packed.content_type == plain.content_type == "application/wasm"
    assert packed.immutable
    assert plain.immutable
    assert packed.tag != plain.tag
    assert site.find("/assets/none.wasm") is None


@pytest.mark.parametrize(
    ("accepted", "sent"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_the_packed_file_beside_a_file_is_sent_where_the_client_takes_it(
    get: Get, app: Path, accepted: str, sent: str | None
) -> None:
    reply = get(f"/{SCRIPT}", Accept_Encoding=accepted)
    suffix = {"br": ".br", "gzip": ".gz", None: ""}[sent]
    assert reply.headers.get("Content-Encoding") == sent
    assert reply.body == (app / f"{SCRIPT}{suffix}").read_bytes()
    assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert reply.headers["Vary"] == "Accept-Encoding"


def test_quality_zero_means_no() -> None:
    assert encodings("br;q=1.0, gzip; q=0.000, zstd") == {"br", "zstd"}


def test_a_file_named_by_its_content_is_kept_and_any_other_is_asked_for_again(get: Get) -> None:
    assert get(f"/{SCRIPT}").headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for target in ("/", "/sw.js", "/azx/index.json", quote(f"/azx/{NAME}/golden.json")):
        reply = get(target)
        assert reply.headers["Cache-Control"] == "no-cache"
        again = get(target, If_None_Match=reply.headers["ETag"])
        assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}'])
def test_what_the_client_has_is_not_sent_again(form: str, get: Get) -> None:
    tag = get("/").headers["ETag"]
    assert get("/", If_None_Match=form.format(tag)).status == 304
    assert get("/", If_None_Match=form.format('"older"')).status == 200


def test_an_address_longer_than_any_file_name_leads_nowhere(get: Get) -> None:
    assert get("/" + "a" * 5000).status == 404


def test_head_sends_the_headers_alone(get: Get) -> None:
    reply = get("/", "HEAD")
    assert (reply.status, reply.body, reply.headers["Content-Length"]) == (200, b"", str(len(APP["index.html"])))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_nothing_can_be_sent_to_it(get: Get, method: str) -> None:
    assert get("/", method).status == 501


OUTSIDE = [
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/%2E%2E%2Fsecret.txt",
    "/..%2fsecret.txt",
    "/%252e%252e/secret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "//secret.txt",
    "/./index.html/../../secret.txt",
    "/%00",
    "/index.html%00.txt",
    "/%ff%fe",
    "/link.txt",
    "/folder-link/secret.txt",
    "/.secret",
    "/C:/secret.txt",
    "/assets",
    "/assets/",
    "/index.html/",
    "http://127.0.0.1/../secret.txt",
    "http://[",
    "secret.txt",
    "*",
    "/azx",
    "/azx/",
    "/azx/none/manifest.json",
    f"/azx/{quote(NAME)}",
    f"/azx/{quote(NAME)}/",
    f"/azx/{quote(NAME)}/parity.json",
    f"/azx/{quote(NAME)}/{quote(NAME)}.onnx",
    f"/azx/{quote(NAME)}/../../secret.txt",
    f"/azx/{quote(NAME)}/%2e%2e/{quote(NAME)}/manifest.json",
    f"/azx/{quote(NAME)}/{quote(NAME)}_tfjs/..%2f..%2fmanifest.json",
    "/azx/../index.html",
    "/azx/%2e%2e%2f%2e%2e%2fsecret.txt",
]


@pytest.mark.parametrize("target", OUTSIDE)
def test_nothing_outside_is_sent(server: Server, target: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as wire:
        wire.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: wire.recv(65536), b""))
    assert answer.split(b"\r\n")[0] == b"HTTP/1.1 404 Not Found"
    assert answer.endswith(b"\r\n\r\nThere is nothing at this address.\n")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", ""])
def test_a_foreign_name_for_this_machine_gets_nothing(server: Server, host: str) -> None:
    reply = ask(server, "/", Host=host.format(port=server.port))
    assert reply.status == 421
    assert b"<title>" not in reply.body


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_connection_carries_several_requests(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
    for target in ("/", "/none", "/sw.js"):
        connection.request("GET", target)
        response = connection.getresponse()
        assert len(response.read()) == int(response.headers["Content-Length"])
    connection.close()


def test_bundles_of_one_name_are_numbered(app: Path, small_bundle: Path) -> None:
    with answering(open_site([small_bundle, small_bundle], app)) as server:
        names = [entry["name"] for entry in json.loads(ask(server, "/azx/index.json").body)["bundles"]]
        assert names == [NAME, f"{NAME}-2"]
        assert ask(server, quote(f"/azx/{NAME}-2/manifest.json")).status == 200


@pytest.mark.parametrize("name", ["a/b", "..", ".net", "a\\b", "a\nb", "50% #1?", "x" * 300, "index.json"])
def test_a_bundle_of_any_name_has_an_address(name: str, app: Path, bundle: Path) -> None:
    path = bundle / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf8")), "name": name}), encoding="utf8")
    with answering(open_site([bundle], app)) as server:
        (entry,) = json.loads(ask(server, "/azx/index.json").body)["bundles"]
        reply = ask(server, f"/azx/{quote(entry['name'], safe='')}/manifest.json")
    assert (reply.status, json.loads(reply.body)["name"]) == (200, name)


def test_a_bundle_that_is_exported_again_meanwhile_is_served_as_it_is(app: Path, bundle: Path) -> None:
    with answering(open_site([bundle], app)) as server:
        before = ask(server, "/azx/index.json").body
        path = bundle / "manifest.json"
        path.write_text(path.read_text(encoding="utf8") + "\n", encoding="utf8")
        after = json.loads(ask(server, "/azx/index.json").body)
        assert after["bundles"][0]["files"][0]["sha256"] == sha256(path.read_bytes()).hexdigest()
        assert json.loads(before) != after
        path.unlink()
        assert json.loads(ask(server, "/azx/index.json").body)["bundles"] == []
        assert ask(server, quote(f"/azx/{NAME}/golden.json")).status == 503


def test_a_link_put_into_a_served_bundle_is_not_followed(app: Path, bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    with answering(open_site([bundle], app)) as server:
        (bundle / "golden.json").unlink()
        (bundle / "golden.json").symlink_to(tmp_path / "secret")
        reply = ask(server, quote(f"/azx/{NAME}/golden.json"))
        assert reply.status == 503
        assert b"secret\n" not in reply.body


def test_a_damaged_bundle_is_not_served(app: Path, bundle: Path) -> None:
    os.truncate(bundle / "golden.json", 5)
    with pytest.raises(BundleError, match="its SHA-256 differs"):
        open_site([bundle], app)


@pytest.fixture
def nothing_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working folder without bundles, and no bundles of the shipped networks."""
    monkeypatch.setattr(sites, "built_bundles", list)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_bundles_those_of_the_shipped_networks_are_served(
    app: Path, small_bundle: Path, nothing_built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "built_bundles", lambda: [small_bundle])
    assert list(open_site(web=app).bundles) == [NAME]


def test_else_those_in_the_working_folder_but_for_damaged_ones(
    app: Path, small_bundle: Path, nothing_built: Path
) -> None:
    shutil.copytree(small_bundle, nothing_built / "bundles" / "good")
    shutil.copytree(small_bundle, nothing_built / "bundles" / "bad")
    os.truncate(nothing_built / "bundles" / "bad" / "golden.json", 5)
    assert list(open_site(web=app).bundles.values()) == [Path("bundles/good")]


def test_else_those_that_the_app_was_built_with(app: Path, nothing_built: Path) -> None:
    copy = Path(shutil.copytree(app, nothing_built / "dist", symlinks=True))
    (copy / "azx").mkdir()
    (copy / "azx" / "index.json").write_text('{"own": 1}')
    with answering(open_site(web=copy)) as server:
        assert ask(server, "/azx/index.json").body == b'{"own": 1}'


def test_the_help_says_what_is_served_unasked() -> None:
    """The three places of the tests above, in their order."""
    text = " ".join(CliRunner().invoke(cli, ["serve", "--help"]).output.split())
    places = [
        "that `make bundles` wrote",
        "it serves bundles/ of this folder",
        "or else the networks that come with the app",
    ]
    found = [text.find(place) for place in places]
    assert -1 not in found
    assert found == sorted(found)


def test_without_any_bundle_the_sentence_says_what_to_do(app: Path, nothing_built: Path) -> None:
    with pytest.raises(AzxError, match="no bundle to serve: run `azx export` first"):
        open_site(web=app)


def test_without_the_built_app_the_sentence_names_make_web(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_bundle: Path
) -> None:
    monkeypatch.setattr(sites, "WEB_FOLDERS", (tmp_path / "none",))
    done = CliRunner().invoke(cli, ["serve", str(small_bundle), "--no-browser"])
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: The web app is not built: run `make web`")
    assert done.stderr.count("\n") == 1


def test_a_busy_port_is_one_sentence(server: Server, app: Path, small_bundle: Path) -> None:
    arguments = ["serve", str(small_bundle), "--app", str(app), "--port", str(server.port), "--no-browser"]
    done = CliRunner().invoke(cli, arguments)
    assert (done.exit_code, done.stderr) == (
        1,
        f"Error: Port {server.port} is in use: choose another with --port, or any free one with --port 0.\n",
    )


@pytest.fixture
def running(app: Path, small_bundle: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`azx serve` in a process of its own."""
    command = [sys.executable, "-m", "azx", "serve", str(small_bundle), "--app", str(app), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--no-browser"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a background shell ignores
    )
    yield process
    process.kill()
    process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has another Ctrl-C")
def test_ctrl_c_is_its_normal_end(running: subprocess.Popen[str]) -> None:
    assert running.stdout is not None
    url = running.stdout.readline().removeprefix("Serving at ").split()[0]
    assert running.stdout.readline() == f"✓ Connect4 ({NAME})\n"
    assert running.stdout.readline() == f"! {DOUBT}\n"
    connection = http.client.HTTPConnection(url.removeprefix("http://").rstrip("/"), timeout=300)
    connection.request("GET", "/")
    assert connection.getresponse().read().decode() == APP["index.html"]
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=300)
    assert (running.returncode, stdout.split(), stderr) == (0, ["Stopped."], "")
    connection.close()


def test_the_browser_is_opened_unless_it_is_not_wanted(
    app: Path, small_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def end(self: Any) -> None:
        for thread in threading.enumerate():
            if thread is not threading.current_thread() and thread.daemon:
                thread.join(0.2)
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(Server, "serve_forever", end)
    arguments = ["serve", str(small_bundle), "--app", str(app), "--port", "0"]
    done = CliRunner().invoke(cli, [*arguments, "--json"])
    assert done.exit_code == 0
    said = json.loads(done.stdout)
    assert opened == [said["url"]]
    assert said["bundles"][0]["name"] == NAME
    assert (said["bundles"][0]["playable"], said["bundles"][0]["problems"]) == (True, [])
    assert said["bundles"][0]["assumed"] is True
    told = CliRunner().invoke(cli, [*arguments, "--no-browser"])
    assert told.exit_code == 0
    assert told.stdout.splitlines()[1:3] == [f"✓ Connect4 ({NAME})", f"! {DOUBT}"]
    assert len(opened) == 1
