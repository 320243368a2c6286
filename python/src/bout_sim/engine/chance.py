"""Random numbers: mulberry32 on an unsigned 32-bit state (rules-replays.md#simulate-a-replay)."""

from typing import Final

MASK_32: Final = 0xFFFFFFFF
_INCREMENT: Final = 0x6D2B79F5


def next_state(state: int) -> int:
    """Returns the state after one draw."""
    return (state + _INCREMENT) & MASK_32


def drawn_from(state: int) -> int:
    """Returns the number of the draw that led to this state, 0 to 2^32 - 1."""
    mixed = (state ^ (state >> 15)) * (state | 1) & MASK_32
    mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) & MASK_32
    return mixed ^ (mixed >> 14)


class Dice:
    """A separate mulberry32, for draws outside the engine."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK_32

    def draw(self) -> int:
        """Returns an integer from 0 to 2^32 - 1."""
        self.state = next_state(self.state)
        return drawn_from(self.state)
