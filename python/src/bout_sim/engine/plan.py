"""A fighter's plan for one tick: its turn, the accepted parts, and the result."""

from dataclasses import dataclass
from typing import Final

from .words import NONE

STANDS: Final = 0
WALKS: Final = 1
DASHES: Final = 2


@dataclass(slots=True)
class Throw:
    """A push (by a repulse) or pull (by a hook) in progress."""

    by: int
    """Seat of the thrower."""
    is_push: bool
    direction: int
    left: int
    """Tiles left."""
    tiles: int = 0
    slammed: bool = False


@dataclass(slots=True)
class Plan:
    """Created for each fighter in each tick."""

    start_hp: int
    stunned: bool
    """Whether a living fighter started the tick stunned."""
    gait: int = STANDS
    """As accepted. A fighter thrown afterwards keeps it but moves no tile."""
    heading: int = NONE
    attack: int = NONE
    aim: int = NONE
    """Target of the attack: a direction, a tile, or NONE."""
    misaimed: int = NONE
    """The attack rejected for the wrong form of target."""
    throw: Throw | None = None
    tiles: int = 0
    """Tiles moved by its own move or dash."""
    bounces: int = 0
    """Bounces of its own bolt until it hit or ended."""
    pending: int = 0
    """Pending damage, subtracted in phase 10."""
