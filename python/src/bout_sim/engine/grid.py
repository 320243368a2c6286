"""A map as tables, computed once per map (rules.md#the-map)."""

from collections.abc import Sequence
from functools import cache

from .maps import map_rows
from .ray import Ray, fly
from .shapes import MapView
from .sight import sight_table
from .terrain import PAD, SPAWN_PAIRS, WALL, can_step, is_floor
from .words import DIRECTION_X, DIRECTION_Y, DIRECTIONS, NONE, Direction


class Grid:
    """Tables of a map. A tile is its index, y * width + x, ascending in reading order.

    Immutable and shared by all matches on the map. `name` and `rows` are those of the map.
    Rows must be a valid map (see `terrain.map_problem`).
    """

    __slots__ = (
        "_areas",
        "_dashes",
        "_rays",
        "center",
        "height",
        "is_floor",
        "level",
        "moves",
        "name",
        "outer_radius",
        "pads",
        "rows",
        "sight",
        "spawn_pairs",
        "steps",
        "walls",
        "width",
        "x",
        "y",
    )

    def __init__(self, name: str, rows: Sequence[str]) -> None:
        self.name = name
        self.rows = tuple(rows)
        self.width, self.height = len(rows[0]), len(rows)
        tiles = range(self.width * self.height)
        text = "".join(rows)
        self.x = tuple(tile % self.width for tile in tiles)
        self.y = tuple(tile // self.width for tile in tiles)
        self.walls = tuple(character == WALL for character in text)
        self.is_floor = tuple(is_floor(rows, self.x[tile], self.y[tile]) for tile in tiles)
        self.center = tiles[len(tiles) // 2]
        self.level = tuple(self.distance(self.center, tile) for tile in tiles)
        self.outer_radius = max(self.width, self.height) // 2
        self.pads = tuple(tile for tile in tiles if text[tile] == PAD)
        self.spawn_pairs = tuple(
            tuple(tile for tile in tiles if text[tile] == digit) for digit in SPAWN_PAIRS
        )
        self.steps = tuple(self._steps_from(tile) for tile in tiles)
        self.moves: tuple[tuple[Direction, ...], ...] = tuple(
            tuple(name for name, to in zip(DIRECTIONS, steps, strict=True) if to != NONE)
            for steps in self.steps
        )
        self.sight = sight_table(
            self.width, self.walls, [tile for tile in tiles if self.is_floor[tile]]
        )
        self._rays: dict[tuple[int, int, int, int], Ray] = {}
        self._dashes: dict[tuple[int, int], dict[Direction, int]] = {}
        self._areas: dict[tuple[int, int], tuple[int, ...]] = {}

    def _steps_from(self, tile: int) -> tuple[int, ...]:
        """Returns the tile that a step in each direction leads to, NONE without a step."""
        if not self.is_floor[tile]:
            return (NONE,) * len(DIRECTIONS)
        x, y = self.x[tile], self.y[tile]
        return tuple(
            tile + self.width * DIRECTION_Y[direction] + DIRECTION_X[direction]
            if can_step(self.rows, x, y, direction)
            else NONE
            for direction in range(len(DIRECTIONS))
        )

    def tile_at(self, x: int, y: int) -> int:
        """Returns the index of a tile, NONE outside of the map."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else NONE

    def distance(self, a: int, b: int) -> int:
        """Returns the distance: the larger of the distances in x and y."""
        return max(abs(self.x[a] - self.x[b]), abs(self.y[a] - self.y[b]))

    def opposite(self, tile: int) -> int:
        """Returns the tile after a turn of the map by 180 degrees."""
        return len(self.walls) - 1 - tile

    def ray(self, tile: int, direction: int, range_: int, bounces: int) -> Ray:
        """Returns the path of a bolt from this tile."""
        key = (tile, direction, range_, bounces)
        if key not in self._rays:
            self._rays[key] = fly(self.width, self.walls, *key)
        return self._rays[key]

    def dashes(self, tile: int, most: int) -> dict[Direction, int]:
        """Returns free tiles by direction, at most `most`. Leaves out blocked directions."""
        key = (tile, most)
        if key not in self._dashes:
            reach = {name: self._reach(tile, code, most) for code, name in enumerate(DIRECTIONS)}
            self._dashes[key] = {name: tiles for name, tiles in reach.items() if tiles > 0}
        return self._dashes[key]

    def _reach(self, tile: int, direction: int, most: int) -> int:
        reach = 0
        while reach < most and self.steps[tile][direction] != NONE:
            tile = self.steps[tile][direction]
            reach += 1
        return reach

    def area(self, center: int, radius: int) -> tuple[int, ...]:
        """Returns the floor tiles that an area hurts, in reading order."""
        key = (center, radius)
        if key not in self._areas:
            sight = self.sight[center]
            self._areas[key] = tuple(
                tile
                for tile in range(len(self.walls))
                if sight[tile] and self.distance(center, tile) <= radius
            )
        return self._areas[key]

    def view(self) -> MapView:
        """Returns the `map` object of `hello`."""
        return {
            "name": self.name,
            "width": self.width,
            "height": self.height,
            "center": [self.x[self.center], self.y[self.center]],
            "rows": list(self.rows),
        }


@cache
def load_grid(name: str) -> Grid:
    """Returns the tables of a ladder map. Raises ValueError for unknown names."""
    return Grid(name, map_rows(name))
