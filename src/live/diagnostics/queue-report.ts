// The queue of each open ladder, and why no match starts there.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import { pairingBlock } from "#core/pairing/blocked.ts";
import type { BotHold, PairingBlock, QueuedBot } from "#core/pairing/blocked.ts";
import type { LadderId } from "#core/words/ids.ts";
import { meetingsOn, startKey } from "#live/arena/arena-state.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import { boundsOn, houseRoom, occupancyOf, ownerRoom, roomOn } from "#live/arena/capacity.ts";
import type { Occupancy } from "#live/arena/capacity.ts";
import { spentQuota } from "#live/arena/quota.ts";
import type { Entry, Session } from "#live/arena/session.ts";
import type { QueueReport } from "#live/arena/view.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";
import { isKept } from "#live/practice/book.ts";

/** Two waves: a bot that has waited less may simply be paired by the next one. */
const GRACE_WAVES = 2;

type Waiting = { session: Session; entry: Entry };

/** Returns one report for each ladder that is enabled and open. */
export function queueReports(arena: ArenaState): QueueReport[] {
  const instant = arena.deps.clock.wall().toISOString();
  const open = arena.deps.ladders
    .all()
    .filter((ladder) => ladder.enabled && phaseAt(ladder, instant) === "open");
  const waiting = Map.groupBy(waitingIn(arena), ({ entry }) => entry.ladderId);
  const occupancy = occupancyOf(arena);
  return open.map((ladder) => reportOf(arena, ladder, waiting.get(ladder.id) ?? [], occupancy));
}

function waitingIn({ sessions }: ArenaState): Waiting[] {
  return [...sessions.values()].flatMap((session) => {
    const { activity } = session;
    return activity.state === "waiting" ? [{ session, entry: activity.entry }] : [];
  });
}

function reportOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  waiting: readonly Waiting[],
  occupancy: Occupancy,
): QueueReport {
  const { clock } = arena.deps;
  const players = waiting.filter(({ session }) => !session.bot.house);
  const oldest = Math.min(...players.map(({ entry }) => entry.since));
  const lastStart = arena.lastStartOn.get(ladder.id);
  const seconds = (since: number) => (clock.now() - since) / SECOND;
  return {
    ladderId: ladder.id,
    waiting: players.length,
    waitingHouse: waiting.length - players.length,
    longestWaitSeconds: players.length === 0 ? null : seconds(oldest),
    sinceStartSeconds: lastStart === undefined ? null : seconds(lastStart),
    blockedBy: blockOf(arena, ladder, waiting, occupancy),
  };
}

function blockOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  waiting: readonly Waiting[],
  occupancy: Occupancy,
): PairingBlock | null {
  const settings = arena.deps.settings.current();
  const meetings = meetingsOf(arena, ladder.id);
  return pairingBlock({
    bots: waiting.map((one) => queuedBot(arena, ladder, one, { occupancy, meetings })),
    capacity: {
      max: boundsOn(arena, ladder).maxConcurrent,
      room: roomOn(arena, ladder.id),
    },
    houseRoom: houseRoom(arena, occupancy),
    isDraining: arena.drainDeadline !== null,
    isUnsaved: arena.trouble.unsaved > 0,
    numbers: pairingNumbers(settings),
    graceSeconds: GRACE_WAVES * settings.wave_every_s,
  });
}

function queuedBot(
  arena: ArenaState,
  ladder: LadderDefinition,
  { session, entry }: Waiting,
  { occupancy, meetings }: { occupancy: Occupancy; meetings: Meetings },
): QueuedBot {
  const { bot } = session;
  const { lastOpponent } = meetingsOn(arena, ladder.id);
  return {
    bot: bot.id,
    owner: bot.ownerId,
    house: bot.house,
    hold: holdOf(arena, ladder, session, occupancy),
    waitSeconds: (arena.deps.clock.now() - entry.since) / SECOND,
    lastOpponent: lastOpponent.get(bot.id) ?? null,
    sinceMeetingSeconds: meetings.get(bot.id) ?? NO_MEETINGS,
  };
}

/** Seconds since two bots met, by each of them and its opponent. */
type Meetings = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_MEETINGS: ReadonlyMap<string, number> = new Map();

function meetingsOf(arena: ArenaState, ladderId: LadderId): Meetings {
  const now = arena.deps.clock.now();
  const meetings = new Map<string, Map<string, number>>();
  for (const [pair, at] of meetingsOn(arena, ladderId).met) {
    const [one, other] = bothOf(pair.split(" "));
    const seconds = (now - at) / SECOND;
    meetings.getOrInsertComputed(one, () => new Map()).set(other, seconds);
    meetings.getOrInsertComputed(other, () => new Map()).set(one, seconds);
  }
  return meetings;
}

function holdOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  { bot }: Session,
  occupancy: Occupancy,
): BotHold | null {
  const { clock, settings } = arena.deps;
  const limits = settings.current();
  if (isKept(arena.practice.book, bot.id, ladder.id)) return "practice";
  if (arena.withheld.values().some(({ botId }) => botId === bot.id)) return "being_deleted";
  const last = arena.lastStart.get(startKey(bot, ladder.id)) ?? -Infinity;
  if (last + limits.match_interval_s * SECOND > clock.now()) return "match_interval";
  if (bot.house) return null;
  const spent = spentQuota(arena.starts, bot.id, bot.ownerId, clock.now(), limits);
  if (spent !== null) return spent;
  return ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0 ? null : "owner_concurrency";
}
