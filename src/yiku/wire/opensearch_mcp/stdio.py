"""MCP over stdin and stdout, one JSON-RPC message a line: what `yiku mcp` runs.

The SDK's own loop says nothing to messages it cannot read, and cuts off running calls when the input ends. Here every
broken message is answered, and everything that was read is answered before we leave. While it runs, what others print
goes to stderr: stdout carries the protocol only.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from yiku.model.limits import Limits
from yiku.model.principal import Principal
from yiku.ports import Ports
from yiku.wire.jsonrpc import INVALID_REQUEST, Envelope, Id, JsonRpcError, decode_envelope
from yiku.wire.mcp_server import CALLER, Caller, build_server, check_call
from yiku.wire.opensearch_mcp.toolbox import TOOLBOX

CHUNK_BYTES = 64 * 1024
STDIN, STDOUT, STDERR = 0, 1, 2


async def serve_stdio(ports: Ports, principal: Principal) -> None:
    """Serve this process's stdin and stdout until stdin ends."""
    with _claimed_stdout() as output:
        await serve_pipes(ports, principal, STDIN, output)


async def serve_pipes(ports: Ports, principal: Principal, source: int, target: int) -> None:
    """Serve whoever is at the other end of two file descriptors, until `source` ends or `target` is closed."""
    server = build_server(ports, TOOLBOX)
    to_server, inbox = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbox, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    conversation = _Conversation(ports.limits, to_server, outbox.clone())
    token = CALLER.set(Caller(principal, ports.clock.new_id("req-")))
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(conversation.read, source)
            tasks.start_soon(conversation.write, from_server, target, tasks.cancel_scope)
            await server.run(inbox, outbox, server.create_initialization_options())
    finally:
        CALLER.reset(token)


class _Conversation:
    """Both directions of one client, and which of its requests still wait for an answer."""

    def __init__(
        self,
        limits: Limits,
        to_server: MemoryObjectSendStream[SessionMessage | Exception],
        to_client: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        self._limits = limits
        self._to_server = to_server
        self._to_client = to_client
        self._unanswered: set[Id] = set()
        self._all_answered = asyncio.Condition()

    async def read(self, source: int) -> None:
        async with self._to_server, self._to_client:
            async for line in _lines(source, self._limits.body_bytes):
                try:
                    await self._take(self._decode(line))
                except JsonRpcError as error:
                    await self._to_client.send(SessionMessage(_error_message(error)))
            # The SDK cancels what is still running once its input ends.
            with anyio.move_on_after(self._limits.shutdown_deadline_s):
                async with self._all_answered:
                    await self._all_answered.wait_for(lambda: not self._unanswered)

    def _decode(self, line: bytes) -> Envelope:
        if len(line) > self._limits.body_bytes:
            raise JsonRpcError(INVALID_REQUEST, f"The message is larger than {self._limits.body_bytes} bytes")
        envelope = decode_envelope(line, depth_max=self._limits.json_depth)
        check_call(envelope)
        return envelope

    async def _take(self, envelope: Envelope) -> None:
        message: JSONRPCMessage
        params = dict(envelope.params)
        if envelope.kind == "request" and envelope.id is not None:
            self._unanswered.add(envelope.id)
            message = JSONRPCRequest(jsonrpc="2.0", id=envelope.id, method=envelope.method, params=params)
        elif envelope.kind == "notification":
            if envelope.method == "notifications/cancelled":
                await self._settle(params.get("requestId"))
            message = JSONRPCNotification(jsonrpc="2.0", method=envelope.method, params=params)
        else:
            return  # We ask clients nothing, so a response answers nothing.
        await self._to_server.send(SessionMessage(message))

    async def write(
        self, from_server: MemoryObjectReceiveStream[SessionMessage], target: int, conversation: anyio.CancelScope
    ) -> None:
        async with from_server:
            async for item in from_server:
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                try:
                    await anyio.to_thread.run_sync(_write_all, target, line)
                except BrokenPipeError:
                    conversation.cancel()
                if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                    await self._settle(item.message.id)

    async def _settle(self, id: object) -> None:
        async with self._all_answered:
            self._unanswered.difference_update(waiting for waiting in list(self._unanswered) if waiting == id)
            self._all_answered.notify_all()


def _error_message(error: JsonRpcError) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=error.id, error=ErrorData(code=error.code, message=error.message))


async def _lines(source: int, bytes_max: int) -> AsyncIterator[bytes]:
    """The lines that hold something; of one that is too long its first `bytes_max` + 1 bytes."""
    pending = bytearray()
    async for chunk in _chunks(source):
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            pending += end[: bytes_max + 1 - len(pending)]
            if pending.strip():
                yield bytes(pending)
            pending.clear()
        pending += rest[: bytes_max + 1 - len(pending)]
    if pending.strip():
        yield bytes(pending)


async def _chunks(source: int) -> AsyncIterator[bytes]:
    """What arrives at a file descriptor, as it arrives.

    A read of stdin cannot be interrupted, so a thread does it that does not keep the process alive. It reads the
    descriptor itself: Python's buffered stdin would hold a lock that the interpreter needs when it ends.
    """
    chunks: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)
    loop = asyncio.get_running_loop()
    threading.Thread(target=_pump, args=(source, chunks, loop), name="stdin", daemon=True).start()
    while chunk := await chunks.get():
        yield chunk


def _pump(source: int, chunks: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    chunk = b"more to come"
    # When the loop is gone nobody wants the rest.
    with suppress(RuntimeError, concurrent.futures.CancelledError):
        while chunk:
            try:
                chunk = os.read(source, CHUNK_BYTES)
            except OSError:  # a terminal that was closed
                chunk = b""
            asyncio.run_coroutine_threadsafe(chunks.put(chunk), loop).result()


def _write_all(target: int, data: bytes) -> None:
    while data:
        data = data[os.write(target, data) :]


@contextmanager
def _claimed_stdout() -> Iterator[int]:
    sys.stdout.flush()
    private = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    try:
        yield private
    finally:
        sys.stdout.flush()
        os.dup2(private, STDOUT)
        os.close(private)
