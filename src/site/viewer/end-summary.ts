// The decisive numbers of a finished match, for the card at its end.
import type { FightEvent, FighterId, ReplayResult } from "#core/engine/types.ts";

import { DAMAGE_SOURCE_TEXTS } from "./match-texts.ts";
import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";

export type EndRow = { id: FighterId; name: string; damageDealt: number; hp: number };

export type EndSummary = {
  title: string;
  /** What decided the match. */
  decision: string;
  rows: readonly EndRow[];
};

export function summarizeEnd(
  { ticks, frames, replay }: SimulatedReplay,
  names: NamesByFighter,
): EndSummary {
  const events = ticks.flatMap((tick) => tick.events);
  const fighters = frames.at(-1)?.fighters ?? [];
  const rows = fighters.map(({ id, hp }) => ({
    id,
    name: names[id] ?? id,
    damageDealt: damageDealtBy(id, events),
    hp: Math.max(0, hp),
  }));
  const lastHit = decisiveHit(replay.result, ticks.at(-1)?.events ?? []);
  return {
    title: endTitle(replay.result, names),
    decision: describeEndDecision(replay.result, lastHit),
    rows,
  };
}

function endTitle(
  { winner, reason }: Pick<ReplayResult, "winner" | "reason">,
  names: NamesByFighter,
): string {
  if (reason === "server_fault") return "No result";
  return winner === null ? "Draw" : `${names[winner] ?? winner} wins`;
}

const damageDealtBy = (id: FighterId, events: readonly FightEvent[]): number =>
  events.reduce((sum, event) => {
    const isDealt = event.type === "hit" && event.by === id && event.target !== id;
    return isDealt ? sum + event.damage : sum;
  }, 0);

type DamageEvent = Extract<FightEvent, { type: "hit" | "zone_damage" }>;

/** Returns the largest hit on a loser in the last tick. */
function decisiveHit(
  { winner }: ReplayResult,
  events: readonly FightEvent[],
): DamageEvent | undefined {
  return events
    .flatMap((event) => (event.type === "hit" || event.type === "zone_damage" ? [event] : []))
    .filter(({ target }) => target !== winner)
    .toSorted((hit, otherHit) => otherHit.damage - hit.damage)[0];
}

type EndFacts = Pick<ReplayResult, "reason" | "ticks">;

export function describeEndDecision({ reason, ticks }: EndFacts, lastHit?: DamageEvent): string {
  switch (reason) {
    case "last_standing":
      return `Knockout in tick ${ticks}${lastHit === undefined ? "" : ` by ${hitText(lastHit)}`}`;
    case "timeout_hp":
      return `More HP after ${ticks} ticks`;
    case "timeout_damage":
      return "Equal HP, more damage dealt";
    case "timeout_draw":
      return "Equal HP and equal damage";
    case "forfeit":
      return `Forfeit in tick ${ticks}`;
    case "disqualification":
      return `Disqualification in tick ${ticks}`;
    case "server_fault":
      return "Ended by a server fault";
  }
}

function hitText(event: DamageEvent): string {
  if (event.type === "zone_damage") return `the zone, −${event.damage}`;
  const bounced = event.ricochet === true ? "bounced " : "";
  return `${bounced}${DAMAGE_SOURCE_TEXTS[event.name]}, −${event.damage}`;
}
