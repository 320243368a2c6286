"""A local match between bots with the ladder's rules, recording and judging, without a clock.

A policy is a function from an observation to a turn. A bot creates a new policy, or an object with
`turn`, for each match from its `hello`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

from .engine.ending import decide_at_limit
from .engine.fight import Fight, start_fight
from .engine.grid import Grid
from .engine.maps import ladder_rules_hash, rules_hash
from .engine.murmur import hex8
from .engine.observation import observe
from .engine.rules import ENGINE_VERSION, PROTOCOL_VERSION, RULES, RULES_VERSION, Rules
from .engine.shapes import Deadlines, Hello, Observation, RecordedTurn, RejectedEvent, Turn
from .engine.state_hash import Trace, state_hash
from .engine.step import step
from .engine.words import FIGHTER_IDS, EndReason
from .match_stats import MatchStats, MatchTally
from .replay import Replay, ReplayHeader, ReplayResult, ReplayTick, print_replay
from .turns import TurnError, parse_turn, recorded_turn

Policy = Callable[[Observation], Turn | Mapping[str, Any] | None]


class RunningBot(Protocol):
    """A bot in a running match that is not a plain policy."""

    def turn(self, seen: Observation, /) -> Turn | Mapping[str, Any] | None:
        """Answers an observation. None waits."""


Bot = Callable[[Hello], Policy | RunningBot]

DEADLINES: Final[Deadlines] = {
    "startup_ms": 10_000,
    "tick_ms": 1000,
    "budget_ms": 300_000,
    "reconnect_ms": 10_000,
    "failed_ticks_to_disqualify": 10,
    "messages_per_tick": 5,
}
"""The ladder's limits. Replies are not timed here: each takes 0 ms."""

_LOCAL: Final = "local"
_STARTED: Final = "1970-01-01T00:00:00.000Z"
"""Start time of all local matches, so that replays are reproducible."""


def stateless(policy: Policy) -> Bot:
    """Returns a bot that uses this policy in all matches."""
    return lambda hello: policy


def policy_of(made: object) -> Policy:
    """Returns the policy of a bot: itself, or its `turn`. Raises TypeError otherwise."""
    policy = getattr(made, "turn", made)
    if not callable(policy):
        raise TypeError("create_bot(hello) returns no object with turn(observation), no function")
    return cast(Policy, policy)


class BotFailure(Exception):
    """A policy raised an exception, which ended the match. `__cause__` is that exception."""

    def __init__(self, seat: int, tick: int, match_id: str, map_name: str) -> None:
        place = f"tick {tick} of {match_id} on {map_name}"
        super().__init__(f"the bot in seat {FIGHTER_IDS[seat]} broke in {place}")
        self.seat = seat
        self.tick = tick


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match."""

    replay: Replay
    stats: MatchStats

    @property
    def replay_text(self) -> str:
        """The text of the replay file."""
        return print_replay(self.replay)


def play_match(
    grid: Grid | str,
    seed: int,
    bots: Sequence[Bot],
    *,
    names: Sequence[str] = ("a", "b", "c", "d"),
    match_id: str = "local-0",
    rules: Rules = RULES,
) -> PlayedMatch:
    """Plays a match. Seat A is the first bot's.

    `grid` may be a map name. The same bots, map, seed and match id give the same match.
    Raises BotFailure if a bot raises an exception. An invalid answer is a failed tick,
    as on the ladder, and ten in a row lose the match.
    """
    fight = start_fight(grid, seed, len(bots), rules)
    match = _Match(fight, _header(fight, seed, names, match_id))
    policies = [match.open(seat, bot) for seat, bot in enumerate(bots)]
    while match.result is None:
        match.play_tick(policies)
    stats = match.tally.stats(match.result)
    assert stats is not None, "no server, no fault of it"
    return PlayedMatch(Replay(match.header, match.ticks, match.result), stats)


def _header(fight: Fight, seed: int, names: Sequence[str], match_id: str) -> ReplayHeader:
    is_ours = fight.rules is RULES
    return {
        "type": "replay",
        "replay_version": 1,
        "match_id": match_id,
        "ladder_id": _LOCAL,
        "mode": _LOCAL,
        "started": _STARTED,
        "versions": {
            "engine": ENGINE_VERSION,
            "protocol": PROTOCOL_VERSION,
            "rules": fight.rules.json.get("version", RULES_VERSION),
            "rules_hash": ladder_rules_hash() if is_ours else rules_hash(fight.rules.json),
        },
        "seed": seed,
        "deadlines": {**DEADLINES},
        "map": fight.grid.view(),
        "rules": fight.rules.json,
        "fighters": [
            {
                "id": FIGHTER_IDS[seat],
                "bot_id": f"local-{seat + 1}",
                "name": names[seat],
                "version": _LOCAL,
            }
            for seat in range(len(fight.fighters))
        ],
    }


class _Match:
    """A running match."""

    def __init__(self, fight: Fight, header: ReplayHeader) -> None:
        self.fight = fight
        self.header = header
        self.tally = MatchTally(header, fight)
        self.ticks: list[ReplayTick] = []
        self.result: ReplayResult | None = None
        self._trace = Trace()
        self._failed: list[RejectedEvent | None] = [None] * len(fight.fighters)

    def open(self, seat: int, bot: Bot) -> Policy:
        """Creates a bot's policy for the match. Raises BotFailure."""
        try:
            return policy_of(bot(self.hello(seat)))
        except Exception as error:
            raise self._failure(seat) from error

    def _failure(self, seat: int) -> BotFailure:
        return BotFailure(seat, self.fight.tick, self.header["match_id"], self.fight.grid.name)

    def hello(self, seat: int) -> Hello:
        header = self.header
        fighters = header["fighters"]
        other = fighters[(seat + 1) % len(fighters)]
        return {
            "type": "hello",
            "protocol_version": PROTOCOL_VERSION,
            "match_id": header["match_id"],
            "ladder_id": header["ladder_id"],
            "mode": "practice",
            "bot_id": fighters[seat]["bot_id"],
            "fighter": fighters[seat]["id"],
            "opponent": {
                "bot_id": other["bot_id"],
                "name": other["name"],
                "version": other["version"],
                "fighter": other["id"],
            },
            "fighters": [*fighters],
            "deadlines": DEADLINES,
            "map": self.fight.grid.view(),
            "rules": header["rules"],
        }

    def play_tick(self, policies: Sequence[Policy]) -> None:
        """Gets turns from all living fighters, plays the tick, and records it."""
        fight = self.fight
        turns = [self._ask(seat, policy) for seat, policy in enumerate(policies)]
        step(fight, turns)
        state = state_hash(fight)
        self._trace.add(state)
        tick: ReplayTick = {
            "tick": len(self.ticks),
            "turns": turns,
            "reply_ms": [None if turn is None else 0 for turn in turns],
            "budget_ms": [DEADLINES["budget_ms"]] * len(turns),
            "hash": hex8(state),
        }
        self.ticks.append(tick)
        self.tally.count(fight, tick)
        self._judge()

    def _ask(self, seat: int, policy: Policy) -> RecordedTurn:
        fight = self.fight
        if not fight.fighters[seat].alive:
            return None
        seen = observe(
            fight,
            seat,
            match_id=self.header["match_id"],
            budget_ms=DEADLINES["budget_ms"],
            last_reply_ms=None if fight.tick == 0 else 0,
            failed=self._failed[seat],
        )
        self._failed[seat] = None
        try:
            answer = policy(seen)
        except Exception as error:
            raise self._failure(seat) from error
        return self._turn_of(seat, answer)

    def _turn_of(self, seat: int, answer: object) -> RecordedTurn:
        try:
            return recorded_turn(parse_turn(answer), self.fight.rules)
        except TurnError as error:
            self._failed[seat] = {
                "type": "rejected",
                "part": "turn",
                "reason": "schema",
                "message": str(error),
            }
            return {"idle": "schema"}

    def _judge(self) -> None:
        """Ends the match when it is decided, or when all but one have failed too often."""
        fight = self.fight
        if fight.outcome is not None:
            self._end(fight.outcome.winner, fight.outcome.reason)
            return
        living = [seat for seat, fighter in enumerate(fight.fighters) if fighter.alive]
        is_out = self.tally.disqualified_seats()
        staying = [seat for seat in living if not is_out[seat]]
        if len(staying) <= 1:
            winner = staying[0] if staying else decide_at_limit(fight)
            self._end(winner, "disqualification")

    def _end(self, winner: int | None, reason: EndReason) -> None:
        self.result = {
            "type": "result",
            "winner": None if winner is None else FIGHTER_IDS[winner],
            "reason": reason,
            "ticks": len(self.ticks),
            "hash": hex8(self._trace.value()),
        }
