"""What does whoever runs the server see: health, metrics, the request log, pages of other origins, TLS, proxies?"""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
from pathlib import Path

import httpx
import pytest

from tests.e2e.processes import ENDPOINT, KEY, Running, serving

ADMIN = {"Authorization": f"Bearer {KEY}"}
PAGE = "https://app.example"


async def _errors_of(server: Running) -> str:
    """Everything the server has logged, once it has stopped."""
    server.process.terminate()
    _, errors = await server.process.communicate()
    return errors.decode()


async def test_it_says_that_it_is_alive_and_ready(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server, httpx.AsyncClient(base_url=server.url) as client:
        for path in ("/livez", "/readyz", "/healthz"):
            response = await client.get(path)
            assert (response.status_code, response.json()["status"]) == (200, "ok")
            assert response.headers["x-request-id"]


async def test_what_is_only_read_takes_no_other_method(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", api_key=KEY) as server,
        httpx.AsyncClient(base_url=server.url, headers=ADMIN) as client,
    ):
        for method, path in (
            ("POST", "/livez"),
            ("DELETE", "/readyz"),
            ("PUT", "/metrics"),
            ("PUT", "/v4/openapi.json"),
        ):
            refused = await client.request(method, path)
            assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
            assert refused.json()["code"] == "MethodNotAllowed"


async def test_metrics_count_requests_by_door_and_tell_of_the_queue(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", api_key=KEY) as server,
        httpx.AsyncClient(base_url=server.url, headers=ADMIN) as client,
    ):
        await server.call("memory_get_all", {"filters": {"user_id": "me"}})
        assert (await client.get("/nowhere")).status_code == 404
        lines = (await client.get("/metrics")).text.splitlines()
    assert 'yiku_requests_total{door="opensearch_mcp",status="200"} 1.0' in lines
    assert 'yiku_requests_total{door="other",status="404"} 1.0' in lines
    assert 'yiku_request_seconds_count{door="opensearch_mcp"} 1.0' in lines
    assert {"yiku_queue_waiting 0.0", "yiku_queue_running 0.0", "yiku_queue_oldest_age_seconds 0.0"} <= set(lines)
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)


async def test_metrics_want_an_admin_key(tmp_path: Path) -> None:
    async with serving(tmp_path / "data") as server, httpx.AsyncClient(base_url=server.url) as client:
        without = await client.get("/metrics")
        wrong = await client.get("/metrics", headers={"Authorization": "Bearer yk_12345678_nobody"})
    assert (without.status_code, wrong.status_code) == (401, 401)
    assert without.headers["www-authenticate"].startswith("Bearer")


async def test_the_request_log_names_neither_bodies_nor_keys(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY, log_requests="true", log_format="json") as server:
        await server.call("memory_add", {"messages": "a secret thing", "user_id": "someone"})
        lines = [json.loads(line) for line in (await _errors_of(server)).splitlines() if line.startswith("{")]
    [request] = [line for line in lines if line["event"] == "request"]
    assert (request["method"], request["path"], request["status"]) == ("POST", ENDPOINT, "200")
    assert request["request_id"].startswith("req-")
    shown = json.dumps(lines)
    assert not any(word in shown for word in ("secret", "someone", KEY))


async def test_requests_are_not_logged_unless_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY) as server:
        await server.call("memory_get_all", {"filters": {"user_id": "me"}})
        assert await _errors_of(server) == ""


@pytest.mark.parametrize(("proxies", "client"), [("127.0.0.1", "203.0.113.9"), ("192.0.2.1", "127.0.0.1")])
async def test_only_trusted_proxies_are_believed(tmp_path: Path, proxies: str, client: str) -> None:
    settings = {"trusted_proxies": proxies, "log_requests": "true", "log_format": "json"}
    async with serving(tmp_path / "data", **settings) as server:
        async with httpx.AsyncClient() as http:
            await http.get(server.url + "/livez", headers={"X-Forwarded-For": "203.0.113.9"})
        [line] = [line for line in (await _errors_of(server)).splitlines() if '"request"' in line]
    assert json.loads(line)["client"] == client


async def test_a_listed_page_may_call_from_a_browser_and_others_may_not(tmp_path: Path) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with (
        serving(tmp_path / "data", api_key=KEY, cors_origins=PAGE) as server,
        httpx.AsyncClient(base_url=server.url) as client,
    ):
        permitted = await client.options(ENDPOINT, headers={"Origin": PAGE, **asked})
        assert permitted.status_code == 200
        assert permitted.headers["access-control-allow-origin"] == PAGE
        assert "authorization" in permitted.headers["access-control-allow-headers"].lower()
        called = await client.post(ENDPOINT, json=body, headers={"Origin": PAGE, **ADMIN})
        assert (called.status_code, called.headers["access-control-allow-origin"]) == (200, PAGE)
        refused = await client.post(ENDPOINT, json=body, headers={"Origin": PAGE})
        # Without the header a page could not read why it was refused.
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, PAGE)
        other = {"Origin": "https://evil.example"}
        preflight = await client.options(ENDPOINT, headers={**other, **asked})
        assert preflight.status_code == 403
        assert preflight.headers["content-type"] == "application/json"
        assert "access-control-allow-origin" not in preflight.headers
        assert (await client.post(ENDPOINT, json=body, headers={**other, **ADMIN})).status_code == 403


async def test_no_page_may_call_when_none_is_listed(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", api_key=KEY) as server, httpx.AsyncClient(base_url=server.url) as client:
        answer = await client.options(ENDPOINT, headers={"Origin": PAGE, "Access-Control-Request-Method": "POST"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed: no certificate to try")
async def test_it_serves_https_with_a_certificate(tmp_path: Path) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    made = await asyncio.create_subprocess_exec(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate),
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert await made.wait() == 0
    trusted = ssl.create_default_context(cafile=str(certificate))
    settings = {"tls_certificate": str(certificate), "tls_key": str(key)}
    async with serving(tmp_path / "data", **settings) as server, httpx.AsyncClient(verify=trusted) as client:
        assert server.url.startswith("https://")
        assert (await client.get(server.url + "/livez")).json()["status"] == "ok"
