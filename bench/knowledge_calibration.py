"""Which coefficients make the score of a passage a chance? Fits and judges those of `model/passage_relevance.py`.

    python -m bench.knowledge_calibration

Each question is asked twice: of its base, and of its base without the passages that answer it. The best hit of either
is an example of "this answers" and of "nothing here does"; the second is a hard one, for passages of the same article
are left. Every set is judged by coefficients of the others of its kind, and the last lines are what ships.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.knowledge import KnowledgeSet, load, open_knowledge, read_set
from bench.logistic import area_under_curve, fitted
from bench.machine import machine
from yiku.backends import OPERATOR
from yiku.core.knowledge.records import DOCUMENT_FIELD, NODE, SCRIPT_FIELD
from yiku.model.passage_relevance import NAMES, measurements
from yiku.model.passages import HYBRID, pooled, settled
from yiku.model.ranking import scale
from yiku.model.records import CandidateQuery, Measured
from yiku.model.scopes import base_partition
from yiku.model.scripts import script_of
from yiku.model.tokens import query_terms
from yiku.ports import Ports

SETS = ("xquad_zh", "xquad_en", "xquad_zh2en", "xquad_mixed")
DEPTH = 100
NEAR = NAMES.index("near")


@dataclass(frozen=True, slots=True)
class Example:
    measured: NDArray[np.float64]
    is_foreign: bool
    is_answered: bool


@dataclass(frozen=True, slots=True)
class _Hit:
    hit: int


async def examples(ports: Ports, name: str) -> list[Example]:
    known = read_set(name)
    await load(ports, name, known.passages)
    found = []
    for question, text in known.questions.items():
        found += await _examples(ports, name, known, question, text)
    return found


async def _examples(ports: Ports, name: str, known: KnowledgeSet, question: str, text: str) -> list[Example]:
    seen: list[Measured] = []

    def all_of(measured: Measured) -> list[_Hit]:
        seen.append(measured)
        return [_Hit(hit) for hit in range(len(measured))]

    query = CandidateQuery(
        partitions=(base_partition(OPERATOR.workspace, name),),
        kind=NODE,
        terms=query_terms(text, limit=ports.limits.query_terms),
        embedding=await ports.for_documents.questions.embed_question(text),
        limit=DEPTH,
    )
    chosen = await ports.storage.candidates(query, all_of)
    measured = seen[-1]
    weights, best_possible = scale(measured.statistics)
    columns = measurements(measured, weights, measured.words / (best_possible or 1.0))
    asked = script_of(text).value
    pool = pooled(measured, HYBRID, limit=len(measured))
    foreign = [chosen[ranked.hit].record.fields[SCRIPT_FIELD] != asked for ranked in pool]
    placed = [ranked.hit for _, ranked in settled(pool, foreign, HYBRID)]
    right = known.right[question]
    without = [hit for hit in placed if chosen[hit].record.fields[DOCUMENT_FIELD] not in right]
    best = [(placed[0], True), *((hit, False) for hit in without[:1])]
    return [Example(columns[hit], chosen[hit].record.fields[SCRIPT_FIELD] != asked, answered) for hit, answered in best]


def judge(by_set: dict[str, list[Example]], *, foreign: bool) -> None:
    columns = [NEAR] if foreign else list(range(len(NAMES)))
    print(
        f"\n{'another script' if foreign else 'the script of the question'}: AUC, kept at 0.5, kept without an answer"
    )
    for name, own in by_set.items():
        rest = [example for other, found in by_set.items() if other != name for example in found]
        learned, judged = _table(rest, columns, foreign), _table(own, columns, foreign)
        if not len(judged[1]) or judged[1].all() or not len(learned[1]):
            continue
        chances = fitted(*learned, np.ones(len(learned[1]))).chances(judged[0])
        kept, false = (chances[judged[1]] >= 0.5).mean(), (chances[~judged[1]] >= 0.5).mean()
        print(f"  {name:14} {area_under_curve(chances, judged[1]):.3f} {100 * kept:6.1f} {100 * false:6.1f}")
    measured, answered = _table([example for found in by_set.values() for example in found], columns, foreign)
    fit = fitted(measured, answered, np.ones(len(answered)))
    print("  ships:", [round(float(value), 3) for value in fit.coefficients], round(fit.intercept, 3))


def _table(
    found: Sequence[Example], columns: Sequence[int], foreign: bool
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    kept = [example for example in found if example.is_foreign == foreign]
    rows = np.array([example.measured[list(columns)] for example in kept]).reshape(-1, len(columns))
    return rows, np.array([example.is_answered for example in kept], np.bool_)


async def run() -> None:
    async with open_knowledge() as ports:
        by_set = {name: await examples(ports, name) for name in SETS}
    for foreign in (False, True):
        judge(by_set, foreign=foreign)


if __name__ == "__main__":
    print(machine())
    asyncio.run(run())
