// Ladders that are over: their final standings are written once, when the last match is stored, and
// never change. Neither they nor the places of a day have bots that are not on the ladder's board.

import { isDeepStrictEqual } from "node:util";

import { MINUTE } from "#base/units/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { lasting } from "./lasting.ts";
import type { Lasting } from "./lasting.ts";
import { belongs, isOpenAt, isSettled, openRegister } from "./register.ts";
import type { Register } from "./register.ts";
import type { Looked, Moment, Watch } from "./watch.ts";

/** How long a ladder may be due to be finished while nothing else is wrong. */
const PATIENCE = MINUTE;
/** A list may be as old as that when it is written; µs. */
const LATE = 3 * MINUTE;

type Facts = Register & {
  running: Map<MatchId, LadderId>;
  written: Map<LadderId, readonly Lasting[]>;
  /** Since when a ladder has been due to be finished, µs. */
  due: Map<LadderId, number>;
  /** By ladder and bot: since when it has not belonged there, µs. */
  out: Map<string, number>;
  /** When that was last looked at, µs. */
  lookedAt: number;
};

export function watchEndings(): Watch {
  const register = openRegister();
  const facts: Facts = {
    ...register,
    running: new Map(),
    written: new Map(),
    due: new Map(),
    out: new Map(),
    lookedAt: 0,
  };
  const rest = () => facts.due.clear();
  return {
    name: "ladders end once",
    on: {
      ...register.on,
      started: ({ matchId, ladderId }) => void facts.running.set(matchId, ladderId),
      stored: ({ match }) => {
        facts.running.delete(match.id);
        const isLate = match.mode === "ranked" && facts.written.has(match.ladderId);
        return isLate ? `${match.id} is stored on ${match.ladderId}, which is over` : null;
      },
      ladder_finished: (notice, moment) => {
        const complaint = finish(facts, notice, moment);
        register.on.ladder_finished?.(notice, moment);
        return complaint;
      },
      noted: ({ places: { ladderId, botIds } }, { at }) => stranger(facts, ladderId, botIds, at),
      finals: ({ byLadder }) => frozen(facts, byLadder),
      killed: () => facts.running.clear(),
      booted: rest,
      stalled: rest,
      looked: (looked, moment) => {
        if (moment.at - facts.lookedAt >= MINUTE) noteOut(facts, moment.at);
        return overdue(facts, looked, moment);
      },
      finished: () => {
        const [left] = facts.due.keys();
        return left === undefined ? null : `${left} is over, and has no final standings`;
      },
    },
  };
}

type Finish = { ladderId: LadderId; places: readonly FinalStanding[] };

function finish(facts: Facts, { ladderId, places }: Finish, { at, wall }: Moment): string | null {
  const { written, running, ladders } = facts;
  const ladder = ladders.get(ladderId);
  if (written.has(ladderId)) return `${ladderId} is finished twice`;
  written.set(ladderId, places.map(lasting));
  if (running.values().some((other) => other === ladderId))
    return `${ladderId} is finished amid a match`;
  const isOver = ladder !== undefined && !isOpenAt(ladder, wall);
  if (!isOver && isSettled(facts, [ladderId])) return `${ladderId} is finished and is not over`;
  return stranger(
    facts,
    ladderId,
    places.map(({ botId }) => botId),
    at,
  );
}

/** Somebody who has been off the board for long and has a place nevertheless. */
function stranger(
  { bots, out }: Facts,
  ladderId: LadderId,
  botIds: readonly BotId[],
  at: number,
): string | null {
  const wrong = botIds.find((id) => at - (out.get(`${ladderId} ${id}`) ?? at) > LATE);
  return wrong === undefined ? null : `${bots.get(wrong)?.name} has a place on ${ladderId}`;
}

/** House bots are on every board. */
function noteOut(facts: Facts, at: number): void {
  facts.lookedAt = at;
  for (const ladder of facts.ladders.values())
    for (const bot of facts.bots.values()) {
      const key = `${ladder.id} ${bot.id}`;
      if (bot.house || belongs(facts, ladder, bot)) facts.out.delete(key);
      else if (!facts.out.has(key)) facts.out.set(key, at);
    }
}

type Finals = ReadonlyMap<LadderId, readonly FinalStanding[]>;

function frozen({ written }: Facts, byLadder: Finals): string | null {
  for (const [ladderId, places] of byLadder)
    if (!isDeepStrictEqual(written.get(ladderId), places.map(lasting)))
      return `the final standings of ${ladderId} are not those that were written`;
  const lost = written.keys().find((ladderId) => !byLadder.has(ladderId));
  return lost === undefined ? null : `the final standings of ${lost} are gone`;
}

function overdue(facts: Facts, { storeFails }: Looked, { at, wall }: Moment): string | null {
  const { ladders, written, running, due } = facts;
  for (const ladder of ladders.values()) {
    const { id, closesAt } = ladder;
    const isOver = closesAt !== null && wall >= Date.parse(closesAt);
    const isPlayed = running.values().some((other) => other === id);
    const isDue = isOver && !hasSeasons(id) && !written.has(id) && !isPlayed && !storeFails;
    if (!isDue) due.delete(id);
    else if (at - due.getOrInsert(id, at) > PATIENCE) return `${id} is over and never finished`;
  }
  return null;
}
