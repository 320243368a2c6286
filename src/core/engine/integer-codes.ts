// Integer codes: the code of a word is its index in its tuple in `types.ts`.

/** Absent direction, attack, target, tile or seat. */
export const NONE = -1;

export const STRIKE = 0;
export const BOLT = 1;
export const HOOK = 2;
export const REPULSE = 3;
export const BLAST = 4;
export const SCORCH = 5;
/** Code of an attack with an unknown name or the wrong kind of target. */
export const UNKNOWN_ATTACK = 6;

// Damage sources use the attack codes first, then these.
export const WALL_SLAM = 6;
export const COLLISION = 7;
export const ZONE = 8;

export const DASH_COOLDOWN = 0;
/** Attack `a` has cooldown number `FIRST_ATTACK_COOLDOWN + a`. */
export const FIRST_ATTACK_COOLDOWN = 1;
export const SHOUT_COOLDOWN = 7;
export const COOLDOWN_COUNT = 8;

export const AREA_COUNT = 2;
export const BLAST_AREA = 0;
export const SCORCH_AREA = 1;

export const PICKUP_COUNT = 2;
export const HEALTH = 0;
export const POWER = 1;

export const PART_MOVE = 0;
export const PART_DASH = 1;
export const PART_ATTACK = 2;
export const PART_TURN = 3;

export const REFUSED_UNKNOWN_ATTACK = 0;
export const REFUSED_BAD_TEXT = 1;
export const REFUSED_NOT_READY = 2;
export const REFUSED_NOT_VISIBLE = 3;
export const REFUSED_BLOCKED = 4;
export const REFUSED_CONFLICTING_MOVES = 5;

export const LAST_STANDING = 0;
export const TIMEOUT_HP = 1;
export const TIMEOUT_DAMAGE = 2;
export const TIMEOUT_DRAW = 3;

export const DIRECTION_COUNT = 8;
export const DIRECTION_X = Int8Array.of(0, 1, 1, 1, 0, -1, -1, -1);
export const DIRECTION_Y = Int8Array.of(-1, -1, 0, 1, 1, 1, 0, -1);

const DIRECTION_BY_SIGNS = Int8Array.of(7, 0, 1, 6, NONE, 2, 5, 4, 3);

export function directionOf(dx: number, dy: number): number {
  return DIRECTION_BY_SIGNS[(Math.sign(dy) + 1) * 3 + Math.sign(dx) + 1]!;
}

export function oppositeDirection(direction: number): number {
  return (direction + DIRECTION_COUNT / 2) % DIRECTION_COUNT;
}

/** Returns the Chebyshev distance, in tiles. */
export function distanceOf(dx: number, dy: number): number {
  return Math.max(Math.abs(dx), Math.abs(dy));
}
