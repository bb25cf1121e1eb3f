"""Whether a scheduler of Dask is at an address."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor


def await_scheduler(address: str, seconds: float) -> None:
    """Return once a scheduler has identified itself; TimeoutError without an answer, other errors for another program.

    Dask's own client waits for ever for a program that listens and never answers.
    """
    from distributed import Security, rpc

    async def ask() -> None:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
            if (await scheduler.identity())["type"] != "Scheduler":
                raise ValueError("it is another part of Dask")

    # In a thread, because a notebook has its own loop.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(ask(), seconds))).result()
