"""Lance tables in a folder, and what Lance is told by the environment before it starts."""
# lancedb's own types lean on pyarrow, which ships none
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import os
from pathlib import Path

import lancedb
from lancedb import AsyncConnection

from leadline.config import announce

# Keeps Lance from printing a notice about its own statistics whenever a vector index grows.
announce({"LANCE_INCLUDE_VECTOR_CENTROIDS": "false"})

# Lance sets two cores aside for reading. Of two or three in all that leaves one, on which the vector and the keyword
# search of a question take turns, though what they need is in memory most of the time.
if (os.cpu_count() or 1) < 4:
    announce({"LANCE_CPU_THREADS": "2"})


async def connect(folder: Path) -> AsyncConnection:
    return await lancedb.connect_async(folder)


async def table_names(connection: AsyncConnection) -> list[str]:
    names: list[str] = []
    token: str | None = None
    while True:
        page = await connection.list_tables(page_token=token)
        names += page.tables
        token = page.page_token
        if not token:
            return names
