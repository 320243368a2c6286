"""Map characters, and the validity of maps (rules.md#the-map)."""

from collections.abc import Sequence
from typing import Final

from .words import DIRECTION_X, DIRECTION_Y

WALL: Final = "#"
LOW_WALL: Final = "o"
PAD: Final = "+"
SPAWN_PAIRS: Final = ("1", "2")

_TILES: Final = frozenset("#o.+12")
_LEAST_SIDE: Final = 5
_LONGEST_SIDE: Final = 31
_PAD_COUNT: Final = 4
_PAIR_SIZE: Final = 2

Rows = Sequence[str]


def is_floor(rows: Rows, x: int, y: int) -> bool:
    """Returns whether a fighter can stand on a tile of the map."""
    return rows[y][x] not in (WALL, LOW_WALL)


def can_step(rows: Rows, x: int, y: int, direction: int) -> bool:
    """Returns whether the map allows the step from this floor tile without cutting corners."""
    to_x, to_y = x + DIRECTION_X[direction], y + DIRECTION_Y[direction]
    return is_floor(rows, to_x, to_y) and is_floor(rows, to_x, y) and is_floor(rows, x, to_y)


def map_problem(rows: Rows) -> str | None:
    """Returns why these rows are no valid map, or None."""
    return next((problem for check in _CHECKS if (problem := check(rows))), None)


def _check_sides(rows: Rows) -> str | None:
    sides = {len(rows), *map(len, rows)}
    if len({len(row) for row in rows}) != 1:
        return "its rows differ in length"
    if not all(_LEAST_SIDE <= side <= _LONGEST_SIDE for side in sides):
        return f"its sides must be {_LEAST_SIDE} to {_LONGEST_SIDE} tiles"
    return None if all(side % 2 == 1 for side in sides) else "its sides must be odd"


def _check_characters(rows: Rows) -> str | None:
    strange = set("".join(rows)) - _TILES
    return f"it has an unknown tile {min(strange)!r}" if strange else None


def _check_border(rows: Rows) -> str | None:
    edge = rows[0] + rows[-1] + "".join(row[0] + row[-1] for row in rows)
    return None if set(edge) == {WALL} else "its border must be wall"


def _check_turn(rows: Rows) -> str | None:
    text = "".join(rows)
    return None if text == text[::-1] else "it must be unchanged by a turn of 180 degrees"


def _check_middle(rows: Rows) -> str | None:
    x, y = (len(rows[0]) - 1) // 2, (len(rows) - 1) // 2
    middle = [is_floor(rows, x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return None if all(middle) else "its middle must be 3 by 3 floor tiles"


def _check_pads(rows: Rows) -> str | None:
    return None if "".join(rows).count(PAD) == _PAD_COUNT else f"it must have {_PAD_COUNT} pads"


def _check_spawns(rows: Rows) -> str | None:
    counts = ["".join(rows).count(digit) for digit in SPAWN_PAIRS]
    return None if counts == [_PAIR_SIZE, _PAIR_SIZE] else "it must have two spawn pairs"


def _check_reach(rows: Rows) -> str | None:
    reached = [((len(rows[0]) - 1) // 2, (len(rows) - 1) // 2)]
    seen = set(reached)
    for x, y in reached:
        for direction, (dx, dy) in enumerate(zip(DIRECTION_X, DIRECTION_Y, strict=True)):
            if (x + dx, y + dy) not in seen and can_step(rows, x, y, direction):
                seen.add((x + dx, y + dy))
                reached.append((x + dx, y + dy))
    floor = sum(tile not in (WALL, LOW_WALL) for tile in "".join(rows))
    return None if len(seen) == floor else "its floor must be reachable everywhere"


_CHECKS: Final = (
    _check_sides,
    _check_characters,
    _check_border,
    _check_turn,
    _check_middle,
    _check_pads,
    _check_spawns,
    _check_reach,
)
