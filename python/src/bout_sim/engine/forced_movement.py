"""Phase 3: moves pushed and pulled fighters tile by tile until no push or pull is left.

rules.md#movement.
"""

from .damage import hit, powered
from .fight import Fight
from .plan import Throw
from .wants import find_stoppers
from .words import DIRECTIONS, FIGHTER_IDS, NONE

Flights = dict[int, Throw]
"""Fighters pushed or pulled in this tick, by seat."""


def forced_movement(fight: Fight) -> None:
    """Moves thrown fighters, and adds wall slams and collisions."""
    flights: Flights = {
        seat: plan.throw for seat, plan in enumerate(fight.plans) if plan.throw is not None
    }
    while any(throw.left > 0 for throw in flights.values()):
        _fly_one_tile(fight, flights)
    for seat, throw in flights.items():
        _report(fight, seat, throw)


def _fly_one_tile(fight: Fight, flights: Flights) -> None:
    wants: dict[int, int] = {}
    for seat, throw in flights.items():
        if throw.left == 0:
            continue
        next_tile = fight.grid.steps[fight.fighters[seat].tile][throw.direction]
        if next_tile == NONE:
            _end_at_wall(fight, seat, throw)
        else:
            wants[seat] = next_tile
    stoppers = find_stoppers(fight, wants)
    for seat, others in stoppers.items():
        _collide(fight, seat, flights[seat], others)
    for seat in wants.keys() - stoppers.keys():
        fight.fighters[seat].tile = wants[seat]
        flights[seat].left -= 1
        flights[seat].tiles += 1


def _end_at_wall(fight: Fight, seat: int, throw: Throw) -> None:
    throw.left = 0
    if not throw.is_push:
        return
    throw.slammed = True
    # Each tick's end decreases a stun by one, including the tick of the slam.
    fight.fighters[seat].stun = fight.rules.slam_stun + 1
    damage = powered(fight, throw.by, fight.rules.slam_damage)
    hit(fight, throw.by, seat, "wall_slam", damage)


def _collide(fight: Fight, seat: int, throw: Throw, stoppers: list[int]) -> None:
    """A throw ends at fighters. It never hurts the thrower, and a pull does no collision damage."""
    throw.left = 0
    others = [other for other in stoppers if other != throw.by]
    if not throw.is_push and not others:
        return
    for hurt in [seat, *others]:
        hit(fight, throw.by, hurt, "collision", fight.rules.collision_damage)


def _report(fight: Fight, seat: int, throw: Throw) -> None:
    grid, tile = fight.grid, fight.fighters[seat].tile
    by, target = FIGHTER_IDS[throw.by], FIGHTER_IDS[seat]
    direction, tiles = DIRECTIONS[throw.direction], throw.tiles
    x, y = grid.x[tile], grid.y[tile]
    if throw.is_push:
        fight.events.append(
            {
                "type": "repulse",
                "by": by,
                "target": target,
                "direction": direction,
                "tiles": tiles,
                "slam": throw.slammed,
                "x": x,
                "y": y,
            }
        )
    else:
        fight.events.append(
            {
                "type": "pull",
                "by": by,
                "target": target,
                "direction": direction,
                "tiles": tiles,
                "x": x,
                "y": y,
            }
        )
