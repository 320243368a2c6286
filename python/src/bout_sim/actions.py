"""Turns as numbers, for training.

Uses only `hello` and the observation, so a bot trained in the environment plays the same way on
the ladder.
"""

from collections.abc import Sequence
from typing import Final

from .engine.grid import Grid
from .engine.rules import Rules
from .engine.shapes import Observation, Turn
from .engine.words import (
    ATTACKS,
    BLAST,
    BOLT,
    DIRECTIONS,
    HOOK,
    NONE,
    REPULSE,
    SCORCH,
    STRIKE,
    AttackName,
)

Mask = list[int]
"""1 for possible actions, else 0."""

_Offset = tuple[int, int]
_Aim = int | _Offset | None
"""A direction, an offset [x, y] from the fighter, or no target."""

_WAYS: Final = range(len(DIRECTIONS))


class Actions:
    """Actions on one map. An action is a pair (movement, attack) of integers.

    Movement: 0 waits, 1 to 8 move in the direction with that number, 9 to 16 dash. Attack: 0 is
    none, then strike, bolt and hook in each direction, then repulse, then blast and scorch on
    each tile of the square of their range around the fighter, row by row.
    """

    def __init__(self, grid: Grid, rules: Rules) -> None:
        self._grid = grid
        self._attacks = _list_attacks(rules)
        self._attack_masks: dict[tuple[int, tuple[AttackName, ...]], Mask] = {}
        self.movement_count = 1 + 2 * len(DIRECTIONS)
        self.attack_count = len(self._attacks)

    def turn(self, seen: Observation, action: Sequence[int]) -> Turn:
        """Returns the turn for an action. Raises IndexError for unknown actions."""
        movement, attack = int(action[0]), int(action[1])
        if not (0 <= movement < self.movement_count and 0 <= attack < self.attack_count):
            raise IndexError(f"there is no action {(movement, attack)}")
        turn: Turn = {}
        if movement > len(DIRECTIONS):
            turn["dash"] = DIRECTIONS[movement - 1 - len(DIRECTIONS)]
        elif movement > 0:
            turn["move"] = DIRECTIONS[movement - 1]
        name, aim = self._attacks[attack]
        if name is not None:
            turn["attack"] = {"name": name}
            if isinstance(aim, tuple):
                me = seen["self"]
                turn["attack"]["target"] = [me["x"] + aim[0], me["y"] + aim[1]]
            elif aim is not None:
                turn["attack"]["target"] = DIRECTIONS[aim]
        return turn

    def masks(self, seen: Observation) -> tuple[Mask, Mask]:
        """Returns the movements and attacks that the ladder would accept. Another fighter may
        still be in the way. Waiting is always possible.
        """
        movement = [1]
        movement += [int(name in seen["moves"]) for name in DIRECTIONS]
        movement += [int(name in seen["dashes"]) for name in DIRECTIONS]
        me = seen["self"]
        if me["stun"] > 0:
            return movement, [1] + [0] * (self.attack_count - 1)
        ready = tuple(name for name in ATTACKS if me["cooldowns"][name] == 0)
        return movement, [*self._attack_mask(self._grid.tile_at(me["x"], me["y"]), ready)]

    def _attack_mask(self, here: int, ready: tuple[AttackName, ...]) -> Mask:
        """Cached, because few combinations of ready attacks occur."""
        key = (here, ready)
        if key not in self._attack_masks:
            self._attack_masks[key] = [
                int((name is None or name in ready) and self._can_aim(here, aim))
                for name, aim in self._attacks
            ]
        return self._attack_masks[key]

    def _can_aim(self, here: int, aim: _Aim) -> bool:
        if not isinstance(aim, tuple):
            return True
        grid = self._grid
        tile = grid.tile_at(grid.x[here] + aim[0], grid.y[here] + aim[1])
        return tile != NONE and grid.sight[here][tile] == 1


def _list_attacks(rules: Rules) -> list[tuple[AttackName | None, _Aim]]:
    attacks: list[tuple[AttackName | None, _Aim]] = [(None, None)]
    attacks += [(ATTACKS[code], way) for code in (STRIKE, BOLT, HOOK) for way in _WAYS]
    attacks.append((ATTACKS[REPULSE], None))
    for code in (BLAST, SCORCH):
        reach = rules.attacks[code].range
        offsets = range(-reach, reach + 1)
        attacks += [(ATTACKS[code], (x, y)) for y in offsets for x in offsets]
    return attacks
