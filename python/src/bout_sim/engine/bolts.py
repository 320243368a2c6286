"""Phase 5: bolts fly from the tiles after movement and hit the first fighter on their path.

rules.md#attacks.
"""

from .damage import hit, powered
from .fight import Fight, Fighter
from .plan import Plan
from .validation import report_attack
from .words import BOLT


def bolts(fight: Fight) -> None:
    """Plays all bolts in seat order."""
    for fighter, plan in zip(fight.fighters, fight.plans, strict=True):
        if plan.attack == BOLT:
            report_attack(fight, fighter, plan)
            _fly(fight, fighter, plan)


def _fly(fight: Fight, by: Fighter, plan: Plan) -> None:
    rules = fight.rules.attacks[BOLT]
    ray = fight.grid.ray(by.tile, plan.aim, rules.range, rules.bounces)
    seats = {one.tile: one.seat for one in fight.fighters if one.alive and one is not by}
    for tile, bounces in zip(*ray, strict=True):
        plan.bounces = bounces
        if tile in seats:
            damage = powered(fight, by.seat, rules.damage + rules.bounce_damage * bounces)
            hit(fight, by.seat, seats[tile], "bolt", damage, ricochet=bounces > 0)
            return
