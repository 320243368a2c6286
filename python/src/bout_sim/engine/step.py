"""One tick (rules.md#one-tick): a list of stages, each a small function that changes the fight."""

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
    """Phase 11: stun, power and cooldowns of everybody go down by one, the tick number up."""
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
"""What follows validation, phases 2 to 12; at last everybody looks around."""


def step(fight: Fight, turns: Sequence[RecordedTurn]) -> None:
    """Plays one tick.

    `turns` has one for each seat: a turn, or None or an idle for a fighter that does nothing.
    Afterwards `fight.events` tells what happened, and `fight.outcome` whether it is over. Raises
    ValueError when it was over before, or when there is not one turn for each seat.
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
