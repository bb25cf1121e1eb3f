"""A web server for this machine alone, or for its network: Python's own, with strict headers, in front of a `Site`."""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..errors import AzxError, BundleError
from .site import Answer, Site, encodings, headers

ADDRESS = "127.0.0.1"
IDLE_SECONDS = 30
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# No other origin takes part, so the page may have a shared clock and shared memory.
STRICT = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """Answers from one site, on one address of this machine and by its names alone, a thread a connection."""

    daemon_threads = True

    def __init__(self, site: Site, port: int, address: str = ADDRESS, names: Collection[str] = ("localhost",)) -> None:
        self.site = site
        self.address, self.names = address, names
        super().__init__((address, port), Handler)

    @property
    def port(self) -> int:
        """The port it listens on, also if any free one was asked for."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where the app is."""
        return f"http://{self.address}:{self.port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no news."""


class Handler(BaseHTTPRequestHandler):
    """GET and HEAD, nothing else."""

    protocol_version = "HTTP/1.1"
    server_version = "azx"
    sys_version = ""
    timeout = IDLE_SECONDS
    server: Server

    def do_GET(self) -> None:
        """Send what the site has at this address."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send the headers alone."""
        self._answer(with_body=False)

    def end_headers(self) -> None:
        """Every answer is strict, errors too."""
        for name, value in STRICT.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""

    def _answer(self, with_body: bool) -> None:
        if not self._is_own_host():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, f"This server answers at {self.server.url} alone.", with_body)
            return
        try:
            answer = self.server.site.find(self.path, encodings(self.headers.get("Accept-Encoding", "")))
            body = b"" if answer is None else answer.content()
        except (BundleError, OSError) as error:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, str(error), with_body)
            return
        if answer is None:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing at this address.", with_body)
        else:
            self._send(answer, body, with_body)

    def _is_own_host(self) -> bool:
        """Whether the request is for this server by its own name.

        A page of another site may point its own name at its address (DNS rebinding). To the browser this server is then
        that site, and its page could read every bundle. The name that it asked for is all that gives it away.
        """
        host, _, port = self.headers.get("Host", "").partition(":")
        return host.lower() in {self.server.address, *self.server.names} and port in ("", str(self.server.port))

    def _send(self, answer: Answer, body: bytes, with_body: bool) -> None:
        found = headers(answer, len(body))
        # A client may name several answers that it has, and mark them as weak.
        known = {tag.strip().removeprefix("W/") for tag in self.headers.get("If-None-Match", "").split(",")}
        unchanged = found["ETag"] in known
        self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else HTTPStatus.OK)
        for name, value in found.items():
            if not (unchanged and name.startswith("Content-")):
                self.send_header(name, value)
        self.end_headers()
        if with_body and not unchanged:
            self.wfile.write(body)

    def _refuse(self, status: HTTPStatus, sentence: str, with_body: bool) -> None:
        body = f"{sentence}\n".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if with_body:
            self.wfile.write(body)


@contextmanager
def listen(site: Site, port: int, address: str = ADDRESS, names: Collection[str] = ("localhost",)) -> Iterator[Server]:
    """A server that has its port, and answers once `serve_forever` runs.

    It answers at `address` and by `names`. AzxError if the port cannot be had, or this machine has no such address.
    """
    try:
        server = Server(site, port, address, names)
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise AzxError(
                f"{address} is no address of this machine: leave --address out, or give one of its own."
            ) from error
        reason = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened ({error.strerror})"
        raise AzxError(f"Port {port} {reason}: choose another with --port, or any free one with --port 0.") from error
    with server:
        yield server
