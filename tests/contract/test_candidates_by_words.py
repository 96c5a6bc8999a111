"""Which records do words find, in several languages, and what are the statistics that score them?"""

from __future__ import annotations

import random

import pytest

from tests.contract.builders import ALICE, BOB, by_score, changes, hit, hit_ids, record, scores, search
from yiku.model.ranking import term_weights, typical_length, word_score
from yiku.model.records import TermStatistics
from yiku.model.tokens import index_terms, length_of, query_terms
from yiku.ports.storage import Storage

VOCABULARY = ["tea", "coffee", "milk", "run", "运动", "咖啡", "喝茶", "小明", "iphone15", "sleep", "北京", "the"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我喜欢喝咖啡", "咖啡"),
        ("他每天喝茶", "茶"),
        ("王小明住在北京", "小明"),
        ("I bought an iPhone15", "iphone"),
        ("I bought an iPhone15", "15"),
        ("他们写软体", "軟體"),
        ("他們寫軟體", "软体"),
        ("She likes running", "run"),
        ("She likes to run", "running"),
        ("ＣＡＰＳ and ｗｉｄｅ", "caps WIDE"),
        ("Caroline's sister", "caroline"),
        ("Привет мир", "мир"),
        ("電話は東京です", "東京"),
        ("안녕하세요 서울", "서울"),
        ("价格是100元", "100"),
        ("don't", "don't"),
    ],
)
async def test_a_word_finds_the_text_it_stands_in(storage: Storage, text: str, query: str) -> None:
    await storage.commit(changes(record("other", "全然无关 unrelated"), record("m-1", text)))
    assert hit_ids(await search(storage, query)) == ["m-1"]


async def test_words_that_stand_nowhere_find_nothing(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea"), record("m-2", "喝茶")))
    for query in ("zebra", "斑马", "", "!?…", "%", "'"):
        found = await search(storage, query)
        assert found.hits == ()
        assert found.statistics.records == 2


async def test_shared_characters_count_only_while_no_word_stands_in_any_record(storage: Storage) -> None:
    await storage.commit(changes(record("scattered", "服务好又和气")))
    alone = await search(storage, "和服")
    assert hit_ids(alone) == ["scattered"]
    assert alone.statistics.terms == ("和服", "·和", "·服")
    assert alone.statistics.document_frequencies == (0, 1, 1)

    await storage.commit(changes(record("word", "她穿和服")))
    together = await search(storage, "和服")
    assert hit_ids(together) == ["word"]
    assert together.statistics.terms == ("和服",)


async def test_whether_a_word_stands_anywhere_is_asked_before_the_condition_and_within_the_kind(
    storage: Storage,
) -> None:
    await storage.commit(changes(record("scattered", "服务好又和气"), record("word", "她穿和服", kind="message")))
    assert hit_ids(await search(storage, "和服")) == ["scattered"]
    await storage.commit(changes(record("word", "她穿和服")))
    assert (await search(storage, "和服")).statistics.terms == ("和服",)
    await storage.commit(changes(deletes=["word"]))
    assert hit_ids(await search(storage, "和服")) == ["scattered"]


async def test_a_lone_character_is_always_looked_up(storage: Storage) -> None:
    await storage.commit(changes(record("in a word", "喝茶"), record("alone", "茶 coffee")))
    found = await search(storage, "茶 coffee")
    assert found.statistics.terms == ("茶", "coffe", "·茶")
    assert hit_ids(found) == ["alone", "in a word"]
    assert hit(found, "alone").frequencies == (1, 1, 1)
    assert hit(found, "in a word").frequencies == (0, 0, 1)


async def test_the_fallback_repeats_no_lone_character(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "喝茶")))
    found = await search(storage, "茶 和服 茶")
    assert found.statistics.terms == ("茶", "和服", "·茶", "·和", "·服")


async def test_frequencies_go_with_the_terms_that_were_looked_up(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "tea tea milk 喝茶喝茶"), record("m-2", "milk")))
    found = await search(storage, "milk zebra 喝茶 tea milk")
    assert found.statistics.terms == ("milk", "zebra", "喝茶", "tea")
    assert found.statistics.document_frequencies == (2, 0, 1, 1)
    assert hit(found, "m-1").frequencies == (1, 0, 2, 2)
    assert length_of(index_terms("tea tea milk 喝茶喝茶")) == 6
    assert (found.statistics.records, found.statistics.average_length) == (2, (6 + 1) / 2)
    assert hit(found, "m-2").frequencies == (1, 0, 0, 0)


def _random_texts(count: int, *, seed: int) -> dict[str, str]:
    chance = random.Random(seed)
    return {f"m-{number:03}": " ".join(chance.choices(VOCABULARY, k=chance.randint(1, 12))) for number in range(count)}


def _expected_statistics(query: str, texts: list[str]) -> TermStatistics:
    terms = query_terms(query, limit=512).words + query_terms(query, limit=512).lone_characters
    counted = [index_terms(text) for text in texts]
    return TermStatistics(
        terms=terms,
        document_frequencies=tuple(sum(term in one for one in counted) for term in terms),
        records=len(counted),
        average_length=sum(length_of(one) for one in counted) / len(counted),
    )


async def test_statistics_are_exact_through_changes_and_deletes(storage: Storage) -> None:
    texts = _random_texts(120, seed=1)
    await storage.commit(changes(*(record(name, text) for name, text in texts.items()), record("no text")))
    query = "咖啡 tea running 茶 the"
    assert (await search(storage, query)).statistics == _expected_statistics(query, list(texts.values()))

    changed = {name: text + " tea 咖啡" for name, text in list(texts.items())[:40]}
    gone = list(texts)[40:70]
    await storage.commit(changes(*(record(name, text) for name, text in changed.items()), deletes=gone))
    left = {name: text for name, text in (texts | changed).items() if name not in gone}
    assert (await search(storage, query)).statistics == _expected_statistics(query, list(left.values()))


async def test_statistics_of_several_partitions_are_summed_and_of_others_ignored(storage: Storage) -> None:
    texts = _random_texts(90, seed=2)
    ids = list(texts)
    for partition, part in ((ALICE, ids[:40]), (BOB, ids[40:])):
        await storage.commit(changes(*(record(name, texts[name]) for name in part), partition=partition))
    query = "tea 咖啡 喝茶"
    both = (await search(storage, query, partitions=[ALICE, BOB])).statistics
    assert both == _expected_statistics(query, list(texts.values()))
    assert (await search(storage, query)).statistics == _expected_statistics(query, [texts[name] for name in ids[:40]])
    assert (await search(storage, query, partitions=[BOB])).statistics == _expected_statistics(
        query, [texts[name] for name in ids[40:]]
    )


async def test_words_bring_the_records_with_the_highest_scores(storage: Storage) -> None:
    texts = _random_texts(150, seed=3)
    await storage.commit(changes(*(record(name, text) for name, text in texts.items())))
    query = "咖啡 running iphone sleep"
    statistics = _expected_statistics(query, list(texts.values()))
    weights, typical = term_weights(statistics), typical_length(statistics)
    expected: dict[str, float] = {}
    for name, text in texts.items():
        counted = index_terms(text)
        frequencies = [counted[term] for term in statistics.terms]
        expected[name] = word_score(frequencies, length_of(counted), weights, typical)
    best = sorted(expected, key=lambda name: (-expected[name], name))

    found = await search(storage, query, limit=20)
    assert by_score(found) == best[:20]
    assert scores(found) == pytest.approx({name: expected[name] for name in best[:20]})
    everything = await search(storage, query, limit=500)
    assert hit_ids(everything) == sorted(name for name in best if expected[name] > 0)


async def test_the_only_record_has_a_score_for_each_of_its_words(storage: Storage) -> None:
    await storage.commit(changes(record("m-1", "我喜欢喝咖啡")))
    assert scores(await search(storage, "咖啡"))["m-1"] > 0.5
    assert scores(await search(storage, "喜欢"))["m-1"] > 0


async def test_three_records_are_ranked_by_the_rare_word(storage: Storage) -> None:
    await storage.commit(
        changes(
            record("both", "I like coffee in the morning"),
            record("common", "I like tea in the morning"),
            record("none", "他住在北京"),
        )
    )
    assert by_score(await search(storage, "do I like coffee")) == ["both", "common"]


async def test_ten_records_are_ranked_by_rarity_frequency_and_length(storage: Storage) -> None:
    common = [record(f"common-{number}", "用户喜欢在周末喝茶") for number in range(7)]
    short = record("short", "喝咖啡")
    twice = record("twice", "喝咖啡，再喝咖啡")
    long = record("long", "早上先去公园散步半小时，然后到街角的小店里坐下来喝咖啡，看看报纸")
    await storage.commit(changes(*common, short, twice, long))
    ranked = by_score(await search(storage, "用户喝咖啡"))
    assert set(ranked[:3]) == {"short", "twice", "long"}
    assert ranked.index("twice") < ranked.index("short") < ranked.index("long")
    assert len(ranked) == 10
