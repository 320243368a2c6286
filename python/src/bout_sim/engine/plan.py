"""What a fighter does in one tick: its turn, what passed validation, and what came of it."""

from dataclasses import dataclass
from typing import Final

from .words import NONE

STANDS: Final = 0
WALKS: Final = 1
DASHES: Final = 2


@dataclass(slots=True)
class Throw:
    """A push (of a repulse) or a pull (of a hook) in flight."""

    by: int
    """Seat of the thrower."""
    is_push: bool
    direction: int
    left: int
    """Tiles still to fly."""
    tiles: int = 0
    slammed: bool = False


@dataclass(slots=True)
class Plan:
    """Made for every fighter in every tick."""

    start_hp: int
    stunned: bool
    """Whether a living fighter began the tick stunned."""
    gait: int = STANDS
    """As accepted: a fighter that is thrown afterwards keeps the gait and passes no tile."""
    heading: int = NONE
    attack: int = NONE
    aim: int = NONE
    """Of the attack: a direction, a tile, or NONE for an attack without a target."""
    misaimed: int = NONE
    """The attack that was refused because its target has not the form it takes."""
    throw: Throw | None = None
    tiles: int = 0
    """Passed by the own move or dash."""
    bounces: int = 0
    """Flown by the own bolt until it hit or ended."""
    pending: int = 0
    """Damage noted so far; hp falls in phase 10."""
