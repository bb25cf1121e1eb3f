"""`azx serve --lan`: on an address that others reach, by that address and this machine's own names alone.

Loopback aliases stand for the addresses of a network: nothing leaves this machine.
"""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from serving import answering, app_of_one_page

from azx.cli import cli
from azx.errors import AzxError
from azx.mobile_assets import lan
from azx.mobile_assets.lan import lan_address, local_names, qr_code
from azx.mobile_assets.server import Server, listen
from azx.mobile_assets.site import Site

ALIAS = "127.0.0.2"


def has_alias() -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((ALIAS, 0))
        except OSError:
            return False
    return True


pytestmark = pytest.mark.skipif(not has_alias(), reason=f"this system has no {ALIAS}")


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A built app of one page."""
    folder: Path = app_of_one_page(tmp_path / "app")
    return folder


@pytest.fixture
def server(app: Path) -> Iterator[Server]:
    """A server at the alias, at work in a thread."""
    with answering(Site(app, []), ALIAS, local_names()) as found:
        yield found


def status(server: Server, host: str) -> int:
    """What a request by this name gets."""
    with closing(http.client.HTTPConnection(ALIAS, server.port, timeout=300)) as connection:
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().status


def test_it_answers_at_its_address_and_by_this_machines_names(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    own = socket.gethostname().partition(".")[0]
    assert server.url == f"http://{ALIAS}:{server.port}/"
    for host in (ALIAS, own, own.upper(), f"{own}.local", "localhost"):
        assert status(server, f"{host}:{server.port}") == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1:{port}",
        f"{lan.NOWHERE}:{{port}}",
        "127.0.0.2:1",
        "{name}.evil.example",
        "",
    ],
)
def test_a_foreign_name_gets_nothing(server: Server, host: str) -> None:
    name = socket.gethostname().partition(".")[0]
    assert status(server, host.format(port=server.port, name=name)) == 421


def test_nothing_listens_at_the_loopback_address(server: Server) -> None:
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", server.port), timeout=300):
        pass


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (lan.NOWHERE, "This machine is in no network: connect it to one"),
        ("127.0.0.1", "This machine is in no network: connect it to one"),
        ("8.8.8.8", "This machine's address is 8.8.8.8, which the whole internet may reach"),
    ],
)
def test_an_address_that_is_none_of_a_network_is_not_served_on(
    source: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "_source", lambda: source)
    with pytest.raises(AzxError, match=sentence):
        lan_address()


@pytest.mark.parametrize("source", ["192.168.1.20", "10.0.0.3", "172.16.5.5", "169.254.7.7", "100.64.0.9"])
def test_an_address_of_a_network_is_served_on(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_source", lambda: source)
    assert lan_address() == source


def test_where_there_is_no_way_to_others_there_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    # No packet goes to it: its own network is this machine.
    monkeypatch.setattr(lan, "ELSEWHERE", ("127.0.0.9", 9))
    assert lan._source() == "127.0.0.1"
    with pytest.raises(AzxError, match="in no network"):
        lan_address()


@pytest.mark.parametrize("named", ["somewhere", lan.NOWHERE, "224.0.0.1", "255.255.255.255", "::1", "192.168.1"])
def test_what_is_no_address_of_a_machine_is_refused(named: str, app: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", "--lan", "--address", named, "--app", str(app), "--no-browser"])
    assert done.exit_code == 1
    assert named in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_address_of_another_machine_is_one_sentence(app: Path) -> None:
    with (
        pytest.raises(AzxError, match=r"^192\.0\.2\.1 is no address of this machine: leave --address out"),
        listen(Site(app, []), 0, "192.0.2.1"),
    ):
        pass


def test_an_address_without_the_network_is_refused(app: Path) -> None:
    done = CliRunner().invoke(cli, ["serve", "--address", ALIAS, "--app", str(app)])
    assert done.exit_code == 2
    assert "--address is for --lan" in done.stderr


def test_the_code_is_a_square_with_its_margin() -> None:
    rows = qr_code("http://192.168.178.23:8520/").splitlines()
    # 25 modules a side, of which two stand in one line; the margin has four.
    assert {len(row) for row in rows} == {25 + 2 * 4}
    assert len(rows) == (25 + 2 * 4 + 1) // 2
    assert set("".join(rows)) == set("█▀▄ ")
    assert rows[0] == rows[1] == "█" * 33


@contextmanager
def serving(app: Path, bundle: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """`azx serve --lan` at the alias, in a process of its own."""
    command = [sys.executable, "-m", "azx", "serve", str(bundle), "--app", str(app), "--port", "0", "--no-browser"]
    process = subprocess.Popen(
        [*command, "--lan", "--address", ALIAS, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_the_address_is_printed_as_text_and_as_a_code_with_a_warning(app: Path, small_bundle: Path) -> None:
    with serving(app, small_bundle) as process:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Serving at ").split()[0]
        assert url.startswith(f"http://{ALIAS}:")
        drawn = qr_code(url).splitlines()
        assert [process.stdout.readline().rstrip("\n") for _ in drawn] == drawn
        warning = process.stdout.readline()
        assert warning.startswith("! Everyone in this network can open the page and its bundles.")
        assert "plain http" in warning
        with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)) as connection:
            connection.request("GET", "/azx/index.json")
            assert len(json.loads(connection.getresponse().read())["bundles"]) == 1


def test_json_says_that_the_network_is_served(app: Path, small_bundle: Path) -> None:
    with serving(app, small_bundle, "--json") as process:
        assert process.stdout is not None
        text = ""
        while not text.endswith("\n}\n"):
            text += process.stdout.readline()
    said = json.loads(text)
    assert said["lan"] is True
    assert said["url"].startswith(f"http://{ALIAS}:")
