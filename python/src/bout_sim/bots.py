"""Bots by command-line name: sparring partners, house bots, files."""

import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from .engine.shapes import Hello
from .house import HOUSE_BOTS, HouseError, house_bot
from .match import Bot, Policy
from .sparring import SPARRING

_LONGEST_NAME: Final = 24
"""Maximum length of a bot name on a ladder."""

_RIGHT: Final = (
    "a bot has create_bot(hello), which returns an object with turn(observation), "
    "or decide(observation)"
)


class BotError(ValueError):
    """A bot can't be opened."""


def load_bot(spec: str) -> Bot:
    """Returns the bot with a name: a partner, a house bot, FILE, or FILE:WORD.

    A file has `create_bot(hello)`, which returns a function or an object with `turn(observation)`,
    or it has `decide(observation)`. The word is the second argument of `create_bot`.
    Raises BotError.
    """
    if spec in SPARRING:
        return SPARRING[spec]
    if spec in HOUSE_BOTS:
        return _house(spec)
    file, _, word = spec.rpartition(":")
    path = Path(spec) if Path(spec).is_file() else Path(file)
    if not path.is_file():
        raise BotError(f"there is no bot {spec!r}: {', '.join([*SPARRING, *HOUSE_BOTS])}, or a FILE")
    return _bot_of(_import(path), word if path != Path(spec) else "")


def bot_name(spec: str) -> str:
    """Returns a bot's name in its matches."""
    is_file = spec not in SPARRING and spec not in HOUSE_BOTS
    return re.sub(r"[^\w-]+", "-", Path(spec).stem if is_file else spec)[:_LONGEST_NAME]


def _house(name: str) -> Bot:
    try:
        return house_bot(name)
    except HouseError as error:
        raise BotError(str(error)) from None


def _import(path: Path) -> ModuleType:
    name = f"bout_bot_{re.sub(r'[^a-zA-Z0-9_]', '_', str(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    # Lets the file import modules in its folder, as if run directly.
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise BotError(f"{path} cannot be imported: {_missing(error)}") from error
    except Exception as error:
        raise BotError(f"{path} cannot be imported: {error!r}") from error
    finally:
        del sys.path[0]
    return module


def _missing(error: ModuleNotFoundError) -> str:
    """Returns a hint for a package that a bot imports."""
    return (
        f"this Python has no package {error.name!r}. Install it with pip, or import it where the "
        "bot connects, not at the top: a simulation needs no connection"
    )


def _bot_of(module: ModuleType, word: str) -> Bot:
    create: Callable[..., Any] | None = getattr(module, "create_bot", None)
    if callable(create):
        return partial(_created, create, word) if word else create
    if word:
        raise BotError(f"it has no create_bot(hello, variant) to ask for {word!r}")
    if hasattr(module, "TEMPERS"):
        raise BotError(f"it is a starter of before 0.49: {_RIGHT}")
    decide: Callable[..., Any] | None = getattr(module, "decide", None)
    if callable(decide):
        return _deciding(decide)
    raise BotError(f"it has neither decide nor create_bot: {_RIGHT}")


def _created(create: Callable[..., Any], word: str, hello: Hello) -> Any:
    return create(hello, word)


def _deciding(decide: Callable[..., Any]) -> Bot:
    """Returns a bot for one function. With more parameters, it also gets hello and a memory."""
    takes = len(inspect.signature(decide).parameters)

    def create(hello: Hello) -> Policy:
        more = (hello, {})[: takes - 1]
        return lambda seen: decide(seen, *more)

    return create
