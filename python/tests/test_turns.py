"""Valid turns, and turns as stored in replays."""

import unittest

from bout_sim.engine.shout import clean_shout
from bout_sim.turns import TurnError, parse_turn, recorded_turn

TURNS: list[tuple[object, object]] = [
    (None, {}),
    ({}, {}),
    ({"move": None, "attack": None}, {}),
    ({"type": "turn", "tick": 4, "move": "n"}, {"move": "n"}),
    ({"shout": "hey", "move": "n", "dash": "s"}, {"move": "n", "dash": "s", "shout": "hey"}),
    (
        {"attack": {"name": "bolt", "target": "n", "by": 1}},
        {"attack": {"name": "bolt", "target": "n"}},
    ),
    ({"attack": {"name": "bolt", "target": [1, 2]}}, {"attack": {"name": "bolt"}}),
    (
        {"attack": {"name": "blast", "target": (1, 2)}},
        {"attack": {"name": "blast", "target": [1, 2]}},
    ),
    ({"attack": {"name": "blast", "target": [1, True]}}, {"attack": {"name": "blast"}}),
    ({"attack": {"name": "blast", "target": [1, 2.5]}}, {"attack": {"name": "blast"}}),
    ({"attack": {"name": "repulse", "target": "n"}}, {"attack": {"name": "repulse"}}),
    ({"attack": {"name": "x" * 50}}, {"attack": {"name": "x" * 40}}),
    ({"shout": " \u2028a\u0007b\u00a0"}, {"shout": "ab"}),
    ({"shout": "👊" * 50}, {"shout": "👊" * 41}),
]

WRONG: list[tuple[object, str]] = [
    ([], "JSON object"),
    ("n", "JSON object"),
    ({"move": "up"}, "'move' is one of n, ne"),
    ({"dash": 1}, "'dash' is one of"),
    ({"attack": "bolt"}, "'attack' is an object"),
    ({"attack": {"name": 1}}, "'attack.name' is a string"),
    ({"shout": 1}, "'shout' is a string"),
]


class Turns(unittest.TestCase):
    def test_answers_become_turns_as_they_are_recorded(self) -> None:
        for answer, recorded in TURNS:
            with self.subTest(str(answer)):
                turn = recorded_turn(parse_turn(answer))
                self.assertEqual(turn, recorded)
                self.assertEqual(list(turn), list(recorded))  # type: ignore[call-overload]
                self.assertEqual(recorded_turn(turn), recorded)

    def test_what_is_no_turn_says_why(self) -> None:
        for answer, words in WRONG:
            with self.subTest(str(answer)), self.assertRaisesRegex(TurnError, words):
                parse_turn(answer)

    def test_shouts_lose_what_does_not_print(self) -> None:
        for text, kept in {
            "hey": "hey",
            "": "",
            " a b ": "a b",
            "\u200d\u3000x\ufeff": "x",
        }.items():
            self.assertEqual(clean_shout(text), kept)


if __name__ == "__main__":
    unittest.main()
