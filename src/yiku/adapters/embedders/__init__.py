"""Where vectors come from: a model in this process, a service elsewhere, or, in tests, the words themselves."""

from yiku.adapters.embedders.cached import CachedQueries
from yiku.adapters.embedders.hashed import HashedEmbedder
from yiku.adapters.embedders.local import LocalEmbedder
from yiku.adapters.embedders.openai_compatible import OpenAICompatibleEmbedder
from yiku.adapters.embedders.particular_questions import ParticularQuestions

__all__ = ["CachedQueries", "HashedEmbedder", "LocalEmbedder", "OpenAICompatibleEmbedder", "ParticularQuestions"]
