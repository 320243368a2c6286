// Derives a caster's lines from a match's events.
import type { MatchFrame } from "#core/engine/frame.ts";
import type { FightEvent, FighterId } from "#core/engine/types.ts";

import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay, SimulatedTick } from "./simulated-replay.ts";
import type { TickPosition } from "./viewer-state.ts";

/** Lines with `isHighlight` are marked on the timeline. */
export type CommentaryLine = { tick: number; text: string; isHighlight: boolean };

type TickContext = {
  simulation: SimulatedReplay;
  tick: SimulatedTick;
  before: MatchFrame;
  after: MatchFrame;
  name: (id: FighterId) => string;
};
/** Finders whose lines can recur have at least two texts, which take turns. */
type CommentaryFinding = { texts: readonly [string, ...string[]]; isHighlight: boolean } | null;

export function commentaryLines(
  simulation: SimulatedReplay,
  names: NamesByFighter,
): CommentaryLine[] {
  const lines: CommentaryLine[] = [];
  const useCounts = COMMENTARY_FINDERS.map(() => 0);
  const name = (id: FighterId): string => names[id] ?? id;
  for (const tick of simulation.ticks) {
    const before = simulation.frames[tick.tick]!;
    const after = simulation.frames[tick.tick + 1]!;
    const context = { simulation, tick, before, after, name };
    COMMENTARY_FINDERS.forEach((findLine, index) => {
      const finding = findLine(context);
      if (finding === null) return;
      const { texts, isHighlight } = finding;
      const text = texts[useCounts[index]! % texts.length]!;
      useCounts[index]! += 1;
      lines.push({ tick: tick.tick, text, isHighlight });
    });
  }
  return lines;
}

/** How long a caption is shown, in ticks. */
const CAPTION_TICKS = 5;

/** Returns the caption at a position: the most important line of the latest tick that has one. */
export function captionAt(
  lines: readonly CommentaryLine[],
  { tick, progress }: TickPosition,
): string | null {
  if (progress === 0) return null;
  const latestTick = lines.findLast((line) => line.tick <= tick)?.tick;
  if (latestTick === undefined || latestTick <= tick - CAPTION_TICKS) return null;
  return lines.find((line) => line.tick === latestTick)?.text ?? null;
}

/** The most important finder comes first. */
const COMMENTARY_FINDERS: ((context: TickContext) => CommentaryFinding)[] = [
  photoFinish,
  knockout,
  firstBlood,
  wallSlam,
  ricochet,
  blastDodge,
  pickupTheft,
  stunPunishment,
  lastZoneSquare,
];

/** Maximum distance of the opponent from a pickup that counts as stolen, in tiles. */
const PICKUP_REACH = 1;

function eventsOfType<T extends FightEvent["type"]>(
  tick: SimulatedTick,
  type: T,
): Extract<FightEvent, { type: T }>[] {
  return tick.events.filter((event): event is Extract<FightEvent, { type: T }> => {
    return event.type === type;
  });
}

function photoFinish({ tick, simulation }: TickContext): CommentaryFinding {
  if (eventsOfType(tick, "death").length < 2) return null;
  const winner = simulation.replay.result.winner;
  const tieBreakText = winner === null ? "nobody wins" : "the tie-break decides";
  return {
    texts: [`Photo finish: both fall in one tick, and ${tieBreakText}!`],
    isHighlight: true,
  };
}

function knockout({ tick, name }: TickContext): CommentaryFinding {
  const deaths = eventsOfType(tick, "death");
  if (deaths.length !== 1) return null;
  return { texts: [`${name(deaths[0]!.target)} is down. It is over!`], isHighlight: true };
}

function firstBlood({ simulation, tick, name }: TickContext): CommentaryFinding {
  const attackers = new Set(opponentHits(tick).map(({ by }) => by));
  if (
    attackers.size === 0 ||
    simulation.ticks.slice(0, tick.tick).some((earlierTick) => opponentHits(earlierTick).length > 0)
  )
    return null;
  const names = [...attackers].map(name).join(" and ");
  const text = attackers.size === 1 ? `First blood: ${names}!` : `First blood is shared: ${names}!`;
  return { texts: [text], isHighlight: true };
}

/** Returns hits on the opponent, excluding a fighter's hits on itself. */
function opponentHits(tick: SimulatedTick) {
  return eventsOfType(tick, "hit").filter(({ by, target }) => by !== target);
}

function wallSlam({ tick, name }: TickContext): CommentaryFinding {
  const hitEvent = eventsOfType(tick, "hit").find((candidate) => candidate.name === "wall_slam");
  if (hitEvent === undefined) return null;
  const [attacker, target] = [name(hitEvent.by), name(hitEvent.target)];
  return {
    texts: [
      `${attacker} slams ${target} into the wall!`,
      `Into the wall with ${target}!`,
      `${target} meets the wall. Stars everywhere.`,
      `${attacker} finds the wall with ${target} again.`,
    ],
    isHighlight: true,
  };
}

function ricochet({ tick, name }: TickContext): CommentaryFinding {
  const flight = tick.flights.find(({ hits, bounces }) => hits !== null && bounces > 0);
  if (flight === undefined) return null;
  const attacker = name(flight.by);
  if (flight.bounces > 1)
    return {
      texts: [
        `Off two walls! ${attacker} with the trick shot!`,
        `Two bounces and a hit: ${attacker} planned that one.`,
      ],
      isHighlight: true,
    };
  return {
    texts: [
      `Off the wall: ${attacker} finds the angle.`,
      `Around the corner: ${attacker} hits off the wall.`,
      `${attacker} uses the wall and hits.`,
    ],
    isHighlight: false,
  };
}

/** Finds a fighter that dashes out of a blast in the tick it explodes. */
function blastDodge({ tick, before, after, name }: TickContext): CommentaryFinding {
  for (const blast of eventsOfType(tick, "area_explode")) {
    const seat = before.fighters.findIndex((fighter, index) => {
      const turn = tick.turns[index]!;
      const hasDashed = turn !== null && "dash" in turn && fighter.alive;
      const movedFighter = after.fighters[index]!;
      return hasDashed && isInArea(blast, fighter) && !isInArea(blast, movedFighter);
    });
    if (seat === -1) continue;
    const id = before.fighters[seat]!.id;
    return {
      texts: [
        `${name(id)} dashes out of the blast at the last moment!`,
        `The blast hits nothing: ${name(id)} has dashed away!`,
      ],
      isHighlight: true,
    };
  }
  return null;
}

type CircularArea = { x: number; y: number; radius: number };
type TilePosition = { x: number; y: number };

function isInArea(area: CircularArea, position: TilePosition): boolean {
  return tileDistance(area, position) <= area.radius;
}

function tileDistance(a: TilePosition, b: TilePosition): number {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));
}

function pickupTheft({ tick, before, after, name }: TickContext): CommentaryFinding {
  for (const { by, kind } of eventsOfType(tick, "pickup")) {
    const pickup = before.pickups.find((candidate) => candidate.kind === kind);
    const robbedFighter = after.fighters.find((fighter) => {
      return fighter.id !== by && pickup && tileDistance(fighter, pickup) <= PICKUP_REACH;
    });
    if (robbedFighter === undefined) continue;
    return {
      texts: [
        `${name(by)} snatches ${kind} from under ${name(robbedFighter.id)}!`,
        `${name(by)} gets to the ${kind} just before ${name(robbedFighter.id)}!`,
      ],
      isHighlight: false,
    };
  }
  return null;
}

/** Finds a hit on a fighter that lost this turn to a stun. */
function stunPunishment({ tick, before, name }: TickContext): CommentaryFinding {
  if (eventsOfType(tick, "death").length > 0) return null;
  const stunned = before.fighters.filter(({ stun }) => stun > 0).map(({ id }) => id);
  const hitEvent = eventsOfType(tick, "hit").find(
    ({ by, target }) => by !== target && stunned.includes(target),
  );
  if (hitEvent === undefined) return null;
  return {
    texts: [
      `${name(hitEvent.by)} makes the stun count.`,
      `No mercy: ${name(hitEvent.by)} follows up.`,
      `Stunned, and hit again by ${name(hitEvent.by)}.`,
    ],
    isHighlight: false,
  };
}

function lastZoneSquare({ before, after }: TickContext): CommentaryFinding {
  if (before.radius === 1 || after.radius !== 1) return null;
  return { texts: ["The last square: nowhere left to run."], isHighlight: true };
}
