"""The server as a process: first start, keys, restarts, kills, a second process on the same data.

A test that takes a `store` runs on each engine. Those without one never get as far as opening it, or say in their name
that they are about SQLite's files.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
from pathlib import Path

import httpx
import pytest

from tests.e2e.processes import ENDPOINT, KEY, run, serving


async def test_the_first_start_prints_a_key_once_and_the_printed_curl_works(
    tmp_path: Path, store: dict[str, str]
) -> None:
    folder = tmp_path / "data"
    async with serving(folder, **store) as first:
        found = re.search(r"shown this once\): (\S+)", first.greeting)
        assert found is not None, first.greeting
        command = first.greeting.partition("try it:\n")[2].replace("\\\n", " ")
        curl = await asyncio.create_subprocess_exec(
            *shlex.split(command), "--silent", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        answer, errors = await curl.communicate()
        assert b'"status":"PENDING"' in answer, errors
    async with serving(folder, **store) as second:
        assert "shown this once" not in second.greeting
        assert (await second.call("memory_get_all", {"filters": {"user_id": "me"}}, found.group(1)))["count"] == 1


async def test_a_key_of_ones_own_is_accepted_exactly_while_it_is_set(tmp_path: Path, store: dict[str, str]) -> None:
    folder = tmp_path / "data"
    async with serving(folder, api_key=KEY, **store) as server:
        assert "shown this once" not in server.greeting
        await server.call("memory_get_all", {"filters": {"user_id": "me"}})
    async with serving(folder, **store) as server, httpx.AsyncClient() as client:
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        response = await client.post(server.url + ENDPOINT, headers=headers, content=b"{}")
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"api_key": "short"}, "YIKU_API_KEY is shorter than 20 characters"),
        ({"auth": "off", "host": "0.0.0.0"}, "auth is off, but host 0.0.0.0 can be reached from other machines"),
        ({"prot": "8080"}, "did you mean YIKU_PORT?"),
        ({"port": "99999"}, "YIKU_PORT"),
        ({"limits__queue_jobs": "0"}, "queue_jobs must be above 0"),
        ({"embedder": "openai_compatible"}, "needs embedder_url and embedder_model"),
        ({"llm_url": "http://127.0.0.1:9/v1"}, "llm_url and llm_model belong together"),
        ({"llm_url": "localhost", "llm_model": "m"}, "language model must start with http"),
        ({"rerank_model": "m"}, "rerank_url and rerank_model belong together"),
        ({"host": "no-such-host.invalid"}, "no such host"),
        ({"config": "missing.toml"}, "YIKU_CONFIG names missing.toml, which is not a file"),
    ],
)
async def test_a_wrong_setting_ends_the_start_with_a_reason(
    tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    code, out, err = await run(tmp_path / "data", "serve", **settings)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
    assert out == ""
    assert not (tmp_path / "data").exists()


async def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = await run(tmp_path / "data", "serve", port=str(taken.getsockname()[1]))
    assert code == 2
    assert "Address already in use" in err
    assert "YIKU_PORT" in err


async def test_settings_come_from_a_toml_file_and_the_environment_wins(tmp_path: Path, store: dict[str, str]) -> None:
    (tmp_path / "yiku.toml").write_text(f'api_key = "{KEY}"\nport = 1\n[limits]\nmessages_per_add = 1\n')
    async with serving(tmp_path / "data", **store) as server:
        assert not server.url.endswith(":1")
        await server.call("memory_add", {"messages": ["x"][0], "user_id": "u"})
        async with httpx.AsyncClient() as client:
            params = {
                "name": "memory_add",
                "arguments": {"user_id": "u", "messages": [{"role": "user", "content": "a b"}] * 2},
            }
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            response = await client.post(server.url + ENDPOINT, json=body, headers={"Authorization": f"Bearer {KEY}"})
        assert "the limit is 1" in response.json()["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("written", "environment", "said"),
    [
        ("limits = 3", {}, "limits in yiku.toml "),
        ("port = 'high'", {}, "port in yiku.toml "),
        ("[limits]\njson_depth = 'deep'", {}, "limits.json_depth in yiku.toml "),
        ("port = 1", {"port": "high"}, "YIKU_PORT "),
    ],
)
async def test_a_wrong_value_is_named_where_it_stands(
    tmp_path: Path, written: str, environment: dict[str, str], said: str
) -> None:
    (tmp_path / "yiku.toml").write_text(written)
    code, _, err = await run(tmp_path / "data", "check", **({"port": ""} | environment))
    assert code == 2
    assert said in err
    assert "Traceback" not in err


async def test_a_file_that_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "yiku.toml").write_text("port = = 1\n")
    code, _, err = await run(tmp_path / "data", "serve")
    assert code == 2
    assert "yiku.toml cannot be read as TOML" in err
    assert "Traceback" not in err


async def test_hosts_are_listed_with_commas(tmp_path: Path, store: dict[str, str]) -> None:
    hosts = "memory.example, other.example"
    async with serving(tmp_path / "data", allowed_hosts=hosts, **store) as server, httpx.AsyncClient() as client:
        for host, status in (("other.example", 200), ("evil.example", 421)):
            assert (await client.get(f"{server.url}/healthz", headers={"Host": host})).status_code == status


async def test_two_servers_on_one_store_each_accept_their_own_configured_key(
    tmp_path: Path, store: dict[str, str]
) -> None:
    other = "another-key-that-is-long-enough"
    async with (
        serving(tmp_path / "data", api_key=KEY, **store) as one,
        serving(tmp_path / "data", api_key=other, **store) as two,
    ):
        event = await one.call("memory_add", {"messages": "I like tea", "user_id": "u"})
        assert (await two.settled(event["event_id"], other))["status"] == "SUCCEEDED"
        assert (await one.call("memory_get_all", {"filters": {"user_id": "u"}}))["count"] == 1


async def test_check_does_not_make_an_sqlite_store_where_there_is_none(tmp_path: Path) -> None:
    code, _, err = await run(tmp_path / "typo", "check")
    assert code == 2
    assert "no store" in err
    assert not (tmp_path / "typo").exists()


async def test_only_the_owner_can_read_the_sqlite_files(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    async with serving(folder):
        for file in folder.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file


async def test_the_version_is_printed(tmp_path: Path) -> None:
    code, out, _ = await run(tmp_path / "data", "--version")
    assert (code, out.split()[0]) == (0, "yiku")


async def test_an_unknown_name_in_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "yiku.toml").write_text("portt = 1\n")
    code, _, err = await run(tmp_path / "data", "serve")
    assert code == 2
    assert "yiku.toml sets portt, which is no setting of Yiku; did you mean port?" in err


async def test_what_was_acknowledged_survives_a_kill_and_is_digested_by_the_next_start(
    tmp_path: Path, store: dict[str, str]
) -> None:
    folder = tmp_path / "data"
    async with serving(folder, api_key=KEY, **store) as server:
        adds = [{"messages": f"I like fruit number {n}", "user_id": "u"} for n in range(40)]
        events = await asyncio.gather(*(server.call("memory_add", add) for add in adds))
        server.process.kill()
        await server.process.wait()
    async with serving(folder, api_key=KEY, **store) as server:
        for event in events:
            assert (await server.settled(event["event_id"]))["status"] == "SUCCEEDED"
        assert (await server.call("memory_get_all", {"filters": {"user_id": "u"}}))["count"] == 40
    code, out, _ = await run(folder, "check", **store)
    assert code == 0, out


async def test_check_finds_a_broken_sqlite_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "yiku.db").write_bytes(b"this is no database" * 1000)
    code, _, err = await run(folder, "check")
    assert code == 2
    assert "yiku.db" in err
    assert "Traceback" not in err


async def test_the_default_embedder_finds_across_languages(tmp_path: Path, store: dict[str, str]) -> None:
    async with serving(tmp_path / "data", api_key=KEY, embedder="local", **store) as server:
        for text in ("我喜欢喝咖啡", "我的狗叫旺财", "I moved to Berlin last year"):
            event = await server.call("memory_add", {"messages": text, "user_id": "u"})
            assert (await server.settled(event["event_id"]))["status"] == "SUCCEEDED"
        filters = {"AND": [{"user_id": "u"}]}
        for question, expected in (
            ("Which drinks does the user like?", "咖啡"),
            ("What is the dog's name?", "旺财"),
            ("What city did the user move to?", "Berlin"),
        ):
            found = await server.call("memory_search", {"query": question, "filters": filters})
            assert expected in found["results"][0]["memory"]


async def test_a_graceful_stop_ends_in_time_and_without_noise(tmp_path: Path, store: dict[str, str]) -> None:
    async with serving(tmp_path / "data", api_key=KEY, **store) as server:
        await server.call("memory_add", {"messages": "I like tea", "user_id": "u"})
        server.process.terminate()
        async with asyncio.timeout(30):
            _, errors = await server.process.communicate()
    assert server.process.returncode == 0
    assert b"Traceback" not in errors
