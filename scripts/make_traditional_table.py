"""Write `src/yiku/model/tables/traditional.txt` from OpenCC's character dictionary (Apache-2.0).

    python scripts/make_traditional_table.py path/to/TSCharacters.txt

Run once; the result is committed, because stored tokens depend on it and must not move with a library's release.
Only the first (most usual) simplified form of a character is taken, and only characters that Chinese text really uses
(the Basic Multilingual Plane).
"""

from __future__ import annotations

import sys
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "yiku" / "model" / "tables" / "traditional.txt"
HEADER = (
    "# Traditional characters, and under each the simplified one that search folds it to.\n"
    "# Facts from the TSCharacters dictionary of the OpenCC project (Apache-2.0).\n"
    "# Made by scripts/make_traditional_table.py.\n"
)


def pairs(dictionary: Path) -> list[tuple[str, str]]:
    found = []
    for line in dictionary.read_text(encoding="utf-8").splitlines():
        traditional, _, simplified = line.partition("\t")
        first = simplified.split(" ")[0]
        if len(traditional) == len(first) == 1 and traditional != first and max(traditional, first) <= "\uffff":
            found.append((traditional, first))
    simplified_of = dict(found)
    # 薴 → 苧 → 苎: folding what is folded must change nothing.
    return sorted((left, simplified_of.get(right, right)) for left, right in found)


if __name__ == "__main__":
    table = pairs(Path(sys.argv[1]))
    columns = ("".join(left for left, _ in table), "".join(right for _, right in table))
    TARGET.write_text(HEADER + "\n".join(columns) + "\n", encoding="utf-8")
    print(f"{len(table)} characters")
