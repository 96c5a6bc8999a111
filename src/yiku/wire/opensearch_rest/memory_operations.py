"""The operations on memories."""

from __future__ import annotations

import yiku.wire.opensearch_rest.bodies as takes
import yiku.wire.opensearch_rest.decode as decode
import yiku.wire.opensearch_rest.encode as encode
import yiku.wire.opensearch_rest.results as gives
from yiku.core.memory.add import add_memories
from yiku.core.memory.delete import delete_memories
from yiku.core.memory.edit import delete_memory, update_memory
from yiku.core.memory.events import event_status
from yiku.core.memory.history import memory_history
from yiku.core.memory.read import get_memory, list_memories
from yiku.core.memory.search import search_memories
from yiku.core.users import delete_user
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.opensearch_decode import decode_add, decode_search
from yiku.wire.opensearch_rest.grammar import bound
from yiku.wire.opensearch_rest.operation import Operation, Path
from yiku.wire.opensearch_results import DeleteResult, MemoryResult, delete_result, memory_result


async def _add(ports: Ports, principal: Principal, path: Path, body: takes.AddBody) -> gives.Accepted:
    command = decode_add(body, principal.workspace, ports.limits)
    return encode.accepted(await add_memories(ports, principal, command))


async def _event(ports: Ports, principal: Principal, path: Path, body: None) -> gives.EventResult:
    event_id = decode.decode_path_id(path["event_id"], field="event_id", limits=ports.limits)
    return encode.event_result(await event_status(ports, principal, event_id))


async def _search(ports: Ports, principal: Principal, path: Path, body: takes.SearchBody) -> gives.SearchResult:
    query = decode_search(body, principal.workspace, ports.limits)
    return encode.search_result(await search_memories(ports, principal, query))


async def _list(ports: Ports, principal: Principal, path: Path, body: takes.ListBody) -> gives.ListResult:
    query = decode.decode_list(body, principal.workspace, ports.limits)
    return encode.list_result(await list_memories(ports, principal, query))


async def _get(ports: Ports, principal: Principal, path: Path, body: None) -> MemoryResult:
    return memory_result(await get_memory(ports, principal, _memory_id(path, ports)))


async def _history(ports: Ports, principal: Principal, path: Path, body: None) -> gives.HistoryResult:
    return encode.history_result(await memory_history(ports, principal, _memory_id(path, ports)))


async def _update(ports: Ports, principal: Principal, path: Path, body: takes.UpdateBody) -> gives.UpdateResult:
    change = decode.decode_update(body, ports.limits)
    return encode.update_result(await update_memory(ports, principal, _memory_id(path, ports), change))


async def _delete(ports: Ports, principal: Principal, path: Path, body: None) -> DeleteResult:
    memory_id = _memory_id(path, ports)
    await delete_memory(ports, principal, memory_id)
    return delete_result(memory_id)


async def _delete_many(
    ports: Ports, principal: Principal, path: Path, body: takes.DeleteBody
) -> gives.DeleteManyResult:
    query = decode.decode_delete(body, principal.workspace, ports.limits)
    count = await delete_memories(ports, principal, query, dry_run=body.dry_run)
    return {"count": count, "dry_run": body.dry_run}


async def _delete_user(ports: Ports, principal: Principal, path: Path, body: None) -> gives.DeleteUserResult:
    user_id = decode.decode_user_id(path["user_id"], ports.limits)
    return encode.delete_user_result(user_id, await delete_user(ports, principal, user_id))


def _memory_id(path: Path, ports: Ports) -> str:
    return decode.decode_path_id(path["memory_id"], field="memory_id", limits=ports.limits)


MEMORY_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        name="addMemories",
        title="Remember",
        description="Takes messages in and answers at once; they are digested in the background. Ask for the event to "
        "learn what was remembered.",
        method="POST",
        path="/memories/add",
        permission="memory:write",
        takes=takes.AddBody,
        gives=gives.Accepted,
        run=_add,
        headers={"Idempotency-Key": "idempotency_key"},
    ),
    Operation(
        name="getEvent",
        title="See what was remembered",
        description="PENDING and RUNNING: ask again a little later. SUCCEEDED lists the ids of the memories that were "
        "made or changed and, fact by fact, what was decided and why. FAILED says what went wrong.",
        method="GET",
        path="/events/{event_id}",
        permission="memory:read",
        gives=gives.EventResult,
        run=_event,
    ),
    Operation(
        name="searchMemories",
        title="Search",
        description="What is known about a user that bears on a question, best first, by meaning and by words.",
        method="POST",
        path="/memories/search",
        permission="memory:read",
        takes=takes.SearchBody,
        gives=gives.SearchResult,
        run=_search,
    ),
    Operation(
        name="getMemory",
        title="Read a memory",
        description="One memory, with its owner, metadata and times.",
        method="GET",
        path="/memories/{memory_id}",
        permission="memory:read",
        gives=MemoryResult,
        run=_get,
    ),
    Operation(
        name="updateMemory",
        title="Correct a memory",
        description="Replaces the text, merges the metadata, or both; id and owner stay, and the old wording is kept "
        "in the history.",
        method="PUT",
        path="/memories/{memory_id}",
        permission="memory:write",
        takes=takes.UpdateBody,
        gives=gives.UpdateResult,
        run=_update,
    ),
    Operation(
        name="deleteMemory",
        title="Forget a memory",
        description="Deletes one memory and its history for good.",
        method="DELETE",
        path="/memories/{memory_id}",
        permission="memory:write",
        gives=DeleteResult,
        run=_delete,
    ),
    Operation(
        name="listMemories",
        title="List",
        description="All memories that meet exact conditions, newest first, page by page; count says how many there "
        f"are. More pages follow while page × page_size is below both count and {bound('page_window')}.",
        method="POST",
        path="/memories/list",
        permission="memory:read",
        takes=takes.ListBody,
        gives=gives.ListResult,
        run=_list,
        ours=True,
    ),
    Operation(
        name="getMemoryHistory",
        title="History of a memory",
        description="What the memory said before it was corrected, oldest first, and what it says now; and all values "
        "that its question has had, with their validity and evidence.",
        method="GET",
        path="/memories/{memory_id}/history",
        permission="memory:read",
        gives=gives.HistoryResult,
        run=_history,
        ours=True,
    ),
    Operation(
        name="deleteMemories",
        title="Forget memories by filter",
        description="Deletes all memories that meet exact conditions, or none of them; dry_run only counts.",
        method="POST",
        path="/memories/delete",
        permission="memory:write",
        takes=takes.DeleteBody,
        gives=gives.DeleteManyResult,
        run=_delete_many,
        ours=True,
    ),
    Operation(
        name="deleteUser",
        title="Forget a user",
        description="Deletes everything of a user: memories, messages, events, and adds that still wait. Deleting "
        "nothing is no error.",
        method="DELETE",
        path="/users/{user_id}",
        permission="memory:write",
        gives=gives.DeleteUserResult,
        run=_delete_user,
        ours=True,
    ),
)
