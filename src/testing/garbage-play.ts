// Players for property tests: every turn the protocol could let through, sensible or not.

import type { Direction, Target, Turn } from "#engine/types.ts";
import { ATTACKS, DIRECTIONS } from "#engine/types.ts";

import type { Player } from "./reference-play.ts";
import { mulberry32 } from "./reference-play.ts";

const NAMES = [...ATTACKS, "", "punch", "constructor", "Strike"];
const SHOUTS = ["", "hey", "x".repeat(40), "x".repeat(41), "👊".repeat(40), "tab\tand <b>"];

/** Plays turns of random parts; about one in eight ticks is idle. */
export function garbagePlayer(seed: number): Player {
  const draw = mulberry32(seed);
  return (fight, seat) => {
    if (draw() % 8 === 0) return null;
    const enemy = (seat + 1 + (draw() % (fight.seats - 1))) % fight.seats;
    return garbageTurn(draw, [fight.x[enemy], fight.y[enemy]]);
  };
}

function garbageTurn(draw: () => number, enemy: Target): Turn {
  const turn: Turn = {};
  const parts = draw();
  if (parts % 3 > 0) turn.move = directionOf(draw());
  if (parts % 5 === 0) turn.dash = directionOf(draw());
  if (parts % 2 === 0) turn.attack = { name: NAMES[draw() % NAMES.length] };
  if (turn.attack !== undefined && parts % 7 > 0) turn.attack.target = targetOf(draw, enemy);
  if (parts % 11 === 0) turn.shout = SHOUTS[draw() % SHOUTS.length];
  return turn;
}

function directionOf(drawn: number): Direction {
  return DIRECTIONS[drawn % DIRECTIONS.length];
}

function targetOf(draw: () => number, enemy: Target): Target {
  const kind = draw() % 8;
  if (kind < 4) return directionOf(draw());
  if (kind < 6) return enemy;
  return [(draw() % 40) - 8, kind === 6 ? (draw() % 40) - 8 : (draw() % 9) / 2];
}
