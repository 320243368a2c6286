"""Phase 1: validates turns against the state at the start of the tick.

Follows the table in protocol-send.md#rejected-parts-of-a-turn row by row.
"""

from .fight import Fight, Fighter
from .plan import DASHES, WALKS, Plan
from .shapes import Attack, RecordedTurn, RejectedEvent, Target, Turn
from .shout import clean_shout
from .words import (
    ATTACK_CODES,
    ATTACKS,
    BOLT,
    DASH_COOLDOWN,
    DIRECTION_CODES,
    DIRECTIONS,
    FIGHTER_IDS,
    FIRST_ATTACK_COOLDOWN,
    NONE,
    SHOUT_COOLDOWN,
    Refusal,
    TurnPart,
)


def validate(fight: Fight, turns: list[RecordedTurn]) -> None:
    """Fills the plans with valid parts, spends their cooldowns, and reports rejected parts."""
    for fighter, plan, turn in zip(fight.fighters, fight.plans, turns, strict=True):
        # Empty and failed turns have no parts.
        if fighter.alive and turn and "idle" not in turn:
            _validate_turn(fight, fighter, plan, turn)


def _validate_turn(fight: Fight, fighter: Fighter, plan: Plan, turn: Turn) -> None:
    if not plan.stunned:
        _check_movement(fight, fighter, plan, turn)
        _check_attack(fight, fighter, plan, turn.get("attack"))
    elif any(turn.get(part) is not None for part in ("move", "dash", "attack")):
        reject(fight, fighter.seat, "turn", "not_ready")
    if (shout := turn.get("shout")) is not None:
        _check_shout(fight, fighter, shout)


def reject(fight: Fight, seat: int, part: TurnPart, reason: Refusal) -> None:
    """Reports a rejected part of a turn."""
    fight.events.append(_rejected(seat, part, reason))


def _rejected(seat: int, part: TurnPart, reason: Refusal) -> RejectedEvent:
    return {"type": "rejected", "by": FIGHTER_IDS[seat], "part": part, "reason": reason}


def _check_movement(fight: Fight, fighter: Fighter, plan: Plan, turn: Turn) -> None:
    move, dash = turn.get("move"), turn.get("dash")
    if move is not None and dash is not None:
        reject(fight, fighter.seat, "turn", "conflicting_moves")
    elif move is not None:
        _check_move(fight, fighter, plan, DIRECTION_CODES[move])
    elif dash is not None:
        _check_dash(fight, fighter, plan, DIRECTION_CODES[dash])


def _check_move(fight: Fight, fighter: Fighter, plan: Plan, heading: int) -> None:
    if fight.grid.steps[fighter.tile][heading] == NONE:
        reject(fight, fighter.seat, "move", "blocked")
    else:
        plan.gait, plan.heading = WALKS, heading


def _check_dash(fight: Fight, fighter: Fighter, plan: Plan, heading: int) -> None:
    if fighter.cooldowns[DASH_COOLDOWN] > 0:
        reject(fight, fighter.seat, "dash", "not_ready")
    elif fight.grid.steps[fighter.tile][heading] == NONE:
        reject(fight, fighter.seat, "dash", "blocked")
    else:
        plan.gait, plan.heading = DASHES, heading
        fighter.cooldowns[DASH_COOLDOWN] = fight.rules.dash_cooldown


def _check_attack(fight: Fight, fighter: Fighter, plan: Plan, attack: Attack | None) -> None:
    if attack is None:
        return
    code = ATTACK_CODES.get(attack["name"], NONE)
    target = attack.get("target")
    refusal = _attack_refusal(fight, fighter, code, target)
    if refusal is not None:
        if refusal == "unknown_attack":
            plan.misaimed = code
        reject(fight, fighter.seat, "attack", refusal)
        return
    plan.attack, plan.aim = code, _aim(fight, code, target)
    _spend(fight, fighter, code)
    if code != BOLT:
        report_attack(fight, fighter, plan)


def _attack_refusal(fight: Fight, fighter: Fighter, code: int, target: object) -> Refusal | None:
    """Returns why an attack is rejected, or None."""
    if code == NONE or not takes_target(fight.rules.attacks[code].target, target):
        return "unknown_attack"
    if fighter.cooldowns[FIRST_ATTACK_COOLDOWN + code] > 0:
        return "not_ready"
    rules = fight.rules.attacks[code]
    if rules.target != "tile":
        return None
    tile = _aim(fight, code, target)
    if tile == NONE or not fight.grid.is_floor[tile]:
        return "blocked"
    is_near = fight.grid.distance(fighter.tile, tile) <= rules.range
    return None if is_near and fight.grid.sight[fighter.tile][tile] else "not_visible"


def takes_target(form: str, target: object) -> bool:
    """Returns whether a target has the attack's form: direction, tile or none."""
    if form == "direction":
        return isinstance(target, str) and target in DIRECTION_CODES
    if form == "tile":
        return is_tile(target)
    return True


def is_tile(target: object) -> bool:
    """Returns whether this is a list of exactly two integers."""
    return (
        isinstance(target, (list, tuple))
        and len(target) == 2
        and all(type(part) is int for part in target)
    )


def _aim(fight: Fight, code: int, target: object) -> int:
    """Returns a target of the right form as a number."""
    form = fight.rules.attacks[code].target
    if form == "direction" and isinstance(target, str):
        return DIRECTION_CODES[target]
    if form == "tile" and isinstance(target, (list, tuple)):
        return fight.grid.tile_at(target[0], target[1])
    return NONE


def _spend(fight: Fight, fighter: Fighter, code: int) -> None:
    """Sets the cooldown of the attack and the recovery of all others."""
    rules = fight.rules.attacks[code]
    cooldowns = fighter.cooldowns
    for other in range(FIRST_ATTACK_COOLDOWN, SHOUT_COOLDOWN):
        cooldowns[other] = max(cooldowns[other], rules.recovery)
    cooldowns[FIRST_ATTACK_COOLDOWN + code] = rules.cooldown


def report_attack(fight: Fight, fighter: Fighter, plan: Plan) -> None:
    """Returns the event of an attack from the fighter's current tile."""
    grid = fight.grid
    form = fight.rules.attacks[plan.attack].target
    target: Target | None = None
    if form == "direction":
        target = DIRECTIONS[plan.aim]
    elif form == "tile":
        target = [grid.x[plan.aim], grid.y[plan.aim]]
    fight.events.append(
        {
            "type": "attack",
            "by": FIGHTER_IDS[fighter.seat],
            "name": ATTACKS[plan.attack],
            "x": grid.x[fighter.tile],
            "y": grid.y[fighter.tile],
            "target": target,
        }
    )


def _check_shout(fight: Fight, fighter: Fighter, shout: str) -> None:
    text = clean_shout(shout)
    if not 1 <= len(text) <= fight.rules.shout_length:
        refusal: Refusal = "bad_text"
    elif fighter.cooldowns[SHOUT_COOLDOWN] > 0:
        refusal = "not_ready"
    else:
        fighter.cooldowns[SHOUT_COOLDOWN] = fight.rules.shout_cooldown
        fight.events.append({"type": "shout", "by": FIGHTER_IDS[fighter.seat], "text": text})
        return
    event = _rejected(fighter.seat, "turn", refusal)
    event["field"] = "shout"
    fight.events.append(event)
