"""Verifies a replay by simulating it again."""

from collections.abc import Iterator
from dataclasses import dataclass

from .engine.ending import decide_at_limit
from .engine.fight import Fight, start_fight
from .engine.grid import Grid, load_grid
from .engine.maps import MAP_NAMES, ladder_rules_hash, map_rows
from .engine.murmur import hex8
from .engine.rules import ENGINE_VERSION, RULES, RULES_JSON, RULES_VERSION, Rules
from .engine.shapes import RecordedTurn
from .engine.state_hash import Trace, state_hash
from .engine.step import step
from .engine.terrain import map_problem
from .engine.words import FIGHTER_IDS, EndReason, FighterId
from .match_stats import MatchStats, MatchTally
from .replay import (
    Replay,
    ReplayError,
    ReplayHeader,
    ReplayResult,
    ReplayTick,
    parse_replay,
    print_replay,
)
from .server_stats import disqualified_seats, failed_ticks_to_lose
from .turns import idle_reason, recorded_turn


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first difference between a replay and its simulation.

    `tick` is None if no tick is concerned. `recorded` and `simulated` are for people.
    """

    tick: int | None
    field: str
    recorded: str
    simulated: str

    def __str__(self) -> str:
        place = "" if self.tick is None else f"tick {self.tick}: "
        difference = f"{self.field} is {self.recorded} in the file"
        return f"{place}{difference}, but {self.simulated} when played"


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification. `stats` is None for a void match or a mismatch."""

    replay: Replay
    mismatch: Mismatch | None
    stats: MatchStats | None

    @property
    def ok(self) -> bool:
        """Whether the replay is verified."""
        return self.mismatch is None

    @property
    def note(self) -> str | None:
        """A possible reason for a mismatch other than a changed file."""
        versions = self.replay.header["versions"]
        recorded = f"engine {versions['engine']}, rules {versions['rules']}"
        here = f"engine {ENGINE_VERSION}, rules {RULES_VERSION}"
        if recorded == here:
            return None
        return f"recorded by {recorded}; this is {here}, which may play it differently"


class _Parted(Exception):
    """Raised if file and simulation differ."""

    def __init__(self, tick: int | None, field: str, recorded: object, simulated: object) -> None:
        super().__init__(field)
        self.mismatch = Mismatch(tick, field, str(recorded), str(simulated))


def verify(text: str) -> Verification:
    """Verifies a replay's text. Raises ReplayError if it is not a replay.

    Uses the header's rules. They and the map must be the ladder's if the header
    names this engine's rules. All state hashes, the trace and the result must follow from the
    turns, and the whole file must be printed as by the ladder. Response times and
    server decisions (forfeit, server fault) are not checked.
    """
    replay = parse_replay(text)
    try:
        return Verification(replay, None, _verify(replay, text))
    except _Parted as parted:
        return Verification(replay, parted.mismatch, None)


def frames(replay: Replay) -> Iterator[tuple[Fight, list[RecordedTurn]]]:
    """Yields the state before each tick with its turns. The same object is reused.

    Yields the final state without turns last. Compares nothing.
    Raises ReplayError for an invalid header.
    """
    fight = start_replay(replay)
    for tick in replay.ticks:
        if fight.outcome is not None:
            raise ReplayError(f"tick {tick['tick']} comes after the end")
        yield fight, tick["turns"]
        step(fight, tick["turns"])
    yield fight, []


def start_replay(replay: Replay) -> Fight:
    """Returns the state of a replay before its first tick. Raises ReplayError if invalid."""
    header = replay.header
    try:
        rules = _rules_of(header)
        return start_fight(_grid_of(header), header["seed"], len(header["fighters"]), rules)
    except ValueError as error:
        raise ReplayError(str(error)) from None


def _rules_of(header: ReplayHeader) -> Rules:
    return RULES if header["rules"] == RULES_JSON else Rules.from_json(header["rules"])


def _grid_of(header: ReplayHeader) -> Grid:
    name, rows = header["map"]["name"], header["map"]["rows"]
    if name in MAP_NAMES and tuple(rows) == map_rows(name):
        return load_grid(name)
    if problem := map_problem(rows):
        raise ReplayError(f"its map cannot be: {problem}")
    return Grid(name, rows)


def _verify(replay: Replay, text: str) -> MatchStats | None:
    _check_header(replay.header)
    try:
        fight = start_replay(replay)
    except ReplayError as error:
        raise _Parted(None, "header", str(error), "no fight") from None
    tally = MatchTally(replay.header, fight)
    trace = Trace()
    ticks: list[ReplayTick] = []
    for tick in replay.ticks:
        ticks.append(_play_tick(fight, tick, trace))
        tally.count(fight, tick)
    result = _check_result(replay, fight, hex8(trace.value()))
    header: ReplayHeader = {
        **replay.header,
        "map": fight.grid.view(),
        "rules": fight.rules.json,
    }
    _check_text(text, print_replay(Replay(header, ticks, result)))
    return tally.stats(result)


def _check_header(header: ReplayHeader) -> None:
    ids = ",".join(fighter["id"] for fighter in header["fighters"])
    seats = ",".join(FIGHTER_IDS[: len(header["fighters"])])
    _compare("fighters", ids, seats)
    if header["versions"]["rules"] != RULES_VERSION:
        return
    recorded, own = header["versions"]["rules_hash"], ladder_rules_hash()
    _compare("rules_hash", recorded, own)
    if header["rules"] != RULES_JSON:
        raise _Parted(None, "rules", "other numbers", f"those of rules {RULES_VERSION}")
    name = header["map"]["name"]
    if name not in MAP_NAMES or header["map"] != load_grid(name).view():
        raise _Parted(None, "map", f"another {name}", "the ladder's own")


def _play_tick(fight: Fight, tick: ReplayTick, trace: Trace) -> ReplayTick:
    """Plays a tick and returns the record that follows from its turns and times."""
    if fight.outcome is not None:
        raise _Parted(tick["tick"], "tick", tick["tick"], "the match is over")
    turns = [
        _turn_of(fight, seat, turn, fight.fighters[seat].alive)
        for seat, turn in enumerate(tick["turns"])
    ]
    step(fight, turns)
    state = state_hash(fight)
    if tick["hash"] != hex8(state):
        raise _Parted(tick["tick"], "hash", tick["hash"], hex8(state))
    trace.add(state)
    return {**tick, "turns": turns}


def _turn_of(fight: Fight, seat: int, turn: RecordedTurn, is_alive: bool) -> RecordedTurn:
    """Returns a turn as the ladder records it: bounded, and None only for fallen fighters."""
    if not is_alive:
        return None
    if turn is None:
        raise _Parted(fight.tick, "turns", "null", f"a turn of {FIGHTER_IDS[seat]}")
    return turn if "idle" in turn else recorded_turn(turn, fight.rules)


def _check_result(replay: Replay, fight: Fight, trace: str) -> ReplayResult:
    """Returns the computed result after comparing it with the recorded one."""
    recorded = replay.result
    followed: ReplayResult = {**recorded, "ticks": len(replay.ticks), "hash": trace}
    if recorded["reason"] == "server_fault":
        # A void match has no winner.
        followed = {**followed, "winner": None}
    else:
        winner, reason = _verdict(replay, fight)
        followed = {**followed, "winner": winner, "reason": reason}
    _compare("ticks", recorded["ticks"], followed["ticks"])
    _compare("trace", recorded["hash"], followed["hash"])
    _compare("reason", recorded["reason"], followed["reason"])
    _compare("winner", recorded["winner"], followed["winner"])
    return followed


def _compare(field: str, recorded: object, simulated: object) -> None:
    if recorded != simulated:
        raise _Parted(None, field, recorded, simulated)


def _verdict(replay: Replay, fight: Fight) -> tuple[FighterId | None, EndReason]:
    """Returns winner and reason, by the simulation or by a server decision before its end."""
    if fight.outcome is not None:
        return _id_of(fight.outcome.winner), fight.outcome.reason
    recorded = replay.result
    if recorded["reason"] == "forfeit":
        return recorded["winner"], "forfeit"
    seats = range(len(fight.fighters))
    most = failed_ticks_to_lose(replay.header["deadlines"])
    counts = [_failed_ticks(replay, seat) for seat in seats]
    is_out = disqualified_seats(counts, len(replay.ticks), most)
    staying = [seat for seat in seats if not is_out[seat]]
    if recorded["reason"] != "disqualification" or len(staying) == len(seats):
        raise _Parted(None, "reason", recorded["reason"], "none: the fight goes on")
    if len(staying) > 1:
        return recorded["winner"], "disqualification"
    return _id_of(staying[0] if staying else decide_at_limit(fight)), "disqualification"


def _failed_ticks(replay: Replay, seat: int) -> tuple[int, int]:
    """Returns the failed ticks in a row at the end, and in total."""
    in_a_row = in_all = 0
    for tick in replay.ticks:
        is_failed = idle_reason(tick["turns"][seat]) is not None
        in_a_row = in_a_row + 1 if is_failed else 0
        in_all += is_failed
    return in_a_row, in_all


def _id_of(seat: int | None) -> FighterId | None:
    return None if seat is None else FIGHTER_IDS[seat]


def _check_text(recorded: str, printed: str) -> None:
    if recorded == printed:
        return
    pairs = zip(recorded.split("\n"), printed.split("\n"), strict=True)
    number = next(number for number, (one, other) in enumerate(pairs, 1) if one != other)
    raise _Parted(None, "text", f"another line {number}", "what the ladder prints")
