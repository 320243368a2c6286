"""Parses answers into turns (protocol-send.md#turn) or failed ticks."""

from collections.abc import Mapping
from typing import Any, Final, cast

from .engine.rules import RULES, Rules
from .engine.shapes import Attack, Idle, RecordedTurn, Turn
from .engine.shout import clean_shout
from .engine.validation import is_tile, takes_target
from .engine.words import ATTACK_CODES, DIRECTIONS, IdleReason

_LONGEST_NAME: Final = 40
"""Maximum length of an attack name in a replay, in code points."""


def idle_reason(turn: RecordedTurn) -> IdleReason | None:
    """Returns why a turn failed, or None."""
    return None if turn is None else cast("Idle", turn).get("idle")


class TurnError(ValueError):
    """An answer is not a turn. The ladder fails the tick with `schema`."""


def parse_turn(answer: object) -> Turn:
    """Returns the turn in an answer. None waits. Parts that are None and other keys are ignored.

    Impossible parts (a wall in the way, an unknown attack) are not errors here: the
    engine rejects them. Raises TurnError where the ladder reports `schema`.
    """
    if answer is None:
        return {}
    if not isinstance(answer, Mapping):
        raise TurnError("A message is a JSON object with a 'type'.")
    turn: Turn = {}
    if (move := answer.get("move")) is not None:
        turn["move"] = _direction("move", move)
    if (dash := answer.get("dash")) is not None:
        turn["dash"] = _direction("dash", dash)
    if (attack := answer.get("attack")) is not None:
        turn["attack"] = _attack(attack)
    if (shout := answer.get("shout")) is not None:
        if not isinstance(shout, str):
            raise TurnError("'shout' is a string of at most 40 characters.")
        turn["shout"] = shout
    return turn


def _direction(part: str, value: object) -> Any:
    if value not in DIRECTIONS:
        raise TurnError(f"'{part}' is one of {', '.join(DIRECTIONS)}.")
    return value


def _attack(value: object) -> Attack:
    if not isinstance(value, Mapping):
        raise TurnError("'attack' is an object {name, target}.")
    name, target = value.get("name"), value.get("target")
    if not isinstance(name, str):
        raise TurnError("'attack.name' is a string, a key of hello.rules.attacks.")
    # Invalid targets are dropped. The engine rejects attacks that need one.
    return _attack_of(name, target if is_tile(target) or target in DIRECTIONS else None)


def _attack_of(name: str, target: Any) -> Attack:
    attack: Attack = {"name": name}
    if target is not None:
        attack["target"] = list(target) if is_tile(target) else target
    return attack


def recorded_turn(turn: Turn, rules: Rules = RULES) -> Turn:
    """Returns a turn as stored in replays (rules-replays.md#ticks). The engine plays both the same.

    The shout is cleaned and cut to one character more than allowed. The attack name
    is cut, and the target dropped if it has the wrong form.
    """
    recorded: Turn = {}
    if "move" in turn:
        recorded["move"] = turn["move"]
    if "dash" in turn:
        recorded["dash"] = turn["dash"]
    if "attack" in turn:
        recorded["attack"] = _recorded_attack(turn["attack"], rules)
    if "shout" in turn:
        recorded["shout"] = clean_shout(turn["shout"])[: rules.shout_length + 1]
    return recorded


def _recorded_attack(attack: Attack, rules: Rules) -> Attack:
    name, target = attack["name"], attack.get("target")
    form = rules.attacks[ATTACK_CODES[name]].target if name in ATTACK_CODES else "none"
    fits = form != "none" and takes_target(form, target)
    return _attack_of(name[:_LONGEST_NAME], target if fits else None)
