"""The match statistics, stats_version 2 (rules-statistics.md#fighter-fields)."""

from typing import Literal, TypedDict

from .engine.combat_stats import CombatStats, CombatTally
from .engine.fight import Fight
from .engine.words import EndReason, FighterId
from .replay import ReplayHeader, ReplayResult, ReplayTick
from .server_stats import (
    ServerStats,
    ServerTally,
    disqualified_seats,
    failed_ticks_to_lose,
)


class _Names(TypedDict):
    id: FighterId
    name: str
    version: str


class FighterStats(_Names, CombatStats, ServerStats):
    """One fighter's part of the document."""


class MatchStats(TypedDict):
    """The whole document, keys in print order."""

    match_id: str
    stats_version: Literal[2]
    map: str
    seed: int
    ticks: int
    winner: FighterId | None
    reason: EndReason
    fighters: list[FighterStats]


class MatchTally:
    """Counts the statistics of a match, played or simulated."""

    __slots__ = ("_header", "_ticks", "combat", "server")

    def __init__(self, header: ReplayHeader, fight: Fight) -> None:
        self._header = header
        self._ticks = 0
        self.combat = CombatTally(fight)
        self.server = [ServerTally(header["deadlines"]) for _ in fight.fighters]

    def count(self, fight: Fight, tick: ReplayTick) -> None:
        """Counts the last tick and its record."""
        self._ticks += 1
        self.combat.count(fight)
        for seat, tally in enumerate(self.server):
            tally.count(tick["turns"][seat], tick["reply_ms"][seat], tick["budget_ms"][seat])

    def disqualified_seats(self) -> list[bool]:
        """Returns the seats disqualified after the last counted tick."""
        counts = [(tally.failed, tally.failed_in_all) for tally in self.server]
        most = failed_ticks_to_lose(self._header["deadlines"])
        return disqualified_seats(counts, self._ticks, most)

    def stats(self, result: ReplayResult) -> MatchStats | None:
        """Returns the document of a match with this result, None for a void match."""
        if result["reason"] == "server_fault":
            return None
        header = self._header
        is_out = self.disqualified_seats()
        return {
            "match_id": header["match_id"],
            "stats_version": 2,
            "map": header["map"]["name"],
            "seed": header["seed"],
            "ticks": result["ticks"],
            "winner": result["winner"],
            "reason": result["reason"],
            "fighters": [
                self._fighter_stats(seat, result["reason"], is_out=is_out[seat])
                for seat in range(len(self.server))
            ],
        }

    def _fighter_stats(self, seat: int, reason: EndReason, *, is_out: bool) -> FighterStats:
        fighter = self._header["fighters"][seat]
        return {
            "id": fighter["id"],
            "name": fighter["name"],
            "version": fighter["version"],
            **self.combat.stats[seat],
            **self.server[seat].stats(reason, is_out=is_out),
        }
