"""Compares this engine with another one, text for text: `python -m tests.compare < fights.jsonl`.

A match is a line {map, seed, seats}, then a line for each tick: the turns as sent and as
recorded, the observation of each living fighter before it, all events of the tick, and
the hash of the state after it. The last line is {outcome, stats}. At the first
difference, prints both texts and exits with 1.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from bout_sim.engine.combat_stats import CombatTally
from bout_sim.engine.fight import Fight, start_fight
from bout_sim.engine.murmur import hex8
from bout_sim.engine.observation import observe
from bout_sim.engine.state_hash import state_hash
from bout_sim.engine.step import step
from bout_sim.engine.words import FIGHTER_IDS
from bout_sim.json_text import parse_json, print_ascii, print_json
from bout_sim.turns import parse_turn, recorded_turn


class Difference(Exception):
    """Raised where the engines differ."""


def compare(lines: Iterable[str]) -> dict[str, int]:
    """Plays all matches again. Returns the counts of comparisons. Raises Difference."""
    counts = {"fights": 0, "ticks": 0, "observations": 0, "events": 0}
    values = map(parse_json, lines)
    for head in values:
        counts["fights"] += 1
        for what, count in _compare_fight(head, values):
            counts[what] += count
    return counts


def _compare_fight(head: dict[str, Any], values: Iterator[Any]) -> Iterator[tuple[str, int]]:
    fight = start_fight(head["map"], head["seed"], head["seats"])
    tally = CombatTally(fight)
    for value in values:
        if "outcome" in value:
            _compare_end(head, fight, tally, value)
            return
        yield "ticks", 1
        yield from _compare_tick(head, fight, value)
        tally.count(fight)


def _compare_tick(
    head: dict[str, Any], fight: Fight, value: dict[str, Any]
) -> Iterator[tuple[str, int]]:
    place = f"{head}, tick {fight.tick}"
    for seat, seen in enumerate(value["seen"]):
        if seen is not None:
            yield "observations", 1
            _equal(f"{place}, observation of {seat}", seen, print_ascii(observe(fight, seat)))
    turns = [None if turn is None else recorded_turn(parse_turn(turn)) for turn in value["turns"]]
    for recorded, own in zip(value["recorded"], turns, strict=True):
        if recorded is not None and "idle" not in recorded:
            _equal(f"{place}, recorded turn", recorded, own)
    step(fight, turns)
    yield "events", len(fight.events)
    _equal(f"{place}, events", value["events"], print_json(fight.events))
    _equal(f"{place}, hash", value["hash"], hex8(state_hash(fight)))


def _compare_end(
    head: dict[str, Any], fight: Fight, tally: CombatTally, value: dict[str, Any]
) -> None:
    outcome = fight.outcome
    assert outcome is not None, f"{head}: the fight goes on"
    winner = None if outcome.winner is None else FIGHTER_IDS[outcome.winner]
    _equal(f"{head}, outcome", value["outcome"], [winner, outcome.reason])
    _equal(f"{head}, stats", value["stats"], print_json(tally.stats))


def _equal(place: str, other: object, own: object) -> None:
    if other != own:
        raise Difference(f"{place}\n  there {other}\n  here  {own}")


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        print(print_json(compare(sys.stdin)))
    except Difference as difference:
        sys.exit(str(difference))
