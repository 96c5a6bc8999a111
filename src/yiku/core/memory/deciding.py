"""From what an add was heard to say to a decision on each of it: facts as memories, and requests to forget. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from yiku.core.memory.extraction import Extraction, Fact
from yiku.core.memory.extraction.facts import Forget
from yiku.core.memory.fingerprint import fingerprint
from yiku.core.memory.forgetting import Request
from yiku.core.memory.known import Wanted
from yiku.core.memory.reconcile import Ledger
from yiku.core.memory.retraction import takes_back
from yiku.model.memories import MEMORY_PREFIX, Decision, DecisionKind, Event, Memory

CAME_BEFORE = "sent before, and digested then"
REPEATED = "({count} messages)"


def wanted_of(heard: Iterable[tuple[Event, Extraction]]) -> Wanted:
    """What has to be known before it can be decided what becomes of these adds."""
    inferred = [(event, extraction) for event, extraction in heard if event.infer]
    facts = [(event, fact) for event, extraction in inferred for fact in extraction.facts]
    requests = [request for _, extraction in inferred for request in extraction.forget]
    return Wanted(
        fingerprints={fingerprint(fact.text, fact.when) for _, fact in facts},
        slots={fact.slot.key for _, fact in facts if fact.slot} | {key for request in requests for key in request.keys},
        forgettable={request.words for request in requests if request.words},
        latest_of=next((event.scope for event, fact in facts if fact.puts_right or takes_back(fact.text)), None),
    )


def decided(
    event: Event, extraction: Extraction, ledger: Ledger, *, now: datetime, new_id: Callable[[str], str]
) -> tuple[Decision, ...]:
    """A decision, or several, on everything that was said, in its order; what was left out comes last."""
    told: list[Fact | Forget] = [*extraction.forget, *extraction.facts]
    told.sort(key=lambda part: part.position)
    decisions: list[Decision] = []
    for place, part in enumerate(told):
        if isinstance(part, Forget):
            decisions += ledger.forget(_request(event, part))
        else:
            # A list by time must come in the order in which things were said.
            memory = _memory(event, part, id=new_id(MEMORY_PREFIX), told=now + timedelta(microseconds=place))
            decisions.append(ledger.decide(memory, part.reason, corrects=part.corrects, puts_right=part.puts_right))
    if event.repeats:
        came_before = tuple(event.message_ids[place] for place in event.repeats)
        decisions.append(
            Decision(
                kind=DecisionKind.SKIP,
                text=REPEATED.format(count=len(came_before)),
                reason=CAME_BEFORE,
                message_ids=came_before,
            )
        )
    decisions += (
        Decision(
            kind=DecisionKind.SKIP, text=part.text, reason=part.reason, message_ids=(event.message_ids[part.position],)
        )
        for part in extraction.left_out
    )
    return tuple(decisions)


def _memory(event: Event, fact: Fact, *, id: str, told: datetime) -> Memory:
    return Memory(
        id=id,
        scope=event.scope,
        text=fact.text,
        created=told,
        updated=told,
        metadata=event.metadata,
        speaker=fact.speaker,
        evidence=tuple(event.message_ids[place] for place in fact.positions) if event.infer else event.message_ids,
        anchor=event.anchor,
        agent_ids=(event.scope.agent_id,),
        run_ids=(event.scope.run_id,),
        expires=event.expires,
        kind=fact.kind if event.infer else None,
        slot=fact.slot,
        when=fact.when,
        fingerprint=fingerprint(fact.text, fact.when) if event.infer else None,
    )


def _request(event: Event, request: Forget) -> Request:
    return Request(
        text=request.text,
        words=request.words,
        message_ids=(event.message_ids[request.position],),
        key=request.key,
        also=request.keys[1:],
    )
