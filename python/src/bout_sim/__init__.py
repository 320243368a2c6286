"""Bout matches in pure Python, with the same results as the ladder.

The engine alone:

    fight = start_fight("cage", seed=1)
    while fight.outcome is None:
        step(fight, [{"move": "n"}, None])

Whole matches are in `match` and `series`, replays in `replay` and `verify`, and an environment
for training in `environment`. References such as rules.md#attacks are headings of the project's
guides.
"""

from .actions import Actions
from .engine.fight import Area, Fight, Fighter, Outcome, Pickup, start_fight
from .engine.grid import Grid, load_grid
from .engine.maps import MAP_NAMES
from .engine.observation import observe
from .engine.rules import ENGINE_VERSION, RULES, RULES_JSON, RULES_VERSION, Rules
from .engine.shapes import Event, Hello, Observation, Turn
from .engine.state_hash import state_hash
from .engine.step import step
from .engine.words import COOLDOWNS
from .environment import BoutEnv
from .features import Features
from .match import Bot, BotFailure, PlayedMatch, Policy, RunningBot, play_match, stateless
from .picture import picture
from .replay import Replay, ReplayError, parse_replay, print_replay
from .replay_file import read_replay, read_replay_text, write_replay
from .series import plan_games, play_series, report_on
from .verify import Verification, frames, verify

__version__ = ENGINE_VERSION

__all__ = [
    "COOLDOWNS",
    "ENGINE_VERSION",
    "MAP_NAMES",
    "RULES",
    "RULES_JSON",
    "RULES_VERSION",
    "Actions",
    "Area",
    "Bot",
    "BotFailure",
    "BoutEnv",
    "Event",
    "Features",
    "Fight",
    "Fighter",
    "Grid",
    "Hello",
    "Observation",
    "Outcome",
    "Pickup",
    "PlayedMatch",
    "Policy",
    "Replay",
    "ReplayError",
    "Rules",
    "RunningBot",
    "Turn",
    "Verification",
    "__version__",
    "frames",
    "load_grid",
    "observe",
    "parse_replay",
    "picture",
    "plan_games",
    "play_match",
    "play_series",
    "print_replay",
    "read_replay",
    "read_replay_text",
    "report_on",
    "start_fight",
    "state_hash",
    "stateless",
    "step",
    "verify",
    "write_replay",
]
