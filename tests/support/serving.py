"""Built web apps, and servers of them at work, for tests of `azx serve`."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from azx.mobile_assets.server import Server
    from azx.mobile_assets.site import Site


def app_of_one_page(folder: Path) -> Path:
    """A built app of one page, in a new folder."""
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>azx</title>", encoding="utf-8")
    return folder


@contextmanager
def answering(site: Site, address: str = "127.0.0.1", names: Collection[str] = ("localhost",)) -> Iterator[Server]:
    """A server of this site at work in a thread, on any free port."""
    from azx.mobile_assets.server import listen

    with listen(site, 0, address, names) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
