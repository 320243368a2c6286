"""Reads answers: what a bot answers becomes a turn (protocol.md#turn), or a failed tick."""

from collections.abc import Mapping
from typing import Any, Final, cast

from .engine.rules import RULES, Rules
from .engine.shapes import Attack, Idle, RecordedTurn, Turn
from .engine.shout import clean_shout
from .engine.validation import is_tile, takes_target
from .engine.words import ATTACK_CODES, DIRECTIONS, IdleReason

_LONGEST_NAME: Final = 40
"""Of an attack in a replay, in code points."""


def idle_reason(turn: RecordedTurn) -> IdleReason | None:
    """Why a turn failed, None for one that did not."""
    return None if turn is None else cast("Idle", turn).get("idle")


class TurnError(ValueError):
    """Why an answer is not a turn: the ladder counts such a tick as failed with `schema`."""


def parse_turn(answer: object) -> Turn:
    """The turn in an answer. None waits, parts that are None are absent, other keys are ignored.

    A part that cannot be done (a wall in the way, an unknown attack) is not an error here: the
    engine refuses it. Raises TurnError where the ladder says `schema`.
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
            raise TurnError("'shout' is a text of at most 40 characters.")
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
        raise TurnError("'attack.name' is a text, a key of hello.rules.attacks.")
    # An invalid target is left out; the engine refuses an attack that needs one.
    return _attack_of(name, target if is_tile(target) or target in DIRECTIONS else None)


def _attack_of(name: str, target: Any) -> Attack:
    attack: Attack = {"name": name}
    if target is not None:
        attack["target"] = list(target) if is_tile(target) else target
    return attack


def recorded_turn(turn: Turn, rules: Rules = RULES) -> Turn:
    """A turn as replays keep it (rules.md#replays); the engine plays both alike.

    The shout is cleaned and cut to one character more than may be shouted, the name of an attack
    is cut, and a target kept only if it has the form that the attack takes.
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
