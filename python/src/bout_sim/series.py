"""Series of matches between two bots, with the plan and report of `bout sim`."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

from .engine.chance import Dice
from .engine.maps import MAP_NAMES
from .engine.words import DAMAGE_SOURCES
from .match import Bot, PlayedMatch, play_match
from .match_stats import FighterStats

_Z_95: Final = 1.959964
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A planned match. `seat_of_a` is 0 or 1."""

    match_id: str
    map: str
    seed: int
    seat_of_a: int


class GameLine(TypedDict):
    """A match as the report lists it."""

    match_id: str
    map: str
    seed: int
    seat_of_a: str
    winner: str | None
    reason: str
    ticks: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """A match as it is counted. `fighters` are bots A and B, whatever their seats."""

    line: GameLine
    fighters: tuple[FighterStats, FighterStats]


def plan_games(games: int, seed: int, maps: Sequence[str] = MAP_NAMES) -> list[PlannedGame]:
    """Returns the matches in order: maps rotate, and seats alternate on each map."""
    dice = Dice(seed)
    return [
        PlannedGame(
            match_id=f"sim-{seed}-{number:04}",
            map=maps[number % len(maps)],
            seed=dice.draw(),
            seat_of_a=(number // len(maps) + number % len(maps)) % 2,
        )
        for number in range(games)
    ]


def play_series(
    bots: tuple[Bot, Bot],
    plan: Iterable[PlannedGame],
    names: tuple[str, str] = ("a", "b"),
    on_match: Callable[[PlayedMatch], None] = lambda match: None,
) -> list[GameResult]:
    """Plays a plan. `on_match` gets each match with its replay.

    Raises BotFailure if a bot raises an exception.
    """
    results: list[GameResult] = []
    for game in plan:
        order = (0, 1) if game.seat_of_a == 0 else (1, 0)
        match = play_match(
            game.map,
            game.seed,
            [bots[side] for side in order],
            names=[names[side] for side in order],
            match_id=game.match_id,
        )
        on_match(match)
        results.append(_result_of(game, match))
    return results


def _result_of(game: PlannedGame, match: PlayedMatch) -> GameResult:
    stats = match.stats
    a, b = stats["fighters"][game.seat_of_a], stats["fighters"][1 - game.seat_of_a]
    winner = None if stats["winner"] is None else "a" if stats["winner"] == a["id"] else "b"
    line: GameLine = {
        "match_id": game.match_id,
        "map": game.map,
        "seed": game.seed,
        "seat_of_a": a["id"],
        "winner": winner,
        "reason": stats["reason"],
        "ticks": stats["ticks"],
    }
    return GameResult(line, (a, b))


class Tally(TypedDict):
    """`win_rate` is A's share of wins, 0 to 1. Draws don't count as wins."""

    games: int
    wins_a: int
    wins_b: int
    draws: int
    win_rate: float
    mean_ticks: float


class Report(Tally):
    """The totals. The error is that of the win rate, the interval is Wilson's."""

    a: dict[str, Any]
    b: dict[str, Any]
    seed: int
    standard_error: float
    interval_95: tuple[float, float]
    reasons: dict[str, int]
    by_map: list[dict[str, Any]]
    by_seat: list[dict[str, Any]]
    matches: list[GameLine]


def report_on(bots: tuple[str, str], seed: int, results: Sequence[GameResult]) -> Report:
    """Returns the report of a plan in the format of `bout sim --json`."""
    lines = [result.line for result in results]
    total = _tally(lines)
    maps = list(dict.fromkeys(line["map"] for line in lines))
    return {
        "a": _bot_report(bots[0], [result.fighters[0] for result in results]),
        "b": _bot_report(bots[1], [result.fighters[1] for result in results]),
        "seed": seed,
        **total,
        "standard_error": standard_error(total["wins_a"], total["games"]),
        "interval_95": wilson_interval(total["wins_a"], total["games"]),
        "reasons": _add_counts({line["reason"]: 1} for line in lines),
        "by_map": [
            {"map": name, **_part_tally([line for line in lines if line["map"] == name])}
            for name in maps
        ],
        "by_seat": [
            {
                "seat_of_a": seat,
                **_part_tally([line for line in lines if line["seat_of_a"] == seat]),
            }
            for seat in ("A", "B")
        ],
        "matches": lines,
    }


def _tally(lines: Sequence[GameLine]) -> Tally:
    games = len(lines)
    wins_a = sum(line["winner"] == "a" for line in lines)
    wins_b = sum(line["winner"] == "b" for line in lines)
    return {
        "games": games,
        "wins_a": wins_a,
        "wins_b": wins_b,
        "draws": games - wins_a - wins_b,
        "win_rate": _share(wins_a, games),
        "mean_ticks": _share(sum(line["ticks"] for line in lines), games),
    }


def _part_tally(lines: Sequence[GameLine]) -> dict[str, Any]:
    """Counts of a map or seat. Rate and ticks are None without matches."""
    unknown = {} if lines else {"win_rate": None, "mean_ticks": None}
    return {**_tally(lines), **unknown}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0


def standard_error(wins: int, games: int) -> float:
    """Returns the standard error of a win rate."""
    rate = _share(wins, games)
    return math.sqrt(rate * (1 - rate) / games) if games else 0


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Returns the 95 % Wilson score interval of a win rate, which is valid near 0 and 1."""
    if games == 0:
        return 0, 1
    rate, weight = wins / games, _Z_95**2 / games
    middle = (rate + weight / 2) / (1 + weight)
    reach = math.sqrt(weight * (rate * (1 - rate) + weight / 4)) / (1 + weight)
    return max(0, middle - reach), min(1, middle + reach)


def _bot_report(bot: str, sheets: Sequence[FighterStats]) -> dict[str, Any]:
    """Sums over all matches. `timing` is None, because replies are not timed here."""
    failed = _sorted(_add_counts(sheet["server_idles"] for sheet in sheets))
    return {
        "bot": bot,
        "damage_dealt": sum(sheet["damage_dealt"] for sheet in sheets),
        "dealt_by_source": _by_source(sheet["dealt_by_source"] for sheet in sheets),
        "damage_taken": sum(sheet["damage_taken"] for sheet in sheets),
        "taken_by_source": _by_source(sheet["taken_by_source"] for sheet in sheets),
        "refused_turns": sum(sheet["refused_turns"] for sheet in sheets),
        "refused_turns_by_reason": _sorted(
            _add_counts(sheet["refused_turns_by_reason"] for sheet in sheets)
        ),
        "failed_turns": sum(failed.values()),
        "failed_turns_by_reason": failed,
        "disqualified": sum(sheet["disqualified"] for sheet in sheets),
        "timing": None,
    }


def _by_source(all_counts: Iterable[Mapping[Any, int]]) -> dict[str, int]:
    counts = _add_counts(all_counts)
    return {source: counts.get(source, 0) for source in DAMAGE_SOURCES}


def _add_counts(all_counts: Iterable[Mapping[Any, int]]) -> dict[str, int]:
    added: dict[str, int] = {}
    for counts in all_counts:
        for word, count in counts.items():
            added[word] = added.get(word, 0) + count
    return added


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    """Returns counts ordered by name, for reproducible output."""
    return dict(sorted(counts.items()))
