"""Knowledge REST: bases, their items, revisions and what is published of them. Our own dialect."""

from yiku.wire.knowledge_rest.operations import PATH
from yiku.wire.knowledge_rest.routes import KnowledgeRest

__all__ = ["PATH", "KnowledgeRest"]
