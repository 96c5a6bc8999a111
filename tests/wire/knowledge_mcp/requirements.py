"""The ledger: every documented fact of this dialect, where it comes from, and what we knowingly do differently.

`@proves("id", ...)` on a test says that it proves the facts with these ids; `test_ledger.py` holds both sides together.
"""

from __future__ import annotations

from tests.wire.ledger import Requirement, proves

__all__ = ["REQUIREMENTS", "proves"]

SEED = "seed 004"
CONTRACT = "contracts.md"
DESIGN = "DESIGN"

REQUIREMENTS: dict[str, Requirement] = {
    # The protocol
    "endpoint": Requirement("The tool is served at POST /mcp, with or without a slash.", f"{CONTRACT} E.4"),
    "stateless": Requirement("A lone tools/call needs no initialize and no session.", f"{CONTRACT} A.1"),
    "versions": Requirement(
        "Clients that send 2024-11-05 or 2025-03-26 are served, current ones too.", f"{CONTRACT} E.4"
    ),
    "accept": Requirement("JSON only, events only, both or no Accept at all are served.", f"{CONTRACT} E.4"),
    "notification-202": Requirement("A notification is answered with 202 and no body.", f"{CONTRACT} A.1"),
    "post-only": Requirement("GET and other methods are 405.", f"{CONTRACT} A.1"),
    "auth": Requirement("A missing or unknown key is 401.", f"{CONTRACT} E.4"),
    "one-tool": Requirement("The door has one tool, apart from those of the other MCP door.", f"{CONTRACT} G.38"),
    "hidden": Requirement(
        "The tool can be left out of the list and is callable all the same.",
        f"{SEED} 所需权限范围",
        divergence="It is listed unless a setting hides it: a door with an empty list would puzzle its users.",
    ),
    "read-only": Requirement("The tool is strictly read-only and leaves no audit event.", f"{SEED} 所需权限范围"),
    # The arguments
    "arguments": Requirement("Names, types, bounds and defaults are those of the table.", f"{SEED} 参数列表"),
    "empty": Requirement("Empty texts count as not given.", f"{SEED} 参数列表"),
    "unknown-arguments": Requirement(
        "Nothing about owner or scope can be given; arguments that there are not are refused by name.",
        f"{SEED} 所需权限范围; {DESIGN} §6",
    ),
    "mode": Requirement("mode is hybrid, lexical, semantic or rrf; anything else is hybrid.", f"{SEED} 参数列表"),
    "alpha": Requirement("alpha is what words count in hybrid, kept within 0 and 1.", f"{SEED} 参数列表"),
    "query-limit": Requirement("A query of more than 4096 characters is refused.", f"{CONTRACT} G.36"),
    # Searching
    "search:text": Requirement(
        'The result is JSON text: {"type":"knowledge_search","results":[…]}.', f"{SEED} 返回模式"
    ),
    "search:row": Requirement(
        "Each result has the current ids, title, bounded excerpt, source, citation, reference and scores.",
        f"{SEED} 返回模式; {CONTRACT} E.2",
    ),
    "search:current": Requirement(
        "Only the current revisions of published items of active bases are found.", f"{SEED} 不适用场景"
    ),
    "search:base": Requirement("knowledge_base_id narrows a search.", f"{SEED} 参数列表"),
    "search:own": Requirement("Only what is in the workspace of the key is found.", f"{DESIGN} §1"),
    # Reading
    "read:text": Requirement(
        "The result is JSON text of type knowledge with owner, team, scope, ids, title, content, locator, source, "
        "reference and the four content_ fields.",
        f"{SEED} 返回模式",
    ),
    "read:pieces": Requirement("offset and limit_chars read an item piece by piece.", f"{SEED} 适用场景"),
    "read:revision": Requirement("An older revision is read by its id, the current one without.", f"{SEED} 适用场景"),
    "read:base": Requirement("knowledge_base_id is checked against the item.", f"{SEED} 参数列表"),
    "read:owner": Requirement(
        "owner is the user the key is bound to or else the key, team the workspace.", f"{DESIGN} §1"
    ),
    "read:same-id": Requirement("Where items of several bases have one id the base is needed.", f"{DESIGN} §4"),
    # Errors
    "string-tool": Requirement(
        'structuredContent is {"result": text}, which the output schema says.', f"{CONTRACT} E.4"
    ),
    "error-shape": Requirement(
        "Errors are results with isError and an envelope with type, code and message as text.", f"{CONTRACT} G.37"
    ),
    "error:disabled": Requirement(
        "Turned off, the tool answers knowledge_runtime_disabled in a knowledge_unavailable envelope.",
        f"{SEED} 错误信息",
    ),
    "error:invalid": Requirement(
        "A query beside ids, numbers out of bounds and wrong types are knowledge_invalid_request.", f"{SEED} 错误信息"
    ),
    "error:required": Requirement(
        "Neither query nor item is knowledge_query_required; a revision without its item knowledge_item_required.",
        f"{SEED} 错误信息",
    ),
    "error:unavailable": Requirement(
        "What is missing, not the key's, inactive or unpublished is knowledge_resource_unavailable, in the same words.",
        f"{SEED} 错误信息; {CONTRACT} E.3",
    ),
    "error:permission": Requirement("A key without knowledge:read is told so.", f"{SEED} 所需权限范围"),
    "error:unexpected": Requirement("Nothing leaks from what nobody foresaw but a request id.", f"{DESIGN} §6"),
    "error-table": Requirement("Every error of the model has a code.", f"{DESIGN} §6"),
}
