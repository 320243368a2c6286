"""MurmurHash3 x86 32-bit with seed 0 over 32-bit words (rules-replays.md#simulate-a-replay)."""

from collections.abc import Iterable
from typing import Final

from .chance import MASK_32

_WORD_BYTES: Final = 4


def mix(mixed: int, word: int) -> int:
    """Adds one word, signed or not, to an unfinished hash."""
    key = (word & MASK_32) * 0xCC9E2D51 & MASK_32
    key = (key << 15 | key >> 17) * 0x1B873593 & MASK_32
    mixed ^= key
    return ((mixed << 13 | mixed >> 19) * 5 + 0xE6546B64) & MASK_32


def finish(mixed: int, words: int) -> int:
    """Finishes the hash of this many words, 0 to 2^32 - 1."""
    mixed ^= words * _WORD_BYTES
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & MASK_32
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & MASK_32
    return mixed ^ mixed >> 16


def murmur3(words: Iterable[int]) -> int:
    """Returns the hash of these words, 0 to 2^32 - 1."""
    mixed = 0
    count = 0
    for word in words:
        mixed = mix(mixed, word)
        count += 1
    return finish(mixed, count)


def hex8(value: int) -> str:
    """Returns a hash as text: 8 lower-case hex digits."""
    return f"{value:08x}"
