"""Phase 8 (rules.md#the-zone): the zone shrinks to the middle of the map."""

from .fight import Fight
from .words import FIGHTER_IDS


def zone_radius(fight: Fight, tick: int) -> int:
    """Returns the safe radius at the end of a tick, in tiles from the center."""
    rules, outer = fight.rules, fight.grid.outer_radius
    if tick < rules.zone_start:
        return outer
    return max(rules.zone_min_radius, outer - 1 - (tick - rules.zone_start) // rules.zone_every)


def zone_shrinks_in(fight: Fight) -> int | None:
    """Returns the ticks until the radius shrinks again, None if it doesn't."""
    rules, radius = fight.rules, zone_radius(fight, fight.tick)
    if fight.tick < rules.zone_start:
        next_tick = rules.zone_start
    else:
        since = fight.tick - rules.zone_start
        next_tick = fight.tick + rules.zone_every - since % rules.zone_every
    return next_tick - fight.tick if zone_radius(fight, next_tick) < radius else None


def zone_damage(fight: Fight) -> None:
    """Hurts fighters outside the radius."""
    grid = fight.grid
    radius = zone_radius(fight, fight.tick)
    for fighter in fight.fighters:
        if not fighter.alive or grid.level[fighter.tile] <= radius:
            continue
        damage = fight.rules.zone_damage
        fight.plans[fighter.seat].pending += damage
        fight.events.append(
            {
                "type": "zone_damage",
                "target": FIGHTER_IDS[fighter.seat],
                "damage": damage,
                "x": grid.x[fighter.tile],
                "y": grid.y[fighter.tile],
            }
        )
