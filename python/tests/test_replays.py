"""Ladder replays verify exactly, and any change is detected."""

import contextlib
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import bout_sim
from bout_sim.cli import main
from bout_sim.json_text import print_json
from bout_sim.replay import ReplayError, parse_replay, print_replay
from bout_sim.replay_file import read_replay, read_replay_text, write_replay
from bout_sim.verify import frames, verify

from .checkout import golden_replays, only

CAGE = only("src/testing/*/golden/cage.jsonl")

# Changes to the text of the cage replay, and the first difference.
TAMPERED = [
    ('"move":"n"', '"move":"s"', r"tick \d+: hash"),
    ('"seed":77', '"seed":78', "tick 0: hash"),
    ('"hp":120', '"hp":121', "rules is other numbers"),
    ('"name":"cage"', '"name":"lanes"', "map is another lanes"),
    ('"rules_hash":"c', '"rules_hash":"d', "rules_hash"),
    ('"id":"B"', '"id":"A"', "fighters is A,A"),
    ('"winner":"A"', '"winner":"B"', "winner is B"),
    ('"reason":"last_standing"', '"reason":"forfeit"', "reason is forfeit"),
    ('"ticks":59', '"ticks":58', "ticks is 58"),
    ('"tick":3,', '"tick": 3,', "line 5"),
    ('"hash":"aa50e03e"', '"hash":"aa50e03f"', "trace"),
]

NO_REPLAYS = [
    ("", "not a replay header"),
    ("{}\n", "not a replay header"),
    ("{", "truncated"),
    ("{\n", "line 1 is not JSON"),
    ("NaN\n", "line 1 is not JSON"),
    ("[" * 100_000 + "\n", "line 1 is not JSON"),
]


class Replays(unittest.TestCase):
    def test_every_golden_replay_is_verified_with_its_statistics(self) -> None:
        paths = golden_replays()
        self.assertGreaterEqual(len(paths), 14)
        for path in paths:
            with self.subTest(path.stem):
                text = path.read_text(encoding="utf-8")
                verification = verify(text)
                self.assertIsNone(verification.mismatch)
                self.assertEqual(print_replay(verification.replay), text)
                stats = path.with_suffix("").with_suffix(".stats.json")
                self.assertEqual(print_json(verification.stats) + "\n", stats.read_text())

    def test_a_header_without_counts_means_ten_failed_ticks(self) -> None:
        text = only("src/testing/*/golden/disqualification.jsonl").read_text(encoding="utf-8")
        told = ',"failed_ticks_to_disqualify":10,"messages_per_tick":5'
        self.assertIn(told, text)
        for older in [text.replace(told, ""), text.replace(told, told.replace("10", "9"))]:
            verification = verify(older)
            self.assertIsNone(verification.mismatch)
            assert verification.stats is not None
            self.assertTrue(verification.stats["fighters"][1]["disqualified"])
        stricter = verify(text.replace(told, told.replace("10", "11")))
        self.assertIsNotNone(stricter.mismatch)
        with self.assertRaises(ReplayError):
            verify(text.replace(told, told.replace("10", "0")))

    def test_what_was_changed_is_found(self) -> None:
        text = CAGE.read_text(encoding="utf-8")
        for old, new, words in TAMPERED:
            with self.subTest(words):
                self.assertIn(old, text)
                verification = verify(text.replace(old, new, 1))
                self.assertFalse(verification.ok)
                self.assertIsNone(verification.stats)
                self.assertRegex(str(verification.mismatch), words)

    def test_other_rules_are_played_by_their_own_numbers(self) -> None:
        text = CAGE.read_text(encoding="utf-8").replace('"rules":"0.22.0"', '"rules":"0.23.0"', 1)
        verification = verify(text)
        self.assertTrue(verification.ok)
        self.assertIn("rules 0.23.0", verification.note or "")
        stronger = verify(text.replace('"damage":12', '"damage":13', 1))
        self.assertRegex(str(stronger.mismatch), "hash")
        impossible = verify(text.replace('"every":12', '"every":0', 1))
        self.assertRegex(str(impossible.mismatch), "zone_every")

    def test_what_is_no_replay_says_why(self) -> None:
        lines = CAGE.read_text(encoding="utf-8").split("\n")
        without_tick = "\n".join(lines[:3] + lines[4:])
        idle_and_more = lines[1].replace('"turns":[{', '"turns":[{"idle":"timeout",')
        cases = [
            *NO_REPLAYS,
            (without_tick, "line 4 is not tick 2"),
            ("\n".join([lines[0], idle_and_more, *lines[2:]]), "line 2 is not tick 0"),
            ("\n".join(lines[:-2]) + "\n", "not a result"),
        ]
        for text, words in cases:
            with self.subTest(words), self.assertRaisesRegex(ReplayError, words):
                parse_replay(text)

    def test_files_are_read_gzipped_or_not(self) -> None:
        text = CAGE.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cage.jsonl.gz"
            write_replay(path, text)
            self.assertEqual(gzip.decompress(path.read_bytes()).decode(), text)
            self.assertEqual(read_replay(path), read_replay(CAGE))
            path.write_bytes(path.read_bytes()[:-9])
            with self.assertRaisesRegex(ReplayError, "damaged"):
                read_replay_text(path)
            path.write_bytes(b"\xff")
            with self.assertRaisesRegex(ReplayError, "UTF-8"):
                read_replay_text(path)

    def test_frames_are_the_fight_before_each_tick_and_at_the_end(self) -> None:
        replay = read_replay(CAGE)
        ticks = [(fight.tick, len(turns)) for fight, turns in frames(replay)]
        self.assertEqual(ticks, [*((tick, 2) for tick in range(59)), (59, 0)])

    def test_the_command_line_verifies(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wrong, none = Path(folder) / "wrong.jsonl", Path(folder) / "none.jsonl"
            wrong.write_text(CAGE.read_text().replace('"seed":77', '"seed":78', 1))
            self.assertEqual(run("verify", str(CAGE))[0], 0)
            self.assertIn("ok, A golden-a wins after 59 ticks", run("verify", str(CAGE))[1])
            code, out, _ = run("verify", str(CAGE), str(wrong))
            self.assertEqual((code, "MISMATCH: tick 0" in out), (1, True))
            code, _, complaint = run("verify", str(none))
            self.assertEqual((code, "No such file" in complaint), (2, True))
            _, out, _ = run("verify", str(CAGE), str(none), "--json")
            told = [json.loads(line) for line in out.splitlines()]
            self.assertEqual([one["ok"] for one in told], [True, False])
            self.assertEqual(told[0]["stats"]["ticks"], 59)

    def test_texts_of_others_reach_no_terminal_as_they_are(self) -> None:
        hostile = "\x1b]0;OWNED\x07\x1b[2J\x9b31m\x7f\u202e"
        name = json.dumps(hostile, ensure_ascii=False)[1:-1]
        forged = CAGE.read_text(encoding="utf-8").replace("golden-a", name)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "forged.jsonl"
            path.write_text(forged, encoding="utf-8")
            for flags in ((), ("--json",)):
                code, out, _ = run("verify", str(path), *flags)
                self.assertEqual(code, 0)
                self.assertNotRegex(out, "(?!\n)[\x00-\x1f\x7f-\x9f\u202e]")
                self.assertIn("\\u001b]0;OWNED\\u0007\\u001b[2J\\u009b31m", out)

    def test_a_reader_that_has_ended_is_no_failure(self) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        for words in (["play", "idle", "idle", "--games", "1"], ["verify", str(CAGE)]):
            call = [sys.executable, "-m", "bout_sim", *words]
            ended = subprocess.run(call, stdout=writer, stderr=subprocess.PIPE, env=env)
            self.assertEqual((ended.returncode, ended.stderr), (141, b""), words)
        os.close(writer)


def run(*arguments: str) -> tuple[int, str, str]:
    """Runs a command and returns exit code, stdout and stderr."""
    out, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaints):
        try:
            code = main(arguments)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    return code, out.getvalue(), complaints.getvalue()


class Program(unittest.TestCase):
    def test_version_names_engine_and_rules(self) -> None:
        told = f"bout-sim {bout_sim.__version__} (rules {bout_sim.RULES_VERSION})\n"
        self.assertEqual(run("--version"), (0, told, ""))

    def test_usage_names_the_program_that_was_called(self) -> None:
        for called, name in (
            ("/usr/bin/bout-sim", "bout-sim"),
            ("C:\\bout-sim.exe", "bout-sim"),
            ("/x/bout_sim/__main__.py", "python -m bout_sim"),
        ):
            with mock.patch.object(sys, "argv", [called.replace("\\", os.sep)]):
                self.assertRegex(run("--help")[1], f"^usage: {name} ")


if __name__ == "__main__":
    unittest.main()
