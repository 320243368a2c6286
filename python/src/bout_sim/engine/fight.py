"""The state of a match as plain data.

Only the stages of a tick (`step.py`) change a `Fight`.
"""

from dataclasses import dataclass, field
from typing import Final

from .chance import MASK_32, drawn_from, next_state
from .grid import Grid, load_grid
from .plan import Plan
from .rules import RULES, Rules
from .shapes import Event
from .words import COOLDOWNS, NONE, CombatEndReason

MIN_SEATS: Final = 2
MAX_SEATS: Final = 4


@dataclass(slots=True)
class Area:
    """An active blast or scorch. `left`: ticks until it explodes, or burns left."""

    tile: int
    left: int
    damage: int


@dataclass(slots=True)
class Pickup:
    """A pickup. `left`: ticks until it can be taken, 0 if it can."""

    tile: int
    left: int


@dataclass(slots=True)
class Fighter:
    """One fighter. Tiles are indices, times are ticks."""

    seat: int
    tile: int
    """Fallen fighters keep their last tile but are not on the grid."""
    hp: int
    alive: bool = True
    stun: int = 0
    power: int = 0
    cooldowns: list[int] = field(default_factory=lambda: [0] * len(COOLDOWNS))
    """In the order of `words.COOLDOWNS`."""
    dealt: int = 0
    """Damage dealt to others in the match."""
    blast: Area | None = None
    scorch: Area | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result. `winner` is a seat, None for a draw."""

    winner: int | None
    reason: CombatEndReason


@dataclass(slots=True)
class Fight:
    """The state at the start of a tick."""

    grid: Grid
    rules: Rules
    chance: int
    """Random state: 0 to 2^32 - 1."""
    fighters: list[Fighter] = field(default_factory=list)
    tick: int = 0
    """Number of the next tick; the first is 0."""
    health: Pickup | None = None
    power: Pickup | None = None
    outcome: Outcome | None = None
    """None while the match is running."""
    sightings: list[list[tuple[int, int]]] = field(default_factory=list)
    """[observer][other]: tile and tick of the last sighting, (NONE, NONE) if never seen."""
    plans: list[Plan] = field(default_factory=list)
    """Plan of each fighter in the last tick, and its result."""
    events: list[Event] = field(default_factory=list)
    """Events of the last tick, in order and unfiltered."""

    def draw(self) -> int:
        """Draws the next random integer, 0 to 2^32 - 1."""
        self.chance = next_state(self.chance)
        return drawn_from(self.chance)

    def copy(self) -> "Fight":
        """Returns a copy of the state, for planning. Plans and events are shared."""
        return Fight(
            grid=self.grid,
            rules=self.rules,
            chance=self.chance,
            fighters=[_copy_fighter(fighter) for fighter in self.fighters],
            tick=self.tick,
            health=_copy_pickup(self.health),
            power=_copy_pickup(self.power),
            outcome=self.outcome,
            sightings=[row.copy() for row in self.sightings],
            plans=self.plans,
            events=self.events,
        )


def start_fight(grid: Grid | str, seed: int, seats: int = MIN_SEATS, rules: Rules = RULES) -> Fight:
    """Returns the state before the first tick.

    `grid` may be a map name, `seed` is 0 to 2^32 - 1, `seats` 2 to 4. Raises
    ValueError for anything else.
    """
    if not 0 <= seed <= MASK_32:
        raise ValueError(f"a seed is 0 to {MASK_32}, not {seed}")
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"a fight has {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
    fight = Fight(load_grid(grid) if isinstance(grid, str) else grid, rules, seed)
    tiles = _spawn_tiles(fight, seats)
    fight.fighters = [Fighter(seat, tile, rules.hp) for seat, tile in enumerate(tiles)]
    fight.sightings = [[(NONE, NONE)] * seats for _ in tiles]
    look_around(fight)
    return fight


def _spawn_tiles(fight: Fight, seats: int) -> list[int]:
    """Draws the start tiles and their fighters."""
    pairs = fight.grid.spawn_pairs
    if seats == MIN_SEATS:
        pair = pairs[fight.draw() % len(pairs)]
        flip = fight.draw() % len(pair)
        return [pair[seat ^ flip] for seat in range(seats)]
    tiles = sorted(tile for pair in pairs for tile in pair)
    turn = fight.draw()
    return [tiles[(seat + turn) % len(tiles)] for seat in range(seats)]


def look_around(fight: Fight) -> None:
    """Updates what each living fighter sees in the next observation."""
    for fighter in fight.fighters:
        if not fighter.alive:
            continue
        sight = fight.grid.sight[fighter.tile]
        seen = fight.sightings[fighter.seat]
        for other in fight.fighters:
            if other.alive and sight[other.tile]:
                seen[other.seat] = (other.tile, fight.tick)


def _copy_fighter(one: Fighter) -> Fighter:
    return Fighter(
        seat=one.seat,
        tile=one.tile,
        hp=one.hp,
        alive=one.alive,
        stun=one.stun,
        power=one.power,
        cooldowns=one.cooldowns.copy(),
        dealt=one.dealt,
        blast=_copy_area(one.blast),
        scorch=_copy_area(one.scorch),
    )


def _copy_area(one: Area | None) -> Area | None:
    return None if one is None else Area(one.tile, one.left, one.damage)


def _copy_pickup(one: Pickup | None) -> Pickup | None:
    return None if one is None else Pickup(one.tile, one.left)
