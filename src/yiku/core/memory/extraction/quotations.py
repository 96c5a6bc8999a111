"""What stands within quotation marks, and does somebody speak there?"""

from __future__ import annotations

import re

# Bounded, because an opening mark that is never closed must not cost the rest of the text.
QUOTED = r'“[^“”\n]{0,500}”|‘[^‘’\n]{0,500}’|「[^「」\n]{0,500}」|『[^『』\n]{0,500}』|"[^"\n]{0,500}"'

# Without ’, which is an apostrophe as often as a mark.
_MARK = re.compile('["“”‘「」『』]')
_PERSON = re.compile(r"[我你您咱]|\b(?:i|me|my|mine|you|your|we|us|our)\b", re.IGNORECASE)


def quotes_a_person(sentence: str) -> bool:
    """Whether somebody speaks within quotation marks. A title in marks does no harm; a mark without its pair may."""
    unpaired = _MARK.search(re.sub(QUOTED, "", sentence))
    return unpaired is not None or any(_PERSON.search(quote) for quote in re.findall(QUOTED, sentence))
