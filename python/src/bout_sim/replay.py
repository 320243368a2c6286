"""Replays: JSON lines, printed and parsed (rules-replays.md#header)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, cast

from .engine.shapes import MapView, RecordedDeadlines, RecordedTurn, SeatedBot
from .engine.words import EndReason, FighterId
from .json_text import parse_json, print_json
from .replay_shape import COUNTS, FIGHTER, TIMES, VERSIONS, is_header, is_result, is_tick


class ReplayError(ValueError):
    """A text or file is not a valid replay."""


class Versions(TypedDict):
    """Versions that recorded the match."""

    engine: str
    protocol: str
    rules: str
    rules_hash: str


class ReplayHeader(TypedDict):
    """The first line, keys in the order of the format."""

    type: str
    replay_version: int
    match_id: str
    ladder_id: str
    mode: str
    started: str
    versions: Versions
    seed: int
    deadlines: RecordedDeadlines
    map: MapView
    rules: Mapping[str, Any]
    fighters: list[SeatedBot]


class ReplayTick(TypedDict):
    """Lists in seat order. Times in ms, with three decimals at most."""

    tick: int
    turns: list[RecordedTurn]
    reply_ms: list[float | None]
    budget_ms: list[float]
    hash: str


class ReplayResult(TypedDict):
    """The last line; `hash` is the trace."""

    type: str
    winner: FighterId | None
    reason: EndReason
    ticks: int
    hash: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole replay. `ticks` has no gaps and starts at 0."""

    header: ReplayHeader
    ticks: Sequence[ReplayTick]
    result: ReplayResult


def print_replay(replay: Replay) -> str:
    """Returns the text of the file. Each line ends with a line feed."""
    lines = [_ordered_header(replay.header), *map(_ordered_tick, replay.ticks)]
    lines.append(_pick(replay.result, ("type", "winner", "reason", "ticks", "hash")))
    return "".join(f"{print_json(line)}\n" for line in lines)


def _pick(value: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Returns the keys in the order of the format."""
    return {key: value[key] for key in keys if key in value}


def _ordered_header(header: ReplayHeader) -> dict[str, Any]:
    ordered = _pick(header, tuple(ReplayHeader.__annotations__))
    ordered["versions"] = _pick(header["versions"], VERSIONS)
    ordered["deadlines"] = _pick(header["deadlines"], TIMES + COUNTS)
    ordered["fighters"] = [_pick(fighter, FIGHTER) for fighter in header["fighters"]]
    return ordered


def _ordered_tick(tick: ReplayTick) -> dict[str, Any]:
    ordered = _pick(tick, tuple(ReplayTick.__annotations__))
    ordered["turns"] = [_ordered_turn(turn) for turn in tick["turns"]]
    return ordered


def _ordered_turn(turn: RecordedTurn) -> dict[str, Any] | None:
    if turn is None or "idle" in turn:
        return cast("dict[str, Any] | None", turn)
    ordered = _pick(turn, ("move", "dash", "attack", "shout"))
    if "attack" in ordered:
        ordered["attack"] = _pick(ordered["attack"], ("name", "target"))
    return ordered


def parse_replay(text: str) -> Replay:
    """Parses a replay. Raises ReplayError with line and reason."""
    lines = text.split("\n")
    if lines.pop() != "":
        raise ReplayError("the file is truncated: its last line is incomplete")
    values = [_parse_line(number, line) for number, line in enumerate(lines, 1)]
    if not values or not is_header(values[0]):
        raise ReplayError("line 1 is not a replay header")
    if not is_result(values[-1]):
        raise ReplayError("the last line is not a result")
    seats = len(values[0]["fighters"])
    for number, value in enumerate(values[1:-1]):
        if not is_tick(value, number, seats):
            raise ReplayError(f"line {number + 2} is not tick {number}")
    return Replay(values[0], values[1:-1], values[-1])


def _parse_line(number: int, line: str) -> Any:
    try:
        return parse_json(line)
    except ValueError:
        raise ReplayError(f"line {number} is not JSON") from None
