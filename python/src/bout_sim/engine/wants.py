"""Conflicts of simultaneous steps, for the sub-steps of phases 3 and 4."""

from collections.abc import Mapping

from .fight import Fight


def find_stoppers(fight: Fight, wants: Mapping[int, int]) -> dict[int, list[int]]:
    """Returns the fighters that stop each fighter, by seat. Absent fighters reach their tile.

    `wants` maps the seat of each stepping fighter to its target tile. A fighter is
    stopped by the first rule that applies. Seats are in ascending order.
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
    """Returns whether any conflict is possible: a cheap check for the common case."""
    wanted = wants.values()
    return len(set(wanted)) < len(wanted) or not set(tiles.values()).isdisjoint(wanted)


def _rivals(wants: Mapping[int, int]) -> dict[int, list[int]]:
    """Stops all fighters with the same target tile."""
    found = {
        seat: [other for other in wants if other != seat and wants[other] == tile]
        for seat, tile in wants.items()
    }
    return {seat: by for seat, by in found.items() if by}


def _swaps(wants: Mapping[int, int], tiles: Mapping[int, int]) -> dict[int, list[int]]:
    """Stops two fighters that would swap tiles."""
    return {
        seat: [other]
        for seat, tile in wants.items()
        for other in wants
        if wants[other] == tiles[seat] and tiles[other] == tile
    }


def _followers(
    wants: Mapping[int, int], tiles: Mapping[int, int], stoppers: Mapping[int, list[int]]
) -> dict[int, list[int]]:
    """Stops fighters whose target tile stays occupied."""
    staying = {tile: seat for seat, tile in tiles.items() if seat not in wants or seat in stoppers}
    return {
        seat: [staying[tile]]
        for seat, tile in wants.items()
        if seat not in stoppers and tile in staying
    }
