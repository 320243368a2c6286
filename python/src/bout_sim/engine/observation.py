"""Observations and visible events.

protocol-observation.md#event-types and protocol-observation.md#hidden-information.
"""

from typing import Final, cast

from .fight import Area, Fight, Fighter, Pickup
from .plan import STANDS
from .shapes import (
    AreaView,
    AttackEvent,
    Cooldowns,
    Event,
    FighterView,
    Observation,
    PickupView,
    RejectedEvent,
    SelfView,
)
from .words import (
    ATTACKS,
    BLAST,
    COOLDOWNS,
    DASH_COOLDOWN,
    FIGHTER_IDS,
    NONE,
    PICKUPS,
    SCORCH,
    AreaName,
)
from .zone import zone_radius, zone_shrinks_in

DANGER_DISTANCE: Final = 3
"""Distance within which `danger` lists tiles."""

_REFUSAL_TEXTS: Final = {
    "unknown_attack": "No attack has this name: strike, bolt, hook, repulse, blast or scorch.",
    "bad_text": "A shout has 1-40 characters after cleaning.",
    "not_ready": "You are stunned: move, dash and attack are dropped.",
    "not_visible": "The tile is out of sight or out of range.",
    "blocked": "A wall or a fighter is in the way.",
    "conflicting_moves": "A turn has a move or a dash, not both.",
}

_PART_TEXTS: Final = {
    ("dash", "not_ready"): "The dash is still cooling down.",
    ("attack", "not_ready"): "This attack is still cooling down, or you are recovering from another one.",
    ("attack", "blocked"): "The target is not a floor tile of the map.",
}
"""Messages of rejections that depend on the part."""

_STOPPED_BY_WALL: Final = "A wall, a low wall or a corner is in the way."
_STOPPED_BY_FIGHTER: Final = "A fighter is in the way, or came for the same tile."
_STOPPED_BY_THROW: Final = "You were pushed or pulled before you could step."

_TARGET_TEXTS: Final = {
    "direction": "needs a direction such as ne as its target.",
    "tile": "needs a tile [x, y] of whole numbers as its target.",
    "none": "needs no target.",
}

_SHOUT_COOLS_DOWN: Final = "The shout is still cooling down."

_SHOWN_COOLDOWNS: Final = COOLDOWNS[:-1]
"""Cooldowns that opponents see: all but the shout's."""


def observe(
    fight: Fight,
    seat: int,
    *,
    match_id: str = "local",
    budget_ms: int = 300_000,
    last_reply_ms: int | None = None,
    failed: RejectedEvent | None = None,
) -> Observation:
    """Returns the observation for a living fighter, with keys in the ladder's order.

    `failed` is the event of a failed last tick, which comes first. Lists and dicts are new,
    but the events are shared: treat them as read-only.
    """
    fighter = fight.fighters[seat]
    grid, tile = fight.grid, fighter.tile
    can_move = fighter.stun == 0
    can_dash = can_move and fighter.cooldowns[DASH_COOLDOWN] == 0
    events: list[Event] = [] if failed is None else [failed]
    return {
        "type": "observation",
        "match_id": match_id,
        "tick": fight.tick,
        "self": _self_view(fight, fighter),
        "fighters": [
            _fighter_view(fight, fighter, other) for other in fight.fighters if other is not fighter
        ],
        "moves": list(grid.moves[tile]) if can_move else [],
        "dashes": dict(grid.dashes(tile, fight.rules.dash_tiles)) if can_dash else {},
        "danger": _danger(fight, tile),
        "areas": [_area_view(fight, *area) for area in _running_areas(fight)],
        "pickups": _pickup_views(fight),
        "zone": {
            "radius": zone_radius(fight, fight.tick),
            "shrinks_in": zone_shrinks_in(fight),
            "damage": fight.rules.zone_damage,
        },
        "events": events + events_for(fight, seat),
        "budget_ms": budget_ms,
        "last_reply_ms": last_reply_ms,
    }


def _self_view(fight: Fight, fighter: Fighter) -> SelfView:
    return {
        "id": FIGHTER_IDS[fighter.seat],
        "x": fight.grid.x[fighter.tile],
        "y": fight.grid.y[fighter.tile],
        "hp": fighter.hp,
        "stun": fighter.stun,
        "power": fighter.power,
        "cooldowns": dict(zip(COOLDOWNS, fighter.cooldowns, strict=True)),
    }


def _fighter_view(fight: Fight, observer: Fighter, other: Fighter) -> FighterView:
    view: FighterView = {"id": FIGHTER_IDS[other.seat], "hp": other.hp}
    if not other.alive:
        view["alive"] = False
        return view
    grid = fight.grid
    view["power"] = other.power
    view["visible"] = grid.sight[observer.tile][other.tile] == 1
    if view["visible"]:
        view["x"] = grid.x[other.tile]
        view["y"] = grid.y[other.tile]
        view["stun"] = other.stun
        # Shorter by one: the shout's cooldown is hidden.
        cooldowns: Cooldowns = dict(zip(_SHOWN_COOLDOWNS, other.cooldowns, strict=False))
        view["cooldowns"] = cooldowns
        return view
    tile, tick = fight.sightings[observer.seat][other.seat]
    seen = None if tile == NONE else {"x": grid.x[tile], "y": grid.y[tile], "tick": tick}
    view["last_seen"] = cast("FighterView", {"last_seen": seen})["last_seen"]
    return view


def _running_areas(fight: Fight) -> list[tuple[Fighter, AreaName, Area]]:
    """Returns areas in seat order, blast before scorch."""
    running: list[tuple[Fighter, AreaName, Area]] = []
    for fighter in fight.fighters:
        if fighter.blast is not None:
            running.append((fighter, "blast", fighter.blast))
        if fighter.scorch is not None:
            running.append((fighter, "scorch", fighter.scorch))
    return running


def _radius(fight: Fight, name: AreaName) -> int:
    return fight.rules.attacks[BLAST if name == "blast" else SCORCH].radius


def _area_view(fight: Fight, owner: Fighter, name: AreaName, area: Area) -> AreaView:
    view: AreaView = {
        "name": name,
        "by": FIGHTER_IDS[owner.seat],
        "x": fight.grid.x[area.tile],
        "y": fight.grid.y[area.tile],
        "radius": _radius(fight, name),
    }
    if name == "blast":
        view["in"] = area.left
    else:
        view["left"] = area.left
    view["damage"] = area.damage
    return view


def _danger(fight: Fight, near: int) -> list[list[int]]:
    """Returns [x, y, in, damage] of nearby floor tiles that an active area will hurt."""
    grid = fight.grid
    danger: list[list[int]] = []
    for _, name, area in _running_areas(fight):
        # A scorch burns at the end of each tick.
        ticks = area.left if name == "blast" else 1
        danger += [
            [grid.x[tile], grid.y[tile], ticks, area.damage]
            for tile in grid.area(area.tile, _radius(fight, name))
            if grid.distance(tile, near) <= DANGER_DISTANCE
        ]
    return danger


def _pickup_views(fight: Fight) -> list[PickupView]:
    grid = fight.grid
    pickups: tuple[Pickup | None, ...] = (fight.health, fight.power)
    return [
        {"kind": kind, "x": grid.x[one.tile], "y": grid.y[one.tile], "in": one.left}
        for kind, one in zip(PICKUPS, pickups, strict=True)
        if one is not None
    ]


def events_for(fight: Fight, seat: int) -> list[Event]:
    """Returns the last tick's events visible to a seat, in order."""
    events: list[Event] = []
    for event in fight.events:
        known = _known(fight, event, seat)
        if known is not None:
            events.append(known)
    return events


def _known(fight: Fight, event: Event, seat: int) -> Event | None:
    match event["type"]:
        case "rejected":
            return _own_refusal(fight, event) if event["by"] == FIGHTER_IDS[seat] else None
        case "attack":
            return event if _sees(fight, event, seat) else _heard(event)
        case "hit" | "repulse" | "pull" | "zone_damage":
            return event if _sees(fight, event, seat) else None
        case _:
            return event


def _sees(fight: Fight, event: Event, seat: int) -> bool:
    """Returns whether the event is in sight or about the fighter itself."""
    if FIGHTER_IDS[seat] in (event.get("by"), event.get("target")):
        return True
    tile = fight.grid.tile_at(cast(int, event.get("x")), cast(int, event.get("y")))
    return fight.grid.sight[fight.fighters[seat].tile][tile] == 1


def _own_refusal(fight: Fight, event: RejectedEvent) -> RejectedEvent:
    """Returns the rejection for its own fighter: with `message`, without `by`."""
    view: RejectedEvent = {
        "type": "rejected",
        "part": event["part"],
        "reason": event["reason"],
        "message": _cause_text(fight, event) or _refusal_text(event),
    }
    if "field" in event:
        view["field"] = event["field"]
    return view


def _cause_text(fight: Fight, event: RejectedEvent) -> str | None:
    """Returns what stopped a move or dash, or which target an attack needs, else None."""
    plan = fight.plans[FIGHTER_IDS.index(event["by"])]
    part, reason = event["part"], event["reason"]
    if reason == "unknown_attack" and plan.misaimed != NONE:
        form = fight.rules.attacks[plan.misaimed].target
        return f"The {ATTACKS[plan.misaimed]} {_TARGET_TEXTS[form]}"
    if reason != "blocked" or part == "attack":
        return None
    # The part passed validation but was stopped later.
    if plan.gait == STANDS:
        return _STOPPED_BY_WALL
    return _STOPPED_BY_FIGHTER if plan.throw is None else _STOPPED_BY_THROW


def _refusal_text(event: RejectedEvent) -> str:
    part, reason = event["part"], event["reason"]
    if event.get("field") == "shout" and reason == "not_ready":
        return _SHOUT_COOLS_DOWN
    return _PART_TEXTS.get((part, reason), _REFUSAL_TEXTS[reason])


def _heard(event: AttackEvent) -> AttackEvent:
    return {"type": "attack", "by": event["by"], "name": event["name"]}
