"""Files of the project that the tests read."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def only(pattern: str) -> Path:
    """Returns the only file or folder of the project that matches a pattern."""
    (found,) = ROOT.glob(pattern)
    return found


def golden_replays() -> list[Path]:
    return sorted(only("src/testing/*/golden").glob("*.jsonl"))


def reference_runs() -> Any:
    return json.loads(only("src/core/*/reference-runs.json").read_text(encoding="utf-8"))


def guide(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
