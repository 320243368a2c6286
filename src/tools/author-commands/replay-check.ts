// Checks whether a replay is genuine by simulating the match again. Also checks the fields that the
// simulation doesn't determine.

import { isDeepStrictEqual } from "node:util";

import { assertDefined } from "#base/util/assert-defined.ts";
import { MILLISECOND_US } from "#base/util/time.ts";
import { gridOf, mapView } from "#core/engine/maps.ts";
import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { Mismatch } from "#core/engine/replay.ts";
import { ENGINE_VERSION, RULES, RULES_VERSION } from "#core/engine/rules.ts";
import type { MatchStats, Replay, ReplayHeader, ReplayTick } from "#core/engine/types.ts";
import { FIGHTER_IDS } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { rulesHash } from "#server/composition/versions.ts";

export type CheckedReplay = {
  replay: Replay;
  /** The first mismatch; null if the replay is genuine. */
  mismatch: Mismatch | null;
  /** Null for a void match, and for a replay that differs from its simulation. */
  stats: MatchStats | null;
};

/** Parses and checks a replay. `error` says why the text isn't a replay. */
export function checkReplay(text: string): CheckedReplay | { error: string } {
  const replay = parseReplay(text);
  if ("error" in replay) return replay;
  const mismatch =
    findHeaderMismatch(replay, text) ?? findMatchMismatch(replay) ?? findClockMismatch(replay);
  return { replay, mismatch, stats: mismatch === null ? statsOfReplay(replay) : null };
}

export function describeVersionMismatch({ versions }: ReplayHeader): string | null {
  const recorded = `engine ${versions.engine}, rules ${versions.rules}`;
  const currentVersions = `engine ${ENGINE_VERSION}, rules ${RULES_VERSION}`;
  if (recorded === currentVersions) return null;
  return `recorded by ${recorded}; this is ${currentVersions}, which may give a different result`;
}

/** Checks the header's rules and map, which the simulation doesn't use. */
function findHeaderMismatch({ header }: Replay, text: string): Mismatch | null {
  const { fighters, map, versions } = header;
  const ids = fighters.map(({ id }) => id).join();
  const seats = FIGHTER_IDS.slice(0, fighters.length).join();
  if (ids !== seats) return createHeaderMismatch("fighters", ids, seats);
  if (versions.rules !== RULES_VERSION) return null;
  const { rules, map: view } = JSON.parse(
    assertDefined(text.split("\n", 1)[0], "header"),
  ) as Record<string, object>;
  const grid = gridOf(map.name);
  if (versions.rules_hash !== rulesHash())
    return createHeaderMismatch("rules_hash", versions.rules_hash, rulesHash());
  if (!isDeepStrictEqual(rules, JSON.parse(JSON.stringify(RULES))))
    return createHeaderMismatch("rules", "changed values", `the values of rules ${RULES_VERSION}`);
  if (grid === null || !isDeepStrictEqual(view, JSON.parse(JSON.stringify(mapView(grid)))))
    return createHeaderMismatch("map", `a changed ${map.name}`, "the ladder's map");
  return null;
}

function createHeaderMismatch(field: string, recorded: string, simulated: string): Mismatch {
  return { tick: null, field, recorded, simulated };
}

function findMatchMismatch(replay: Replay): Mismatch | null {
  const resimulation = resimulate(replay);
  if (resimulation.ok) return null;
  const { tick, field, recorded, simulated } = resimulation;
  return { tick, field, recorded, simulated };
}

/**
 * Checks that each seat's budget covers its reply times and that no reply exceeds the tick limit.
 */
function findClockMismatch({ header, ticks }: Replay): Mismatch | null {
  const budgets = header.fighters.map(() => header.deadlines.budget_ms);
  for (const tick of ticks) {
    for (const [seat, remaining] of budgets.entries()) {
      const [min, max] = budgetBounds(tick, seat, remaining, header.deadlines.tick_ms);
      const recorded = assertDefined(tick.budget_ms[seat], "budget");
      if (recorded < min || recorded > max) {
        const simulated = min === max ? String(min) : `${min} to ${max}`;
        return { tick: tick.tick, field: "budget_ms", recorded: String(recorded), simulated };
      }
      budgets[seat] = recorded;
    }
  }
  return null;
}

/** In ms, computed in whole µs as the server does. */
function budgetBounds(
  tick: ReplayTick,
  seat: number,
  before: number,
  tickLimit: number,
): [least: number, most: number] {
  const reply = assertDefined(tick.reply_ms[seat], "reply");
  const remaining = (cost: number) =>
    Math.max(0, Math.round(before * MILLISECOND_US) - Math.round(cost * MILLISECOND_US)) /
    MILLISECOND_US;
  return reply === null ? [remaining(tickLimit), before] : [remaining(reply), remaining(reply)];
}
