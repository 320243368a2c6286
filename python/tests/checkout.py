"""What the tests read from the rest of the project."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def only(pattern: str) -> Path:
    """The one file or folder of the project that a pattern names, whatever room it is in."""
    (found,) = ROOT.glob(pattern)
    return found


def golden_replays() -> list[Path]:
    return sorted(only("src/testing/*/golden").glob("*.jsonl"))


def reference_runs() -> Any:
    return json.loads(only("src/core/*/reference-runs.json").read_text(encoding="utf-8"))


def guide(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
