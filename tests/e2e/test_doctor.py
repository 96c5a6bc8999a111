"""Does the doctor find what is wrong, and say what to do?"""

from __future__ import annotations

import json
import socket
from pathlib import Path

import apsw
import psycopg

from tests.e2e.processes import KEY, run, serving
from tests.engines import is_database, settings_of


async def examined(folder: Path, **settings: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """Exit code, and what was found: state and message of each thing."""
    code, out, err = await run(folder, "doctor", "--json", **settings)
    assert "Traceback" not in err
    report = json.loads(out)
    assert report["healthy"] == (code == 0)
    return code, {found["about"]: (found["state"], found["message"]) for found in report["findings"]}


async def test_a_running_server_is_healthy_on_either_engine(tmp_path: Path, place: str) -> None:
    home = settings_of(place)
    async with serving(tmp_path / "data", api_key=KEY, **home) as server:
        port = server.url.rpartition(":")[2]
        code, found = await examined(tmp_path / "data", port=port, api_key=KEY, **home)
        assert (code, found["port"]) == (0, ("ok", f"a Yiku answers at 127.0.0.1:{port}"))
        assert {state for state, _ in found.values()} == {"ok"}
        nothing = "workspaces: 1, users: 0, memories: 0, knowledge bases: 0, documents: 0"
        assert found["holdings"][1].partition(", on disk: ")[0] == nothing
        assert ("on disk" in found["holdings"][1]) == ("database_url" not in home)
        assert "read" in found["scans"][1]
        assert ("clock" in found) == ("database_url" in home)


async def test_what_the_store_holds_is_counted_by_state(tmp_path: Path, place: str) -> None:
    home, data = settings_of(place), tmp_path / "data"
    (tmp_path / "empty.txt").touch()
    (tmp_path / "手册.md").write_text("# 手册\n\n七天内可以退货。\n", encoding="utf-8")
    async with serving(data, api_key=KEY, **home) as server:
        for user in ("ann", "安"):
            messages = [{"role": "user", "content": "I like tea"}]
            added = await server.call("memory_add", {"user_id": user, "messages": messages})
            await server.settled(added["event_id"])
    await run(data, "kb", "create", "b", "--id", "kb", **home)
    await run(data, "kb", "add", "kb", str(tmp_path / "empty.txt"), str(tmp_path / "手册.md"), **home)
    _, found = await examined(data, api_key=KEY, ocr="off", **home)
    assert found["holdings"][1].partition(", on disk: ")[0] == (
        "workspaces: 1, users: 2, memories: 2, knowledge bases: 1, documents: 2 (1 read; 1 could not be read)"
    )


async def test_a_folder_of_originals_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    settings = {"originals": "folder", "ocr": "off"}
    code, found = await examined(data, **settings)
    assert (code, found["originals"][0]) == (0, "ok")
    (data / "originals").mkdir()
    _, found = await examined(data, **settings)
    assert found["originals"] == ("ok", f"{data / 'originals'} can be read and written")
    (data / "originals").rmdir()
    (data / "originals").write_text("a file where a folder belongs")
    code, found = await examined(data, **settings)
    assert (code, found["originals"][0]) == (1, "problem")
    assert "is no folder" in found["originals"][1]


async def test_before_the_first_start_there_is_nothing_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    code, out, _ = await run(tmp_path / "data", "doctor")
    assert code == 0
    assert "the first start makes it" in out
    assert out.endswith("Nothing is wrong.\n")
    assert not (tmp_path / "data").exists()


async def test_each_problem_is_found_beside_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    (folder / "yiku.db").write_text("not a database, but long enough to be taken for the beginning of one")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        embedder = {"embedder": "openai_compatible", "embedder_url": "http://127.0.0.1:9/v1", "embedder_model": "m"}
        limits = {"limits__query_embed_deadline_s": "1", "llm_timeout": "1", "rerank_timeout": "1"}
        others = {"llm_url": "http://127.0.0.1:9/v1", "llm_model": "m", "rerank_model": "m"}
        others["rerank_url"] = "http://127.0.0.1:9/v1/rerank"
        code, found = await examined(folder, port=str(taken.getsockname()[1]), **embedder, **others, **limits)
    assert code == 1
    assert found["data folder"][0] == "warning"
    assert "chmod 700" in found["data folder"][1]
    assert found["store"][0] == "problem"
    assert "not a database" in found["store"][1]
    assert found["embedder"][0] == found["language model"][0] == found["reranker"][0] == "problem"
    assert "by the rules" in found["language model"][1]
    assert found["port"][0] == "problem"
    assert "YIKU_PORT" in found["port"][1]


async def test_a_wrong_setting_is_the_finding(tmp_path: Path) -> None:
    code, found = await examined(tmp_path / "data", prot="1")
    assert code == 1
    assert "did you mean YIKU_PORT?" in found["settings"][1]


async def test_a_database_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    code, found = await examined(tmp_path / "data", database_url="postgresql://127.0.0.1:9/yiku")
    assert code == 1
    assert found["store"][0] == "problem"


async def test_an_older_store_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with serving(folder):
        pass
    connection = apsw.Connection(str(folder / "yiku.db"))
    connection.execute("UPDATE meta SET value = 'older' WHERE name = 'tokeniser'")
    connection.close()
    before = (folder / "yiku.db").read_bytes()
    code, found = await examined(folder)
    assert (code, found["store"][0]) == (0, "warning")
    assert "older format" in found["store"][1]
    assert (folder / "yiku.db").read_bytes() == before


async def test_an_empty_database_is_left_empty_by_what_only_looks(tmp_path: Path, place: str) -> None:
    if not is_database(place):
        return
    code, found = await examined(tmp_path / "data", **settings_of(place))
    assert (code, found["store"][0]) == (0, "warning")
    for command in (("keys", "list"), ("keys", "create", "--name", "a"), ("check",), ("export",)):
        code, _, err = await run(tmp_path / "data", *command, **settings_of(place))
        assert code == 2
        assert "There is no store in PostgreSQL" in err
    with psycopg.connect(place) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
