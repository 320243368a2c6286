"""Phases 7 and 9: taking and announcing health and power.

rules.md#pickups-and-power.
"""

from .fight import Fight, Fighter, Pickup
from .words import FIGHTER_IDS, PickupKind
from .zone import zone_radius


def take_pickups(fight: Fight) -> None:
    """Phase 7: decreases counters. A fighter on a pickup with counter 0 takes it."""
    for pickup in (fight.health, fight.power):
        if pickup is not None and pickup.left > 0:
            pickup.left -= 1
    for fighter in fight.fighters:
        if not fighter.alive:
            continue
        if _is_on(fighter, fight.health):
            _take_health(fight, fighter)
        if _is_on(fighter, fight.power):
            _take_power(fight, fighter)


def _is_on(fighter: Fighter, pickup: Pickup | None) -> bool:
    return pickup is not None and pickup.left == 0 and pickup.tile == fighter.tile


def _take_health(fight: Fight, fighter: Fighter) -> None:
    """Heals before this tick's pending damage is applied."""
    fight.health = None
    healed = min(fight.rules.heal, fight.rules.hp - fighter.hp)
    fighter.hp += healed
    by = FIGHTER_IDS[fighter.seat]
    fight.events.append({"type": "pickup", "by": by, "kind": "health", "healed": healed})


def _take_power(fight: Fight, fighter: Fighter) -> None:
    fight.power = None
    # Each tick's end decreases power by one, including this one.
    fighter.power = fight.rules.power_ticks + 1
    fight.events.append({"type": "pickup", "by": FIGHTER_IDS[fighter.seat], "kind": "power"})


def pickup_wave(fight: Fight) -> None:
    """Phase 9: announces health on a random pad and power on the opposite one."""
    rules, grid = fight.rules, fight.grid
    since_first = fight.tick - rules.first_wave
    if since_first < 0 or since_first % rules.wave_every != 0:
        return
    fight.health = fight.power = None
    radius = zone_radius(fight, fight.tick + rules.wave_lead)
    pads = [pad for pad in grid.pads if grid.level[pad] <= radius]
    if not pads:
        return
    pad = pads[fight.draw() % len(pads)]
    fight.health = _announce(fight, "health", pad)
    fight.power = _announce(fight, "power", grid.opposite(pad))


def _announce(fight: Fight, kind: PickupKind, tile: int) -> Pickup:
    x, y, lead = fight.grid.x[tile], fight.grid.y[tile], fight.rules.wave_lead
    fight.events.append({"type": "pickup_spawn", "kind": kind, "x": x, "y": y, "in": lead})
    return Pickup(tile, lead)
