"""House bots of the JavaScript simulator, each in its own Node process."""

import atexit
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from .engine.shapes import Hello, Observation
from .json_text import print_ascii
from .match import Bot

HOUSE_BOTS: Final = ("kiter", "brawler", "ts-starter", "champion")
"""From the easiest to the hardest."""

_FILE: Final = "bout-sim.js"
_LEAST_NODE: Final = 20
_LEAVE_S: Final = 5

_HOST: Final = """
import { createInterface } from "node:readline";
const [file, name] = process.argv.slice(1);
const { createPartner } = await import(file);
let bot;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") bot = createPartner(name, message);
  else console.log(JSON.stringify(bot.turn(message)));
}
"""
"""Reads one line per message, and writes one per observation."""


class HouseError(ValueError):
    """A house bot can't play here. The message has a fix."""


def house_bot(name: str) -> Bot:
    """Returns a house bot. Raises HouseError if Node or the JavaScript simulator is missing."""
    simulator = _simulator(name)
    _require_node(name)
    command = ["node", "--input-type=module", "-e", _HOST, simulator.resolve().as_uri(), name]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(_end, process)

    def create(hello: Hello) -> Callable[[Observation], Any]:
        _tell(process, hello)
        return decide

    def decide(seen: Observation) -> Any:
        _tell(process, seen)
        assert process.stdout is not None, "it was opened with a pipe"
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the Node process of {name} has ended: is its {_FILE} the newest?")
        return json.loads(line)

    return create


def _simulator(name: str) -> Path:
    in_checkout = Path(__file__).resolve().parents[3] / "dist" / "simulator" / _FILE
    for file in (Path(_FILE), in_checkout):
        if file.is_file():
            return file
    ladder = os.environ.get("BOUT_URL", "http://localhost:7777").rstrip("/")
    raise HouseError(
        f"{name} is a bot of the JavaScript simulator, and there is no {_FILE} in this folder: "
        f"curl -fsSO {ladder}/download/simulator/{_FILE} fetches it from a ladder "
        "(set BOUT_URL to the address of yours)"
    )


def _require_node(name: str) -> None:
    try:
        asked = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
        version = asked.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        version = ""
    major = version.lstrip("v").split(".")[0]
    if not major.isdigit() or int(major) < _LEAST_NODE:
        here = f"node is {version}" if version else "there is no program node"
        raise HouseError(f"{name} plays in Node {_LEAST_NODE} or newer, and {here}")


def _tell(process: "subprocess.Popen[str]", message: Any) -> None:
    assert process.stdin is not None, "it was opened with a pipe"
    process.stdin.write(f"{print_ascii(message)}\n")
    process.stdin.flush()


def _end(process: "subprocess.Popen[str]") -> None:
    """Closes the input, so that Node exits."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    try:
        process.wait(_LEAVE_S)
    except subprocess.TimeoutExpired:
        process.kill()
