"""Does a server that has a language model in its settings use it, and do without it when it is gone?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.adapters.json_service import refusal, running
from tests.core.conversations import answer, fact
from tests.e2e.processes import KEY, serving


def found_in(question: dict[str, Any]) -> Response:
    """One fact in every conversation."""
    words = answer(fact("用户叫张伟", kind="profile"))
    return JSONResponse({"choices": [{"message": {"content": f"```json\n{words}\n```"}}]})


async def test_adds_are_read_by_the_model_of_the_settings_and_by_the_rules_without_it(tmp_path: Path) -> None:
    async with running(found_in) as service:
        settings = {"llm_url": service.url, "llm_model": "m", "llm_timeout": "5", "embedder": "hashed"}
        async with serving(tmp_path / "data", api_key=KEY, **settings) as server:
            event = await server.call("memory_add", {"messages": "我叫张伟，在上海", "user_id": "u"})
            ended = await server.settled(event["event_id"])
            settled = json.dumps(ended, ensure_ascii=False)
            assert ended["extraction"] == "llm"
            assert "found by the language model" in settled
            assert "用户叫张伟" in settled
            service.answers += [refusal(404)]
            event = await server.call("memory_add", {"messages": "我喜欢喝茶", "user_id": "u"})
            ended = await server.settled(event["event_id"])
            settled = json.dumps(ended, ensure_ascii=False)
            assert ended["extraction"] == "rules"
            assert "by the rules instead of the language model" in settled
            assert "喝茶" in settled
        assert len(service.questions) == 2
