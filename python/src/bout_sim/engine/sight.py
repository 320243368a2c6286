"""Sight (rules.md#sight): the exact test in integers, as a table per map."""

from collections.abc import Sequence
from functools import cache

Offset = tuple[int, int]
Offsets = tuple[Offset, ...]


@cache
def crossed(dx: int, dy: int) -> tuple[Offsets, tuple[Offsets, ...]]:
    """Returns what the line from the center of tile (0, 0) to that of (dx, dy) crosses.

    Returns the tiles that it enters, and for each corner that it passes through
    the two tiles next to it. Excludes both ends. Needs dx and dy of 0 or more.
    """
    entered = [
        (x, y)
        for x in range(dx + 1)
        for y in range(dy + 1)
        if (x, y) not in ((0, 0), (dx, dy)) and _enters(dx, dy, x, y)
    ]
    pinches = [
        ((x, y - 1), (x - 1, y))
        for x in range(1, dx + 1)
        for y in range(1, dy + 1)
        if _side(dx, dy, x, y) == 0
    ]
    return tuple(entered), tuple(pinches)


def _side(dx: int, dy: int, x: int, y: int) -> int:
    """Returns the side of the line on which the corner (x, y) lies, as in the rules, doubled."""
    return 2 * dx * (2 * y - 1) - 2 * dy * (2 * x - 1)


def _enters(dx: int, dy: int, x: int, y: int) -> bool:
    sides = [_side(dx, dy, x + i, y + j) for i in (0, 1) for j in (0, 1)]
    return min(sides) < 0 < max(sides)


def sight_table(width: int, walls: Sequence[bool], floor: Sequence[int]) -> list[bytearray]:
    """table[a][b] is 1 when floor tile b is visible from floor tile a, else 0.

    `walls` says for each tile index whether it is a wall (low walls are not), `floor` lists the
    floor tiles in reading order.
    """
    table = [bytearray(len(walls)) for _ in walls]
    masks: dict[Offset, tuple[int, list[int]]] = {}
    # Masks are relative to a tile. The extra row keeps tiles to its left at positive bits.
    wall_bits = sum(1 << (tile + width) for tile, is_wall in enumerate(walls) if is_wall)
    for at, a in enumerate(floor):
        near = wall_bits >> a
        for b in floor[at:]:
            offset = (b % width - a % width, b // width - a // width)
            if offset not in masks:
                masks[offset] = _masks(width, *offset)
            blocking, pinches = masks[offset]
            if near & blocking == 0 and all(near & pinch != pinch for pinch in pinches):
                table[a][b] = table[b][a] = 1
    return table


def _masks(width: int, dx: int, dy: int) -> tuple[int, list[int]]:
    """Returns what a line of this offset crosses, as bits. Needs dy of 0 or more."""
    sign = -1 if dx < 0 else 1

    def bit(offset: Offset) -> int:
        return 1 << ((offset[1] + 1) * width + sign * offset[0])

    entered, pinches = crossed(abs(dx), dy)
    return sum(map(bit, entered)), [bit(one) | bit(other) for one, other in pinches]
