"""The nine maps of the ladder.

In a checkout, they are read from the map files of the TypeScript engine. A built package has a
copy, made by `setup.py`.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from .rules import RULES_JSON

MAP_NAMES: Final = (
    "courtyard",
    "pillars",
    "halls",
    "lanes",
    "keep",
    "trench",
    "bumpers",
    "pinwheel",
    "cage",
)

_PACKAGE: Final = Path(__file__).resolve().parents[1]


@cache
def maps_folder() -> Path:
    """Returns the folder of the map files. Raises FileNotFoundError if missing."""
    python = _PACKAGE.parents[1]
    in_checkout = [*python.parent.glob("src/core/*/maps")] if (python / "setup.py").exists() else []
    for folder in [*in_checkout, _PACKAGE / "maps"]:
        if (folder / f"{MAP_NAMES[0]}.json").exists():
            return folder
    raise FileNotFoundError("the map files of bout_sim are missing: build or install it anew")


@cache
def map_rows(name: str) -> tuple[str, ...]:
    """Returns the rows of a ladder map. Raises ValueError for unknown names."""
    if name not in MAP_NAMES:
        raise ValueError(f"there is no map {name!r}: {', '.join(MAP_NAMES)}")
    text = (maps_folder() / f"{name}.json").read_text(encoding="utf-8")
    return tuple(json.loads(text)["rows"])


def rules_hash(rules: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of the maps and these rules as canonical JSON, in hex digits."""
    maps = {name: map_rows(name) for name in MAP_NAMES}
    value = {"maps": maps, "rules": rules}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def ladder_rules_hash() -> str:
    """Returns the `rules_hash` of the ladder's rules."""
    return rules_hash(RULES_JSON)
