"""Cleaned shouts (protocol-send.md#shouts)."""

import re
import unicodedata
from typing import Final

_UNSPEAKABLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control, format and lone surrogate characters, and the two separators that break lines."""

_PLAIN: Final = re.compile(r"[!-~]([ -~]*[!-~])?", re.ASCII)

_SPACES: Final = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""Unicode White_Space that remains after removing control characters."""


def clean_shout(text: str) -> str:
    """Returns a shout without unprintable characters and outer white space."""
    if _PLAIN.fullmatch(text):
        return text
    kept = (one for one in text if unicodedata.category(one) not in _UNSPEAKABLE)
    return "".join(kept).strip(_SPACES)
