"""The tools for memories."""

from __future__ import annotations

from typing import Any

import yiku.wire.opensearch_mcp.arguments as takes
import yiku.wire.opensearch_mcp.encode as encode
import yiku.wire.opensearch_mcp.results as gives
from yiku.core.memory.add import add_memories
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.events import event_status
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.search import search_memories
from yiku.model.memories import ChangeMemory
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.fields import decode_id
from yiku.wire.opensearch_decode import decode_add, decode_lifetime, decode_memory_text, decode_search
from yiku.wire.opensearch_mcp.decode import decode_list
from yiku.wire.opensearch_mcp.tool import Tool
from yiku.wire.opensearch_results import DeleteResult, MemoryResult, delete_result, memory_result


async def _add(ports: Ports, principal: Principal, given: takes.AddArguments) -> gives.Accepted:
    command = decode_add(given, principal.workspace, ports.limits)
    return encode.accepted(await add_memories(ports, principal, command))


async def _event(ports: Ports, principal: Principal, given: takes.EventArguments) -> gives.EventResult:
    event_id = decode_id(given.event_id, field="event_id", limits=ports.limits)
    return encode.event_result(await event_status(ports, principal, event_id))


async def _search(ports: Ports, principal: Principal, given: takes.SearchArguments) -> gives.SearchResult:
    query = decode_search(given, principal.workspace, ports.limits)
    return encode.search_result(await search_memories(ports, principal, query))


async def _get(ports: Ports, principal: Principal, given: takes.GetArguments) -> MemoryResult:
    memory_id = decode_id(given.memory_id, field="memory_id", limits=ports.limits)
    return memory_result(await get_memory(ports, principal, memory_id))


async def _list(ports: Ports, principal: Principal, given: takes.ListArguments) -> gives.ListResult:
    query = decode_list(given, principal.workspace, ports.limits)
    return encode.list_result(await list_memories(ports, principal, query))


async def _update(ports: Ports, principal: Principal, given: takes.UpdateArguments) -> gives.UpdateResult:
    memory_id = decode_id(given.memory_id, field="memory_id", limits=ports.limits)
    lifetime = decode_lifetime(given.expires_at, given.ttl_seconds)
    change = ChangeMemory(text=decode_memory_text(given.text, ports.limits), lifetime=lifetime)
    return encode.update_result(await update_memory(ports, principal, memory_id, change))


async def _delete(ports: Ports, principal: Principal, given: takes.DeleteArguments) -> DeleteResult:
    memory_id = decode_id(given.memory_id, field="memory_id", limits=ports.limits)
    await delete_memory(ports, principal, memory_id)
    return delete_result(memory_id)


MEMORY_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="memory_add",
        title="Remember",
        description="Remember what a user said or what you learned about them. Use it whenever something is worth "
        "knowing next time. Returns an event_id at once and works in the background; call memory_event_status_get "
        "with it if you need to know what was remembered.",
        permission="memory:write",
        takes=takes.AddArguments,
        gives=gives.Accepted,
        run=_add,
        changes=True,
        repeatable=False,
    ),
    Tool(
        name="memory_event_status_get",
        title="See what was remembered",
        description="What became of a memory_add. While status is PENDING or RUNNING ask again a little later; "
        "SUCCEEDED lists memory_ids and, fact by fact, what was decided and why; FAILED says what went wrong.",
        permission="memory:read",
        takes=takes.EventArguments,
        gives=gives.EventResult,
        run=_event,
    ),
    Tool(
        name="memory_search",
        title="Search memories",
        description="Find what is known about a user that bears on a question, best first, by meaning and by words. "
        "Use it before you answer anything that past conversations could inform. To list everything, use "
        "memory_get_all.",
        permission="memory:read",
        takes=takes.SearchArguments,
        gives=gives.SearchResult,
        run=_search,
    ),
    Tool(
        name="memory_get",
        title="Read a memory",
        description="One memory by its id, with its owner, metadata and times.",
        permission="memory:read",
        takes=takes.GetArguments,
        gives=MemoryResult,
        run=_get,
    ),
    Tool(
        name="memory_get_all",
        title="List memories",
        description="All memories of a user that meet exact conditions, newest first, page by page; count says how "
        "many there are. More pages follow while page × page_size is below both count and 10000. To find what is "
        "relevant to a question, use memory_search.",
        permission="memory:read",
        takes=takes.ListArguments,
        gives=gives.ListResult,
        run=_list,
    ),
    Tool(
        name="memory_update",
        title="Correct a memory",
        description="Replace the text of one memory; id, owner and metadata stay. Use it when the user corrects what "
        "is remembered. Find the id with memory_search first.",
        permission="memory:write",
        takes=takes.UpdateArguments,
        gives=gives.UpdateResult,
        run=_update,
        changes=True,
        destroys=True,
    ),
    Tool(
        name="memory_delete",
        title="Forget a memory",
        description="Delete one memory for good. Use it when the user asks to forget something. Find the id with "
        "memory_search first.",
        permission="memory:write",
        takes=takes.DeleteArguments,
        gives=DeleteResult,
        run=_delete,
        changes=True,
        destroys=True,
    ),
)
