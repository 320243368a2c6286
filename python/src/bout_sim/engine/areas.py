"""Phase 6: blasts and scorches, fighter by fighter. They continue after their owner falls.

rules.md#attacks.
"""

from .damage import hit, powered
from .fight import Area, Fight, Fighter
from .plan import Plan
from .shapes import AreaSpawnEvent
from .words import ATTACKS, BLAST, FIGHTER_IDS, SCORCH, AreaName


def areas(fight: Fight) -> None:
    """Counts down or explodes each blast, burns each scorch, then lets new areas appear."""
    for fighter, plan in zip(fight.fighters, fight.plans, strict=True):
        if fighter.blast is not None:
            _tick_blast(fight, fighter, fighter.blast)
        if fighter.scorch is not None:
            _tick_scorch(fight, fighter, fighter.scorch)
        if plan.attack in (BLAST, SCORCH):
            _appear(fight, fighter, plan)


def _tick_blast(fight: Fight, owner: Fighter, blast: Area) -> None:
    blast.left -= 1
    if blast.left > 0:
        return
    owner.blast = None
    fight.events.append(
        {
            "type": "area_explode",
            "by": FIGHTER_IDS[owner.seat],
            "name": "blast",
            "x": fight.grid.x[blast.tile],
            "y": fight.grid.y[blast.tile],
            "radius": fight.rules.attacks[BLAST].radius,
        }
    )
    _hurt(fight, owner, blast, BLAST)


def _tick_scorch(fight: Fight, owner: Fighter, scorch: Area) -> None:
    _hurt(fight, owner, scorch, SCORCH)
    scorch.left -= 1
    if scorch.left == 0:
        owner.scorch = None


def _hurt(fight: Fight, owner: Fighter, area: Area, attack: int) -> None:
    """Returns all fighters within the radius and in sight of the center, including the owner."""
    radius = fight.rules.attacks[attack].radius
    sight = fight.grid.sight[area.tile]
    for fighter in fight.fighters:
        is_near = fight.grid.distance(area.tile, fighter.tile) <= radius
        if fighter.alive and is_near and sight[fighter.tile]:
            hit(fight, owner.seat, fighter.seat, ATTACKS[attack], area.damage)


def _appear(fight: Fight, owner: Fighter, plan: Plan) -> None:
    rules = fight.rules.attacks[plan.attack]
    damage = powered(fight, owner.seat, rules.damage)
    name: AreaName = "blast" if plan.attack == BLAST else "scorch"
    event: AreaSpawnEvent = {
        "type": "area_spawn",
        "by": FIGHTER_IDS[owner.seat],
        "name": name,
        "x": fight.grid.x[plan.aim],
        "y": fight.grid.y[plan.aim],
        "radius": rules.radius,
        "damage": damage,
    }
    if plan.attack == BLAST:
        owner.blast = Area(plan.aim, rules.fuse, damage)
        event["in"] = rules.fuse
    else:
        owner.scorch = Area(plan.aim, rules.burns, damage)
        event["left"] = rules.burns
    fight.events.append(event)
