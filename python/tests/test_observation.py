"""Observations and hidden information. `compare.py` compares them with the ladder's."""

import unittest

from bout_sim.engine.fight import Fight
from bout_sim.engine.observation import observe
from bout_sim.engine.shapes import Observation

from .scenes import play, scene, tell, use

KEYS = [
    "type",
    "match_id",
    "tick",
    "self",
    "fighters",
    "moves",
    "dashes",
    "danger",
    "areas",
    "pickups",
    "zone",
    "events",
    "budget_ms",
    "last_reply_ms",
]


def hidden_pair() -> Fight:
    """Returns two fighters on the cage with walls between them."""
    return scene((1, 1), (11, 11), name="cage")


class Observations(unittest.TestCase):
    def test_keys_stand_in_the_order_of_the_protocol(self) -> None:
        self.assertEqual(list(observe(scene((7, 7), (1, 1)), 0)), KEYS)
        self.assertEqual(list(Observation.__annotations__), KEYS)

    def test_who_is_out_of_sight_is_a_last_sighting(self) -> None:
        fight = hidden_pair()
        fight.sightings[0][1] = (fight.grid.tile_at(6, 6), 3)
        foe = observe(fight, 0)["fighters"][0]
        last = {"x": 6, "y": 6, "tick": 3}
        expected = {"id": "B", "hp": 120, "power": 0, "visible": False, "last_seen": last}
        self.assertEqual(foe, expected)

    def test_an_attack_out_of_sight_is_heard_without_its_place(self) -> None:
        fight = hidden_pair()
        play(fight, None, use("bolt", "n"))
        self.assertEqual(
            observe(fight, 0)["events"], [{"type": "attack", "by": "B", "name": "bolt"}]
        )
        self.assertEqual(
            [tell(one) for one in observe(fight, 1)["events"]], ["attack B bolt n @11,11"]
        )

    def test_a_refusal_is_told_to_its_fighter_alone(self) -> None:
        fight = scene((7, 7), (8, 7))
        play(fight, use("punch"))
        self.assertEqual(observe(fight, 1)["events"], [])
        (event,) = observe(fight, 0)["events"]
        assert event["type"] == "rejected"
        self.assertNotIn("by", event)
        self.assertIn("No attack has this name", event["message"])

    def test_danger_is_what_areas_will_do_nearby(self) -> None:
        fight = scene((7, 7), (1, 1))
        play(fight, use("blast", [10, 7]))
        danger = observe(fight, 0)["danger"]
        self.assertEqual(danger[0], [8, 5, 2, 12])
        # Three columns of its five are within 3, and two of their tiles are low walls.
        self.assertEqual(len(danger), 3 * 5 - 2)
        self.assertEqual(observe(fight, 1)["danger"], [])

    def test_the_fallen_are_told_as_such(self) -> None:
        fight = scene((7, 7), (8, 7), (1, 1))
        fight.fighters[1].hp = 8
        play(fight, use("strike", "e"))
        self.assertEqual(observe(fight, 0)["fighters"][0], {"id": "B", "hp": 0, "alive": False})


if __name__ == "__main__":
    unittest.main()
