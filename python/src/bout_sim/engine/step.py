"""A tick (rules.md#order-of-a-tick) as a list of stages that change the state."""

from collections.abc import Callable, Sequence
from typing import Final

from .areas import areas
from .bolts import bolts
from .damage import take_damage
from .ending import end_check
from .fight import Fight, look_around
from .forced_movement import forced_movement
from .movement import movement
from .pickups import pickup_wave, take_pickups
from .plan import Plan
from .quick_attacks import quick_attacks
from .shapes import RecordedTurn
from .validation import validate
from .zone import zone_damage


def timers(fight: Fight) -> None:
    """Phase 11: decreases all stuns, powers and cooldowns, and increases the tick number."""
    for fighter in fight.fighters:
        fighter.stun -= fighter.stun > 0
        fighter.power -= fighter.power > 0
        fighter.cooldowns = [ticks - 1 if ticks else 0 for ticks in fighter.cooldowns]
    fight.tick += 1


STAGES: Final[tuple[Callable[[Fight], None], ...]] = (
    quick_attacks,
    forced_movement,
    movement,
    bolts,
    areas,
    take_pickups,
    zone_damage,
    pickup_wave,
    take_damage,
    timers,
    end_check,
    look_around,
)
"""Phases 2 to 12, then the sight update."""


def step(fight: Fight, turns: Sequence[RecordedTurn]) -> None:
    """Plays one tick.

    `turns` has one entry per seat: a turn, or None or an idle.
    Afterwards `fight.events` has the events and `fight.outcome` the result. Raises
    ValueError if the match was over, or for a wrong number of turns.
    """
    if fight.outcome is not None:
        raise ValueError("the fight is over")
    fight.events = []
    fight.plans = [
        Plan(fighter.hp, fighter.alive and fighter.stun > 0) for fighter in fight.fighters
    ]
    validate(fight, list(turns))
    for stage in STAGES:
        stage(fight)
