"""A web server for this machine or its network: Python's own, with strict headers, in front of a `Site`."""

from __future__ import annotations

import errno
import io
import os
import socket
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, BinaryIO

from ..errors import AzxError
from .byte_ranges import choose_bytes, content_range
from .site import Answer, Site, encodings, headers

ADDRESS = "127.0.0.1"
# A client has this long for a request, from its first byte to its last, and to take each piece of an answer.
IDLE_SECONDS = 30
PIECE_BYTES = 1 << 16
# Bytes that the system buffers for a client that does not read; some systems would buffer megabytes.
SEND_BUFFER = 1 << 18
# Browsers open six connections each. Further ones wait in the system's queue.
MOST_CONNECTIONS = 256
LOOK_SECONDS = 0.5
UNREADABLE = "This cannot be read at the moment: the terminal of `azx serve` says why."
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
# No other origin can take part, so browsers let the page use shared memory and precise clocks.
STRICT = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Server(ThreadingHTTPServer):
    """Answers from one site, on one address of this machine and only by its own names; one thread per connection.

    At most MOST_CONNECTIONS are open at a time.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, site: Site, port: int, address: str = ADDRESS, names: Collection[str] = ("localhost",)) -> None:
        self.site = site
        self.address, self.names = address, names
        self._open, self._room = 0, threading.Condition()
        super().__init__((address, port), Handler)

    @property
    def port(self) -> int:
        """The port it listens on, also if port 0 chose it."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where the app is."""
        return f"http://{self.address}:{self.port}/"

    @property
    def is_crowded(self) -> bool:
        """Whether so few places are left that a connection must end after its answer."""
        return self._open > MOST_CONNECTIONS // 2

    def get_request(self) -> tuple[socket.socket, Any]:
        """The next connection, once a place is free; OSError if that takes long, and then the loop asks again."""
        with self._room:
            if not self._room.wait_for(lambda: self._open < MOST_CONNECTIONS, LOOK_SECONDS):
                raise TimeoutError
        taken = super().get_request()
        with self._room:
            self._open += 1
        return taken

    def shutdown_request(self, request: Any) -> None:
        """End a connection and free its place."""
        super().shutdown_request(request)
        with self._room:
            self._open -= 1
            self._room.notify()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that leave in the middle of an answer."""


class Requests(io.RawIOBase):
    """The bytes that a client sends. TimeoutError once `end`, on the clock of time.monotonic, has passed."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self.end = connection, 0.0

    def readable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Wait for some bytes, at most until `end`."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class Handler(BaseHTTPRequestHandler):
    """Handles GET and HEAD, nothing else."""

    protocol_version = "HTTP/1.1"
    server_version = "azx"
    sys_version = ""
    server: Server

    def setup(self) -> None:
        """Limit a client's use of this machine: one place, small buffers, and a time limit."""
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        super().setup()
        self.rfile.close()
        self._requests = Requests(self.connection)
        self.rfile = io.BufferedReader(self._requests)

    def handle_one_request(self) -> None:
        """Answer the next request, if it comes in time."""
        self._requests.end = time.monotonic() + IDLE_SECONDS
        super().handle_one_request()

    def do_GET(self) -> None:
        """Send the site's content at this address."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send only the headers."""
        self._answer(with_body=False)

    def end_headers(self) -> None:
        """Add the strict headers to every answer, errors too."""
        if self.server.is_crowded:
            self.send_header("Connection", "close")
        # The limit holds for each piece, not for the whole answer.
        self.connection.settimeout(IDLE_SECONDS)
        for name, value in STRICT.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log no requests."""

    def _answer(self, with_body: bool) -> None:
        if not self._is_own_host():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, f"This server answers at {self.server.url} alone.", with_body)
            return
        try:
            answer = self.server.site.find(self.path, encodings(self.headers.get("Accept-Encoding", "")))
            content = None if answer is None else answer.open()
        except (AzxError, OSError) as error:
            # The reason names paths of this machine, so only the terminal shows it.
            self.server.site.tell_once(error)
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, UNREADABLE, with_body)
            return
        if answer is None or content is None:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing at this address.", with_body)
            return
        with content:
            self._send(answer, content, with_body)

    def _is_own_host(self) -> bool:
        """Whether the request names this server.

        A page of another site may point its own name at this address (DNS rebinding). For the browser this server is
        then that site, and its page could read every bundle. Only the requested name reveals it.
        """
        host, _, port = self.headers.get("Host", "").partition(":")
        return host.lower() in {self.server.address, *self.server.names} and port in ("", str(self.server.port))

    def _send(self, answer: Answer, content: BinaryIO, with_body: bool) -> None:
        length = content.seek(0, os.SEEK_END)
        fields = headers(answer, length)
        # A client may name several answers that it has, marked as weak or not.
        known = {tag.strip().removeprefix("W/") for tag in self.headers.get("If-None-Match", "").split(",")}
        unchanged = fields["ETag"] in known
        # HEAD ignores ranges.
        requested = self.headers.get("Range") if with_body else None
        status, chosen = choose_bytes(requested, self.headers.get("If-Range"), fields["ETag"], length)
        self.send_response(HTTPStatus.NOT_MODIFIED if unchanged else status)
        if status != HTTPStatus.OK:
            fields |= {"Content-Length": str(len(chosen)), "Content-Range": content_range(chosen, length)}
        for name, value in fields.items():
            if not (unchanged and name.startswith("Content-")):
                self.send_header(name, value)
        self.end_headers()
        if with_body and not unchanged:
            content.seek(chosen.start)
            self._send_pieces(content, len(chosen))

    def _send_pieces(self, content: BinaryIO, left: int) -> None:
        """Send the next `left` bytes; TimeoutError if a client takes too long over a piece."""
        while left:
            piece = content.read(min(left, PIECE_BYTES))
            if not piece:  # the file shrank meanwhile; only ending the connection says so
                self.close_connection = True
                return
            self.wfile.write(piece)
            left -= len(piece)

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
    """A server that holds its port; it answers once `serve_forever` runs.

    It answers at `address` and by `names`. AzxError if the port is not free, or this machine has no such address.
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
