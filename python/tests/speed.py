"""Measures the engine's speed in ticks per second of CPU time: `python -m tests.speed`."""

from collections.abc import Callable
from time import process_time

from bout_sim.engine.fight import Fight, start_fight
from bout_sim.engine.maps import MAP_NAMES
from bout_sim.engine.observation import observe
from bout_sim.engine.shapes import Turn
from bout_sim.engine.state_hash import state_hash
from bout_sim.engine.step import step
from bout_sim.environment import BoutEnv

from .players import reference_player

ROUNDS = 3
SEEDS = range(5)

Recorded = tuple[str, int, list[list[Turn | None]]]


def record() -> list[Recorded]:
    """Generates turns on all maps in advance, so that the measurement excludes it."""
    fights: list[Recorded] = []
    for name in MAP_NAMES:
        for seed in SEEDS:
            fight, player = start_fight(name, seed), reference_player("fight", seed)
            turns: list[list[Turn | None]] = []
            while fight.outcome is None:
                turns.append([player(fight, seat) for seat in (0, 1)])
                step(fight, turns[-1])
            fights.append((name, seed, turns))
    return fights


def play(fights: list[Recorded], also: Callable[[Fight], object]) -> int:
    ticks = 0
    for name, seed, turns in fights:
        fight = start_fight(name, seed)
        for both in turns:
            also(fight)
            step(fight, both)
        ticks += len(turns)
    return ticks


def play_environment(fights: list[Recorded], env: BoutEnv) -> int:
    ticks = 0
    for name, seed, turns in fights:
        env.reset(seed, {"map": name})
        for both in turns:
            if not env.agents:
                break
            env.step({"A": both[0], "B": both[1]})
            ticks += 1
    return ticks


def measure(name: str, run: Callable[[], int]) -> None:
    rates = []
    for _ in range(ROUNDS):
        started = process_time()
        ticks = run()
        rates.append(ticks / (process_time() - started))
    print(f"{name:40} {max(rates):8.0f}")


if __name__ == "__main__":
    fights = record()
    measure("step alone", lambda: play(fights, lambda fight: None))
    measure("step and state hash", lambda: play(fights, state_hash))
    measure(
        "step and both observations",
        lambda: play(fights, lambda fight: (observe(fight, 0), observe(fight, 1))),
    )
    env = BoutEnv()
    measure("environment: features and masks of both", lambda: play_environment(fights, env))
