"""The faults that people reported of other memory servers, each by the kind of thing that went wrong.

`@proves("B001")` on a test, here or in one of `ELSEWHERE`, says that this kind of fault cannot happen here;
`test_ledger.py` holds both sides together. The reports and their sources are those of `cases/memory.jsonl`.
"""

from __future__ import annotations

from tests.wire.ledger import proves

__all__ = ["CASES", "DECLARED", "ELSEWHERE", "OPEN", "proves"]

ELSEWHERE: tuple[str, ...] = ("tests.core.test_extraction_by_llm",)
"""Modules of other folders whose tests prove cases too."""

CASES: dict[str, str] = {
    # dedupe
    "B001": "The same fact again deleted the memory.",
    "B003": "The first fact of a fresh user was taken for known.",
    "B004": "A correction left the old words active beside the new ones.",
    "B006": "Parallel adds of one fact left duplicates.",
    "B008": "A single fact was stored raw and extracted.",
    "B009": "Without the optional ids duplicates were not noticed.",
    "B011": "Recalled memories that an assistant quotes multiplied.",
    "B013": "A value that returned was merged into its old, ended time.",
    "B014": "A model's 'nothing to extract' was stored and overwrote.",
    # metadata
    "B016": "An update of the text wiped the metadata.",
    "B018": "Metadata could set the owner.",
    "B019": "A verbatim memory had no updated_at.",
    "B021": "A null in metadata broke every later search.",
    "B023": "Merging renamed the caller's own values.",
    "B024": "A timestamp was stored and never returned.",
    # delete
    "B026": "A bulk deletion stopped after the first page and said it was done.",
    "B028": "What was deleted was still found by a search.",
    "B029": "A cache served what was deleted.",
    "B031": "Work in the background made things of what was deleted meanwhile.",
    "B033": "Text that a new version of a document lacks was still found.",
    "B034": "After deleting a user old messages went into new extractions.",
    # isolation
    "B036": "One of several ways to search forgot the owner.",
    "B038": "Candidates were cut before the filter.",
    "B039": "An empty id became a filter that finds nothing.",
    "B041": "A numeric user id crashed.",
    "B043": "Ids of reserved words or with signs broke the word search.",
    "B044": "A limit to runs held on one way of retrieval only; an empty list widened it.",
    # filters
    "B046": "Of two operators on one key the last one won.",
    "B048": "Booleans and wildcard characters compared loosely.",
    "B049": "A filter's key was spliced into SQL.",
    "B051": "Invalid filters were a server error.",
    # search
    "B053": "A threshold was inverted where scores are distances.",
    "B054": "A score was a raw distance.",
    "B056": "A threshold was accepted and ignored.",
    "B058": "top_k was ignored.",
    "B059": "Reranking dropped what shares no word.",
    "B061": "A score of zero was treated as missing.",
    "B063": "An empty query was accepted.",
    "B064": "Chinese could not be found by words.",
    "B066": "A huge query blocked the server.",
    # extract
    "B068": "Blank content was stored.",
    "B069": "A message without content crashed.",
    "B071": "Success with nothing stored and no reason.",
    "B073": "Null, fenced or chatty model answers crashed.",
    "B074": "Chinese facts were stored in English.",
    "B076": "Examples of the prompt became memories.",
    "B078": "Who the user is got lost in rephrasing.",
    "B079": "What was taken back stayed, and retelling strengthened it.",
    "B081": "Facts like '...' were stored.",
    "B083": "A secret beside Chinese characters was not redacted.",
    "B084": "A conversation over the model's limit failed or was dropped.",
    # time
    "B086": "Relative dates counted from now instead of the given time.",
    "B088": "A full date collapsed to its month.",
    "B089": "Common words were read as weekdays.",
    "B091": "Times came in a foreign or the server's zone.",
    # async
    "B093": "A hung model call held up all other work.",
    "B094": "A job after the first of its kind was never claimed.",
    "B096": "A source was not stored before the slow model returned.",
    "B098": "Nothing stored, and the status did not say why.",
    # paging, api
    "B099": "A list was cut, and counted as cut.",
    "B101": "A malformed id was a server error.",
    "B103": "A success had no body.",
}

DECLARED: dict[str, str] = {
    "B033": "There are no documents yet: knowledge bases come later.",
}

OPEN: dict[str, str] = {}
"""By whose work they will be claimed; empty when all is done."""
