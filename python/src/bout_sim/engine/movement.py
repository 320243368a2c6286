"""Phase 4 (rules.md#movement): moves and dashes, in as many sub-steps as a dash has tiles."""

from .damage import hit
from .fight import Fight
from .plan import DASHES, STANDS
from .validation import reject
from .wants import find_stoppers
from .words import NONE


def movement(fight: Fight) -> None:
    """Plays the first step of all, then further dash steps. Thrown fighters don't move here."""
    going: list[int] = []
    for seat, plan in enumerate(fight.plans):
        if plan.gait != STANDS and plan.throw is not None:
            _refuse(fight, seat)
        elif plan.gait != STANDS:
            going.append(seat)
    for sub_step in range(fight.rules.dash_tiles):
        if not going:
            return
        going = _take_step(fight, going, is_first=sub_step == 0)


def _refuse(fight: Fight, seat: int) -> None:
    reject(fight, seat, "dash" if fight.plans[seat].gait == DASHES else "move", "blocked")


def _take_step(fight: Fight, going: list[int], is_first: bool) -> list[int]:
    """Plays one sub-step of these seats. Returns the seats that keep dashing."""
    wants: dict[int, int] = {}
    for seat in going:
        next_tile = fight.grid.steps[fight.fighters[seat].tile][fight.plans[seat].heading]
        if next_tile != NONE:
            wants[seat] = next_tile
    stoppers = find_stoppers(fight, wants)
    for seat, others in stoppers.items():
        _stop(fight, seat, others, is_first)
    moved = [seat for seat in wants if seat not in stoppers]
    for seat in moved:
        fight.fighters[seat].tile = wants[seat]
        fight.plans[seat].tiles += 1
    return [seat for seat in moved if fight.plans[seat].gait == DASHES]


def _stop(fight: Fight, seat: int, stoppers: list[int], is_first: bool) -> None:
    """Damages the fighter that stops a dash. A walk does no damage."""
    if fight.plans[seat].gait == DASHES:
        for other in stoppers:
            hit(fight, seat, other, "collision", fight.rules.collision_damage)
    if is_first:
        _refuse(fight, seat)
