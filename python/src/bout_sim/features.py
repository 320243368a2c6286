"""Observations as numbers, for training.

Uses only `hello` and the observation, so a bot trained in the environment plays the same way on
the ladder.
"""

from collections.abc import Mapping
from typing import Any, Final

from .engine.grid import Grid
from .engine.rules import Rules
from .engine.shapes import AreaView, FighterView, Observation, SelfView
from .engine.terrain import LOW_WALL
from .engine.words import BLAST, COOLDOWNS, NONE, PICKUPS, PickupKind

PLANES: Final = (
    "wall",
    "low_wall",
    "in_sight",
    "outside_zone",
    "fighter",
    "last_seen",
    "health",
    "power",
    "hurt_now",
    "hurt_later",
)
"""Names of the planes, see `Features.planes`."""

WINDOW: Final = 15
"""Side of the square of tiles in a plane, centered on the fighter."""

_REACH: Final = WINDOW // 2
_CELLS: Final = WINDOW * WINDOW
_PLACE: Final = {plane: at * _CELLS for at, plane in enumerate(PLANES)}
_GROUND: Final = ("wall", "low_wall", "in_sight", "outside_zone")
_NOTHING: Final = (0.0,) * (_CELLS * (len(PLANES) - len(_GROUND)))
"""Empty cells of the other planes."""

_SELF_NUMBERS: Final = 8 + len(COOLDOWNS)
_SHOWN_COOLDOWNS: Final = len(COOLDOWNS) - 1
_OTHER_NUMBERS: Final = 9 + _SHOWN_COOLDOWNS
_PICKUP_NUMBERS: Final = 4


class Features:
    """Features on one map, in matches against this many others."""

    def __init__(self, grid: Grid, rules: Rules, others: int = 1) -> None:
        self._grid = grid
        self._rules = rules
        self._longest = _longest_cooldowns(rules)
        self._ground: dict[tuple[int, int], list[float]] = {}
        self.vector_length = (
            _SELF_NUMBERS + others * _OTHER_NUMBERS + len(PICKUPS) * _PICKUP_NUMBERS
        )

    def vector(self, seen: Observation) -> list[float]:
        """Returns numbers from -1 to 1: the fighter, each other fighter, each pickup.

        Self: HP, stun, power, x and y from the center, tick, zone radius, ticks until it
        shrinks, cooldowns. Others: alive, HP, power, visible, ever seen, relative x and y,
        ticks since seen, stun, cooldowns. Pickups: present, relative x and y, ticks
        until it can be taken. Unknown values are 0.
        """
        me, rules, grid = seen["self"], self._rules, self._grid
        shrinks = seen["zone"]["shrinks_in"]
        numbers = [
            me["hp"] / rules.hp,
            me["stun"] / max(1, rules.slam_stun),
            me["power"] / max(1, rules.power_ticks),
            (me["x"] - grid.x[grid.center]) / grid.width,
            (me["y"] - grid.y[grid.center]) / grid.height,
            seen["tick"] / rules.max_ticks,
            seen["zone"]["radius"] / grid.outer_radius,
            0.0 if shrinks is None else shrinks / max(rules.zone_start, rules.zone_every),
            *self._cooldowns(me["cooldowns"]),
        ]
        for other in seen["fighters"]:
            numbers += self._other(seen, other)
        for kind in PICKUPS:
            numbers += self._pickup(seen, kind)
        return numbers

    def _cooldowns(self, cooldowns: Mapping[Any, int]) -> list[float]:
        return [ticks / self._longest[name] for name, ticks in cooldowns.items()]

    def _from(self, me: SelfView, x: int, y: int) -> tuple[float, float]:
        return (x - me["x"]) / self._grid.width, (y - me["y"]) / self._grid.height

    def _other(self, seen: Observation, other: FighterView) -> list[float]:
        if "visible" not in other:
            return [0.0] * _OTHER_NUMBERS
        rules = self._rules
        head = [1.0, other["hp"] / rules.hp, other["power"] / max(1, rules.power_ticks)]
        if other["visible"]:
            place = self._from(seen["self"], other["x"], other["y"])
            stun = other["stun"] / max(1, rules.slam_stun)
            return [*head, 1.0, 1.0, *place, 0.0, stun, *self._cooldowns(other["cooldowns"])]
        last = other["last_seen"]
        if last is None:
            return head + [0.0] * (_OTHER_NUMBERS - len(head))
        place = self._from(seen["self"], last["x"], last["y"])
        age = (seen["tick"] - last["tick"]) / rules.max_ticks
        return [*head, 0.0, 1.0, *place, age, 0.0, *[0.0] * _SHOWN_COOLDOWNS]

    def _pickup(self, seen: Observation, kind: PickupKind) -> list[float]:
        for pickup in seen["pickups"]:
            if pickup["kind"] == kind:
                place = self._from(seen["self"], pickup["x"], pickup["y"])
                return [1.0, *place, pickup["in"] / max(1, self._rules.wave_lead)]
        return [0.0] * _PICKUP_NUMBERS

    def planes(self, seen: Observation) -> list[float]:
        """Returns numbers from 0 to 1: for each of PLANES a window of tiles, row by row.

        `health` and `power` grow from the announcement to 1, when the pickup arrives. `hurt_*`
        is the damage of active areas at the end of this tick, or later. Tiles outside of the map
        are walls.
        """
        me = seen["self"]
        here = self._grid.tile_at(me["x"], me["y"])
        planes = [*self._ground_from(here, seen["zone"]["radius"]), *_NOTHING]
        for other in seen["fighters"]:
            if other.get("visible"):
                _add(planes, "fighter", me, other["x"], other["y"], 1.0)
            elif last := other.get("last_seen"):
                _add(planes, "last_seen", me, last["x"], last["y"], 1.0)
        for pickup in seen["pickups"]:
            near = 1 - pickup["in"] / (self._rules.wave_lead + 1)
            _add(planes, pickup["kind"], me, pickup["x"], pickup["y"], near)
        for area in seen["areas"]:
            self._add_area(planes, me, area)
        return planes

    def _window(self, here: int) -> list[int]:
        """Returns the tiles around a tile, row by row. NONE outside of the map."""
        x, y = self._grid.x[here], self._grid.y[here]
        offsets = range(-_REACH, _REACH + 1)
        return [self._grid.tile_at(x + dx, y + dy) for dy in offsets for dx in offsets]

    def _ground_from(self, here: int, radius: int) -> list[float]:
        """Returns the planes that depend only on tile and zone. Cached."""
        key = (here, radius)
        if key not in self._ground:
            grid, text, sight = self._grid, "".join(self._grid.rows), self._grid.sight[here]
            tiles = self._window(here)
            walls = [float(tile == NONE or grid.walls[tile]) for tile in tiles]
            low = [float(tile != NONE and text[tile] == LOW_WALL) for tile in tiles]
            in_sight = [float(tile != NONE and sight[tile]) for tile in tiles]
            outside = [float(tile == NONE or grid.level[tile] > radius) for tile in tiles]
            self._ground[key] = [*walls, *low, *in_sight, *outside]
        return self._ground[key]

    def _add_area(self, planes: list[float], me: SelfView, area: AreaView) -> None:
        grid = self._grid
        plane = "hurt_now" if area.get("in", 1) == 1 else "hurt_later"
        most = self._rules.attacks[BLAST].damage * self._rules.power_times
        for tile in grid.area(grid.tile_at(area["x"], area["y"]), area["radius"]):
            _add(planes, plane, me, grid.x[tile], grid.y[tile], area["damage"] / most)


def _longest_cooldowns(rules: Rules) -> dict[str, int]:
    own = [rules.dash_cooldown, *(one.cooldown for one in rules.attacks), rules.shout_cooldown]
    return {name: max(1, ticks) for name, ticks in zip(COOLDOWNS, own, strict=True)}


def _add(planes: list[float], plane: str, me: SelfView, x: int, y: int, value: float) -> None:
    """Adds to the cell of a tile, up to 1. Ignores tiles outside of the window."""
    column, row = x - me["x"] + _REACH, y - me["y"] + _REACH
    if 0 <= column < WINDOW and 0 <= row < WINDOW:
        at = _PLACE[plane] + row * WINDOW + column
        planes[at] = min(1.0, planes[at] + value)
