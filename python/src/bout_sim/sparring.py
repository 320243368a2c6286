"""Sparring partners: idle, random and greedy."""

from typing import Final

from .engine.chance import MASK_32, Dice
from .engine.grid import Grid
from .engine.shapes import Attack, Hello, Observation, SelfView, Turn
from .engine.words import (
    ATTACKS,
    DIRECTION_CODES,
    DIRECTIONS,
    NONE,
    Direction,
    direction_code,
)
from .match import Bot, Policy

_FNV_START: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193
_NEAR_BY: Final = 2
"""Distance in tiles at which `random` aims areas."""


def dice_of(hello: Hello) -> Dice:
    """Returns reproducible dice for a fighter in a match, seeded by FNV-1a of their names."""
    seed = _FNV_START
    for character in f"{hello['match_id']}/{hello['fighter']}":
        seed = (seed ^ ord(character)) * _FNV_PRIME & MASK_32
    return Dice(seed)


def idle(hello: Hello) -> Policy:
    """Waits."""
    return lambda seen: None


def random(hello: Hello) -> Policy:
    """Any possible step and ready attack, with the same draws as `random` of `bout sim`."""
    draw = dice_of(hello).draw
    attacks = hello["rules"]["attacks"]

    def decide(seen: Observation) -> Turn:
        me, moves = seen["self"], seen["moves"]
        turn: Turn = {}
        if moves:
            turn["move"] = moves[draw() % len(moves)]
        ready = [name for name in ATTACKS if me["stun"] == 0 and me["cooldowns"][name] == 0]
        if ready:
            turn["attack"] = any_attack(ready[draw() % len(ready)], me)
        return turn

    def any_attack(name: str, me: SelfView) -> Attack:
        """Aims areas at nearby tiles, most of which are visible floor."""
        form = attacks[name]["target"]
        if form == "none":
            return {"name": name}
        if form == "direction":
            return {"name": name, "target": DIRECTIONS[draw() % len(DIRECTIONS)]}
        x, y = near_by(me["x"]), near_by(me["y"])
        return {"name": name, "target": [x, y]}

    def near_by(place: int) -> int:
        return place + draw() % (2 * _NEAR_BY + 1) - _NEAR_BY

    return decide


def greedy(hello: Hello) -> Policy:
    """Approaches by safe steps and hits with whatever reaches."""
    grid = Grid(hello["map"]["name"], hello["map"]["rows"])
    believed = grid.center

    def decide(seen: Observation) -> Turn:
        nonlocal believed
        me = seen["self"]
        here = grid.tile_at(me["x"], me["y"])
        foe = next((one for one in seen["fighters"] if one["hp"] > 0), None)
        if foe is None:
            return {}
        place = foe if foe.get("visible") else foe.get("last_seen")
        believed = grid.tile_at(place["x"], place["y"]) if place else believed
        turn = _approach(grid, seen, here, believed)
        if foe.get("visible"):
            turn |= _attack(grid, seen, here, believed)
        return turn

    return decide


def _approach(grid: Grid, seen: Observation, here: int, goal: int) -> Turn:
    """Returns the safe step nearest to the goal.

    Next to the goal it waits, because the tile is occupied.
    """
    walk = walking_distances(grid, goal)
    hurt = {grid.tile_at(x, y) for x, y, _, _ in seen["danger"]}
    best: tuple[tuple[bool, int], Direction | None] = ((here in hurt, max(walk[here], 1)), None)
    for move in seen["moves"]:
        tile = grid.steps[here][DIRECTION_CODES[move]]
        if tile != goal:
            best = min(best, ((tile in hurt, walk[tile]), move), key=lambda one: one[0])
    return {} if best[1] is None else {"move": best[1]}


def _attack(grid: Grid, seen: Observation, here: int, foe: int) -> Turn:
    ready = {name for name, ticks in seen["self"]["cooldowns"].items() if ticks == 0}
    far = grid.distance(here, foe)
    dx, dy = grid.x[foe] - grid.x[here], grid.y[foe] - grid.y[here]
    is_straight = dx == 0 or dy == 0 or abs(dx) == abs(dy)
    way = DIRECTIONS[direction_code(dx, dy)]
    if far == 1 and "strike" in ready:
        return {"attack": {"name": "strike", "target": way}}
    if far <= 2 and "repulse" in ready:
        return {"attack": {"name": "repulse"}}
    if is_straight and "bolt" in ready:
        return {"attack": {"name": "bolt", "target": way}}
    if is_straight and far <= 5 and "hook" in ready:
        return {"attack": {"name": "hook", "target": way}}
    return {}


def walking_distances(grid: Grid, goal: int) -> list[int]:
    """Returns the distance from each tile to a floor tile, larger than any path if unreachable."""
    steps = [len(grid.walls)] * len(grid.walls)
    steps[goal] = 0
    reached = [goal]
    for tile in reached:
        for to in grid.steps[tile]:
            if to != NONE and steps[to] > steps[tile] + 1:
                steps[to] = steps[tile] + 1
                reached.append(to)
    return steps


SPARRING: Final[dict[str, Bot]] = {"idle": idle, "random": random, "greedy": greedy}
