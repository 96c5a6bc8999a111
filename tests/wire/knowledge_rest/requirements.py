"""The ledger: what is documented of Knowledge REST, and where. The original says only that there is such a door.

`@proves("id", ...)` on a test says that it proves the facts with these ids; `test_ledger.py` holds both sides together.
"""

from __future__ import annotations

from tests.wire.ledger import Requirement, proves

__all__ = ["REQUIREMENTS", "proves"]

OPEN = "contracts.md G.35"
DESIGN = "DESIGN"

REQUIREMENTS: dict[str, Requirement] = {
    "bases": Requirement("Bases are made, listed, looked at, archived and deleted.", OPEN),
    "items": Requirement("Items are made from a text or the address of a file.", OPEN),
    "draft": Requirement("An item starts as a draft that no search finds.", f"{OPEN}; {DESIGN} §1"),
    "revisions": Requirement("A new revision leaves the ones before as they are.", OPEN),
    "publish": Requirement("Publishing moves the current revision, also to an older one.", OPEN),
    "archive": Requirement("What is archived is neither found nor read; an item comes back by publishing.", OPEN),
    "paging": Requirement("Lists come in pages and say how many there are.", f"{DESIGN} §8"),
    "permissions": Requirement("Reading needs knowledge:read, everything else knowledge:write.", OPEN),
    "workspace": Requirement(
        "A key sees its workspace: what is in others does not exist for it.", f"{DESIGN} §1; {DESIGN} §8"
    ),
    "errors": Requirement("Errors have one shape, at 401, 404, 405, 413 and 415 too.", f"{DESIGN} §6"),
    "unknown-fields": Requirement("Unknown fields of a body are ignored.", f"{DESIGN} §6"),
    "openapi": Requirement("OpenAPI says every operation, status and shape.", f"{DESIGN} §6"),
    "off": Requirement("Where knowledge is turned off the door says so.", "contracts.md E.3"),
}
