"""The reference generator: both fighters draw their turns from the full state."""

from collections.abc import Callable

from bout_sim.engine.chance import Dice
from bout_sim.engine.fight import Fight
from bout_sim.engine.shapes import Attack, Turn
from bout_sim.engine.words import (
    ATTACKS,
    BLAST,
    DIRECTIONS,
    NONE,
    REPULSE,
    direction_code,
)

Player = Callable[[Fight, int], Turn | None]


def reference_player(play: str, seed: int) -> Player:
    """One player for both seats of a fight with this seed: `fight`, `idle` or `calm`."""
    if play == "idle":
        return lambda fight, seat: None
    if play == "calm":
        return lambda fight, seat: _walk(fight, seat, fight.grid.center)
    dice = [Dice(10 * seed + 1 + seat) for seat in range(2)]
    return lambda fight, seat: _fight(fight, seat, dice[seat])


def _towards(fight: Fight, seat: int, goal: int) -> int:
    grid, here = fight.grid, fight.fighters[seat].tile
    return direction_code(grid.x[goal] - grid.x[here], grid.y[goal] - grid.y[here])


def _walk(fight: Fight, seat: int, goal: int) -> Turn:
    direction = _towards(fight, seat, goal)
    return {} if direction == NONE else {"move": DIRECTIONS[direction]}


def _fight(fight: Fight, seat: int, dice: Dice) -> Turn:
    u1, u2, u3, u4 = (dice.draw() for _ in range(4))
    towards = _towards(fight, seat, fight.fighters[1 - seat].tile)
    turn: Turn = {}
    heading = (u1 >> 8) % 9 if u1 % 3 == 0 else towards
    if heading < len(DIRECTIONS) and u2 % 6 == 0:
        turn["dash"] = DIRECTIONS[heading]
    elif heading < len(DIRECTIONS):
        turn["move"] = DIRECTIONS[heading]
    if u3 % 2 == 0:
        turn["attack"] = _attack(fight, 1 - seat, (u3 >> 8) % len(ATTACKS), towards, u4)
    return turn


def _attack(fight: Fight, enemy: int, code: int, towards: int, draw: int) -> Attack:
    name, is_random = ATTACKS[code], draw % 4 == 0
    if code == REPULSE:
        return {"name": name}
    if code >= BLAST:
        grid = fight.grid
        tile = (draw >> 8) % len(grid.walls) if is_random else fight.fighters[enemy].tile
        return {"name": name, "target": [grid.x[tile], grid.y[tile]]}
    direction = (draw >> 8) % len(DIRECTIONS) if is_random else towards
    return {"name": name, "target": DIRECTIONS[direction]}
