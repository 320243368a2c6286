"""The vocabulary of the rules, in their order.

Inside the engine, a direction, an attack or a seat is its index in one of these tuples, so that
tables can be indexed by it.
"""

from typing import Final, Literal, get_args

Direction = Literal["n", "ne", "e", "se", "s", "sw", "w", "nw"]
AttackName = Literal["strike", "bolt", "hook", "repulse", "blast", "scorch"]
AreaName = Literal["blast", "scorch"]
HitName = Literal["strike", "bolt", "hook", "repulse", "blast", "scorch", "wall_slam", "collision"]
DamageSource = Literal[
    "strike", "bolt", "hook", "repulse", "blast", "scorch", "wall_slam", "collision", "zone"
]
CooldownName = Literal["dash", "strike", "bolt", "hook", "repulse", "blast", "scorch", "shout"]
PickupKind = Literal["health", "power"]
FighterId = Literal["A", "B", "C", "D"]
TurnPart = Literal["move", "dash", "attack", "turn"]
Refusal = Literal[
    "unknown_attack", "bad_text", "not_ready", "not_visible", "blocked", "conflicting_moves"
]
IdleReason = Literal["timeout", "malformed_json", "schema", "disconnected"]
CombatEndReason = Literal["last_standing", "timeout_hp", "timeout_damage", "timeout_draw"]
EndReason = Literal[
    "last_standing",
    "timeout_hp",
    "timeout_damage",
    "timeout_draw",
    "forfeit",
    "disqualification",
    "server_fault",
]

DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)
ATTACKS: Final[tuple[AttackName, ...]] = get_args(AttackName)
DAMAGE_SOURCES: Final[tuple[DamageSource, ...]] = get_args(DamageSource)
COOLDOWNS: Final[tuple[CooldownName, ...]] = get_args(CooldownName)
PICKUPS: Final[tuple[PickupKind, ...]] = get_args(PickupKind)
FIGHTER_IDS: Final[tuple[FighterId, ...]] = get_args(FighterId)
IDLE_REASONS: Final[tuple[IdleReason, ...]] = get_args(IdleReason)
END_REASONS: Final[tuple[EndReason, ...]] = get_args(EndReason)

DIRECTION_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(DIRECTIONS)}
ATTACK_CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(ATTACKS)}

STRIKE, BOLT, HOOK, REPULSE, BLAST, SCORCH = range(len(ATTACKS))
DASH_COOLDOWN: Final = 0
FIRST_ATTACK_COOLDOWN: Final = 1
SHOUT_COOLDOWN: Final = len(COOLDOWNS) - 1

DIRECTION_X: Final = (0, 1, 1, 1, 0, -1, -1, -1)
DIRECTION_Y: Final = (-1, -1, 0, 1, 1, 1, 0, -1)

NONE: Final = -1
"""No tile, no direction, no attack."""


def direction_code(dx: int, dy: int) -> int:
    """Returns the direction of the signs of dx and dy, NONE if both are 0."""
    sign_x = (dx > 0) - (dx < 0)
    sign_y = (dy > 0) - (dy < 0)
    return _CODES_BY_SIGNS[3 * (sign_y + 1) + sign_x + 1]


_CODES_BY_SIGNS: Final = (7, 0, 1, 6, NONE, 2, 5, 4, 3)
