"""How a prompt becomes the body of `POST /chat/completions`, and its answer words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from yiku.model.errors import LlmUnavailable
from yiku.model.prompts import Prompt

ANSWER_BYTES_MAX = 2 * 1024 * 1024

_IN_WORDS = "\n\nAnswer with one JSON object and nothing else, of this JSON Schema:\n{schema}"

Body = dict[str, Any]
Form = Callable[[Prompt, str], Body]


def _by_schema(prompt: Prompt, added: str) -> Body:
    return _asked(prompt, added) | _bounds(prompt) | {"response_format": _schema_format(prompt)}


def _as_json_object(prompt: Prompt, added: str) -> Body:
    return _asked_in_words(prompt, added) | _bounds(prompt) | {"response_format": {"type": "json_object"}}


def _by_schema_without_bounds(prompt: Prompt, added: str) -> Body:
    return _asked(prompt, added) | {"response_format": _schema_format(prompt)}


def _asked(prompt: Prompt, added: str, instructions_added: str = "") -> Body:
    content = f"{prompt.content}\n\n{added}" if added else prompt.content
    return {
        "messages": [
            {"role": "system", "content": prompt.instructions + instructions_added},
            {"role": "user", "content": content},
        ]
    }


def _asked_in_words(prompt: Prompt, added: str) -> Body:
    schema = json.dumps(prompt.schema, ensure_ascii=False, separators=(",", ":"))
    return _asked(prompt, added, _IN_WORDS.format(schema=schema))


def _bounds(prompt: Prompt) -> Body:
    return {"temperature": 0, "max_tokens": prompt.answer_tokens_max}


def _schema_format(prompt: Prompt) -> Mapping[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": prompt.name, "strict": True, "schema": prompt.schema}}


FORMS: tuple[Form, ...] = (_by_schema, _as_json_object, _by_schema_without_bounds, _asked_in_words)
"""The best first. DeepSeek knows no schemas, LM Studio no `json_object`, reasoning models of OpenAI neither
`temperature` nor `max_tokens`; the last form asks for nothing that an endpoint could refuse."""


def words_of(body: bytes) -> str | None:
    """What the model said, or `LlmUnavailable` when this is no answer of a chat. None when it said nothing."""
    try:
        message = json.loads(body)["choices"][0]["message"]
        content = message.get("content")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise LlmUnavailable(
            "The answer of the language model is not one of a chat: check that the base URL is that of an"
            " OpenAI-compatible API."
        ) from error
    if isinstance(content, list):  # Some servers answer in parts, as requests may be.
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else None
