"""What documents need from outside, in one bundle; a server without knowledge bases does without."""

from __future__ import annotations

from dataclasses import dataclass

from yiku.ports.embedder import Questions
from yiku.ports.fetcher import Fetcher
from yiku.ports.objects import Objects
from yiku.ports.parser import Parser
from yiku.ports.patterns import Patterns
from yiku.ports.sql import Sql


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentPorts:
    parser: Parser
    questions: Questions
    fetcher: Fetcher
    objects: Objects
    patterns: Patterns
    sql: Sql
