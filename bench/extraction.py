"""How much of what people say do the rules of extraction understand? Precision and recall over labelled dialogues.

    python -m bench.extraction [--set NAME|all] [--errors]

Beside the rules stands what storing every message as it is would score: whoever keeps whole messages finds all facts,
so `apart` tells which of them some memory says without saying another required one. `--errors` prints each
missed fact, each wrong memory and each wrong kind or time. The sealed set is left out unless it is named: it is for a
last run, and whoever still works on the rules must not see its errors, nor those of the other blind set.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from bench.dialogues import Dialogue, dialogues, set_names
from bench.extraction_scores import Counts, Extracted, Judgement, counts, judged
from yiku.core.memory.extraction import extract
from yiku.model.facts import FactKind

Extractor = Callable[[Dialogue], Sequence[Extracted]]
ALL = "all"
SEALED = "blind_2"
HEADER = f"{'':16} facts memories precision recall     F1  apart   kind          when unasked"


def by_rules(dialogue: Dialogue) -> list[Extracted]:
    """What the product makes of a dialogue that comes as one add."""
    return [
        Extracted(text=fact.text, messages=frozenset(fact.positions), kind=fact.kind, when=fact.when)
        for fact in extract(dialogue.messages, dialogue.anchor).facts
    ]


def as_it_is(dialogue: Dialogue) -> list[Extracted]:
    """Every message a memory: the yardstick's own yardstick."""
    return [
        Extracted(text=message.content, messages=frozenset({index})) for index, message in enumerate(dialogue.messages)
    ]


def measure(name: str, extractor: Extractor, errors: bool) -> None:
    """Run one set through one extractor and print its tables."""
    asked = dialogues(name)
    judgements = [judged(dialogue, extractor(dialogue)) for dialogue in asked]
    required = sum(not fact.optional for dialogue in asked for fact in dialogue.facts)
    print(f"\n{name}: {len(asked)} dialogues, {required} required facts")
    print(HEADER)
    _print_row("all", counts(judgements))
    for language in sorted({dialogue.language for dialogue in asked}):
        chosen = [one for dialogue, one in zip(asked, judgements, strict=True) if dialogue.language == language]
        _print_row(language, counts(chosen))
    for kind in FactKind:
        _print_row(kind.value, counts(judgements, kind))
    _print_row("(every message)", counts(judged(dialogue, as_it_is(dialogue)) for dialogue in asked))
    if errors:
        for dialogue, judgement in zip(asked, judgements, strict=True):
            _print_errors(dialogue, judgement)


def _print_row(title: str, row: Counts) -> None:
    times = f"{row.when_right}/{row.when_labelled} {_percent(row.when_accuracy)}"
    print(
        f"{title:16} {row.required:5} {row.memories:8} {_percent(row.precision):>9} {_percent(row.recall):>6} "
        f"{_percent(row.f1):>6} {_percent(row.apart_share):>6} {_percent(row.kind_accuracy):>6} {times:>13} "
        f"{row.when_unasked:7}"
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _print_errors(dialogue: Dialogue, judgement: Judgement) -> None:
    for fact in judgement.missed:
        print(f"{dialogue.id} missed {sorted(fact.messages)} {fact.text}")
    for memory in judgement.wrong:
        print(f"{dialogue.id} wrong  {sorted(memory.messages)} {memory.text}")
    for fact, saying in judgement.found:
        if not any(memory.kind in fact.kinds for memory in saying):
            given = " / ".join(str(memory.kind) for memory in saying)
            print(f"{dialogue.id} kind   {'|'.join(fact.kinds)}, not {given}: {fact.text}")
        if fact.when is not None and fact.when not in [memory.when for memory in saying]:
            print(f"{dialogue.id} when   {fact.when.start:%Y-%m-%d %H:%M} {fact.when.precision} {fact.text}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--set", choices=[*set_names(), ALL], default=ALL)
    arguments.add_argument("--errors", action="store_true")
    options = arguments.parse_args()
    if options.errors and options.set == ALL:
        arguments.error("--errors wants one set by its name: those of a blind set are not for everybody's eyes")
    for name in [name for name in set_names() if name != SEALED] if options.set == ALL else [options.set]:
        measure(name, by_rules, options.errors)


if __name__ == "__main__":
    main()
