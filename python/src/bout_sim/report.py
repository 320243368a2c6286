"""Text reports of series."""

from collections.abc import Mapping
from typing import Any, Final

from .series import Report

_LABEL_WIDTH: Final = 12
_CELL_WIDTH: Final = 9


def report_lines(report: Report) -> list[str]:
    """Returns the lines that `python -m bout_sim play` prints."""
    a, b = report["a"], report["b"]
    low, high = report["interval_95"]
    played = f"{_many(report['games'], 'game')} on {_many(len(report['by_map']), 'map')}"
    return [
        f"A {a['bot']} against B {b['bot']}: {played}, seed {report['seed']}",
        "",
        f"A wins {_rate(report)}, 95 % interval {100 * low:.1f} to {percent(high)}",
        f"{report['wins_a']} wins, {report['wins_b']} losses, {report['draws']} draws; "
        f"{report['mean_ticks']:.1f} ticks on average ({_counts(report['reasons'])})",
        "",
        _row("map", ["games", "A wins", "B wins", "draws", "A rate", "ticks"]),
        *(_row(line["map"], _cells(line)) for line in report["by_map"]),
        *(_row(f"A in seat {line['seat_of_a']}", _cells(line)) for line in report["by_seat"]),
        "",
        f"refused turns  A {_trouble(a, 'refused')}",
        f"               B {_trouble(b, 'refused')}",
        f"failed turns   A {_trouble(a, 'failed')}",
        f"               B {_trouble(b, 'failed')}",
    ]


def percent(share: float) -> str:
    """Returns a share as a percentage."""
    return f"{100 * share:.1f} %"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _rate(report: Report) -> str:
    """Returns nothing for shares of 0 and 1: an error of 0 would claim certainty."""
    rate, error = percent(report["win_rate"]), report["standard_error"]
    return f"{rate} ± {percent(error)} (standard error)" if error else rate


def _row(label: str, cells: list[str]) -> str:
    return label.ljust(_LABEL_WIDTH) + "".join(cell.rjust(_CELL_WIDTH) for cell in cells)


def _cells(tally: Mapping[str, Any]) -> list[str]:
    counts = [str(tally[key]) for key in ("games", "wins_a", "wins_b", "draws")]
    if not tally["games"]:
        return [*counts, "-", "-"]
    return [*counts, percent(tally["win_rate"]), f"{tally['mean_ticks']:.1f}"]


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counts.items())


def _trouble(bot: Mapping[str, Any], kind: str) -> str:
    total, counts = bot[f"{kind}_turns"], bot[f"{kind}_turns_by_reason"]
    return f"{total} ({_counts(counts)})" if total else "0"
