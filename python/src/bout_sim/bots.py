"""Bots by the name on the command line: sparring partners, and files with a policy."""

import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from .match import Bot, stateless
from .sparring import SPARRING

_LONGEST_NAME: Final = 24
"""As long as the name of a bot may be on a ladder."""


class BotError(ValueError):
    """Why a bot cannot be opened."""


def load_bot(spec: str) -> Bot:
    """The bot that a word names: `idle`, `random`, `greedy`, FILE, or FILE:TEMPER.

    A file has `create_bot(hello)`, which returns a policy for a match; or a policy for all
    matches, `decide(observation)`; or, like the Python starter, `TEMPERS` and
    `decide(rows, temper, observation)`. Raises BotError.
    """
    if spec in SPARRING:
        return SPARRING[spec]
    file, _, temper = spec.rpartition(":")
    path = Path(spec) if Path(spec).is_file() else Path(file)
    if not path.is_file():
        raise BotError(f"there is no bot {spec!r}: {', '.join(SPARRING)}, or a FILE")
    return _bot_of(_import(path), temper if path != Path(spec) else "")


def bot_name(spec: str) -> str:
    """The name that a bot carries in its matches."""
    is_file = spec not in SPARRING
    return re.sub(r"[^\w-]+", "-", Path(spec).stem if is_file else spec)[:_LONGEST_NAME]


def _import(path: Path) -> ModuleType:
    name = f"bout_bot_{re.sub(r'[^a-zA-Z0-9_]', '_', str(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    # What stands beside the file can be imported from it, as when it is run itself.
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BotError(f"{path} cannot be imported: {error!r}") from error
    finally:
        del sys.path[0]
    return module


def _bot_of(module: ModuleType, temper: str) -> Bot:
    decide, tempers = getattr(module, "decide", None), getattr(module, "TEMPERS", None)
    if callable(decide) and isinstance(tempers, Mapping) and tempers:
        return _tempered(decide, tempers, temper or next(iter(tempers)))
    if temper:
        raise BotError(f"it has no TEMPERS to choose {temper!r} from")
    create: Bot | None = getattr(module, "create_bot", None)
    if callable(create):
        return create
    if callable(decide):
        return stateless(decide)
    raise BotError("it has neither decide nor create_bot")


def _tempered(decide: Callable[..., Any], tempers: Mapping[str, Any], temper: str) -> Bot:
    """A bot in the form of the Python starter, with one of its tempers."""
    if temper not in tempers:
        raise BotError(f"its TEMPERS have no {temper!r}: {', '.join(tempers)}")
    return lambda hello: lambda seen: decide(hello["map"]["rows"], tempers[temper], seen)
