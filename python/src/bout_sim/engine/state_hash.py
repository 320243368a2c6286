"""The state as words, and its hash (rules-replays.md#simulate-a-replay)."""

from .fight import Area, Fight, Fighter, Pickup
from .murmur import finish, mix, murmur3
from .words import NONE


def state_words(fight: Fight) -> list[int]:
    """Returns the whole state. Equal words mean equal continuations."""
    words = [fight.tick, fight.chance]
    for fighter in fight.fighters:
        words += _fighter_words(fight, fighter)
    for pickup in (fight.health, fight.power):
        words += _pickup_words(fight, pickup)
    return words


def _fighter_words(fight: Fight, one: Fighter) -> list[int]:
    return [
        fight.grid.x[one.tile],
        fight.grid.y[one.tile],
        one.hp,
        int(one.alive),
        one.stun,
        one.power,
        *one.cooldowns,
        one.dealt,
        *_area_words(fight, one.blast),
        *_area_words(fight, one.scorch),
    ]


def _area_words(fight: Fight, area: Area | None) -> tuple[int, int, int, int]:
    if area is None:
        return (NONE, NONE, 0, 0)
    return (fight.grid.x[area.tile], fight.grid.y[area.tile], area.left, area.damage)


def _pickup_words(fight: Fight, pickup: Pickup | None) -> tuple[int, int, int]:
    if pickup is None:
        return (NONE, NONE, 0)
    return (fight.grid.x[pickup.tile], fight.grid.y[pickup.tile], pickup.left)


def state_hash(fight: Fight) -> int:
    """Returns the hash of the state, 0 to 2^32 - 1."""
    return murmur3(state_words(fight))


class Trace:
    """The hash over all state hashes of a match, updated each tick."""

    __slots__ = ("_mixed", "_words")

    def __init__(self) -> None:
        self._mixed = 0
        self._words = 0

    def add(self, state: int) -> None:
        """Adds the hash of a tick."""
        self._mixed = mix(self._mixed, state)
        self._words += 1

    def value(self) -> int:
        """Returns the hash so far, 0 to 2^32 - 1. 0 without ticks."""
        return finish(self._mixed, self._words)
