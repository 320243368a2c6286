// Checks whether a replay is genuine: simulates the fight again and checks everything that does not
// follow from it.

import { isDeepStrictEqual } from "node:util";

import { sure } from "#base/units/sure.ts";
import { MILLISECOND } from "#base/units/time.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { ENGINE_VERSION, RULES, RULES_VERSION } from "#core/engine/rules.ts";
import type { MatchStats, Replay, ReplayHeader, ReplayTick } from "#core/engine/types.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/replay.ts";
import { rulesHash } from "#server/composition/versions.ts";

export type CheckedReplay = {
  replay: Replay;
  /** The first difference, or null if everything agrees. */
  mismatch: Mismatch | null;
  /** Null for a void match, and for a replay that does not simulate to what it says. */
  stats: MatchStats | null;
};

/** Parses and checks a replay; an `error` says why the text is not a replay at all. */
export function checkReplay(text: string): CheckedReplay | { error: string } {
  const replay = parseReplay(text);
  if ("error" in replay) return replay;
  const mismatch = headerMismatch(replay, text) ?? fightMismatch(replay) ?? clockMismatch(replay);
  return { replay, mismatch, stats: mismatch === null ? statsOfReplay(replay) : null };
}

/** Why a difference need not mean that the file was changed; null if the versions agree. */
export function versionNote({ versions }: ReplayHeader): string | null {
  const recorded = `engine ${versions.engine}, rules ${versions.rules}`;
  const here = `engine ${ENGINE_VERSION}, rules ${RULES_VERSION}`;
  if (recorded === here) return null;
  return `recorded by ${recorded}; this is ${here}, which may play it differently`;
}

/** The header has rules and map for readers; the simulation uses neither. */
function headerMismatch({ header }: Replay, text: string): Mismatch | null {
  const { fighters, map, versions } = header;
  const ids = fighters.map(({ id }) => id).join();
  const seats = FIGHTER_IDS.slice(0, fighters.length).join();
  if (ids !== seats) return inHeader("fighters", ids, seats);
  if (versions.rules !== RULES_VERSION) return null;
  const { rules, map: view } = JSON.parse(sure(text.split("\n", 1)[0], "header")) as Record<
    string,
    object
  >;
  const grid = gridOf(map.name);
  if (versions.rules_hash !== rulesHash())
    return inHeader("rules_hash", versions.rules_hash, rulesHash());
  if (!isDeepStrictEqual(rules, JSON.parse(JSON.stringify(RULES))))
    return inHeader("rules", "other numbers", `those of rules ${RULES_VERSION}`);
  if (grid === null || !isDeepStrictEqual(view, JSON.parse(JSON.stringify(mapView(grid)))))
    return inHeader("map", `another ${map.name}`, "the ladder's own");
  return null;
}

function inHeader(field: string, recorded: string, simulated: string): Mismatch {
  return { tick: null, field, recorded, simulated };
}

function fightMismatch(replay: Replay): Mismatch | null {
  const played = resimulate(replay);
  if (played.ok) return null;
  const { tick, field, recorded, simulated } = played;
  return { tick, field, recorded, simulated };
}

/** A seat's budget must cover its replies, and no reply may exceed the limit of a tick. */
function clockMismatch({ header, ticks }: Replay): Mismatch | null {
  const before = header.fighters.map(() => header.deadlines.budget_ms);
  for (const tick of ticks) {
    for (const [seat, left] of before.entries()) {
      const [least, most] = budgetBounds(tick, seat, left, header.deadlines.tick_ms);
      const recorded = sure(tick.budget_ms[seat], "budget");
      if (recorded < least || recorded > most) {
        const simulated = least === most ? String(least) : `${least} to ${most}`;
        return { tick: tick.tick, field: "budget_ms", recorded: String(recorded), simulated };
      }
      before[seat] = recorded;
    }
  }
  return null;
}

/** In ms, computed in whole microseconds as the server does. */
function budgetBounds(
  tick: ReplayTick,
  seat: number,
  before: number,
  tickLimit: number,
): [least: number, most: number] {
  const reply = sure(tick.reply_ms[seat], "reply");
  const left = (cost: number) =>
    Math.max(0, Math.round(before * MILLISECOND) - Math.round(cost * MILLISECOND)) / MILLISECOND;
  return reply === null ? [left(tickLimit), before] : [left(reply), left(reply)];
}
