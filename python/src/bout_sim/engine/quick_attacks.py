"""Phase 2: strike, hook and repulse, from the tiles at the start of the tick.

rules.md#attacks.
"""

from .damage import hit, powered
from .fight import Fight, Fighter
from .plan import Plan, Throw
from .words import ATTACKS, HOOK, REPULSE, STRIKE, direction_code

Throws = list[tuple[int, Throw]]
"""Seats with their throws, in the order of the attackers."""


def quick_attacks(fight: Fight) -> None:
    """Adds hits, and assigns throws to pushed and pulled fighters."""
    throws: Throws = []
    for fighter, plan in zip(fight.fighters, fight.plans, strict=True):
        if plan.attack == STRIKE:
            _strike(fight, fighter, plan)
        elif plan.attack == HOOK:
            _hook(fight, fighter, plan, throws)
        elif plan.attack == REPULSE:
            _repulse(fight, fighter, throws)
    for seat in {seat for seat, _ in throws}:
        fight.plans[seat].throw = _strongest([throw for one, throw in throws if one == seat])


def fighter_on(fight: Fight, tile: int) -> Fighter | None:
    """Returns the living fighter on a tile."""
    return next((one for one in fight.fighters if one.tile == tile and one.alive), None)


def _hit(fight: Fight, by: Fighter, target: Fighter, attack: int) -> None:
    damage = powered(fight, by.seat, fight.rules.attacks[attack].damage)
    hit(fight, by.seat, target.seat, ATTACKS[attack], damage)


def _strike(fight: Fight, by: Fighter, plan: Plan) -> None:
    ray = fight.grid.ray(by.tile, plan.aim, fight.rules.attacks[STRIKE].range, 0)
    for tile in ray.tiles:
        target = fighter_on(fight, tile)
        if target is not None:
            _hit(fight, by, target, STRIKE)


def _hook(fight: Fight, by: Fighter, plan: Plan, throws: Throws) -> None:
    """Pulls the nearest fighter on the line to the tile next to its own."""
    ray = fight.grid.ray(by.tile, plan.aim, fight.rules.attacks[HOOK].range, 0)
    for gap, tile in enumerate(ray.tiles):
        target = fighter_on(fight, tile)
        if target is None:
            continue
        _hit(fight, by, target, HOOK)
        if gap > 0:
            back = (plan.aim + 4) % 8
            throws.append((target.seat, Throw(by.seat, False, back, gap)))
        return


def _repulse(fight: Fight, by: Fighter, throws: Throws) -> None:
    grid, rules = fight.grid, fight.rules.attacks[REPULSE]
    for target in fight.fighters:
        is_near = grid.distance(by.tile, target.tile) <= rules.radius
        if target is by or not target.alive or not is_near:
            continue
        if not grid.sight[by.tile][target.tile]:
            continue
        _hit(fight, by, target, REPULSE)
        dx, dy = grid.x[target.tile] - grid.x[by.tile], grid.y[target.tile] - grid.y[by.tile]
        throws.append((target.seat, Throw(by.seat, True, direction_code(dx, dy), rules.push)))


def _strongest(throws: list[Throw]) -> Throw | None:
    """Returns the longest throw. Two longest throws of equal length cancel each other."""
    longest = max(throw.left for throw in throws)
    strongest = [throw for throw in throws if throw.left == longest]
    return strongest[0] if len(strongest) == 1 else None
