"""The command line: `bout-sim play` and `bout-sim verify`, or `python -m bout_sim`."""

import argparse
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from .bots import BotError, bot_name, load_bot
from .engine.chance import MASK_32
from .engine.maps import MAP_NAMES
from .engine.rules import ENGINE_VERSION, RULES_VERSION
from .json_text import pretty_json, print_json
from .match import BotFailure, PlayedMatch
from .replay import ReplayError
from .replay_file import read_replay_text, write_replay
from .report import report_lines
from .series import plan_games, play_series, report_on
from .verify import Verification, verify

EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_UNREAD: Final = 141

_UNPRINTABLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""Control characters and characters that change the text direction."""

_PACKAGE: Final = Path(__file__).parent
_DEFAULT_GAMES: Final = 180
_BOT_HELP: Final = (
    "idle, random, greedy; kiter, brawler, ts-starter, champion, which need Node; "
    "a FILE with create_bot or decide, or FILE:WORD"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 success, 1 failure, 2 invalid arguments.

    141, as in a shell, if the reader of the output has closed it.
    """
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        code = command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Avoids an error when Python flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNREAD
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_program(), description="Simulate matches of Bout, and verify replays."
    )
    versions = f"bout-sim {ENGINE_VERSION} (rules {RULES_VERSION})"
    parser.add_argument("--version", action="version", version=versions)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    play = commands.add_parser("play", help="let two bots fight many games")
    play.add_argument("a", metavar="A", help=f"the bot that is measured: {_BOT_HELP}")
    play.add_argument("b", metavar="B", help="its opponent")
    play.add_argument("--games", type=_whole(1, 1_000_000), default=_DEFAULT_GAMES, metavar="N")
    play.add_argument("--seed", type=_whole(0, MASK_32), default=1, metavar="S")
    play.add_argument("--map", choices=MAP_NAMES, help="one map instead of all nine")
    play.add_argument("--save", type=Path, metavar="DIR", help="keep a replay of every game")
    play.add_argument("--json", action="store_true", help="the whole result as JSON")
    play.set_defaults(command=_play)
    check = commands.add_parser("verify", help="simulate replays again and compare everything")
    check.add_argument("files", nargs="+", metavar="FILE", help=".jsonl or .jsonl.gz")
    check.add_argument("--json", action="store_true", help="one line of JSON for each file")
    check.set_defaults(command=_verify)
    return parser


def _program() -> str:
    """Returns the program's name as it was called."""
    return "bout-sim" if Path(sys.argv[0]).stem == "bout-sim" else "python -m bout_sim"


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return int(text)

    return read


def _say(*lines: str, to: TextIO | None = None) -> None:
    """Prints lines. Escapes control characters as in JSON."""
    for line in lines:
        print(_UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", line), file=to)


def _complain(text: str, code: int) -> int:
    _say(text, to=sys.stderr)
    return code


def _play(options: argparse.Namespace) -> int:
    specs = (options.a, options.b)
    maps = MAP_NAMES if options.map is None else (options.map,)
    try:
        bots = (load_bot(options.a), load_bot(options.b))
        keep = _keeper(options.save)
        names = (bot_name(options.a), bot_name(options.b))
        plan = plan_games(options.games, options.seed, maps)
        report = report_on(specs, options.seed, play_series(bots, plan, names, keep))
    except BotFailure as failure:
        _explain(failure)
        return EXIT_FAILED
    except (BotError, OSError) as error:
        return _complain(f"play: {error}", EXIT_USAGE)
    if options.json:
        _say(*pretty_json(report).split("\n"))
    else:
        _say(*report_lines(report))
    return EXIT_OK


def _keeper(folder: Path | None) -> Callable[[PlayedMatch], None]:
    """Returns the callback for finished matches, which writes replays if requested."""
    if folder is None:
        return lambda match: None
    folder.mkdir(parents=True, exist_ok=True)

    def keep(match: PlayedMatch) -> None:
        name = f"{match.replay.header['match_id']}.jsonl.gz"
        write_replay(folder / name, match.replay_text)

    return keep


def _explain(failure: BotFailure) -> None:
    """Returns the error and the bot's part of the traceback."""
    error = failure.__cause__
    if error is not None:
        stack = error.__traceback__
        while stack is not None and Path(stack.tb_frame.f_code.co_filename).parent == _PACKAGE:
            stack = stack.tb_next
        traceback.print_exception(type(error), error, stack)
    _complain(f"play: {failure}", EXIT_FAILED)


def _verify(options: argparse.Namespace) -> int:
    codes = [_verify_file(file, options.json) for file in options.files]
    return max(codes)


def _verify_file(file: str, as_json: bool) -> int:
    try:
        verification = verify(read_replay_text(file))
    except (ReplayError, OSError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if as_json:
            _say(print_json({"file": file, "ok": False, "error": problem}))
            return EXIT_USAGE
        return _complain(f"{file}: {problem}", EXIT_USAGE)
    if as_json:
        _say(print_json(_as_json(file, verification)))
    else:
        _say(f"{file}: {_words(verification)}")
    return EXIT_OK if verification.ok else EXIT_FAILED


def _as_json(file: str, verification: Verification) -> dict[str, Any]:
    one = verification.mismatch
    mismatch = None
    if one is not None:
        mismatch = {
            "tick": one.tick,
            "field": one.field,
            "recorded": one.recorded,
            "simulated": one.simulated,
        }
    return {
        "file": file,
        "ok": verification.ok,
        "mismatch": mismatch,
        "note": verification.note,
        "header": verification.replay.header,
        "result": verification.replay.result,
        "stats": verification.stats,
    }


def _words(verification: Verification) -> str:
    header, result = verification.replay.header, verification.replay.result
    if verification.mismatch is not None:
        note = f"; {verification.note}" if verification.note else ""
        return f"MISMATCH: {verification.mismatch}{note}"
    names = {fighter["id"]: fighter["name"] for fighter in header["fighters"]}
    winner = result["winner"]
    end = "nobody wins" if winner is None else f"{winner} {names[winner]} wins"
    place = f"on {header['map']['name']}, seed {header['seed']}"
    return f"ok, {end} after {result['ticks']} ticks ({result['reason']}) {place}"
