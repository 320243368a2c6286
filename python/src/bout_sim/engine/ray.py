"""Paths and bounces of bolts (rules.md#bolt-paths)."""

from collections.abc import Sequence
from typing import NamedTuple

from .words import DIRECTION_X, DIRECTION_Y


class Ray(NamedTuple):
    """A path: tiles in order, and the bounces before each."""

    tiles: tuple[int, ...]
    bounces: tuple[int, ...]

    @property
    def straight(self) -> tuple[int, ...]:
        """The tiles before the first bounce."""
        return self.tiles[: self.bounces.count(0)]


def fly(
    width: int, walls: Sequence[bool], start: int, direction: int, range_: int, most_bounces: int
) -> Ray:
    """Returns the path from a tile over at most `range_` tiles and `most_bounces` bounces.

    `walls` says for each tile index whether it is a wall. The border must be walls.
    """
    step_x, step_y = DIRECTION_X[direction], width * DIRECTION_Y[direction]
    tile = start
    bounced = 0
    tiles: list[int] = []
    bounces: list[int] = []
    while len(tiles) < range_:
        turn_x, turn_y = _bounce(walls, tile, step_x, step_y)
        if turn_x or turn_y:
            if not tiles or bounced == most_bounces:
                break
            bounced += 1
            step_x = -step_x if turn_x else step_x
            step_y = -step_y if turn_y else step_y
            continue
        tile += step_x + step_y
        if tile == start:
            break
        tiles.append(tile)
        bounces.append(bounced)
    return Ray(tuple(tiles), tuple(bounces))


def _bounce(walls: Sequence[bool], tile: int, step_x: int, step_y: int) -> tuple[bool, bool]:
    """Returns which components of its direction a bolt on this tile must reverse."""
    ahead = walls[tile + step_x + step_y]
    if step_x == 0 or step_y == 0:
        return ahead, ahead
    side_x, side_y = walls[tile + step_x], walls[tile + step_y]
    if side_x == side_y:
        return ahead or side_x, ahead or side_x
    return side_x, side_y
