import { firstTwo } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import { pairingBlock } from "#core/pairing/pairing-block.ts";
import type { BotHold, PairingBlock, QueuedBot } from "#core/pairing/pairing-block.ts";
import { pairingHistoryOn, startKey } from "#live/arena/arena-state.ts";
import type { ArenaState } from "#live/arena/arena-state.ts";
import type { QueueReport } from "#live/arena/arena-view.ts";
import {
  ladderBounds,
  houseRoom,
  occupancyOf,
  ownerRoom,
  ladderRoom,
} from "#live/arena/capacity.ts";
import type { Occupancy } from "#live/arena/capacity.ts";
import { exhaustedQuota } from "#live/arena/quota.ts";
import type { QueueEntry, Session } from "#live/arena/session.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-parameters.ts";
import { isReservedForPractice } from "#live/practice/practice-book.ts";

/** A bot that has waited for less than two waves may simply be paired in the next one. */
const GRACE_WAVES = 2;

type QueuedSession = { session: Session; entry: QueueEntry };

/** Returns a report for each enabled, open ladder: who is waiting, and why no match starts. */
export function queueReports(arena: ArenaState): QueueReport[] {
  const instant = arena.deps.clock.wall().toISOString();
  const openLadders = arena.deps.ladders
    .list()
    .filter((ladder) => ladder.enabled && phaseAt(ladder, instant) === "open");
  const waiting = Map.groupBy(queuedSessionsIn(arena), ({ entry }) => entry.ladderId);
  const occupancy = occupancyOf(arena);
  return openLadders.map((ladder) =>
    reportOf(arena, ladder, waiting.get(ladder.id) ?? [], occupancy),
  );
}

function queuedSessionsIn({ sessions }: ArenaState): QueuedSession[] {
  return [...sessions.values()].flatMap((session) => {
    const { activity } = session;
    return activity.state === "waiting" ? [{ session, entry: activity.entry }] : [];
  });
}

function reportOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  waiting: readonly QueuedSession[],
  occupancy: Occupancy,
): QueueReport {
  const { clock } = arena.deps;
  const players = waiting.filter(({ session }) => !session.bot.house);
  const oldestSince = Math.min(...players.map(({ entry }) => entry.since));
  const lastStart = arena.lastStartByLadder.get(ladder.id);
  const secondsSince = (since: number) => (clock.now() - since) / SECOND_US;
  return {
    ladderId: ladder.id,
    waiting: players.length,
    waitingHouse: waiting.length - players.length,
    longestWaitSeconds: players.length === 0 ? null : secondsSince(oldestSince),
    sinceStartSeconds: lastStart === undefined ? null : secondsSince(lastStart),
    blockedBy: pairingBlockOf(arena, ladder, waiting, occupancy),
  };
}

function pairingBlockOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  waiting: readonly QueuedSession[],
  occupancy: Occupancy,
): PairingBlock | null {
  const settings = arena.deps.settings.current();
  const secondsSinceMeeting = secondsSinceMeetings(arena, ladder.id);
  return pairingBlock({
    bots: waiting.map((queuedSession) =>
      queuedBot(arena, ladder, queuedSession, { occupancy, secondsSinceMeeting }),
    ),
    capacity: {
      max: ladderBounds(arena, ladder).maxConcurrent,
      available: ladderRoom(arena, ladder.id),
    },
    houseStartsAvailable: houseRoom(arena, occupancy),
    isDraining: arena.drainDeadline !== null,
    hasUnsavedResults: arena.unsavedResults.count > 0,
    numbers: pairingNumbers(settings),
    graceSeconds: GRACE_WAVES * settings.wave_every_s,
  });
}

function queuedBot(
  arena: ArenaState,
  ladder: LadderDefinition,
  { session, entry }: QueuedSession,
  {
    occupancy,
    secondsSinceMeeting,
  }: { occupancy: Occupancy; secondsSinceMeeting: SecondsSinceMeeting },
): QueuedBot {
  const { bot } = session;
  const { lastOpponent } = pairingHistoryOn(arena, ladder.id);
  return {
    bot: bot.id,
    owner: bot.ownerId,
    house: bot.house,
    hold: botHoldOf(arena, ladder, session, occupancy),
    waitSeconds: (arena.deps.clock.now() - entry.since) / SECOND_US,
    lastOpponent: lastOpponent.get(bot.id) ?? null,
    sinceMeetingSeconds: secondsSinceMeeting.get(bot.id) ?? NO_MEETINGS_YET,
  };
}

/** Seconds since two bots last met, by bot and opponent. */
type SecondsSinceMeeting = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_MEETINGS_YET: ReadonlyMap<string, number> = new Map();

function secondsSinceMeetings(arena: ArenaState, ladderId: LadderId): SecondsSinceMeeting {
  const now = arena.deps.clock.now();
  const secondsSinceMeeting = new Map<string, Map<string, number>>();
  for (const [pair, at] of pairingHistoryOn(arena, ladderId).lastMetAt) {
    const [firstBotId, secondBotId] = firstTwo(pair.split(" "));
    const secondsSince = (now - at) / SECOND_US;
    secondsSinceMeeting
      .getOrInsertComputed(firstBotId, () => new Map())
      .set(secondBotId, secondsSince);
    secondsSinceMeeting
      .getOrInsertComputed(secondBotId, () => new Map())
      .set(firstBotId, secondsSince);
  }
  return secondsSinceMeeting;
}

function botHoldOf(
  arena: ArenaState,
  ladder: LadderDefinition,
  { bot }: Session,
  occupancy: Occupancy,
): BotHold | null {
  const { clock, settings } = arena.deps;
  const limits = settings.current();
  if (isReservedForPractice(arena.practice.book, bot.id, ladder.id)) return "practice";
  if (arena.pairingHolds.values().some(({ botId }) => botId === bot.id)) return "being_deleted";
  const last = arena.lastStart.get(startKey(bot, ladder.id)) ?? -Infinity;
  if (last + limits.match_interval_s * SECOND_US > clock.now()) return "match_interval";
  if (bot.house) return null;
  const quotaReason = exhaustedQuota(arena.starts, bot.id, bot.ownerId, clock.now(), limits);
  if (quotaReason !== null) return quotaReason;
  return ownerRoom(arena, ladder, occupancy, bot.ownerId) > 0 ? null : "owner_concurrency";
}
