"""Shouts as they are kept and counted (protocol.md#turn)."""

import re
import unicodedata
from typing import Final

_UNSPEAKABLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control, format and lone surrogate characters, and the two separators that break lines."""

_PLAIN: Final = re.compile(r"[!-~]([ -~]*[!-~])?", re.ASCII)

_SPACES: Final = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""What is White_Space to Unicode and still there once the unspeakable is gone."""


def clean_shout(text: str) -> str:
    """A shout without characters that do not print, and without space at its ends."""
    if _PLAIN.fullmatch(text):
        return text
    kept = (one for one in text if unicodedata.category(one) not in _UNSPEAKABLE)
    return "".join(kept).strip(_SPACES)
