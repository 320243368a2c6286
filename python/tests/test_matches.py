"""Local matches, series of them, and the command that plays them."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from bout_sim.bots import BotError, load_bot
from bout_sim.engine.maps import MAP_NAMES
from bout_sim.engine.rules import RULES_JSON, Rules
from bout_sim.engine.shapes import Observation, Turn
from bout_sim.house import HouseError, house_bot
from bout_sim.json_text import print_json
from bout_sim.match import BotFailure, play_match, stateless
from bout_sim.series import plan_games, play_series, report_on, wilson_interval
from bout_sim.sparring import greedy, idle, random
from bout_sim.verify import verify

from .test_replays import run

WALKER = """
def decide(seen):
    return {"move": seen["moves"][0]} if seen["moves"] else None
"""
KEEPER = """
import beside
def create_bot(hello):
    ticks = []
    def decide(seen):
        ticks.append(seen["tick"])
        assert ticks == list(range(len(ticks))), hello["match_id"]
        return {"shout": beside.WORD}
    return decide
"""
RUNNING = """
class Bot:
    def __init__(self, hello):
        self.way = hello["rules"]["directions"][0]
    def turn(self, seen):
        return {"move": self.way} if self.way in seen["moves"] else None
def create_bot(hello):
    return Bot(hello)
"""
KNOWING = """
def decide(seen, hello, memory):
    memory["ticks"] = memory.get("ticks", 0) + 1
    assert memory["ticks"] == seen["tick"] + 1, hello["match_id"]
"""
STARTER = """
TEMPERS = {"calm": None, "rude": "shout"}
def create_bot(hello, temper="calm"):
    key = TEMPERS[temper]
    return lambda seen: {key: "hey"} if key else {}
"""
OLD_STARTER = """
TEMPERS = {"calm": None}
def decide(rows, temper, seen):
    return {}
"""
BROKEN = """
def decide(seen):
    return 1 // (seen["tick"] - 3)
"""


def node_and_simulator() -> bool:
    """Returns whether this machine can run house bots."""
    try:
        house_bot("kiter")
    except HouseError:
        return False
    return True


class Matches(unittest.TestCase):
    def test_the_same_call_gives_the_same_match(self) -> None:
        first, second = (play_match("keep", 5, [random, greedy]) for _ in range(2))
        self.assertEqual(first.replay_text, second.replay_text)

    def test_its_replay_is_verified_and_its_statistics_follow(self) -> None:
        for seats, name in zip((2, 3, 4), MAP_NAMES, strict=False):
            match = play_match(name, seats, [random, greedy, random, greedy][:seats])
            verification = verify(match.replay_text)
            self.assertIsNone(verification.mismatch)
            self.assertEqual(print_json(verification.stats), print_json(match.stats))

    def test_ten_failed_ticks_lose(self) -> None:
        events: list[object] = []

        def confused(seen: Observation) -> Turn:
            events.extend(seen["events"])
            return {"move": "up"}  # type: ignore[typeddict-item]

        match = play_match("cage", 1, [stateless(confused), idle])
        result = match.replay.result
        self.assertEqual((result["winner"], result["reason"]), ("B", "disqualification"))
        self.assertEqual(result["ticks"], 10)
        self.assertIn("'move' is one of", str(events[0]))
        self.assertTrue(match.stats["fighters"][0]["disqualified"])
        self.assertTrue(verify(match.replay_text).ok)

    def test_failing_half_of_forty_ticks_loses(self) -> None:
        def erratic(seen: Observation) -> Turn:
            return {"move": "up"} if seen["tick"] % 2 == 0 else {}  # type: ignore[typeddict-item]

        match = play_match("cage", 1, [stateless(erratic), idle])
        result = match.replay.result
        self.assertEqual((result["winner"], result["reason"]), ("B", "disqualification"))
        self.assertEqual(result["ticks"], 40)
        outs = [fighter["disqualified"] for fighter in match.stats["fighters"]]
        self.assertEqual(outs, [True, False])
        self.assertTrue(verify(match.replay_text).ok)

    def test_both_failing_is_decided_as_at_the_limit(self) -> None:
        wrong = stateless(lambda seen: {"shout": 1})
        result = play_match("cage", 1, [wrong, wrong]).replay.result
        self.assertEqual((result["winner"], result["reason"]), (None, "disqualification"))

    def test_other_numbers_make_other_matches_and_true_replays(self) -> None:
        rules = Rules.from_json({**RULES_JSON, "version": "0.22.0-short", "hp": 10})
        match = play_match("cage", 1, [greedy, greedy], rules=rules)
        longer = play_match("cage", 1, [greedy, greedy])
        self.assertLess(len(match.replay.ticks), len(longer.replay.ticks))
        self.assertIsNone(verify(match.replay_text).mismatch)
        for wrong in ({**RULES_JSON, "hp": "10"}, {**RULES_JSON, "zone": {}}, {}):
            with self.assertRaisesRegex(ValueError, "rules: "):
                Rules.from_json(wrong)

    def test_an_exception_names_its_place(self) -> None:
        def broken(seen: Observation) -> Turn:
            raise KeyError(seen["tick"])

        with self.assertRaisesRegex(BotFailure, "seat B broke in tick 0 of local-0 on cage"):
            play_match("cage", 1, [idle, stateless(broken)])


class Series(unittest.TestCase):
    def test_maps_and_seats_take_turns(self) -> None:
        plan = plan_games(36, 1)
        self.assertEqual([game.map for game in plan], list(MAP_NAMES) * 4)
        for name in MAP_NAMES:
            seats = [game.seat_of_a for game in plan if game.map == name]
            self.assertEqual(sorted(seats), [0, 0, 1, 1])
        self.assertEqual(plan[0].seed, 2693262067)

    def test_the_report_counts_what_was_played(self) -> None:
        results = play_series((greedy, random), plan_games(18, 1), ("greedy", "random"))
        report = report_on(("greedy", "random"), 1, results)
        self.assertEqual(report["games"], 18)
        self.assertEqual(report["wins_a"] + report["wins_b"] + report["draws"], 18)
        self.assertGreater(report["win_rate"], 0.9)
        dealt = sum(result.fighters[0]["damage_dealt"] for result in results)
        self.assertEqual(report["a"]["damage_dealt"], dealt)
        self.assertEqual(sum(report["a"]["dealt_by_source"].values()), dealt)
        self.assertEqual(sum(line["games"] for line in report["by_map"]), 18)

    def test_the_interval_is_wilsons(self) -> None:
        low, high = wilson_interval(7, 90)
        self.assertEqual((round(low, 3), round(high, 3)), (0.038, 0.152))
        self.assertEqual(wilson_interval(0, 0), (0, 1))


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("beside.py", "WORD = 'hey'")

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def test_every_form_of_file_plays(self) -> None:
        starter = self.write("starter.py", STARTER)
        texts = {"walker": WALKER, "knowing": KNOWING, "keeper": KEEPER, "running": RUNNING}
        specs = [starter, *(self.write(f"{name}.py", text) for name, text in texts.items())]
        for spec in [*specs, f"{starter}:rude"]:
            code, out, complaint = run("play", spec, "random", "--games", "2", "--map", "cage")
            self.assertEqual((code, complaint), (0, ""))
            self.assertIn("against B random: 2 games", out)

    def test_json_is_the_whole_result_and_replays_are_kept(self) -> None:
        games = self.folder / "games"
        call = ("play", "greedy", "idle", "--games", "3", "--seed", "4", "--save", str(games))
        code, out, _ = run(*call, "--json")
        self.assertEqual((code, run(*call, "--json")[1] == out), (0, True))
        report = json.loads(out)
        self.assertEqual((report["wins_a"], report["win_rate"]), (3, 1))
        files = sorted(games.iterdir())
        names = [f"sim-4-000{number}.jsonl.gz" for number in range(3)]
        self.assertEqual([file.name for file in files], names)
        self.assertEqual(run("verify", *map(str, files))[0], 0)

    def test_wrong_calls_end_with_2_and_broken_bots_with_1(self) -> None:
        broken = self.write("broken.py", BROKEN)
        for arguments in (
            ("play", "nobody", "idle"),
            ("play", self.write("empty.py", ""), "idle"),
            ("play", self.write("syntax.py", "def"), "idle"),
            ("play", self.write("walker.py", WALKER) + ":mild", "idle"),
            ("play", self.write("old.py", OLD_STARTER), "idle"),
            ("play", "idle", "idle", "--games", "0"),
            ("play", "idle", "idle", "--map", "nowhere"),
            ("dance",),
        ):
            with self.subTest(arguments):
                self.assertEqual(run(*arguments)[0], 2)
        code, _, complaint = run("play", broken, "idle", "--games", "1")
        self.assertEqual(code, 1)
        self.assertIn("ZeroDivisionError", complaint)
        self.assertIn("tick 3 of sim-1-0000 on courtyard", complaint)
        self.assertNotIn("bout_sim/", complaint)
        none = self.write("none.py", "def create_bot(hello):\n    return None")
        code, _, complaint = run("play", none, "idle", "--games", "1")
        self.assertEqual((code, "create_bot(hello) returns no object" in complaint), (1, True))
        with self.assertRaisesRegex(BotError, r"a bot has create_bot\(hello\), which returns"):
            load_bot(self.write("empty.py", ""))
        with self.assertRaisesRegex(BotError, "no package 'no_such_socket'.*where the bot connects"):
            load_bot(self.write("socket_bot.py", "import no_such_socket"))
        with self.assertRaisesRegex(BotError, "there is no bot 'nobody'"):
            load_bot("nobody")


@unittest.skipUnless(node_and_simulator(), "needs Node and the built JavaScript simulator")
class House(unittest.TestCase):
    def test_its_bots_play_match_after_match(self) -> None:
        for name in ("kiter", "champion"):
            code, out, complaint = run("play", name, "random", "--games", "3", "--map", "cage")
            self.assertEqual((code, complaint), (0, ""))
            self.assertIn(f"A {name} against B random: 3 games", out)
            self.assertIn("3 wins, 0 losses", out)
            self.assertIn("failed turns   A 0", out)

    def test_a_simulator_that_has_no_partners_is_no_quiet_opponent(self) -> None:
        self.addCleanup(os.chdir, Path.cwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("package.json").write_text('{"type": "module"}')
            Path("bout-sim.js").write_text("process.exit();")
            code, _, complaint = run("play", "kiter", "idle", "--games", "1")
        self.assertEqual(code, 1)
        self.assertRegex(complaint, "Node process of kiter has ended|BrokenPipe")

    def test_what_is_missing_is_said(self) -> None:
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, PATH=folder):
            with self.assertRaisesRegex(BotError, "kiter plays in Node 20 .* no program node"):
                load_bot("kiter")
            old = Path(folder) / "node"
            old.write_text("#!/bin/sh\necho v18.3.0\n")
            old.chmod(0o755)
            with self.assertRaisesRegex(BotError, "and node is v18.3.0"):
                load_bot("kiter")
        for url in ("https://bout.example", "https://bout.example/"):
            with (
                mock.patch.object(Path, "is_file", return_value=False),
                mock.patch.dict(os.environ, BOUT_URL=url),
                self.assertRaisesRegex(BotError, "-fsSO https://bout.example/download/sim"),
            ):
                load_bot("kiter")


if __name__ == "__main__":
    unittest.main()
