"""Turns as numbers, for bots that learn.

Everything follows from `hello` and the observation alone, so what was trained in the environment
plays on the ladder by the same numbers.
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
"""1 where an action can be done, else 0."""

_Offset = tuple[int, int]
_Aim = int | _Offset | None
"""A direction, an offset [x, y] from the fighter, or no target."""

_WAYS: Final = range(len(DIRECTIONS))


class Actions:
    """The actions on one map. An action is a pair (movement, attack) of whole numbers.

    Movement: 0 waits, 1 to 8 move in the direction of that place, 9 to 16 dash. Attack: 0 is
    none, then strike, bolt and hook in each direction, then repulse, then blast and scorch on
    each tile of the square that their range makes around the fighter, row by row.
    """

    def __init__(self, grid: Grid, rules: Rules) -> None:
        self._grid = grid
        self._attacks = _list_attacks(rules)
        self._attack_masks: dict[tuple[int, tuple[AttackName, ...]], Mask] = {}
        self.movement_count = 1 + 2 * len(DIRECTIONS)
        self.attack_count = len(self._attacks)

    def turn(self, seen: Observation, action: Sequence[int]) -> Turn:
        """The turn that an action stands for. Raises IndexError if there is no such action."""
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
        """Which movements and attacks the ladder would not refuse; another fighter may still be
        in the way. Waiting can always be done.
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
        """Cached, because few combinations of ready attacks ever occur."""
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
