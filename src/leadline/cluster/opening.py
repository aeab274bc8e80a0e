"""Open the cluster that the settings name."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from leadline import registry
from leadline.cluster.base import Cluster, ClusterOptions, OpenCluster
from leadline.config import Settings, announce

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
_HERE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
"""What keeps a cluster on this machine to this machine: whoever reaches a cluster can run code on it."""


def options_of(settings: Settings | None) -> ClusterOptions:
    """The cluster that the settings name; without any, one on this machine."""
    if settings is None:
        return ClusterOptions()
    return ClusterOptions(settings.cluster.address, settings.cluster.workers)


@asynccontextmanager
async def opened(engine: str, options: ClusterOptions) -> AsyncGenerator[Cluster]:
    """The cluster of an engine. The first use imports its library, which reads the environment then."""
    announce(_QUIET if options.address else {**_QUIET, **_HERE})
    build: OpenCluster = await asyncio.to_thread(registry.find, "cluster", engine)
    async with build(options) as cluster:
        yield cluster
