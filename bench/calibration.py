"""What does a score of 0.5 mean? Fits the coefficients of `yiku.model.relevance`, and tests them on what was left out.

    python -m bench.calibration [--records N]

Every question is asked of the store that answers it, and of others' with the names swapped. **Fitted** on madial_zh and
lifebench_zh_a (locomo_a is licensed for measuring only). Reported: each set with each of its users (of madial_zh, each
half) left out in turn, by coefficients of the others, alone and with the other set that is fitted on; and locomo_a with
the fitted coefficients. The best hit of each search is what counts. `--records` bounds how much of each user is loaded,
in the order of the file.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.datasets import Item, Question, available, corpus, questions, unanswerable
from bench.embeddings import KeptEmbeddings
from bench.foreign import as_if_about
from bench.loading import SETS, load, scope_of
from bench.logistic import Fit, Marks, Numbers, area_under_curve, fitted
from bench.machine import machine
from yiku.adapters.clocks import SystemClock
from yiku.adapters.embedders import LocalEmbedder
from yiku.adapters.sqlite import open_sqlite
from yiku.core.memory.question import understood
from yiku.core.memory.search import candidate_query
from yiku.model import relevance
from yiku.model.limits import Limits
from yiku.model.memories import SearchMemories
from yiku.model.ranking import Ranked, rank, scale
from yiku.model.records import Measured
from yiku.ports import Ports

FITTED_ON = ("madial_zh", "lifebench_zh_a")
ANSWERED_WEIGHT = 1.4
"""Of a question with an answer against one without: the aim is to keep 87 % of the first and 18 % of the second."""
SET_WEIGHTS = {"madial_zh": 0.25}
"""Its questions are pasted chats, and it has one user, so that all its foreign questions are of another kind: it is to
be heard, but not to decide."""
KEPT = 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and the measurements of its best hit. `group` is what is left out together."""

    set: str
    user: str
    group: str
    kind: str
    best: Sequence[float]


Loaded = dict[str, tuple[list[Item], list[Question]]]


def taken(records: int) -> Loaded:
    """The first records of each user, and the questions whose evidence is among them."""
    sets: Loaded = {}
    for name in SETS:
        counts: Counter[str] = Counter()
        items = [item for item in corpus(name) if counts.update([item.user]) or counts[item.user] <= records]
        ids = {(item.user, item.id) for item in items}
        asked = [one for one in questions(name) if all((one.user, item) in ids for item in one.evidence)]
        sets[name] = (items, asked)
    return sets


def pairs(sets: Loaded) -> Iterator[tuple[str, str, Question, str]]:
    """Set and user of the store, the question put to it, and what kind of question that is."""
    users = {name: sorted({item.user for item in items}) for name, (items, _) in sets.items()}
    for name, (_, asked) in sets.items():
        for one in asked:
            yield name, one.user, one, "own"
        for one in asked:
            yield from ((name, user, one, "foreign") for user in users[name] if user != one.user)
    # The only user of madial_zh has nobody beside it in its set.
    yield from (("madial_zh", "madial-zh", one, "foreign") for one in sets["lifebench_zh_a"][1])
    for one in sets["madial_zh"][1]:
        yield from (("lifebench_zh_a", user, one, "foreign") for user in users["lifebench_zh_a"])
    yield from (("lifebench_zh_a", one.user, one, "unanswerable") for one in unanswerable("lifebench_zh_a"))


async def ask(ports: Ports, name: str, user: str, one: Question, kind: str, number: int) -> Asked | None:
    text = as_if_about(one.text, of=one.user, to=user) if user != one.user else one.text
    search = SearchMemories(scope=scope_of(name, user), text=text)
    question = understood(text)
    embedding = await ports.embedder.embed_query(question.text)
    best: list[Numbers] = []

    def choose(measured: Measured) -> list[Ranked]:
        placed = rank(measured, limit=1)
        best.extend(relevance.measurements(measured, *scale(measured.statistics))[one.hit] for one in placed)
        return placed

    await ports.storage.candidates(candidate_query(ports, search, question, embedding), choose)
    group = f"{user} {number % 2}" if user == "madial-zh" else user
    return Asked(name, user, group, kind, best[0].tolist()) if best else None


def fit_on(asked: Sequence[Asked]) -> Fit:
    """Each set and kind counts the same, however many questions it has."""
    sizes = Counter((one.set, one.kind) for one in asked)
    weights = np.array(
        [
            (ANSWERED_WEIGHT if one.kind == "own" else 1.0)
            * SET_WEIGHTS.get(one.set, 1.0)
            * 100
            / sizes[one.set, one.kind]
            for one in asked
        ]
    )
    return fitted(_columns(asked), _answered(asked), weights)


def left_out(asked: Sequence[Asked], others: Sequence[Asked]) -> Numbers:
    """Chances of `asked`, each group by a fit on the others and on everything in `others`."""
    chances = np.empty(len(asked))
    for group in {one.group for one in asked}:
        inside = np.array([one.group == group for one in asked])
        outside = [one for one in asked if one.group != group and one.kind != "unanswerable"]
        chances[inside] = fit_on([*outside, *others]).chances(_columns([one for one in asked if one.group == group]))
    return chances


def report(title: str, asked: Sequence[Asked], chances: Numbers) -> None:
    kinds = np.array([one.kind for one in asked])
    shares = {kind: 100 * float((chances[kinds == kind] >= KEPT).mean()) for kind in sorted(set(kinds.tolist()))}
    told = np.isin(kinds, ("own", "foreign"))
    area = area_under_curve(chances[told], kinds[told] == "own")
    limit = float(np.quantile(chances[kinds == "own"], 0.13))
    at_87 = 100 * float((chances[kinds == "foreign"] >= limit).mean())
    columns = "  ".join(f"{kind} {share:5.1f} %" for kind, share in shares.items())
    print(f"{title:42} AUC {area:.3f}   with a hit at 0.5: {columns}   foreign where 87 % are kept: {at_87:4.1f} %")


def _columns(asked: Sequence[Asked]) -> Numbers:
    return np.array([one.best for one in asked], np.float64)


def _answered(asked: Sequence[Asked]) -> Marks:
    return np.array([one.kind == "own" for one in asked])


def tell(asked: Sequence[Asked]) -> None:
    """The coefficients to be shipped, and the tables."""

    def of(choose: Callable[[Asked], bool]) -> list[Asked]:
        return [one for one in asked if choose(one)]

    shipped = fit_on(of(lambda one: one.set in FITTED_ON and one.kind != "unanswerable"))
    print("\nCOEFFICIENTS =", tuple(round(float(value), 3) for value in shipped.coefficients))
    print("INTERCEPT =", round(shipped.intercept, 3))
    for name, value in zip(relevance.NAMES, shipped.coefficients, strict=True):
        print(f"  {name:14} {value:8.3f}")
    print()
    for name in SETS:
        own = of(lambda one, name=name: one.set == name)
        report(f"{name}, by its others", own, left_out(own, ()))
        if name in FITTED_ON:
            rest = of(lambda one, name=name: one.set in FITTED_ON and one.set != name and one.kind != "unanswerable")
            report(f"{name}, by its others and another set", own, left_out(own, rest))
        else:
            report(f"{name}, by the coefficients above", own, shipped.chances(_columns(own)))


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--records", type=int, default=100_000, help="records of each user at most")
    options = arguments.parse_args()
    if not available():
        print("The retrieval sets (../shared/data/memory) are not on this machine: nothing to fit.")
        return
    print(machine())
    clock, limits = SystemClock(), Limits()
    embedder = KeptEmbeddings(LocalEmbedder(text_characters=8_000))
    with tempfile.TemporaryDirectory() as folder:
        storage = await open_sqlite(Path(folder), clock=clock, limits=limits)
        ports = Ports(storage=storage, embedder=embedder, clock=clock, limits=limits)
        sets = taken(options.records)
        for name, (items, asked) in sets.items():
            await load(ports, name, items)
            print(f"{name}: {len(items)} records, {len(asked)} questions", flush=True)
        found = [await ask(ports, *pair, number) for number, pair in enumerate(pairs(sets))]
        await storage.close()
    await embedder.close()
    tell([one for one in found if one is not None])


if __name__ == "__main__":
    asyncio.run(main())
