"""Server statistics: failed ticks and response times (rules-statistics.md#response-times).

All follow from a replay. Times are whole microseconds, to avoid rounding twice.
"""

import math
from collections.abc import Sequence
from typing import Final, TypedDict

from .engine.shapes import Counts, RecordedDeadlines, RecordedTurn
from .engine.words import EndReason
from .turns import idle_reason

_UNTOLD_FAILED_TICKS: Final = 10
"""For replays without this value."""

_SHARE_TICKS: Final = 40
"""Ticks played before the share of failed ticks counts."""
_SHARE_PERCENT: Final = 50
"""Percentage of failed ticks that loses the match."""

_BOUNDS: Final = (10, 25, 50, 100, 200, 300, 400, 500, 600, 700, 800, 850, 900, 950, 1000)
"""Upper bounds of the histogram's buckets in thousandths of the tick limit; then slower."""
_NEAR_LIMIT: Final = 800
"""Replies from this many thousandths of the limit count as near it."""


class Timing(TypedDict):
    """Response times in ms. Percentiles are upper bounds of their bucket."""

    replies: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    max_ms: float
    near_limit: int
    tick_ms: int
    budget_ms: int
    budget_ms_left: float
    histogram: list[int]


class ServerStats(TypedDict):
    """One fighter in one match. `timing` is None if nothing was timed."""

    server_idles: Counts
    timing: Timing | None
    disconnects: int
    disqualified: bool


def failed_ticks_to_lose(deadlines: RecordedDeadlines) -> int:
    """Failed ticks in a row that lose the match."""
    return deadlines.get("failed_ticks_to_disqualify", _UNTOLD_FAILED_TICKS)


def disqualified_seats(
    counts: Sequence[tuple[int, int]], ticks: int, most: int
) -> list[bool]:
    """Returns the disqualified seats, by failed ticks in a row and in total.

    Those with too many in a row; if none, those with too large a share.
    """
    by_row = [in_a_row >= most for in_a_row, _ in counts]
    if any(by_row):
        return by_row
    return [
        ticks >= _SHARE_TICKS and in_all * 100 >= ticks * _SHARE_PERCENT for _, in_all in counts
    ]


def microseconds(ms: float) -> int:
    """Returns a replay's time, rounded half up."""
    return math.floor(ms * 1000 + 0.5)


def milliseconds(time: int) -> float:
    """Returns a time in microseconds as replays print it: an int if integral."""
    return time // 1000 if time % 1000 == 0 else time / 1000


class ServerTally:
    """Counts the server statistics of one fighter."""

    __slots__ = ("_budget_left", "_deadlines", "_disconnects", "_idles", "_times", "failed", "failed_in_all")

    def __init__(self, deadlines: RecordedDeadlines) -> None:
        self.failed = 0
        """Failed ticks in a row up to the last tick."""
        self.failed_in_all = 0
        self._deadlines = deadlines
        self._budget_left: float = deadlines["budget_ms"]
        self._idles: list[str | None] = [None]
        self._disconnects = 0
        self._times: list[int] = []

    def count(self, turn: RecordedTurn, reply_ms: float | None, budget_ms: float) -> None:
        """Counts one tick of the replay."""
        idle = idle_reason(turn)
        if idle == "disconnected" and self._idles[-1] != "disconnected":
            self._disconnects += 1
        self._idles.append(idle)
        self.failed = 0 if idle is None else self.failed + 1
        self.failed_in_all += idle is not None
        self._budget_left = budget_ms
        if reply_ms is not None:
            self._times.append(microseconds(reply_ms))

    def stats(self, reason: EndReason, *, is_out: bool) -> ServerStats:
        """Returns the statistics of a match that ended for this reason.

        `is_out` says whether a disqualification would apply to this fighter.
        """
        idles: Counts = {}
        for idle in self._idles:
            if idle is not None:
                idles[idle] = idles.get(idle, 0) + 1
        return {
            "server_idles": idles,
            "timing": self._timing() if self._times else None,
            "disconnects": self._disconnects,
            "disqualified": reason == "disqualification" and is_out,
        }

    def _timing(self) -> Timing:
        times, tick_ms = self._times, self._deadlines["tick_ms"]
        count = len(times)
        return {
            "replies": count,
            "mean_ms": milliseconds((2 * sum(times) + count) // (2 * count)),
            "p50_ms": self._percentile(0.5),
            "p95_ms": self._percentile(0.95),
            "max_ms": milliseconds(max(times)),
            "near_limit": sum(time >= _NEAR_LIMIT * tick_ms for time in times),
            "tick_ms": tick_ms,
            "budget_ms": self._deadlines["budget_ms"],
            "budget_ms_left": self._budget_left,
            "histogram": self._histogram(),
        }

    def _bucket(self, time: int) -> int:
        """Returns the first bucket whose bound is not exceeded. Times are microseconds."""
        limit = self._deadlines["tick_ms"]
        fitting = (at for at, bound in enumerate(_BOUNDS) if time <= bound * limit)
        return next(fitting, len(_BOUNDS))

    def _histogram(self) -> list[int]:
        buckets = [self._bucket(time) for time in self._times]
        return [buckets.count(bucket) for bucket in range(len(_BOUNDS) + 1)]

    def _percentile(self, share: float) -> float:
        """Returns the bound of the bucket with the nearest-rank value, at most the maximum."""
        rank = math.ceil(share * len(self._times))
        slowest = max(self._times)
        bucket = self._bucket(sorted(self._times)[rank - 1])
        if bucket == len(_BOUNDS):
            return milliseconds(slowest)
        return milliseconds(min(_BOUNDS[bucket] * self._deadlines["tick_ms"], slowest))
