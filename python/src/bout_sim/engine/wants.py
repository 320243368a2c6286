"""Who stops whom when all take a step at once: the sub-step of phases 3 and 4."""

from collections.abc import Mapping

from .fight import Fight


def find_stoppers(fight: Fight, wants: Mapping[int, int]) -> dict[int, list[int]]:
    """The fighters that stop each fighter, by seat; who is missing gets the tile it wants.

    `wants` has the tile wanted by the seat of each fighter that wants to step. A fighter is
    stopped by the first of the three rules that applies to it. Seats come in ascending order.
    """
    tiles = {fighter.seat: fighter.tile for fighter in fight.fighters if fighter.alive}
    if not _is_contested(wants, tiles):
        return {}
    stoppers = _rivals(wants)
    swaps = _swaps(wants, tiles)
    stoppers |= {seat: by for seat, by in swaps.items() if seat not in stoppers}
    while followers := _followers(wants, tiles, stoppers):
        stoppers |= followers
    return dict(sorted(stoppers.items()))


def _is_contested(wants: Mapping[int, int], tiles: Mapping[int, int]) -> bool:
    """Whether anybody could stop another: rarely so, and cheaper to ask than to find out how."""
    wanted = wants.values()
    return len(set(wanted)) < len(wanted) or not set(tiles.values()).isdisjoint(wanted)


def _rivals(wants: Mapping[int, int]) -> dict[int, list[int]]:
    """Fighters that want the same tile all stop."""
    found = {
        seat: [other for other in wants if other != seat and wants[other] == tile]
        for seat, tile in wants.items()
    }
    return {seat: by for seat, by in found.items() if by}


def _swaps(wants: Mapping[int, int], tiles: Mapping[int, int]) -> dict[int, list[int]]:
    """Two fighters that want each other's tiles both stop."""
    return {
        seat: [other]
        for seat, tile in wants.items()
        for other in wants
        if wants[other] == tiles[seat] and tiles[other] == tile
    }


def _followers(
    wants: Mapping[int, int], tiles: Mapping[int, int], stoppers: Mapping[int, list[int]]
) -> dict[int, list[int]]:
    """Who wants the tile of a fighter that does not leave it stops."""
    staying = {tile: seat for seat, tile in tiles.items() if seat not in wants or seat in stoppers}
    return {
        seat: [staying[tile]]
        for seat, tile in wants.items()
        if seat not in stoppers and tile in staying
    }
