"""The rule values (rules-values.md#rule-values) as data.

`RULES_JSON` is the `rules` object that `hello` and every replay carry; `Rules` is the same in the
engine's form. To play with other values, use `Rules.from_json(changed)`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from .words import ATTACKS, DIRECTIONS

ENGINE_VERSION: Final = "0.23.0"
PROTOCOL_VERSION: Final = "0.6"
RULES_VERSION: Final = "0.22.0"

RULES_JSON: Final[Mapping[str, Any]] = {
    "version": RULES_VERSION,
    "hp": 120,
    "max_ticks": 300,
    "directions": list(DIRECTIONS),
    "dash": {"tiles": 3, "cooldown": 8},
    "attacks": {
        "strike": {
            "target": "direction",
            "acts": "before_moves",
            "damage": 8,
            "cooldown": 5,
            "recovery": 4,
            "range": 1,
        },
        "bolt": {
            "target": "direction",
            "acts": "after_moves",
            "damage": 7,
            "bounce_damage": 3,
            "bounces": 2,
            "cooldown": 6,
            "recovery": 4,
            "range": 12,
        },
        "hook": {
            "target": "direction",
            "acts": "before_moves",
            "damage": 3,
            "cooldown": 18,
            "recovery": 1,
            "range": 5,
        },
        "repulse": {
            "target": "none",
            "acts": "before_moves",
            "damage": 3,
            "cooldown": 14,
            "recovery": 2,
            "radius": 2,
            "push": 3,
        },
        "blast": {
            "target": "tile",
            "acts": "area",
            "damage": 12,
            "cooldown": 11,
            "recovery": 4,
            "range": 7,
            "radius": 2,
            "fuse": 2,
        },
        "scorch": {
            "target": "tile",
            "acts": "area",
            "damage": 4,
            "cooldown": 15,
            "recovery": 2,
            "range": 5,
            "radius": 1,
            "burns": 8,
        },
    },
    "wall_slam": {"damage": 6, "stun": 2},
    "collision": {"damage": 4},
    "power": {"ticks": 20, "times": 3, "over": 2},
    "heal": 15,
    "zone": {"start": 80, "every": 12, "min_radius": 1, "damage": 4},
    "pickups": {"first": 10, "every": 40, "lead": 10},
    "shout": {"max_length": 40, "cooldown": 20},
}


@dataclass(frozen=True, slots=True)
class AttackRules:
    """An attack. Lengths in tiles, times in ticks. Absent values are 0."""

    target: str
    acts: str
    damage: int
    cooldown: int
    recovery: int
    range: int = 0
    radius: int = 0
    bounce_damage: int = 0
    bounces: int = 0
    push: int = 0
    fuse: int = 0
    burns: int = 0


@dataclass(frozen=True, slots=True)
class Rules:
    """All rule values. Lengths in tiles, times in ticks."""

    hp: int
    max_ticks: int
    dash_tiles: int
    dash_cooldown: int
    attacks: tuple[AttackRules, ...]
    slam_damage: int
    slam_stun: int
    collision_damage: int
    power_ticks: int
    power_times: int
    power_over: int
    heal: int
    zone_start: int
    zone_every: int
    zone_min_radius: int
    zone_damage: int
    first_wave: int
    wave_every: int
    wave_lead: int
    shout_length: int
    shout_cooldown: int
    json: Mapping[str, Any] = field(compare=False, repr=False)

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> "Rules":
        """Reads a `rules` object. Raises ValueError for missing or invalid values."""
        try:
            rules = _read(json)
        except (KeyError, TypeError) as error:
            raise ValueError(f"rules: {error!r} is missing or of the wrong form") from error
        _check(rules)
        return rules


def _read(json: Mapping[str, Any]) -> Rules:
    zone, pickups, power = json["zone"], json["pickups"], json["power"]
    return Rules(
        hp=json["hp"],
        max_ticks=json["max_ticks"],
        dash_tiles=json["dash"]["tiles"],
        dash_cooldown=json["dash"]["cooldown"],
        attacks=tuple(AttackRules(**json["attacks"][name]) for name in ATTACKS),
        slam_damage=json["wall_slam"]["damage"],
        slam_stun=json["wall_slam"]["stun"],
        collision_damage=json["collision"]["damage"],
        power_ticks=power["ticks"],
        power_times=power["times"],
        power_over=power["over"],
        heal=json["heal"],
        zone_start=zone["start"],
        zone_every=zone["every"],
        zone_min_radius=zone["min_radius"],
        zone_damage=zone["damage"],
        first_wave=pickups["first"],
        wave_every=pickups["every"],
        wave_lead=pickups["lead"],
        shout_length=json["shout"]["max_length"],
        shout_cooldown=json["shout"]["cooldown"],
        json=json,
    )


_TARGETS: Final = ("direction", "tile", "none")
_AT_LEAST_ONE: Final = ("hp", "max_ticks", "dash_tiles", "power_over", "zone_every", "wave_every")


def _check(rules: Rules) -> None:
    """Checks the relations between values that the engine relies on."""
    _require(all(map(_is_count, _numbers(rules))), "a number cannot be")
    for name, attack in zip(ATTACKS, rules.attacks, strict=True):
        _require(all(map(_is_count, _numbers(attack))), f"a number of {name} cannot be")
        _require(attack.target in _TARGETS, f"{name} has an unknown form of target")
        _require(attack.recovery <= attack.cooldown, f"{name} recovers later than it is ready")
    *_, blast, scorch = rules.attacks
    _require(blast.cooldown > blast.fuse, "a blast must end before the next one")
    _require(scorch.cooldown > scorch.burns, "a scorch must end before the next one")
    for number in _AT_LEAST_ONE:
        _require(getattr(rules, number) >= 1, f"{number} must be 1 or more")


def _numbers(rules: Rules | AttackRules) -> list[object]:
    others = ("attacks", "json", "target", "acts")
    return [getattr(rules, one.name) for one in fields(rules) if one.name not in others]


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(f"rules: {message}")


RULES: Final = Rules.from_json(RULES_JSON)
