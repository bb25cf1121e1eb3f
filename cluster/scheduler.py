"""Whether a scheduler of Dask is at an address."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor


def await_scheduler(address: str, seconds: float) -> None:
    """Return once a scheduler has said what it is; TimeoutError if nobody does, other errors if it is something else.

    Dask's own client waits for ever for a program that listens at the address and says nothing.
    """
    from distributed import Security, rpc

    async def ask() -> None:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
            if (await scheduler.identity())["type"] != "Scheduler":
                raise ValueError("it is another part of Dask")

    # In a thread, as a notebook has a loop of its own.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(ask(), seconds))).result()
