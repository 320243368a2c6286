// What a bot that queues can expect: which bots it may meet, when they are free, how full the
// server is.

import { sure } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { estimatedWait } from "#core/pairing/estimate.ts";
import type { Prospect } from "#core/pairing/estimate.ts";
import { CENTRE } from "#core/rating/score.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { BoardEntry } from "#live/matchmaker/matchmaker.ts";
import { pairingNumbers } from "#live/matchmaker/pairing-numbers.ts";

import { meetingsOn, pairKey, startKey } from "./arena-state.ts";
import type { ArenaState } from "./arena-state.ts";
import { roomOn, serverRoom } from "./capacity.ts";
import { heldUntil } from "./quota.ts";
import { wantedOn } from "./requests.ts";
import type { Entry, Session } from "./session.ts";

/** The expected length of a match before any has been played. */
const FIRST_MATCH_SECONDS = 30;

/** A match that lasts longer than usual may end at any time. */
const LEAST_REST_SECONDS = 1;

type Stake = { ladderId: LadderId; version: VersionRecord; wait: number };

/** Seconds, in tenths, until the match of a waiting bot. An estimate, not a promise. */
export function waitAhead(arena: ArenaState, session: Session, entry: Entry): number {
  const { settings, clock } = arena.deps;
  const limits = settings.current();
  const now = clock.now();
  const usualLength = medianOf(arena.lengths) ?? FIRST_MATCH_SECONDS;
  const asked = askedOpponent(arena, session, entry);
  const seconds = estimatedWait({
    firstWaveSeconds: (firstWave(arena, session, entry, now) - now) / SECOND,
    waveSeconds: limits.wave_every_s,
    waitSeconds: (now - entry.since) / SECOND,
    prospects:
      asked === null
        ? prospectsOf(arena, session, entry, usualLength)
        : [askedProspect(arena, session, entry, asked)],
    startsAhead: startsAhead(arena, entry.ladderId, asked !== null),
    endsPerSecond: arena.games.size / usualLength,
    usualWaitSeconds: medianOf(arena.waits) ?? 0,
    numbers: pairingNumbers(limits),
  });
  return Math.round(seconds * 10) / 10;
}

/** µs of the first wave after the bot's match interval and its quotas allow a start. */
function firstWave(
  { deps, lastStart, nextWave, starts }: ArenaState,
  { bot }: Session,
  { ladderId }: Entry,
  now: number,
): number {
  const limits = deps.settings.current();
  const { match_interval_s, wave_every_s } = limits;
  const last = lastStart.get(startKey(bot, ladderId)) ?? -Infinity;
  const held = bot.house ? now : heldUntil(starts, bot.id, bot.ownerId, now, limits);
  const readyAt = Math.max(now, held, last + match_interval_s * SECOND);
  const wavesBefore = Math.ceil(Math.max(0, readyAt - nextWave) / (wave_every_s * SECOND));
  return Math.max(now, nextWave + wavesBefore * wave_every_s * SECOND);
}

type Waiting = Session & { activity: { state: "waiting" } };

/** The house bot that waits for this bot, because a game of the two was asked for; or null. */
function askedOpponent(
  arena: ArenaState,
  { bot }: Session,
  { ladderId, version }: Entry,
): Waiting | null {
  if (arena.requests.size === 0) return null;
  const house = arena.sessions
    .values()
    .filter((other) => other.bot.house && waitsOn(other, ladderId))
    .toArray() as Waiting[];
  const rivals = house.map((other) => ({ bot: other.bot, version: other.activity.entry.version }));
  const [pair] = wantedOn(arena, ladderId, [{ bot, version }, ...rivals]);
  return house.find((other) => pair?.botIds.includes(other.bot.id)) ?? null;
}

const waitsOn = ({ activity }: Session, ladderId: LadderId): boolean =>
  activity.state === "waiting" && activity.entry.ladderId === ladderId;

/** A game that was asked for takes no heed of the gap, only of the hold; others come after it. */
function askedProspect(arena: ArenaState, own: Session, entry: Entry, house: Waiting): Prospect {
  const wait = (arena.deps.clock.now() - house.activity.entry.since) / SECOND;
  return { gap: 0, inSeconds: holdOf(arena, own, house, entry, wait), waitSeconds: wait };
}

/** All ladders take their shares of the server's room. A game that was asked for comes first. */
function startsAhead(arena: ArenaState, ladderId: LadderId, isAsked: boolean): number {
  const { sessions } = arena;
  const [room, ownRoom] = [serverRoom(arena), roomOn(arena, ladderId)];
  if (isAsked) return Math.max(0, 1 - Math.min(room, ownRoom));
  if (ownRoom >= sessions.size / 2) return 0;
  let waiting = 0;
  let waitingHere = 0;
  for (const { activity } of sessions.values()) {
    if (activity.state !== "waiting") continue;
    waiting += 1;
    waitingHere += Number(activity.entry.ladderId === ladderId);
  }
  return Math.max(0, Math.ceil(waiting / 2) - room, Math.ceil(waitingHere / 2) - ownRoom);
}

/** Yields one at a time: in a crowd the first few settle the question. */
function* prospectsOf(
  arena: ArenaState,
  own: Session,
  entry: Entry,
  usualLength: number,
): Generator<Prospect> {
  const entries = arena.boards.get(entry.ladderId)?.entries() ?? new Map<string, BoardEntry>();
  const now = arena.deps.clock.now();
  const rating = ratingOf(entries, own, entry.version);
  for (const other of arena.sessions.values()) {
    const stake = stakeOf(other, now, usualLength);
    if (stake?.ladderId !== entry.ladderId || isBarred(own, other)) continue;
    const { version, wait } = stake;
    yield {
      gap: Math.abs(rating - ratingOf(entries, other, version)),
      inSeconds: Math.max(-wait, holdOf(arena, own, other, entry, wait)),
      waitSeconds: wait,
    };
  }
}

/**
 * The version that a session waits or plays with, and the seconds it has waited, negative by the
 * rest of its match while it plays. Null if it does neither.
 */
function stakeOf({ activity }: Session, now: number, usualLength: number): Stake | null {
  switch (activity.state) {
    case "waiting": {
      const { ladderId, version, since } = activity.entry;
      return { ladderId, version, wait: (now - since) / SECOND };
    }
    case "playing": {
      const { ladderId, versions, startedAt } = activity.game;
      const rest = usualLength - (now - startedAt) / SECOND;
      const wait = -Math.max(LEAST_REST_SECONDS, rest);
      return { ladderId, version: sure(versions[activity.seat], "version"), wait };
    }
    case "idle":
    case "ended":
      return null;
  }
}

function isBarred(one: Session, other: Session): boolean {
  const isOneOwners = one.bot.ownerId === other.bot.ownerId;
  return one === other || isOneOwners || (one.bot.house && other.bot.house);
}

/** The rest of the rematch hold between two bots. */
function holdOf(
  arena: ArenaState,
  one: Session,
  other: Session,
  { ladderId, since }: Entry,
  otherWait: number,
): number {
  const { met, lastOpponent } = meetingsOn(arena, ladderId);
  const now = arena.deps.clock.now();
  const hold = arena.deps.settings.current().rematch_hold_s;
  const ended = met.get(pairKey(one.bot.id, other.bot.id)) ?? -Infinity;
  const sinceEnd = (now - ended) / SECOND;
  const wasLast =
    lastOpponent.get(one.bot.id) === other.bot.id || lastOpponent.get(other.bot.id) === one.bot.id;
  return Math.max(
    0,
    hold - sinceEnd,
    wasLast ? hold - Math.min((now - since) / SECOND, otherWait) : 0,
  );
}

/** A new version has the rating of the one that the bot last played with. */
function ratingOf(
  entries: ReadonlyMap<string, BoardEntry>,
  { formerVersion }: Session,
  version: VersionRecord,
): number {
  const entry = entries.get(version.id) ?? entries.get(formerVersion ?? "");
  return entry?.rating ?? CENTRE;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
