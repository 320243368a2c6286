"""JSON text exactly as the ladder prints and reads it."""

import json
import re
from typing import Any, Final

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def print_json(value: object) -> str:
    """Returns compact JSON: keys in order, no spaces, minimal escapes."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_ascii(value: object) -> str:
    """Returns compact ASCII JSON, as the ladder sends observations."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def pretty_json(value: object) -> str:
    """Returns indented JSON. Integers have no fraction."""
    return json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    is_whole = isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def parse_json(text: str) -> Any:
    """Parses JSON. Integral numbers become ints.

    Raises ValueError for invalid JSON, including NaN, which Python accepts.
    """
    try:
        return json.loads(text, parse_float=_number, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _number(text: str) -> int | float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return int(value) if value.is_integer() else value


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
