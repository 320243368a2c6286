"""Checks of the three kinds of replay lines."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from .engine.chance import MASK_32
from .engine.fight import MAX_SEATS, MIN_SEATS
from .engine.words import DIRECTIONS, END_REASONS, FIGHTER_IDS, IDLE_REASONS

VERSIONS: Final = ("engine", "protocol", "rules", "rules_hash")
TIMES: Final = ("startup_ms", "tick_ms", "budget_ms", "reconnect_ms")
COUNTS: Final = ("failed_ticks_to_disqualify", "messages_per_tick")
"""In deadlines, after the times. Absent in older replays."""
FIGHTER: Final = ("id", "bot_id", "name", "version")

_Check = Callable[[Any], bool]


def _has(value: object, **checks: _Check) -> bool:
    """Returns whether this is an object whose keys pass their checks."""
    if not isinstance(value, dict):
        return False
    return all(key in value and check(value[key]) for key, check in checks.items())


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and cast(float, value) >= 0


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and len(value) == 8 and set(value) <= set("0123456789abcdef")


def _is_list(value: object, check: _Check, length: int | None = None) -> bool:
    if not isinstance(value, list) or length not in (None, len(value)):
        return False
    return all(map(check, value))


def _all(check: _Check, keys: Sequence[str]) -> _Check:
    return lambda value: _has(value, **dict.fromkeys(keys, check))


def is_header(value: object) -> bool:
    """Returns whether this is a replay header."""
    return _has(
        value,
        type=lambda word: word == "replay",
        replay_version=lambda version: version == 1,
        match_id=_is_text,
        ladder_id=_is_text,
        mode=_is_text,
        started=_is_text,
        versions=_all(_is_text, VERSIONS),
        seed=lambda seed: _is_count(seed) and seed <= MASK_32,
        deadlines=_is_deadlines,
        map=lambda one: _has(one, name=_is_text, rows=lambda rows: _is_list(rows, _is_text)),
        rules=lambda rules: isinstance(rules, dict),
        fighters=_is_fighters,
    )


def _is_deadlines(value: object) -> bool:
    if not _has(value, **dict.fromkeys(TIMES, _is_time)):
        return False
    counts = cast("dict[str, object]", value)
    return all(_is_count(counts[key]) and counts[key] != 0 for key in COUNTS if key in counts)


def _is_fighters(value: object) -> bool:
    is_fighters = _is_list(value, _all(_is_text, FIGHTER))
    return is_fighters and MIN_SEATS <= len(cast("list[object]", value)) <= MAX_SEATS


def is_tick(value: object, number: int, seats: int) -> bool:
    """Returns whether this is tick `number` of a match with this many seats."""
    return _has(
        value,
        tick=lambda tick: type(tick) is int and tick == number,
        turns=lambda turns: _is_list(turns, _is_turn, seats),
        reply_ms=lambda times: _is_list(times, lambda ms: ms is None or _is_time(ms), seats),
        budget_ms=lambda times: _is_list(times, _is_time, seats),
        hash=_is_hash,
    )


def _is_turn(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, dict):
        return False
    if "idle" in value:
        return len(value) == 1 and value["idle"] in IDLE_REASONS
    return all(key in _TURN_CHECKS and _TURN_CHECKS[key](part) for key, part in value.items())


def _is_attack(value: object) -> bool:
    if not _has(value, name=_is_text):
        return False
    target = cast("dict[str, object]", value).get("target", "n")
    return target in DIRECTIONS or _is_list(target, lambda part: type(part) is int, 2)


def _is_direction(value: object) -> bool:
    return value in DIRECTIONS


_TURN_CHECKS: Final[Mapping[str, _Check]] = {
    "move": _is_direction,
    "dash": _is_direction,
    "attack": _is_attack,
    "shout": _is_text,
}


def is_result(value: object) -> bool:
    """Returns whether this is a replay result."""
    return _has(
        value,
        type=lambda word: word == "result",
        winner=lambda winner: winner is None or winner in FIGHTER_IDS,
        reason=lambda reason: reason in END_REASONS,
        ticks=_is_count,
        hash=_is_hash,
    )
