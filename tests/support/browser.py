"""A page in Chromium, asked through its debugging port: what it shows, and what it asks the network for."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

CHROMIUM = Path(os.environ.get("AZX_CHROMIUM") or "/usr/bin/chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)
SECONDS = 300


@dataclass(frozen=True)
class Visit:
    """What became of a page: the answers to the questions, in their order, and the addresses that it asked for."""

    answers: list[Any]
    requests: list[str]
    refused: list[str]


def visit(page: Path, questions: Sequence[str], folder: Path, *, width: int = 1000, dark: bool = False) -> Visit:
    """Open a file and evaluate JavaScript expressions in it, as wide as told; `folder` keeps the browser's profile."""
    profile = folder / "profile"
    # Its answers come through files and a socket of this machine: standard output says nothing that is needed.
    browser = subprocess.Popen(
        [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = _port(profile / "DevToolsActivePort", browser)
        return asyncio.run(asyncio.wait_for(_visited(port, page, questions, width, dark), SECONDS))
    finally:
        browser.terminate()
        browser.wait(300)


def _port(file: Path, browser: subprocess.Popen[bytes]) -> str:
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends and browser.poll() is None:
        lines = file.read_text(encoding="utf8").splitlines() if file.is_file() else []
        if lines:
            return lines[0]
        time.sleep(0.05)
    raise TimeoutError(f"{CHROMIUM} did not start")


class _Tab:
    """A tab behind its socket: messages that nobody asked for are noted while an answer is waited for."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.number, self.loaded = socket, 0, False
        self.requests: list[str] = []
        self.refused: list[str] = []

    async def ask(self, method: str, **told: Any) -> Any:
        self.number += 1
        asked = self.number
        await self.socket.write_message(json.dumps({"id": asked, "method": method, "params": told}))
        while (message := await self.next()).get("id") != asked:
            pass
        return message["result"]

    async def next(self) -> Any:
        message = json.loads(str(await self.socket.read_message()))
        method, told = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Log.entryAdded":
            self.refused.append(told["entry"]["text"])
        self.loaded = self.loaded or method == "Page.loadEventFired"
        return message

    async def close(self) -> None:
        self.socket.close()
        while await self.socket.read_message() is not None:
            pass


async def _visited(port: str, page: Path, questions: Sequence[str], width: int, dark: bool) -> Visit:
    from tornado.websocket import websocket_connect

    with urlopen(f"http://127.0.0.1:{port}/json/list") as found:
        address = next(target for target in json.load(found) if target["type"] == "page")["webSocketDebuggerUrl"]
    tab = _Tab(await websocket_connect(address, max_message_size=64 * 2**20))
    for method in ("Network.enable", "Page.enable", "Log.enable"):
        await tab.ask(method)
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    await tab.ask("Emulation.setDeviceMetricsOverride", **screen)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    await tab.ask("Emulation.setEmulatedMedia", features=[scheme])
    await tab.ask("Page.navigate", url=page.as_uri())
    while not tab.loaded:
        await tab.next()
    told = [await tab.ask("Runtime.evaluate", expression=each, returnByValue=True) for each in questions]
    await tab.close()
    return Visit([each["result"].get("value") for each in told], tab.requests, tab.refused)
