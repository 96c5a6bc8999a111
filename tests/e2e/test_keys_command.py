"""`yiku keys` and `yiku workspaces` beside a running server, and the door of the admin in it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.processes import ENDPOINT, KEY, STARTED_WITHIN_S, Running, environment, run, serving

ADMIN = {"Authorization": f"Bearer {KEY}"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


async def status(server: Running, key: str) -> int:
    """How the MCP door answers to this key."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
    async with httpx.AsyncClient(timeout=30) as client:
        return (await client.post(server.url + ENDPOINT, json=LIST, headers=headers)).status_code


async def made(folder: Path, *arguments: str) -> dict[str, Any]:
    code, out, errors = await run(folder, "keys", "create", "--json", *arguments)
    assert code == 0, errors
    key: dict[str, Any] = json.loads(out)
    return key


async def test_a_key_made_beside_a_running_server_works_at_once_until_it_is_revoked(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder, api_key=KEY) as server:
        code, out, _ = await run(folder, "workspaces", "create", "team")
        assert (code, "team" in out) == (0, True)
        key = await made(folder, "--name", "bot", "--workspace", "team", "--user", "u1", "--expires", "30d")
        assert (key["workspace"], key["user_id"], key["expires_at"] is not None) == ("team", "u1", True)
        assert await status(server, key["key"]) == 200
        code, out, _ = await run(folder, "keys", "list")
        assert code == 0
        assert key["id"] in out
        assert key["key"] not in out
        code, out, _ = await run(folder, "keys", "revoke", key["id"])
        assert (code, key["id"] in out) == (0, True)
        # The server has its own memory of the key, for a second.
        async with asyncio.timeout(STARTED_WITHIN_S):
            while await status(server, key["key"]) != 401:
                pass


async def test_a_key_is_imported_from_standard_input(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    command = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "keys", "import", "--name", "old", "--new-store",
        env=environment(folder), cwd=tmp_path,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await command.communicate(b"OS-a-key-of-another-service\n")
    assert command.returncode == 0
    assert b"OS-a-key" not in out
    async with serving(folder) as server:
        assert await status(server, "OS-a-key-of-another-service") == 200


async def test_the_key_of_the_settings_is_not_imported(tmp_path: Path) -> None:
    command = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "yiku", "keys", "import", "--name", "old", "--new-store",
        env=environment(tmp_path / "data", api_key=KEY), cwd=tmp_path,
        stdin=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    _, errors = await command.communicate(f"{KEY}\n".encode())
    assert command.returncode == 2
    assert b"YIKU_API_KEY" in errors


async def test_no_store_is_made_where_a_name_was_misspelt(tmp_path: Path) -> None:
    for arguments in (("keys", "create", "--name", "a"), ("workspaces", "create", "team")):
        code, _, errors = await run(tmp_path / "dtaa", *arguments)
        assert code == 2
        assert f"There is no store in {tmp_path / 'dtaa'}" in errors
        assert "--new-store" in errors
        assert not (tmp_path / "dtaa").exists()
    code, out, _ = await run(tmp_path / "data", "keys", "create", "--name", "a", "--new-store")
    assert (code, out[:3]) == (0, "yk_")


async def test_what_is_wrong_with_a_wish_is_said_in_a_line(tmp_path: Path) -> None:
    assert (await run(tmp_path / "data", "workspaces", "create", "team", "--new-store"))[0] == 0
    for arguments, words in (
        (("create", "--name", "a", "--permission", "root"), "'root'"),
        (("create", "--name", "a", "--expires", "soon"), "30d"),
        (("create", "--name", "a", "--workspace", "nowhere"), "'nowhere'"),
        (("create", "--name", "a", "--permission", "admin", "--user", "u1"), "bound to a user"),
        (("revoke", "nothing"), "'nothing'"),
    ):
        code, out, errors = await run(tmp_path / "data", "keys", *arguments)
        assert (code, out) == (2, "")
        assert errors.startswith("yiku: ")
        assert words in errors
        assert errors.count("\n") == 1


async def test_the_server_has_a_door_for_its_admin(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[limits]\naudit_days = 30\n")
    async with (
        serving(tmp_path / "data", api_key=KEY, key_requests_per_minute="4", config=str(file)) as server,
        httpx.AsyncClient(base_url=server.url, headers=ADMIN) as client,
    ):
        shown = (await client.get("/admin/v1/settings")).json()["settings"]
        settings = {setting["name"]: (setting["value"], setting["source"]) for setting in shown}
        assert settings["key_requests_per_minute"] == (4, "environment")
        assert settings["api_key"] == ("**********", "environment")
        assert settings["limits.audit_days"] == (30, "file")
        assert settings["user_requests_per_minute"] == (0, "default")
        assert KEY not in str(shown)
        assert await status(server, "nobody-knows-this-key") == 401
        [refused] = (await client.get("/admin/v1/audit")).json()["entries"]
        assert (refused["action"], refused["outcome"], refused["times"]) == ("unknown key", "refused", 1)
        assert [await status(server, KEY) for _ in range(3)] == [200, 200, 429]
        limited = await client.get("/admin/v1/keys")
        assert (limited.status_code, limited.json()["code"]) == (429, "RateLimited")
        assert 1 <= int(limited.headers["retry-after"]) <= 15
