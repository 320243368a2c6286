"""Statistics of each fighter from the engine (rules-statistics.md#fighter-fields)."""

from typing import TypedDict

from .fight import Fight
from .plan import DASHES, WALKS
from .shapes import AttackEvent, Counts, HitEvent, RejectedEvent
from .words import ATTACKS, DAMAGE_SOURCES, FIGHTER_IDS, PICKUPS, DamageSource, FighterId


class WeaponStats(TypedDict):
    """`hits` are uses that hurt another fighter; `damage` is without slams."""

    uses: int
    hits: int
    damage: int


class RicochetStats(TypedDict):
    """Bounces of its bolts, hits after a bounce, and their damage."""

    bounces: int
    hits: int
    damage: int


class CombatStats(TypedDict):
    """One fighter in one match. Reasons that never occurred are absent."""

    hp: int
    alive: bool
    moves: int
    moves_blocked: int
    dashes: int
    dash_tiles: int
    weapons: dict[str, WeaponStats]
    ricochets: RicochetStats
    pickups: dict[str, int]
    healed: int
    damage_dealt: int
    dealt_by_source: dict[DamageSource, int]
    damage_taken: int
    taken_by_source: dict[DamageSource, int]
    wall_slams: int
    knocked_back: int
    stunned: int
    zone_ticks: int
    rejected: Counts
    refused_turns: int
    refused_turns_by_reason: Counts


def _empty(hp: int) -> CombatStats:
    return {
        "hp": hp,
        "alive": True,
        "moves": 0,
        "moves_blocked": 0,
        "dashes": 0,
        "dash_tiles": 0,
        "weapons": {name: {"uses": 0, "hits": 0, "damage": 0} for name in ATTACKS},
        "ricochets": {"bounces": 0, "hits": 0, "damage": 0},
        "pickups": dict.fromkeys(PICKUPS, 0),
        "healed": 0,
        "damage_dealt": 0,
        "dealt_by_source": dict.fromkeys(DAMAGE_SOURCES, 0),
        "damage_taken": 0,
        "taken_by_source": dict.fromkeys(DAMAGE_SOURCES, 0),
        "wall_slams": 0,
        "knocked_back": 0,
        "stunned": 0,
        "zone_ticks": 0,
        "rejected": {},
        "refused_turns": 0,
        "refused_turns_by_reason": {},
    }


class CombatTally:
    """Counts the statistics of a running match. Call `count` once after each step."""

    __slots__ = ("_landed", "stats")

    def __init__(self, fight: Fight) -> None:
        self.stats = [_empty(fighter.hp) for fighter in fight.fighters]
        self._landed: list[set[str]] = [set() for _ in fight.fighters]
        """Attacks by seat whose current use has already hit. A scorch counts once."""

    def count(self, fight: Fight) -> None:
        """Counts the last tick."""
        refusals: list[dict[str, None]] = [{} for _ in self.stats]
        for event in fight.events:
            match event["type"]:
                case "rejected":
                    self._count_refusal(event, refusals[_seat(event["by"])])
                case "attack":
                    self._count_use(event)
                case "hit":
                    self._count_hit(event)
                case "repulse" | "pull":
                    self.stats[_seat(event["target"])]["knocked_back"] += 1
                case "pickup":
                    taker = self.stats[_seat(event["by"])]
                    taker["pickups"][event["kind"]] += 1
                    taker["healed"] += event.get("healed", 0)
                case "zone_damage":
                    self.stats[_seat(event["target"])]["zone_ticks"] += 1
                    self._count_taken(event["target"], "zone", event["damage"])
        for seat, reasons in enumerate(refusals):
            self._count_plan(fight, seat, reasons)

    def _count_plan(self, fight: Fight, seat: int, reasons: dict[str, None]) -> None:
        stats, plan, fighter = self.stats[seat], fight.plans[seat], fight.fighters[seat]
        stats["hp"], stats["alive"] = fighter.hp, fighter.alive
        stats["stunned"] += plan.stunned
        stats["ricochets"]["bounces"] += plan.bounces
        if plan.gait == WALKS:
            stats["moves"] += plan.tiles
        elif plan.gait == DASHES:
            stats["dashes"] += 1
            stats["dash_tiles"] += plan.tiles
        stats["refused_turns"] += bool(reasons)
        for reason in reasons:
            _add(stats["refused_turns_by_reason"], reason)

    def _count_refusal(self, event: RejectedEvent, reasons: dict[str, None]) -> None:
        stats, reason = self.stats[_seat(event["by"])], event["reason"]
        _add(stats["rejected"], reason)
        reasons[reason] = None
        if event["part"] == "move" and reason == "blocked":
            stats["moves_blocked"] += 1

    def _count_use(self, event: AttackEvent) -> None:
        seat = _seat(event["by"])
        self.stats[seat]["weapons"][event["name"]]["uses"] += 1
        self._landed[seat].discard(event["name"])

    def _count_hit(self, event: HitEvent) -> None:
        seat, name, damage = _seat(event["by"]), event["name"], event["damage"]
        self._count_taken(event["target"], name, damage)
        if event["by"] == event["target"]:
            return
        stats, landed = self.stats[seat], self._landed[seat]
        stats["damage_dealt"] += damage
        stats["dealt_by_source"][name] += damage
        stats["wall_slams"] += name == "wall_slam"
        if name in stats["weapons"]:
            stats["weapons"][name]["damage"] += damage
            stats["weapons"][name]["hits"] += name not in landed
            landed.add(name)
        if "ricochet" in event:
            stats["ricochets"]["hits"] += 1
            stats["ricochets"]["damage"] += damage

    def _count_taken(self, target: FighterId, source: DamageSource, damage: int) -> None:
        stats = self.stats[_seat(target)]
        stats["damage_taken"] += damage
        stats["taken_by_source"][source] += damage


def _seat(fighter: FighterId) -> int:
    return FIGHTER_IDS.index(fighter)


def _add(counts: Counts, word: str) -> None:
    counts[word] = counts.get(word, 0) + 1
