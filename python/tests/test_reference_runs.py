"""The reference runs: all state hashes of 113 matches, and all values of the detailed ones."""

import unittest
from typing import Any

from bout_sim.engine.combat_stats import CombatTally
from bout_sim.engine.fight import Fight, start_fight
from bout_sim.engine.murmur import hex8
from bout_sim.engine.state_hash import Trace, state_hash
from bout_sim.engine.step import step
from bout_sim.engine.words import FIGHTER_IDS

from .checkout import reference_runs
from .players import reference_player

REFUSALS = ("blocked", "not_ready", "not_visible")


def play_out(name: str, seed: int, play: str) -> tuple[Fight, CombatTally, str]:
    fight = start_fight(name, seed)
    player, tally, trace = reference_player(play, seed), CombatTally(fight), Trace()
    while fight.outcome is None:
        step(fight, [player(fight, 0), player(fight, 1)])
        tally.count(fight)
        trace.add(state_hash(fight))
    return fight, tally, hex8(trace.value())


def row_of(run: dict[str, Any]) -> dict[str, Any]:
    start = start_fight(run["map"], run["seed"])
    fight, tally, trace = play_out(run["map"], run["seed"], run["play"])
    assert fight.outcome is not None
    winner, stats, grid = fight.outcome.winner, tally.stats, fight.grid
    return {
        "map": run["map"],
        "seed": run["seed"],
        "play": run["play"],
        "spawns": [[grid.x[one.tile], grid.y[one.tile]] for one in start.fighters],
        "ticks": fight.tick,
        "winner": None if winner is None else FIGHTER_IDS[winner],
        "hp": [one["hp"] for one in stats],
        "dealt": [one["damage_dealt"] for one in stats],
        "moves": [one["moves"] for one in stats],
        "dash_tiles": [one["dash_tiles"] for one in stats],
        "bounces": [one["ricochets"]["bounces"] for one in stats],
        "refused": [[one["rejected"].get(reason, 0) for reason in REFUSALS] for one in stats],
        "prng": fight.chance,
        "trace": trace,
    }


class ReferenceRuns(unittest.TestCase):
    def test_every_run_ends_after_its_ticks_with_its_trace(self) -> None:
        runs = reference_runs()["runs"]
        self.assertEqual(len(runs), 113)
        for name, seed, play, ticks, expected in runs:
            with self.subTest(f"{name} {seed} {play}"):
                fight, _, trace = play_out(name, seed, play)
                self.assertEqual((fight.tick, trace), (ticks, expected))

    def test_every_figure_of_the_detailed_runs(self) -> None:
        for run in reference_runs()["detailed"]:
            with self.subTest(f"{run['map']} {run['seed']} {run['play']}"):
                self.assertEqual(row_of(run), run)


if __name__ == "__main__":
    unittest.main()
