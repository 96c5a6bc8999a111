"""Who reads question and memory together: a reranking model elsewhere."""

from yiku.adapters.rerankers.http_reranker import HttpReranker

__all__ = ["HttpReranker"]
