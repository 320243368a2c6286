// A fight in words for the person in it.
import { sure } from "#base/units/sure.ts";
import type { DamageSource, FighterId, FighterStats } from "#core/engine/types.ts";
import { SOURCE_WORDS } from "#site/viewer/words.ts";

import type { FightEnd, SeenEvent } from "./messages.ts";

/** Who the reader is, and what the opponent is called. */
export type Sides = { me: FighterId; foe: string };

/** What an event means for the reader; null if it is no news. */
export function newsOf(event: SeenEvent, sides: Sides): string | null {
  const { me, foe } = sides;
  switch (event.type) {
    case "hit":
      return hitNews(event, sides);
    case "zone_damage":
      return event.target === me ? `You are outside the zone: −${event.damage}.` : null;
    case "repulse":
      return event.target === me ? "You are pushed away." : `You push ${foe} away.`;
    case "pull":
      return event.target === me ? `${foe} hooks you in.` : `You hook ${foe} in.`;
    case "pickup":
      return pickupNews(event, sides);
    case "pickup_spawn":
      return event.kind === "health" ? `Health and power land in ${event.in} ticks.` : null;
    case "rejected":
      return event.message ?? null;
    case "death":
      return event.target === me ? "You fall." : `${foe} falls.`;
    case "area_spawn":
      return event.by === me ? null : `${foe} sets a ${event.name}: get out of it.`;
    case "attack":
      return event.by === me || event.x !== undefined
        ? null
        : `${foe} uses ${event.name} out of sight.`;
    case "area_explode":
    case "shout":
      return null;
  }
}

type Hit = Extract<SeenEvent, { type: "hit" }>;

function hitNews({ by, target, name, damage, ricochet }: Hit, { me, foe }: Sides): string {
  const how = `${ricochet === true ? "bounced " : ""}${SOURCE_WORDS[name]}`;
  const isMine = target === me;
  if (name === "wall_slam")
    return isMine
      ? `You slam into a wall: −${damage}, and stunned.`
      : `${foe} slams into a wall: −${damage}, and stunned.`;
  if (name === "collision")
    return isMine ? `${foe} runs into you: −${damage}.` : `You run into ${foe}: −${damage}.`;
  if (by === target)
    return isMine ? `Your own ${how} hits you: −${damage}.` : `${foe} hits itself: −${damage}.`;
  return isMine ? `${foe} hits you with a ${how}: −${damage}.` : `Your ${how} hits: −${damage}.`;
}

type Pickup = Extract<SeenEvent, { type: "pickup" }>;

function pickupNews({ by, kind, healed }: Pickup, { me, foe }: Sides): string {
  const what = kind === "health" ? `health, +${healed ?? 0}` : "power: half again the damage";
  return by === me ? `You take ${what}.` : `${foe} takes ${what}.`;
}

/** The headline of an end. */
export function verdictOf({ winner, reason, voided }: FightEnd, { me, foe }: Sides): string {
  if (voided === true) return "No result";
  if (winner === null) return "A draw";
  if (winner === me) return reason === "forfeit" ? `${foe} gave up` : "You won";
  return reason === "forfeit" ? "You gave up" : `${foe} won`;
}

/** How it ended and what decided it, in a sentence or two. */
export function reasonOf(end: FightEnd, sides: Sides): string {
  const { reason, voided, stats } = end;
  if (voided === true && reason === "forfeit") return "It was over before its first tick.";
  if (voided === true) return "The server failed this fight. It counts for nobody.";
  const ticks = stats?.ticks ?? 0;
  const how: Partial<Record<FightEnd["reason"], string>> = {
    last_standing: `By knockout, after ${ticks} ${ticks === 1 ? "tick" : "ticks"}.`,
    timeout_hp: "On hp, at the tick limit.",
    timeout_damage: "On damage, at the tick limit.",
    timeout_draw: "Equal hp and equal damage at the tick limit.",
    forfeit: "Gone, or silent for too long.",
  };
  const mine = stats?.fighters.find(({ id }) => id === sides.me);
  const theirs = stats?.fighters.find(({ id }) => id !== sides.me);
  const parts = [
    how[reason],
    mine && costOf(mine),
    theirs && mine && `You dealt ${mine.damage_dealt} damage and took ${mine.damage_taken}.`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

/** What took most from the reader. */
function costOf({ taken_by_source }: FighterStats): string {
  const [most] = (Object.entries(taken_by_source) as [DamageSource, number][]).toSorted(
    ([, one], [, other]) => other - one,
  );
  const [source, damage] = sure(most, "source of damage");
  if (damage === 0) return "Nothing hurt you.";
  const what = source === "zone" ? "the zone" : `${SOURCE_WORDS[source]}s`;
  return `What cost you most: ${what}, ${damage} hp.`;
}
