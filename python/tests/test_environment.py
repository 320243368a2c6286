"""The environment follows PettingZoo's parallel API, with and without the package."""

import importlib
import importlib.util
import unittest
from typing import Any

from bout_sim.actions import Actions
from bout_sim.engine.chance import Dice
from bout_sim.engine.fight import start_fight
from bout_sim.engine.observation import observe
from bout_sim.engine.rules import RULES
from bout_sim.engine.words import ATTACKS, DIRECTIONS
from bout_sim.environment import BoutEnv
from bout_sim.features import PLANES, WINDOW, Features

from .players import reference_player
from .scenes import play, scene, use

HAS_PETTINGZOO = importlib.util.find_spec("pettingzoo") is not None
HAS_GYMNASIUM = importlib.util.find_spec("gymnasium") is not None


def allowed(mask: Any, dice: Dice) -> int:
    choices = [at for at, can in enumerate(mask) if can]
    return choices[dice.draw() % len(choices)]


def play_out(env: BoutEnv, seed: int, dice: Dice) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """Plays a match of allowed actions and returns the sums of the rewards and all infos."""
    _, infos = env.reset(seed)
    sums, told = dict.fromkeys(env.agents, 0.0), [infos]
    while env.agents:
        actions = {
            agent: tuple(allowed(mask, dice) for mask in infos[agent]["action_mask"])
            for agent in env.agents
        }
        _, rewards, ended, _, infos = env.step(actions)
        told.append(infos)
        for agent, reward in rewards.items():
            sums[agent] += reward
        assert env.agents == [agent for agent in ended if not ended[agent]]
    return sums, told


class Environment(unittest.TestCase):
    def test_it_has_the_shape_of_the_parallel_api(self) -> None:
        env = BoutEnv(["cage"], render_mode="ansi")
        observations, infos = env.reset(seed=1)
        self.assertEqual((list(observations), list(infos)), (["A", "B"], ["A", "B"]))
        results = env.step({"A": (1, 0), "B": {"move": "n"}})
        self.assertEqual([list(result) for result in results], [["A", "B"]] * 5)
        self.assertIn("tick 1 ", env.render() or "")
        env.close()
        with self.assertRaisesRegex(RuntimeError, "reset"):
            env.step({})

    def test_a_seed_makes_all_fights_again(self) -> None:
        first, second = (play_out(BoutEnv(), 7, Dice(1))[1][-1]["A"]["message"] for _ in range(2))
        self.assertEqual(first, second)

    def test_the_winner_gets_1_and_the_others_minus_1(self) -> None:
        for seats in (2, 3, 4):
            sums, _ = play_out(BoutEnv(seats=seats), seats, Dice(seats))
            self.assertEqual(sorted(sums.values()), [*[-1.0] * (seats - 1), 1.0])

    def test_hp_may_be_rewarded_too(self) -> None:
        env = BoutEnv(["cage"], hp_reward=1)
        env.reset(seed=1)
        assert env.fight is not None
        env.fight.fighters[1].stun = 1
        env.fight.fighters[0].hp = 60
        env.fight.fighters[0].tile = env.fight.grid.center
        env.fight.fighters[1].tile = env.fight.grid.center + 1
        _, rewards, _, _, _ = env.step({"A": {"attack": {"name": "strike", "target": "e"}}})
        self.assertEqual(rewards, {"A": 8 / 120, "B": -8 / 120})

    def test_what_the_masks_allow_is_never_refused_but_by_a_fighter(self) -> None:
        for seed in range(4):
            _, told = play_out(BoutEnv(), seed, Dice(seed))
            events = [
                one
                for infos in told
                for info in infos.values()
                for one in info["message"]["events"]
            ]
            reasons = {one["reason"] for one in events if one["type"] == "rejected"}
            self.assertLessEqual(reasons, {"blocked"})

    @unittest.skipUnless(HAS_PETTINGZOO, "pettingzoo is not installed")
    def test_pettingzoo_accepts_it(self) -> None:
        testing = importlib.import_module("pettingzoo.test")
        for seats in (2, 4):
            testing.parallel_api_test(BoutEnv(seats=seats), num_cycles=200)

    @unittest.skipUnless(HAS_GYMNASIUM, "gymnasium is not installed")
    def test_its_spaces_hold_what_it_gives(self) -> None:
        env = BoutEnv()
        observations, infos = env.reset(seed=3)
        while env.agents:
            for agent in env.agents:
                self.assertTrue(env.observation_space(agent).contains(observations[agent]))
            actions = {
                agent: env.action_space(agent).sample(mask=infos[agent]["action_mask"])
                for agent in env.agents
            }
            observations, _, _, _, infos = env.step(actions)

    @unittest.skipIf(HAS_GYMNASIUM, "gymnasium is installed")
    def test_spaces_say_what_they_need(self) -> None:
        with self.assertRaisesRegex(ImportError, "gymnasium"):
            BoutEnv().action_space("A")


class Coding(unittest.TestCase):
    def test_actions_are_turns(self) -> None:
        fight = scene((7, 7), (1, 1))
        actions, seen = Actions(fight.grid, RULES), observe(fight, 0)
        self.assertEqual((actions.movement_count, actions.attack_count), (17, 372))
        cases: dict[tuple[int, int], object] = {
            (0, 0): {},
            (1, 0): {"move": "n"},
            (16, 0): {"dash": "nw"},
            (0, 1): {"attack": {"name": "strike", "target": "n"}},
            (0, 16): {"attack": {"name": "bolt", "target": "nw"}},
            (0, 19): {"attack": {"name": "hook", "target": "e"}},
            (3, 25): {"move": "e", "attack": {"name": "repulse"}},
            (0, 26): {"attack": {"name": "blast", "target": [0, 0]}},
            (0, 371): {"attack": {"name": "scorch", "target": [12, 12]}},
        }
        for action, turn in cases.items():
            self.assertEqual(actions.turn(seen, action), turn)
        for action in ((17, 0), (0, 372), (-1, 0)):
            with self.assertRaises(IndexError):
                actions.turn(seen, action)

    def test_masks_are_what_the_engine_accepts(self) -> None:
        fight = start_fight("trench", 3)
        player, actions = reference_player("fight", 3), Actions(fight.grid, RULES)
        while fight.outcome is None and fight.tick < 30:
            self.check_masks(fight, actions)
            play(fight, player(fight, 0), player(fight, 1))

    def check_masks(self, fight: Any, actions: Actions) -> None:
        seen = observe(fight, 0)
        masks = actions.masks(seen)
        for attack in range(0, actions.attack_count, 7):
            trial = fight.copy()
            play(trial, actions.turn(seen, (0, attack)))
            was_refused = any(event["type"] == "rejected" for event in trial.events)
            self.assertEqual(was_refused, masks[1][attack] == 0, (fight.tick, attack))

    def test_features_stay_in_their_bounds(self) -> None:
        for seats, name in ((2, "lanes"), (4, "halls")):
            fight = start_fight(name, 5, seats)
            features, dice = Features(fight.grid, RULES, seats - 1), Dice(5)
            while fight.outcome is None:
                for fighter in fight.fighters:
                    seen = observe(fight, fighter.seat)
                    vector, planes = features.vector(seen), features.planes(seen)
                    self.assertEqual(len(vector), features.vector_length)
                    self.assertEqual(len(planes), len(PLANES) * WINDOW**2)
                    self.assertTrue(min(vector) >= -1 and max(vector) <= 1)
                    self.assertTrue(min(planes) >= 0 and max(planes) <= 1)
                play(fight, *[_any_turn(dice) for _ in fight.fighters])

    def test_planes_show_what_is_where(self) -> None:
        fight = scene((7, 7), (9, 6))
        play(fight, use("blast", [9, 7]))
        planes = Features(fight.grid, RULES).planes(observe(fight, 0))

        def cell(plane: str, x: int, y: int) -> float:
            return planes[PLANES.index(plane) * WINDOW**2 + y * WINDOW + x]

        # The window of a fighter in the middle of a 15 by 15 map is the map.
        self.assertEqual([cell("wall", 0, 0), cell("low_wall", 5, 5)], [1, 1])
        self.assertEqual([cell("fighter", 9, 6), cell("fighter", 6, 9)], [1, 0])
        self.assertEqual([cell("hurt_now", 9, 7), cell("hurt_later", 9, 7)], [0, 1 / 3])


def _any_turn(dice: Dice) -> Any:
    name = ATTACKS[dice.draw() % len(ATTACKS)]
    direction = DIRECTIONS[dice.draw() % len(DIRECTIONS)]
    target = direction if dice.draw() % 2 else [dice.draw() % 19, dice.draw() % 15]
    return {"move": direction, "attack": {"name": name, "target": target}}


if __name__ == "__main__":
    unittest.main()
