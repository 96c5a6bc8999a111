"""Is everything that was acknowledged in a backup that was taken under load, and does it come back?"""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.processes import ENDPOINT, KEY, Running, run, serving

CLIENTS = 8
ADDS_BEFORE = 100


class Load:
    """Clients that add as fast as they are served, and write down what was confirmed."""

    def __init__(self, server: Running) -> None:
        self._url = server.url + ENDPOINT
        self.acknowledged: dict[str, str] = {}
        self.enough = asyncio.Event()
        self.stop = asyncio.Event()

    async def run(self, client: int) -> None:
        headers = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as session:
            while not self.stop.is_set():
                text = f"I like tea number {len(self.acknowledged)} of client {client}, 喜欢喝茶"
                arguments = {"messages": text, "user_id": f"user-{client % 3}"}
                call = {"name": "memory_add", "arguments": arguments}
                body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
                result = (await session.post(self._url, json=body)).json()["result"]
                self.acknowledged[result["structuredContent"]["event_id"]] = text
                if len(self.acknowledged) == ADDS_BEFORE:
                    self.enough.set()


async def records(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Everything in the store, by kind and id. The export proves its own checksums."""
    code, out, err = await run(folder, "export")
    assert code == 0, err
    found = [json.loads(line)["record"] for line in out.splitlines()[1:-1]]
    return {(record["kind"], record["id"]): record for record in found}


async def test_a_backup_under_load_holds_what_was_acknowledged_before_it_began(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with serving(tmp_path / "data", api_key=KEY) as server, asyncio.TaskGroup() as group:
        load = Load(server)
        for client in range(CLIENTS):
            group.create_task(load.run(client))
        await load.enough.wait()
        before = dict(load.acknowledged)
        code, out, err = await run(tmp_path / "data", "backup", str(copy))
        assert (code, out) == (0, f"{copy}\n"), err
        assert len(load.acknowledged) > len(before)
        load.stop.set()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    code, out, err = await run(tmp_path / "restored", "restore", str(copy))
    assert code == 0, err
    assert "Restored and checked" in out
    restored, original = await records(tmp_path / "restored"), await records(tmp_path / "data")
    for event_id, text in before.items():
        [message_id] = restored["event", event_id]["body"]["message_ids"]
        assert restored["message", message_id]["body"]["content"] == text
        assert restored["message", message_id] == original["message", message_id]
    async with serving(tmp_path / "restored", api_key=KEY) as server:
        for event_id in list(before)[-CLIENTS:]:
            assert (await server.settled(event_id))["status"] == "SUCCEEDED"
    assert stat.S_IMODE((tmp_path / "restored" / "yiku.db").stat().st_mode) == 0o600


async def test_a_backup_into_a_folder_gets_a_name_and_nothing_is_overwritten(tmp_path: Path) -> None:
    async with serving(tmp_path / "data"):
        pass
    target = tmp_path / "backups"
    target.mkdir()
    code, out, _ = await run(tmp_path / "data", "backup", str(target))
    assert code == 0
    made = Path(out.strip())
    assert made.parent == target
    code, _, err = await run(tmp_path / "data", "backup", str(made))
    assert code == 2
    assert "exists already" in err
    code, _, err = await run(tmp_path / "typo", "backup", str(target / "x.db"))
    assert code == 2
    assert "no store" in err


async def test_a_restore_wants_an_empty_place_and_a_sound_backup(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server:
        assert server.url
        copy = tmp_path / "copy.db"
        assert (await run(tmp_path / "data", "backup", str(copy)))[0] == 0
        code, _, err = await run(tmp_path / "data", "restore", str(copy))
        assert code == 2
        assert "There is a store in" in err
    content = bytearray(copy.read_bytes())
    content[5_000:9_000] = b"\xff" * 4_000
    (tmp_path / "damaged.db").write_bytes(content)
    (tmp_path / "text.db").write_text("no database at all, however long one goes on reading in it")
    for name, said in (
        ("damaged.db", "damaged"),
        ("text.db", "text.db is no database, or it is damaged"),
        ("missing.db", "There is no file"),
    ):
        code, _, err = await run(tmp_path / "new", "restore", str(tmp_path / name))
        assert code == 2, err
        assert said in err
        assert "Traceback" not in err
        assert not (tmp_path / "new" / "yiku.db").exists()


async def test_postgresql_is_told_which_tool_to_use(tmp_path: Path) -> None:
    database = {"database_url": "postgresql://localhost/yiku"}
    code, _, err = await run(tmp_path / "data", "backup", "x.db", **database)
    assert code == 2
    assert 'pg_dump --format=custom --file=x.db "$YIKU_DATABASE_URL"' in err
    code, _, err = await run(tmp_path / "data", "restore", "x.db", **database)
    assert code == 2
    assert 'pg_restore --no-owner --dbname="$YIKU_DATABASE_URL" x.db' in err
