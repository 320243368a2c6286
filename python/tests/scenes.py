"""Scenes for tests, and their events as lines."""

from collections.abc import Sequence
from typing import Any

from bout_sim.engine.fight import Fight, start_fight
from bout_sim.engine.shapes import Event, RecordedTurn, Turn
from bout_sim.engine.step import step

# Fields shown without their names.
NAMELESS = frozenset(
    ["by", "target", "name", "kind", "part", "reason", "text", "direction", "damage"]
)


def scene(*places: tuple[int, int], name: str = "courtyard") -> Fight:
    """Returns a state with a fighter on each of these tiles."""
    fight = start_fight(name, 1, len(places))
    for fighter, (x, y) in zip(fight.fighters, places, strict=True):
        fighter.tile = fight.grid.tile_at(x, y)
    return fight


def use(name: str, target: object = None) -> Turn:
    """Returns a turn with an attack only."""
    attack = {"name": name} if target is None else {"name": name, "target": target}
    return {"attack": attack}  # type: ignore[typeddict-item]


def play(fight: Fight, *turns: RecordedTurn) -> list[str]:
    """Plays one tick; missing turns wait."""
    missing: Sequence[RecordedTurn] = [None] * (len(fight.fighters) - len(turns))
    step(fight, [*turns, *missing])
    return [tell(event) for event in fight.events]


def wait(fight: Fight, ticks: int) -> list[str]:
    """Plays idle ticks and returns the events of the last."""
    told: list[str] = []
    for _ in range(ticks):
        told = play(fight)
    return told


def tell(event: Event) -> str:
    """Returns an event as one line, without absent fields."""
    everything: dict[str, Any] = {**event}
    fields = {key: value for key, value in everything.items() if key not in ("type", "x", "y")}
    words: list[str] = [event["type"]]
    words += [str(value) if key in NAMELESS else f"{key}={value}" for key, value in fields.items()]
    spot = [f"@{everything['x']},{everything['y']}"] if "x" in everything else []
    return " ".join([*words, *spot])
