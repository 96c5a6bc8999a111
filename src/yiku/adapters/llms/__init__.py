"""Who reads conversations: a language model elsewhere, or, in tests, a script."""

from yiku.adapters.llms.openai_compatible import OpenAICompatibleLlm
from yiku.adapters.llms.scripted import ScriptedLlm

__all__ = ["OpenAICompatibleLlm", "ScriptedLlm"]
