"""The examples of the guide and the README run and print what they claim."""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from bout_sim import BoutEnv

from .checkout import ROOT, guide, only
from .test_replays import run

FENCED = re.compile(r"^```(\S*)(?: ([^\n]*))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
QUOTED = re.compile(r"\b((?:rules|protocol)[a-z-]*)\.md#([a-z-]+)")


class Block(NamedTuple):
    language: str
    info: str
    text: str


def simulator_guides() -> str:
    """Returns the pages on this package, one after the other."""
    names = ("python-simulator", "python-simulator-state", "python-simulator-train")
    return "\n".join(map(guide, names))


def blocks_of(text: str) -> list[Block]:
    return [Block(*found) for found in FENCED.findall(text)]


def printed_by(block: Block) -> str:
    """Runs a block of Python or shell and returns its output. Writes named blocks to files."""
    if block.info:
        Path(block.info).write_text(block.text, encoding="utf-8")
        return ""
    if block.language == "python":
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block.text, "guide", "exec"), {"__name__": "guide"})
        return out.getvalue()
    calls = [shlex.split(line) for line in block.text.splitlines()]
    ours = [words[3:] for words in calls if words[:3] == ["python", "-m", "bout_sim"]]
    results = [run(*words) for words in ours]
    for code, _, complaint in results:
        assert code == 0, complaint
    return "".join(out for _, out, _ in results)


class Guide(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder.name)

    def test_examples_print_the_output_shown(self) -> None:
        readme = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
        for text in (simulator_guides(), readme):
            printed, compared = "", 0
            for block in blocks_of(text):
                if block.info != "output":
                    printed = printed_by(block)
                else:
                    compared += 1
                    self.assertTrue(printed.startswith(block.text), f"{printed}\n{block.text}")
            self.assertGreater(compared, 0)

    def test_ladder_bots_play_without_websockets(self) -> None:
        shown = {block.info: block.text for block in blocks_of(guide("quick-start-bots"))}
        Path("bot.py").write_text(shown["bot.py"], encoding="utf-8")
        starter = only("src/tools/*/starter.py").read_text(encoding="utf-8")
        Path("starter.py").write_text(starter, encoding="utf-8")
        with mock.patch.dict(sys.modules, {"websockets": None}):
            for spec in ("bot.py", "starter.py", "starter.py:rush"):
                code, out, complaint = run("play", spec, "idle", "--games", "1")
                self.assertEqual((code, complaint), (0, ""), spec)
                self.assertIn("1 wins, 0 losses", out)

    def test_guide_states_the_sizes_of_the_environment(self) -> None:
        env = BoutEnv()
        observations, infos = env.reset(seed=1)
        movements, attacks = infos["A"]["action_mask"]
        planes = observations["A"]["planes"]
        sizes = (len(observations["A"]["vector"]), len(planes), len(planes[0]), len(planes[0][0]))
        self.assertEqual(sizes, (40, 10, 15, 15))
        self.assertEqual((len(movements), len(attacks) - 1), (17, 371))
        for words in (f"{sizes[0]} numbers", "10 windows of 15", "371 aimed attacks"):
            self.assertIn(words, simulator_guides())

    def test_headings_cited_in_code_exist(self) -> None:
        quoted = set()
        for file in (ROOT / "python" / "src").rglob("*.py"):
            quoted |= set(QUOTED.findall(file.read_text(encoding="utf-8")))
        self.assertGreater(len(quoted), 10)
        for page, anchor in quoted:
            headings = [one.lower().replace(" ", "-") for one in HEADING.findall(guide(page))]
            self.assertIn(anchor, headings, page)


if __name__ == "__main__":
    unittest.main()
