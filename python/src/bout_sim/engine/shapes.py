"""The JSON shapes of the protocol as types: turns, observations, events, `hello`.

Keys are in the ladder's order. A shape with a second class named
`...Base` has optional keys; the base has the required ones.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from .words import (
    AreaName,
    AttackName,
    CooldownName,
    Direction,
    FighterId,
    HitName,
    IdleReason,
    PickupKind,
    Refusal,
    TurnPart,
)

Tile = tuple[int, int] | list[int]
"""[x, y]: x to the right, y downwards; [0, 0] is the top left tile."""

Target = Direction | Tile
Counts = dict[str, int]


class AttackBase(TypedDict):
    name: str


class Attack(AttackBase, total=False):
    target: Target


class Turn(TypedDict, total=False):
    """A fighter's turn in a tick. All parts are optional."""

    move: Direction
    dash: Direction
    attack: Attack
    shout: str


class Idle(TypedDict):
    """A failed turn, as stored in replays."""

    idle: IdleReason


RecordedTurn = Turn | Idle | None
"""A turn, a failed turn, or None for a fighter that has fallen."""


class ShoutEvent(TypedDict):
    type: Literal["shout"]
    by: FighterId
    text: str


class RejectedEventBase(TypedDict):
    type: Literal["rejected"]


class RejectedEvent(RejectedEventBase, total=False):
    """`by` is only in unfiltered events, `message` only in observations."""

    by: FighterId
    part: TurnPart
    reason: Refusal | IdleReason
    message: str
    field: Literal["shout"]


class AttackEventBase(TypedDict):
    type: Literal["attack"]
    by: FighterId
    name: AttackName


class AttackEvent(AttackEventBase, total=False):
    """Without x, y and target if the attack was out of sight."""

    x: int
    y: int
    target: Target | None


class HitEventBase(TypedDict):
    type: Literal["hit"]
    by: FighterId
    target: FighterId
    name: HitName
    damage: int


class HitEvent(HitEventBase, total=False):
    ricochet: Literal[True]
    x: int
    y: int


class RepulseEvent(TypedDict):
    type: Literal["repulse"]
    by: FighterId
    target: FighterId
    direction: Direction
    tiles: int
    slam: bool
    x: int
    y: int


class PullEvent(TypedDict):
    type: Literal["pull"]
    by: FighterId
    target: FighterId
    direction: Direction
    tiles: int
    x: int
    y: int


AreaSpawnEvent = TypedDict(
    "AreaSpawnEvent",
    {
        "type": Literal["area_spawn"],
        "by": FighterId,
        "name": AreaName,
        "x": int,
        "y": int,
        "radius": int,
        "damage": int,
        "in": int,
        "left": int,
    },
    total=False,
)


class AreaExplodeEvent(TypedDict):
    type: Literal["area_explode"]
    by: FighterId
    name: Literal["blast"]
    x: int
    y: int
    radius: int


class PickupEventBase(TypedDict):
    type: Literal["pickup"]
    by: FighterId
    kind: PickupKind


class PickupEvent(PickupEventBase, total=False):
    healed: int


class ZoneDamageEvent(TypedDict):
    type: Literal["zone_damage"]
    target: FighterId
    damage: int
    x: int
    y: int


PickupSpawnEvent = TypedDict(
    "PickupSpawnEvent",
    {"type": Literal["pickup_spawn"], "kind": PickupKind, "x": int, "y": int, "in": int},
)


class DeathEvent(TypedDict):
    type: Literal["death"]
    target: FighterId
    x: int
    y: int


Event = (
    ShoutEvent
    | RejectedEvent
    | AttackEvent
    | HitEvent
    | RepulseEvent
    | PullEvent
    | AreaSpawnEvent
    | AreaExplodeEvent
    | PickupEvent
    | ZoneDamageEvent
    | PickupSpawnEvent
    | DeathEvent
)

Cooldowns = dict[CooldownName, int]


class SelfView(TypedDict):
    id: FighterId
    x: int
    y: int
    hp: int
    stun: int
    power: int
    cooldowns: Cooldowns


class Sighting(TypedDict):
    x: int
    y: int
    tick: int


class FighterViewBase(TypedDict):
    id: FighterId
    hp: int


class FighterView(FighterViewBase, total=False):
    """In sight: x, y, stun, cooldowns. Out of sight: last_seen. Fallen: alive False."""

    alive: Literal[False]
    power: int
    visible: bool
    x: int
    y: int
    stun: int
    cooldowns: Cooldowns
    last_seen: Sighting | None


AreaView = TypedDict(
    "AreaView",
    {
        "name": AreaName,
        "by": FighterId,
        "x": int,
        "y": int,
        "radius": int,
        "in": int,
        "left": int,
        "damage": int,
    },
    total=False,
)

PickupView = TypedDict("PickupView", {"kind": PickupKind, "x": int, "y": int, "in": int})


class ZoneView(TypedDict):
    radius: int
    shrinks_in: int | None
    damage: int


class Observation(TypedDict):
    """What a fighter knows at the start of a tick: the protocol's `observation`."""

    type: Literal["observation"]
    match_id: str
    tick: int
    self: SelfView
    fighters: list[FighterView]
    moves: list[Direction]
    dashes: dict[Direction, int]
    danger: list[list[int]]
    areas: list[AreaView]
    pickups: list[PickupView]
    zone: ZoneView
    events: list[Event]
    budget_ms: int
    last_reply_ms: int | None


class MapView(TypedDict):
    name: str
    width: int
    height: int
    center: list[int]
    rows: list[str]


class MatchTimes(TypedDict):
    startup_ms: int
    tick_ms: int
    budget_ms: int
    reconnect_ms: int


class Deadlines(MatchTimes):
    """The limits of a match."""

    failed_ticks_to_disqualify: int
    messages_per_tick: int


class RecordedDeadlines(MatchTimes, total=False):
    """Absent in older replays."""

    failed_ticks_to_disqualify: int
    messages_per_tick: int


class SeatedBot(TypedDict):
    id: FighterId
    bot_id: str
    name: str
    version: str


class Opponent(TypedDict):
    bot_id: str
    name: str
    version: str
    fighter: FighterId


class Hello(TypedDict):
    """The protocol's `hello`, sent before a match."""

    type: Literal["hello"]
    protocol_version: str
    match_id: str
    ladder_id: str
    bot_id: str
    fighter: FighterId
    opponent: Opponent
    fighters: list[SeatedBot]
    deadlines: Deadlines
    map: MapView
    rules: Mapping[str, Any]
