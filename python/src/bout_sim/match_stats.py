"""The statistics document of a match, stats_version 2 (rules.md#statistics)."""

from typing import Literal, TypedDict

from .engine.combat_stats import CombatStats, CombatTally
from .engine.fight import Fight
from .engine.words import EndReason, FighterId
from .replay import ReplayHeader, ReplayResult, ReplayTick
from .server_stats import ServerStats, ServerTally


class _Names(TypedDict):
    id: FighterId
    name: str
    version: str


class FighterStats(_Names, CombatStats, ServerStats):
    """One fighter's part of the document."""


class MatchStats(TypedDict):
    """The whole document, keys in the order in which it is printed."""

    match_id: str
    stats_version: Literal[2]
    map: str
    seed: int
    ticks: int
    winner: FighterId | None
    reason: EndReason
    fighters: list[FighterStats]


class MatchTally:
    """Everything that is counted about a match, whether played or simulated again."""

    __slots__ = ("_header", "combat", "server")

    def __init__(self, header: ReplayHeader, fight: Fight) -> None:
        self._header = header
        self.combat = CombatTally(fight)
        self.server = [ServerTally(header["deadlines"]) for _ in fight.fighters]

    def count(self, fight: Fight, tick: ReplayTick) -> None:
        """Counts a tick that the fight has just played and that is recorded like this."""
        self.combat.count(fight)
        for seat, tally in enumerate(self.server):
            tally.count(tick["turns"][seat], tick["reply_ms"][seat], tick["budget_ms"][seat])

    def stats(self, result: ReplayResult) -> MatchStats | None:
        """The document of a match with this result; None for one that a server fault voided."""
        if result["reason"] == "server_fault":
            return None
        header = self._header
        return {
            "match_id": header["match_id"],
            "stats_version": 2,
            "map": header["map"]["name"],
            "seed": header["seed"],
            "ticks": result["ticks"],
            "winner": result["winner"],
            "reason": result["reason"],
            "fighters": [
                self._fighter_stats(seat, result["reason"]) for seat in range(len(self.server))
            ],
        }

    def _fighter_stats(self, seat: int, reason: EndReason) -> FighterStats:
        fighter = self._header["fighters"][seat]
        return {
            "id": fighter["id"],
            "name": fighter["name"],
            "version": fighter["version"],
            **self.combat.stats[seat],
            **self.server[seat].stats(reason),
        }
