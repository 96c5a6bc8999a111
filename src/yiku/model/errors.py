"""Every error Yiku raises on purpose.

    YikuError
    ├── InvalidInput          the caller can mend it: names the field
    │   └── TooLarge          over a bound of ours: names the bound
    ├── Unauthenticated       no key, or not one of ours
    ├── PermissionDenied      a good key that may not do this
    ├── NotFound              no such thing, or not yours: the two look alike on purpose
    ├── DocumentUnreadable    a file yields no text: says why
    ├── LlmAnswerInvalid      the language model answered, but not with what was asked for
    ├── LlmRefused            the language model will not answer this
    ├── Conflict              somebody else was faster
    │   ├── KeyTaken          a unique key already belongs to another record
    │   └── LeaseLost         the job was given to another worker
    ├── KnowledgeOff          this server keeps no knowledge bases
    └── Unavailable           try again later: says when
        ├── QueueFull         too much work is waiting
        ├── RateLimited       too many requests of one key or for one user
        ├── StorageUnavailable
        ├── EmbedderUnavailable
        ├── LlmUnavailable
        ├── SourceUnavailable     the place that a document comes from
        └── RerankerUnavailable

A class's docstring is its default message, so the text a person sees and the text a developer reads are one string.
`code` is stable: dialects translate it, tests and clients rely on it.
"""

from __future__ import annotations


class YikuError(Exception):
    """Something went wrong."""

    code = "InternalError"

    def __init__(self, message: str | None = None, *, field: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.field = field
        super().__init__(self.message)


class InvalidInput(YikuError):
    """The request is not valid."""

    code = "InvalidParameter"


class TooLarge(InvalidInput):
    """The request is larger than this server accepts."""

    code = "PayloadTooLarge"


class Unauthenticated(YikuError):
    """A valid API key is required: send it as 'Authorization: Bearer <key>'."""

    code = "Unauthenticated"


class PermissionDenied(YikuError):
    """This API key may not do that."""

    code = "PermissionDenied"


class NotFound(YikuError):
    """There is no such thing here."""

    code = "NotFound"


class DocumentUnreadable(YikuError):
    """No text could be got from this document."""

    code = "DocumentUnreadable"

    def __init__(self, message: str | None = None, *, reason: str) -> None:
        self.reason = reason
        """A short name: password, scan, empty, corrupt, too_large, too_slow, unsupported, refused, missing."""
        super().__init__(message)


class LlmAnswerInvalid(YikuError):
    """The language model did not answer with what was asked for."""

    code = "LlmAnswerInvalid"


class LlmRefused(YikuError):
    """The language model refused this request; the same one would be refused again."""

    code = "LlmRefused"


class Conflict(YikuError):
    """Somebody else changed this at the same moment: read it again and repeat the change."""

    code = "Conflict"


class KeyTaken(Conflict):
    """A record with this key exists already."""

    code = "KeyTaken"

    def __init__(self, *, kind: str, unique_key: str, holder_id: str) -> None:
        self.kind = kind
        self.unique_key = unique_key
        self.holder_id = holder_id
        super().__init__(f"A {kind} with this key exists already: {holder_id}.")


class LeaseLost(Conflict):
    """The lease on this job ran out and another worker holds it now."""

    code = "LeaseLost"


class KnowledgeOff(YikuError):
    """Knowledge bases are turned off on this server: set YIKU_KNOWLEDGE=on and start it again."""

    code = "KnowledgeOff"


class Unavailable(YikuError):
    """The server cannot do this at the moment: try again in a few seconds."""

    code = "Unavailable"

    def __init__(self, message: str | None = None, *, retry_after_s: int = 1) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class QueueFull(Unavailable):
    """Too much work is waiting to be digested: try again in a few seconds."""

    code = "QueueFull"


class RateLimited(Unavailable):
    """Too many requests within a minute: try again in a few seconds."""

    code = "RateLimited"


class StorageUnavailable(Unavailable):
    """The store cannot be reached or written at the moment: try again in a few seconds."""

    code = "StorageUnavailable"


class EmbedderUnavailable(Unavailable):
    """The embedding model cannot be reached at the moment: try again in a few seconds."""

    code = "EmbedderUnavailable"


class LlmUnavailable(Unavailable):
    """The language model cannot be reached at the moment: try again in a few seconds."""

    code = "LlmUnavailable"


class SourceUnavailable(Unavailable):
    """The place that this document comes from cannot be reached at the moment: try again later."""

    code = "SourceUnavailable"


class RerankerUnavailable(Unavailable):
    """The reranker cannot be reached at the moment: try again in a few seconds."""

    code = "RerankerUnavailable"
