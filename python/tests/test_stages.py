"""The stages of a tick in small scenes. The courtyard is floor around its center 7,7."""

import unittest
from collections.abc import Callable
from typing import NamedTuple

from bout_sim.engine.fight import Fight, Pickup
from bout_sim.engine.shapes import RecordedTurn
from bout_sim.engine.state_hash import state_hash
from bout_sim.engine.words import SHOUT_COOLDOWN

from .scenes import play, scene, use, wait


class Case(NamedTuple):
    name: str
    places: list[tuple[int, int]]
    turns: list[RecordedTurn]
    events: list[str]
    before: Callable[[Fight], None] = lambda fight: None
    map: str = "courtyard"


def powered(fight: Fight) -> None:
    fight.fighters[0].power = 5


def stunned(fight: Fight) -> None:
    fight.fighters[0].stun = 1


QUICK = [
    Case(
        "a strike hits the neighbour where it was, though it leaves",
        [(7, 7), (8, 7)],
        [use("strike", "e"), {"move": "e"}],
        ["attack A strike e @7,7", "hit A B strike 8 @8,7"],
    ),
    Case(
        "a wall beside a diagonal stops a strike",
        [(3, 4), (4, 3)],
        [use("strike", "ne"), None],
        ["attack A strike ne @3,4"],
    ),
    Case(
        "a hook pulls the nearest one next to the puller, for free",
        [(4, 7), (8, 7)],
        [use("hook", "e"), None],
        ["attack A hook e @4,7", "hit A B hook 3 @8,7", "pull A B w tiles=3 @5,7"],
    ),
    Case(
        "a hook on a neighbour does not pull",
        [(4, 7), (5, 7)],
        [use("hook", "e"), {"move": "e"}],
        ["attack A hook e @4,7", "hit A B hook 3 @5,7"],
    ),
    Case(
        "a repulse into a wall slams, and takes the move",
        [(11, 7), (12, 7)],
        [use("repulse"), {"move": "n"}],
        [
            "attack A repulse None @11,7",
            "hit A B repulse 3 @12,7",
            "hit A B wall_slam 6 @13,7",
            "repulse A B e tiles=1 slam=True @13,7",
            "rejected B move blocked",
        ],
    ),
    Case(
        "power counts for the attack and its slam, rounded down",
        [(12, 7), (13, 7)],
        [use("repulse"), None],
        [
            "attack A repulse None @12,7",
            "hit A B repulse 4 @13,7",
            "hit A B wall_slam 9 @13,7",
            "repulse A B e tiles=0 slam=True @13,7",
        ],
        powered,
    ),
    Case(
        "two pushes of equal length cancel, and the move is free",
        [(6, 7), (7, 7), (8, 7)],
        [use("repulse"), {"move": "n"}, use("repulse")],
        [
            "attack A repulse None @6,7",
            "attack C repulse None @8,7",
            "hit A B repulse 3 @7,7",
            "hit A C repulse 3 @8,7",
            "hit C A repulse 3 @6,7",
            "hit C B repulse 3 @7,7",
            "repulse C A w tiles=3 slam=False @3,7",
            "repulse A C e tiles=3 slam=False @11,7",
        ],
    ),
    Case(
        "who is pushed into a fighter hurts both",
        [(6, 7), (7, 7), (9, 7)],
        [use("repulse")],
        [
            "attack A repulse None @6,7",
            "hit A B repulse 3 @7,7",
            "hit A B collision 4 @8,7",
            "hit A C collision 4 @9,7",
            "repulse A B e tiles=1 slam=False @8,7",
        ],
    ),
]

MOVES = [
    Case(
        "who wants the same tile stops; a dash that is stopped rams",
        [(6, 7), (8, 7)],
        [{"dash": "e"}, {"move": "w"}],
        [
            "hit A B collision 4 @8,7",
            "rejected A dash blocked",
            "rejected B move blocked",
        ],
    ),
    Case(
        "two that would swap both stop",
        [(6, 7), (7, 7)],
        [{"move": "e"}, {"move": "w"}],
        ["rejected A move blocked", "rejected B move blocked"],
    ),
    Case("a follower goes along", [(6, 7), (7, 7)], [{"move": "e"}, {"move": "e"}], []),
    Case(
        "a ring of four turns",
        [(6, 6), (7, 6), (7, 7), (6, 7)],
        [{"move": "e"}, {"move": "s"}, {"move": "w"}, {"move": "n"}],
        [],
    ),
    Case(
        "a queue stops behind one that stays",
        [(5, 7), (6, 7), (7, 7)],
        [{"move": "e"}, {"move": "e"}, None],
        ["rejected A move blocked", "rejected B move blocked"],
    ),
    Case(
        "a dash that ends at a fighter later is no refusal",
        [(5, 7), (8, 7)],
        [{"dash": "e"}, None],
        ["hit A B collision 4 @8,7"],
    ),
    Case(
        "a diagonal step cuts no corner",
        [(3, 4), (9, 9)],
        [{"move": "ne"}],
        ["rejected A move blocked"],
    ),
]

BOLTS = [
    Case(
        "a bolt flies after the moves",
        [(4, 7), (8, 6)],
        [use("bolt", "e"), {"move": "s"}],
        ["attack A bolt e @4,7", "hit A B bolt 7 @8,7"],
    ),
    Case(
        "a powered bolt that has bounced",
        [(9, 2), (8, 5)],
        [use("bolt", "sw"), None],
        ["attack A bolt sw @9,2", "hit A B bolt 15 ricochet=True @8,5"],
        powered,
        "bumpers",
    ),
]

REFUSED: list[tuple[RecordedTurn, list[str]]] = [
    ({"move": "n", "dash": "n"}, ["rejected A turn conflicting_moves"]),
    (use("punch", "n"), ["rejected A attack unknown_attack"]),
    (use("bolt", [1, 1]), ["rejected A attack unknown_attack"]),
    (use("blast", "n"), ["rejected A attack unknown_attack"]),
    (use("blast", [7, 7, 7]), ["rejected A attack unknown_attack"]),
    (use("blast", [0, 0]), ["rejected A attack blocked"]),
    (use("blast", [-1, 99]), ["rejected A attack blocked"]),
    (use("scorch", [7, 13]), ["rejected A attack not_visible"]),
    ({"shout": " \u200b "}, ["rejected A turn bad_text field=shout"]),
    ({"shout": "x" * 41}, ["rejected A turn bad_text field=shout"]),
    ({"shout": " off\tthe wall! "}, ["shout A offthe wall!"]),
    ({"idle": "timeout"}, []),
]


class Stages(unittest.TestCase):
    def test_one_tick(self) -> None:
        for case in [*QUICK, *MOVES, *BOLTS]:
            with self.subTest(case.name):
                fight = scene(*case.places, name=case.map)
                case.before(fight)
                self.assertEqual(play(fight, *case.turns), case.events)

    def test_refusals(self) -> None:
        for turn, events in REFUSED:
            with self.subTest(str(turn)):
                self.assertEqual(play(scene((7, 7), (1, 1)), turn), events)

    def test_the_stunned_do_nothing_but_shout(self) -> None:
        fight = scene((7, 7), (1, 1))
        stunned(fight)
        turn: RecordedTurn = {"dash": "n", "attack": {"name": "punch"}, "shout": "ow"}
        self.assertEqual(play(fight, turn), ["rejected A turn not_ready", "shout A ow"])
        self.assertEqual(play(fight, {"move": "n", "shout": "ow"})[0][:10], "rejected A")
        self.assertEqual(fight.fighters[0].cooldowns[SHOUT_COOLDOWN], 18)

    def test_a_slam_costs_the_next_two_turns(self) -> None:
        fight = scene((12, 7), (13, 7))
        play(fight, use("repulse"))
        self.assertEqual(fight.fighters[1].stun, 2)
        for _ in range(2):
            self.assertEqual(play(fight, None, {"move": "n"}), ["rejected B turn not_ready"])
        self.assertEqual(play(fight, None, {"move": "n"}), [])

    def test_attacks_wait_for_cooldown_and_recovery(self) -> None:
        fight = scene((7, 7), (1, 1))
        for tick in range(6):
            events = play(fight, use("strike", "n"))
            is_ready = tick in (0, 5)
            self.assertEqual(events == ["attack A strike n @7,7"], is_ready, tick)
        fight = scene((7, 7), (1, 1))
        play(fight, use("strike", "n"))
        ready = [play(fight, use("bolt", "n"))[0].startswith("attack") for _ in range(4)]
        self.assertEqual(ready, [False, False, False, True])

    def test_a_blast_explodes_two_ticks_later_for_everybody_in_its_sight(self) -> None:
        fight = scene((7, 7), (9, 7))
        spawned = ["attack A blast [8, 7] @7,7", "area_spawn A blast radius=2 12 in=2 @8,7"]
        told = play(fight, use("blast", [8, 7]))
        self.assertEqual([one.replace(" damage=", " ") for one in told], spawned)
        self.assertEqual(wait(fight, 1), [])
        exploded = ["area_explode A blast radius=2 @8,7"]
        hits = ["hit A A blast 12 @7,7", "hit A B blast 12 @9,7"]
        self.assertEqual(wait(fight, 1), exploded + hits)
        self.assertEqual([one.hp for one in fight.fighters], [108, 108])
        self.assertEqual([one.dealt for one in fight.fighters], [12, 0])

    def test_a_scorch_burns_eight_times(self) -> None:
        fight = scene((7, 7), (1, 1))
        play(fight, use("scorch", [7, 7]))
        burns = [len(wait(fight, 1)) for _ in range(9)]
        # The first wave of pickups comes at tick 10.
        self.assertEqual(burns, [1] * 8 + [0])
        self.assertEqual(fight.fighters[0].hp, 120 - 8 * 4)

    def test_health_heals_before_the_damage_and_no_more_than_there_was(self) -> None:
        fight = scene((7, 7), (8, 7))
        fight.fighters[0].hp = 8
        fight.health = Pickup(fight.fighters[0].tile, 1)
        events = play(fight, None, use("strike", "w"))
        self.assertEqual(events[2], "pickup A health healed=15")
        self.assertEqual(fight.fighters[0].hp, 15)

    def test_power_lasts_for_the_next_twenty_ticks(self) -> None:
        fight = scene((7, 7), (1, 1))
        fight.power = Pickup(fight.fighters[0].tile, 0)
        self.assertEqual(wait(fight, 1), ["pickup A power"])
        self.assertEqual(fight.fighters[0].power, 20)

    def test_waves_announce_health_and_power_on_opposite_pads(self) -> None:
        fight = scene((7, 7), (1, 1))
        told = wait(fight, 11)
        self.assertEqual(
            [one.split()[:3] for one in told],
            [["pickup_spawn", "health", "in=10"], ["pickup_spawn", "power", "in=10"]],
        )
        assert fight.health is not None and fight.power is not None
        self.assertEqual(fight.power.tile, fight.grid.opposite(fight.health.tile))

    def test_the_zone_closes_in_from_tick_80_on(self) -> None:
        fight = scene((7, 7), (1, 1))
        # The outermost floor is level 6, outside after the second step of the zone.
        wait(fight, 92)
        self.assertEqual([one.hp for one in fight.fighters], [120, 120])
        self.assertEqual(wait(fight, 1), ["zone_damage B 4 @1,1"])
        wait(fight, 9)
        self.assertEqual([one.hp for one in fight.fighters], [120, 120 - 4 * 10])

    def test_who_falls_still_acts_and_both_may_fall(self) -> None:
        fight = scene((7, 7), (8, 7))
        for fighter in fight.fighters:
            fighter.hp = 8
        fight.fighters[1].dealt = 1
        events = play(fight, use("strike", "e"), use("strike", "w"))
        self.assertEqual(events[-2:], ["death A @7,7", "death B @8,7"])
        assert fight.outcome is not None
        self.assertEqual((fight.outcome.winner, fight.outcome.reason), (1, "last_standing"))
        with self.assertRaisesRegex(ValueError, "over"):
            play(fight)

    def test_a_copy_goes_its_own_way(self) -> None:
        fight = scene((7, 7), (8, 7))
        play(fight, use("scorch", [7, 7]))
        other = fight.copy()
        wait(other, 12)
        self.assertEqual((fight.tick, fight.fighters[0].hp), (1, 120))
        self.assertNotEqual(other.fighters[0].hp, 120)
        wait(fight, 12)
        self.assertEqual(state_hash(fight), state_hash(other))


if __name__ == "__main__":
    unittest.main()
