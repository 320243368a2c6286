"""A match state as text for terminals."""

from typing import Final

from .engine.fight import Fight, Fighter
from .engine.terrain import LOW_WALL, WALL
from .engine.words import BLAST, COOLDOWNS, FIGHTER_IDS, SCORCH
from .engine.zone import zone_radius

LEGEND: Final = (
    "# wall, o low wall, : outside the zone, * blast, ~ scorch, "
    "h p announced, H P health and power that lie there"
)


def picture(fight: Fight) -> str:
    """Returns the map with its objects, and a line for each fighter."""
    grid = fight.grid
    marks = _marks(fight)
    tens = "".join(f" {x // 10 or ' '}" for x in range(grid.width))
    ones = "".join(f" {x % 10}" for x in range(grid.width))
    rows = [
        f"{y:2} " + "".join(f" {marks[grid.tile_at(x, y)]}" for x in range(grid.width))
        for y in range(grid.height)
    ]
    head = f"tick {fight.tick}  zone radius {zone_radius(fight, fight.tick)}"
    fighters = [_fighter_line(fight, fighter) for fighter in fight.fighters]
    return "\n".join([head, f"   {tens}".rstrip(), f"   {ones}", *rows, *fighters])


def _marks(fight: Fight) -> list[str]:
    """Returns a character for each tile."""
    grid = fight.grid
    radius = zone_radius(fight, fight.tick)
    text = "".join(grid.rows)
    marks = [
        one if one in (WALL, LOW_WALL) else "." if grid.level[tile] <= radius else ":"
        for tile, one in enumerate(text)
    ]
    for fighter in fight.fighters:
        for area, attack, mark in ((fighter.scorch, SCORCH, "~"), (fighter.blast, BLAST, "*")):
            if area is not None:
                for tile in grid.area(area.tile, fight.rules.attacks[attack].radius):
                    marks[tile] = mark
    for pickup, mark in ((fight.health, "h"), (fight.power, "p")):
        if pickup is not None:
            marks[pickup.tile] = mark if pickup.left > 0 else mark.upper()
    for fighter in fight.fighters:
        if fighter.alive:
            marks[fighter.tile] = FIGHTER_IDS[fighter.seat]
    return marks


def _fighter_line(fight: Fight, fighter: Fighter) -> str:
    name = FIGHTER_IDS[fighter.seat]
    if not fighter.alive:
        return f"{name}    0 hp  fallen"
    x, y = fight.grid.x[fighter.tile], fight.grid.y[fighter.tile]
    timers = {"stun": fighter.stun, "power": fighter.power}
    timers |= dict(zip(COOLDOWNS, fighter.cooldowns, strict=True))
    running = ", ".join(f"{word} {ticks}" for word, ticks in timers.items() if ticks)
    return f"{name}  {fighter.hp:3} hp  at {x},{y}  {running}".rstrip()
