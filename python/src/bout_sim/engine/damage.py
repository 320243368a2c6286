"""Damage: added in phases 2 to 8, applied in phase 10."""

from .fight import Fight
from .shapes import HitEvent
from .words import FIGHTER_IDS, HitName


def powered(fight: Fight, seat: int, damage: int) -> int:
    """Returns the damage scaled by a fighter's power, rounded down."""
    if fight.fighters[seat].power == 0:
        return damage
    return damage * fight.rules.power_times // fight.rules.power_over


def hit(
    fight: Fight, by: int, target: int, name: HitName, damage: int, *, ricochet: bool = False
) -> None:
    """Adds damage from one seat to another, or to itself by its own area."""
    fight.plans[target].pending += damage
    if by != target:
        fight.fighters[by].dealt += damage
    event: HitEvent = {
        "type": "hit",
        "by": FIGHTER_IDS[by],
        "target": FIGHTER_IDS[target],
        "name": name,
        "damage": damage,
    }
    if ricochet:
        event["ricochet"] = True
    tile = fight.fighters[target].tile
    event["x"] = fight.grid.x[tile]
    event["y"] = fight.grid.y[tile]
    fight.events.append(event)


def take_damage(fight: Fight) -> None:
    """Phase 10: subtracts pending damage. A fighter without HP falls and leaves the grid."""
    for fighter, plan in zip(fight.fighters, fight.plans, strict=True):
        if not fighter.alive or plan.pending == 0:
            continue
        fighter.hp = max(0, fighter.hp - plan.pending)
        if fighter.hp > 0:
            continue
        fighter.alive = False
        x, y = fight.grid.x[fighter.tile], fight.grid.y[fighter.tile]
        fight.events.append({"type": "death", "target": FIGHTER_IDS[fighter.seat], "x": x, "y": y})
