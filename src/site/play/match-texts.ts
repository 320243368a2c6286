// Texts are from the player's perspective.
import { assertDefined } from "#base/util/assert-defined.ts";
import type { DamageSource, FighterId, FighterStats } from "#core/engine/types.ts";
import { DAMAGE_SOURCE_TEXTS } from "#site/viewer/match-texts.ts";

import type { PlayEndMessage, PlayEvent } from "./messages.ts";

export type PlayerNames = { ownId: FighterId; opponentName: string };

/** Describes an event. Returns null for events that aren't shown. */
export function describeEventForPlayer(event: PlayEvent, playerNames: PlayerNames): string | null {
  const { ownId, opponentName } = playerNames;
  switch (event.type) {
    case "hit":
      return describeHit(event, playerNames);
    case "zone_damage":
      return event.target === ownId ? `You are outside the zone: −${event.damage}.` : null;
    case "repulse":
      return event.target === ownId ? "You are pushed away." : `You push ${opponentName} away.`;
    case "pull":
      return event.target === ownId
        ? `${opponentName} hooks you in.`
        : `You hook ${opponentName} in.`;
    case "pickup":
      return describePickup(event, playerNames);
    case "pickup_spawn":
      return event.kind === "health" ? `Health and power land in ${event.in} ticks.` : null;
    case "rejected":
      return event.message ?? null;
    case "death":
      return event.target === ownId ? "You fall." : `${opponentName} falls.`;
    case "area_spawn":
      return event.by === ownId ? null : `${opponentName} places a ${event.name}: get out of it.`;
    case "attack":
      return event.by === ownId || event.x !== undefined
        ? null
        : `${opponentName} uses ${event.name} out of sight.`;
    case "area_explode":
    case "shout":
      return null;
  }
}

type ObservedHit = Extract<PlayEvent, { type: "hit" }>;

function describeHit(
  { by, target, name, damage, ricochet }: ObservedHit,
  { ownId, opponentName }: PlayerNames,
): string {
  const methodText = `${ricochet === true ? "bounced " : ""}${DAMAGE_SOURCE_TEXTS[name]}`;
  const isOwnFighter = target === ownId;
  if (name === "wall_slam")
    return isOwnFighter
      ? `You slam into a wall: −${damage}, and stunned.`
      : `${opponentName} slams into a wall: −${damage}, and stunned.`;
  if (name === "collision")
    return isOwnFighter
      ? `${opponentName} runs into you: −${damage}.`
      : `You run into ${opponentName}: −${damage}.`;
  if (by === target)
    return isOwnFighter
      ? `Your own ${methodText} hits you: −${damage}.`
      : `${opponentName} hits itself: −${damage}.`;
  return isOwnFighter
    ? `${opponentName} hits you with a ${methodText}: −${damage}.`
    : `Your ${methodText} hits: −${damage}.`;
}

type ObservedPickup = Extract<PlayEvent, { type: "pickup" }>;

function describePickup(
  { by, kind, healed }: ObservedPickup,
  { ownId, opponentName }: PlayerNames,
): string {
  const pickupText = kind === "health" ? `health, +${healed ?? 0}` : "power: +50 % damage";
  return by === ownId ? `You take ${pickupText}.` : `${opponentName} takes ${pickupText}.`;
}

export function describeVerdict(
  { winner, reason, voided }: PlayEndMessage,
  { ownId, opponentName }: PlayerNames,
): string {
  if (voided === true) return "No result";
  if (winner === null) return "A draw";
  if (winner === ownId) return reason === "forfeit" ? `${opponentName} gave up` : "You won";
  return reason === "forfeit" ? "You gave up" : `${opponentName} won`;
}

export function describeEndReason(end: PlayEndMessage, playerNames: PlayerNames): string {
  const { reason, voided, stats } = end;
  if (voided === true && reason === "forfeit") return "The match ended before its first tick.";
  if (voided === true) return "Void because of a server error. This match doesn't count.";
  const ticks = stats?.ticks ?? 0;
  const endTexts: Partial<Record<PlayEndMessage["reason"], string>> = {
    last_standing: `By knockout, after ${ticks} ${ticks === 1 ? "tick" : "ticks"}.`,
    timeout_hp: "On HP, at the tick limit.",
    timeout_damage: "On damage, at the tick limit.",
    timeout_draw: "Equal HP and damage at the tick limit.",
    forfeit: "Disconnected, or silent for too long.",
  };
  const ownStats = stats?.fighters.find(({ id }) => id === playerNames.ownId);
  const opponentStats = stats?.fighters.find(({ id }) => id !== playerNames.ownId);
  const parts = [
    endTexts[reason],
    ownStats && describeMainDamage(ownStats),
    opponentStats &&
      ownStats &&
      `You dealt ${ownStats.damage_dealt} damage and took ${ownStats.damage_taken}.`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function describeMainDamage({ taken_by_source }: FighterStats): string {
  const [mainEntry] = (Object.entries(taken_by_source) as [DamageSource, number][]).toSorted(
    ([, damageA], [, damageB]) => damageB - damageA,
  );
  const [source, damage] = assertDefined(mainEntry, "source of damage");
  if (damage === 0) return "You took no damage.";
  const sourceText = source === "zone" ? "the zone" : `${DAMAGE_SOURCE_TEXTS[source]}s`;
  return `Most damage from: ${sourceText}, ${damage} HP.`;
}
