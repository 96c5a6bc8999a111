"""All operations: one registry that the routes, OpenAPI, the page for users and the tests read."""

from __future__ import annotations

import yiku.wire.opensearch_rest.results as gives
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.opensearch_rest.knowledge_operations import KNOWLEDGE_OPERATIONS
from yiku.wire.opensearch_rest.memory_operations import MEMORY_OPERATIONS
from yiku.wire.opensearch_rest.operation import Operation, Path


async def _health(ports: Ports, principal: Principal, path: Path, body: None) -> gives.HealthStatus:
    await ports.storage.queue_state()
    return {"status": "healthy"}


HEALTH = Operation(
    name="health",
    title="Health",
    description="Healthy while the server and its store answer. It needs a key, as every call does; for load "
    "balancers there is /readyz, which needs none.",
    method="GET",
    path="/health",
    permission="memory:read",
    gives=gives.HealthStatus,
    run=_health,
    version="v3",
)
OPERATIONS: tuple[Operation, ...] = (*MEMORY_OPERATIONS, *KNOWLEDGE_OPERATIONS, HEALTH)
