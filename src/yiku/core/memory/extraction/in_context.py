"""What does each sentence of a message say, seen beside its neighbours and the question it answers?"""

from __future__ import annotations

from collections.abc import Sequence

from yiku.core.memory.extraction.answers import answers, with_question
from yiku.core.memory.extraction.facts import FORGET, FRAGMENT, PASTED, QUESTION, REQUEST, SMALL_TALK, TAKEN_BACK
from yiku.core.memory.extraction.fragments import is_setting, nothing_by_itself
from yiku.core.memory.extraction.left_out import Sifted, sift
from yiku.core.memory.extraction.pasted import around_pasted
from yiku.core.memory.extraction.same_breath import mended
from yiku.core.memory.extraction.sentences import Sentence, is_code, sentences


def sift_message(content: str, question: str | None, speaker: str | None) -> list[Sifted]:
    """The sentences of `content` in their order. `question` was asked just before."""
    before, pasted, after = around_pasted(content)
    quoted = [Sentence(pasted.strip(), is_block=True)] if pasted else []
    meant = mended([*sentences(before), *quoted, *sentences(after)], speaker)
    taken_back = [Sifted("", ((text, TAKEN_BACK),)) for text in meant.taken_back]
    return [*taken_back, *_sifted(meant.said, quoted, question)]


def _sifted(said: Sequence[Sentence], quoted: Sequence[Sentence], question: str | None) -> list[Sifted]:
    sifted = [Sifted("", ((s.text, PASTED),)) if s in quoted or is_code(s) else sift(s) for s in said]
    begun = False
    for index, sentence in enumerate(said):
        following = sifted[index + 1] if index + 1 < len(sifted) else None
        if (
            sifted[index].kept
            and not sentence.is_block
            and (reason := _reason(sifted[index].kept, following, begun=begun))
        ):
            kept = sifted[index].kept
            sifted[index] = Sifted("", (*sifted[index].left_out, (kept, reason)))
        begun = begun or bool(sifted[index].kept)
    return _with_answer(said, sifted, question) if question else sifted


def _reason(text: str, following: Sifted | None, *, begun: bool) -> str | None:
    """Why a sentence is left out for what stands around it. `begun` says that one before it is kept."""
    if following and is_setting(text) and any(_is_only(following, reason) for reason in (QUESTION, REQUEST)):
        return following.left_out[0][1]
    reason = nothing_by_itself(text)
    return None if begun and reason == FRAGMENT else reason


def _with_answer(said: Sequence[Sentence], sifted: list[Sifted], question: str) -> list[Sifted]:
    """The first sentence with something in it is the answer: "Oh wow! Yes!"."""
    first = next((index for index, found in enumerate(sifted) if not _is_only(found, SMALL_TALK)), None)
    if first is None or said[first].is_block or not answers(said[first].text, question):
        return sifted
    if not sifted[first].kept and all(reason in (QUESTION, REQUEST, FORGET) for _, reason in sifted[first].left_out):
        return sifted
    text = said[first].text
    answer = Sifted(with_question(text, question), verbatim=True, answer=text, question=question)
    return [*sifted[:first], answer, *sifted[first + 1 :]]


def _is_only(sifted: Sifted, reason: str) -> bool:
    return not sifted.kept and all(why == reason for _, why in sifted.left_out)
