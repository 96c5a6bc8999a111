"""The bounds that protect the server itself, each with its reason. Every one is a setting (`docs/settings.md`).

Bounds that are part of a dialect (`top_k` 1–1000, `page_size` 1–200) live in that dialect's `decode.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Sizes are in bytes of UTF-8 unless the name says otherwise; times are in seconds."""

    body_bytes: int = 4 * 1024 * 1024
    """One request: what the MCP SDK accepts by default, and far more than a conversation."""
    body_deadline_s: float = 30.0
    """How long a client may take to send one request; slower ones would hold connections for nothing."""
    upload_deadline_s: float = 900.0
    """How long a client may take to send the files of one request, if it never stops for `body_deadline_s`."""
    json_depth: int = 64
    """Nesting of a request body: real ones stay below ten; deep ones exhaust the stack of those who walk them."""
    user_id_bytes: int = 256
    """Identifiers of users, agents and runs (DESIGN §1)."""
    messages_per_add: int = 1_000
    """One add is one commit: it must stay short for the writer that everybody shares."""
    message_bytes: int = 256 * 1024
    """One message: a pasted page, not an upload."""
    add_bytes: int = 512 * 1024
    """All messages of one add together: what is larger is added in parts, so that digests stay short."""
    facts_per_commit: int = 1_000
    """Facts that one digest commits together. More facts of one add are told several at a time."""
    memory_bytes: int = 64 * 1024
    """The text of one memory that is written by hand (`memory_update`)."""
    metadata_bytes: int = 16 * 1024
    """Metadata is copied onto every memory of an add."""
    metadata_keys: int = 64
    """Keys of one metadata object."""
    metadata_values: int = 128
    """Scalars in it, those in lists too: each becomes a filter entry of each memory of the add."""
    query_bytes: int = 64 * 1024
    """A search query; what goes into the model is cut further (`embedder_characters`)."""
    query_terms: int = 512
    """Distinct words of a query that are looked up; the rest of a huge query changes nothing a person would notice."""
    filter_leaves: int = 64
    """Conditions in one filter: each is a lookup."""
    candidates_per_arm: int = 64
    """Hits that words and vectors each bring to the fusion; `top_k` raises it. More found nothing more."""
    page_window: int = 10_000
    """The deepest row a page may reach (seed 000: 可分页窗口上限)."""
    queue_jobs: int = 100_000
    """Adds that may wait to be digested; beyond it an add is refused with a time to come back."""
    jobs_per_batch: int = 32
    """Waiting adds of one user that are digested together: one embedding batch, one commit."""
    job_attempts: int = 5
    """Tries before a job ends FAILED."""
    job_attempts_in_line: int = 3
    """Tries during which a job in back-off holds up the later ones of its lane."""
    job_lease_s: float = 20.0
    """How long a worker may be silent before its job is given to another."""
    embed_deadline_s: float = 60.0
    """One call to the embedder for a batch of passages."""
    query_embed_deadline_s: float = 10.0
    """One call to the embedder for a search; past it the search answers from words alone and says so."""
    document_bytes: int = 100 * 1024 * 1024
    """One file of a knowledge base: a thick book with its pictures."""
    parse_deadline_s: float = 60.0
    """How long one file may be parsed for; a file that takes longer is broken or hostile."""
    parse_memory_bytes: int = 2 * 1024 * 1024 * 1024
    """The memory that the process which parses one file may take."""
    fetch_deadline_s: float = 60.0
    """How long a file may take to arrive from an address elsewhere."""
    sql_deadline_s: float = 5.0
    """One question to the tables of a knowledge base."""
    storage_deadline_s: float = 30.0
    """One call to the store."""
    audit_days: int = 90
    """How long an entry of the audit log is kept: long enough to look into what was noticed a quarter later."""
    shutdown_deadline_s: float = 10.0
    """How long a graceful stop waits for running work; what is cut off is claimed again at the next start."""
