// The store port over plain maps, for tests of everything above it.

import { accountOf, ownerFold } from "#core/accounts/name.ts";
import type { BotId } from "#core/words/ids.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { botSeats } from "#data/queries/mode.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { AddBotOutcome, BotRecord, FoundBots } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type {
  FinishedMatch,
  MatchQuery,
  MatchRow,
  ResultLetter,
  SeatRecord,
} from "#data/store/match.ts";
import { around as wrapped } from "#data/store/store.ts";
import type { Nouns, Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

import {
  accountMethods,
  isTakenHandle,
  keyMethods,
  noAccounts,
  ownerMethods,
  programMethods,
} from "./memory-accounts.ts";
import type { AccountFacts, AroundAccounts } from "./memory-accounts.ts";
import {
  dropUser,
  endSessions,
  grantMethods,
  identityMethods,
  nobody,
  revokeConsents,
} from "./memory-identity.ts";
import type { IdentityFacts } from "./memory-identity.ts";
import { botNamed, countOf, note, ownedBotMethods, shown } from "./memory-owned.ts";
import { recordMethods } from "./memory-records.ts";
import { countMethods, firstSeasons, seasonMethods, standingMethods } from "./memory-seasons.ts";
import type { SeasonFacts } from "./memory-seasons.ts";
import { replayMethods, turnMethods } from "./memory-upkeep.ts";
import type { UpkeepFacts } from "./memory-upkeep.ts";
import { versionMethods } from "./memory-versions.ts";

type Facts = SeasonFacts &
  IdentityFacts &
  AccountFacts &
  UpkeepFacts & {
    bots: Map<string, BotRecord>;
    tokens: Map<string, { botId: BotId; stale: boolean }>;
    versions: Map<string, VersionRecord>;
    matches: Map<string, FinishedMatch>;
    audit: Map<string, AuditEntry>;
  };

/** Where the clocks of tests begin. */
const MADE = "2026-01-05T12:00:00.000Z";

function noFacts(made: string): Facts {
  return {
    ...firstSeasons(made),
    ...nobody(),
    ...noAccounts(),
    bots: new Map(),
    tokens: new Map(),
    versions: new Map(),
    matches: new Map(),
    audit: new Map(),
    released: new Set(),
  };
}

/** Each method is one step, so calls never interleave. Stores over the same facts share them. */
export function memoryStore(facts: Facts = noFacts(MADE)): Store {
  let isClosed = false;
  const around = aroundAccounts(facts);
  const nouns: Nouns = {
    accounts: accountMethods(around),
    keys: keyMethods(around),
    programs: programMethods(around),
    owners: ownerMethods(around),
    bots: botMethods(facts),
    versions: versionMethods(facts),
    matches: matchMethods(facts),
    figures: { ...countMethods(facts), ...recordMethods(facts), ...turnMethods(facts) },
    replays: replayMethods(facts),
    seasons: seasonMethods(facts),
    standings: standingMethods(facts),
    audit: auditMethods(facts),
    identity: identityMethods(facts),
    grants: grantMethods(facts),
    database: { schema: async () => NEWEST_SCHEMA, faults: async () => [] },
  };
  return {
    ...wrapped(nouns, (method) => async (...values) => {
      if (isClosed) throw new StoreError("unavailable", "the store is closed");
      return method(...values);
    }),
    close: async () => {
      isClosed = true;
    },
  };
}

/** Opens the same facts each time, like a database file made at that instant. */
export function memoryStores(made: string = MADE): () => Store {
  const facts = noFacts(made);
  return () => memoryStore(facts);
}

function botMethods(facts: Facts): Store["bots"] {
  return {
    add: async (bot, tokenHash, limit, audit) => {
      const outcome = addBot(facts, bot, tokenHash, limit);
      if (outcome === "added") note(facts, audit);
      return outcome;
    },
    byName: async (name) => shown(facts, botNamed(facts, name)),
    byFormerName: async (name, now) => {
      const former = facts.formerNames.get(nameKey(name));
      return former && former.until > now ? shown(facts, facts.bots.get(former.id)) : null;
    },
    byId: async (id) => shown(facts, facts.bots.get(id)),
    byToken: async (hash) => {
      const token = facts.tokens.get(hash);
      const bot = token && shown(facts, facts.bots.get(token.botId));
      return bot ? { bot, stale: token.stale } : null;
    },
    byIds: async (ids) => [...new Set(ids)].flatMap((id) => shown(facts, facts.bots.get(id)) ?? []),
    ofOwners: async (ownerIds) =>
      byAge(facts.bots.values().filter(({ ownerId }) => ownerIds.includes(ownerId))).flatMap(
        (bot) => shown(facts, bot) ?? [],
      ),
    played: async (ids) => ids.filter((id) => matchesOf(facts, id).some(isRanked)),
    search: async (text, most) => search(facts, text, most),
    moderated: async (most) =>
      [...facts.bots.values()]
        .filter(({ status }) => status === "suspended" || status === "banned")
        .toSorted((a, b) => (sinceOf(a) < sinceOf(b) ? 1 : -1))
        .flatMap((bot) => shown(facts, bot) ?? [])
        .slice(0, most),
    house: async () => byAge(facts.bots.values().filter(({ house }) => house)),
    ids: async (after, most) =>
      [...facts.bots.keys()]
        .filter((id) => id > (after ?? ""))
        .toSorted()
        .slice(0, most),
    rotateToken: async (botId, tokenHash, { former, audit } = {}) => {
      const token = facts.tokens.get(former ?? "");
      if (former !== undefined && (token?.botId !== botId || token.stale)) return false;
      rotateToken(facts, botId, tokenHash);
      note(facts, audit);
      return true;
    },
    setStatus: async (botId, { from, to, reason, at }, audit) => {
      const bot = facts.bots.get(botId);
      if (bot === undefined) return null;
      const isChanged = from.includes(bot.status);
      if (isChanged) {
        Object.assign(bot, { status: to, statusReason: reason, statusSince: at });
        note(facts, audit);
      }
      return { isChanged, bot: shown(facts, bot) ?? bot };
    },
    ...ownedBotMethods(facts),
    delete: async (botId, audit) => {
      const outcome = deleteBot(facts, botId);
      if (outcome === "deleted") note(facts, audit);
      return outcome;
    },
  };
}

const sinceOf = ({ statusSince, id }: BotRecord) => `${statusSince ?? ""} ${id}`;

function search(facts: Facts, text: string, most: number): FoundBots {
  const known = [...facts.bots.values()].filter(
    (bot) => bot.status !== "banned" && shown(facts, bot)?.ownerBanned === false,
  );
  const found = <T>(all: readonly T[], keyIn: (one: T) => string) =>
    all
      .filter((one) => keyIn(one).includes(text))
      .map((one) => [Number(!keyIn(one).startsWith(text)) + keyIn(one), one] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one)
      .slice(0, most);
  const names = known.toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  const owners = new Map(
    names
      .toReversed()
      .map(({ ownerId, owner }) => [ownerId, { ownerId, owner, ownerBanned: false }] as const),
  );
  return {
    bots: found(known, ({ name }) => nameKey(name)).map((bot) => ({ ...bot })),
    owners: found([...owners.values()], ({ owner }) => ownerFold(owner)),
  };
}

function addBot(
  facts: Facts,
  bot: BotRecord,
  tokenHash: string,
  limit: number | null,
): AddBotOutcome {
  const holder = botNamed(facts, bot.name);
  if (holder) return holder.id === bot.id ? "added" : "name_taken";
  const former = facts.formerNames.get(nameKey(bot.name));
  if (former && former.until > bot.created) return "name_taken";
  const accountId = accountOf(bot.ownerId);
  const owner = accountId === null ? bot.owner : (facts.accounts.get(accountId)?.handle ?? null);
  if (owner === null) return "no_handle";
  if (accountId === null && !bot.house && isTakenHandle(facts, owner, bot.created))
    return "owner_taken";
  if (limit !== null && countOf(facts, bot.ownerId) >= limit) return "bot_limit";
  facts.bots.set(bot.id, { ...bot, owner });
  facts.tokens.set(tokenHash, { botId: bot.id, stale: false });
  return "added";
}

function aroundAccounts(facts: Facts): AroundAccounts {
  return {
    ...facts,
    hasPlayed: (botId) => matchesOf(facts, botId).some(isRanked),
    deleteBot: (botId) => void deleteBot(facts, botId),
    deleteUser: (id) => dropUser(facts, (user) => user.id === id),
    endSessions: (userId) => endSessions(facts, userId, "all"),
    revokeConsents: (userId) => revokeConsents(facts, userId),
    note: (entry) => note(facts, entry),
  };
}

/** Only a banned bot's replaced hash is kept, so that its bot can be told why. */
function rotateToken({ bots, tokens }: Facts, botId: BotId, tokenHash: string): void {
  const isBanned = bots.get(botId)?.status === "banned";
  for (const [hash, token] of tokens) {
    if (token.botId !== botId) continue;
    if (isBanned && !token.stale) token.stale = true;
    else tokens.delete(hash);
  }
  tokens.set(tokenHash, { botId, stale: false });
}

function deleteBot(facts: Facts, botId: BotId): "deleted" | "played" | "unknown" {
  const own = matchesOf(facts, botId);
  if (own.some(isRanked)) return "played";
  for (const { id } of own) facts.matches.delete(id);
  if (!facts.bots.delete(botId)) return "unknown";
  forget(facts.tokens, (token) => token.botId === botId);
  forget(facts.versions, (version) => version.botId === botId);
  forget(facts.formerNames, ({ id }) => id === botId);
  return "deleted";
}

function forget<V>(map: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}

function matchMethods(facts: Facts): Store["matches"] {
  const { matches } = facts;
  return {
    counts: async (ladderId) => {
      const ranked = [...matches.values()].filter(isRanked);
      const onLadder = ranked.filter((match) => match.ladderId === ladderId);
      const voided = onLadder.filter((match) => match.voided).length;
      return { games: onLadder.length - voided, voided };
    },
    save: async (match) => {
      checkSeats(facts, match);
      if (matches.has(match.id)) return false;
      matches.set(match.id, structuredClone(match));
      return true;
    },
    list: async (query) => listMatches(facts, query),
    byId: async (id) => {
      const match = matches.get(id);
      return match ? toRow(facts, match) : null;
    },
    stats: async (id) => matches.get(id)?.stats ?? null,
    ids: async () => [...matches.keys()],
    laddersOf: async (botId) => {
      const ladders = matchesOf(facts, botId).map((match) => match.ladderId);
      return [...new Set(ladders)].toSorted();
    },
    startsSince: async (since) =>
      [...matches.values()]
        .filter((match) => isRanked(match) && match.started >= since)
        .toSorted((one, other) => (one.started < other.started ? -1 : 1))
        .flatMap(({ started, seats }) =>
          botSeats({ seats }).map(({ botId }) => ({ botId, started })),
        ),
  };
}

function checkSeats({ versions }: Facts, { seats, mode, rated, voided }: FinishedMatch): void {
  const isKnown = ({ botId, versionId }: SeatRecord) =>
    botId === null || versionId === null
      ? botId === versionId && mode === "human"
      : versions.get(versionId)?.botId === botId;
  const isPair = seats.length === 2 && seats[0]!.versionId !== seats[1]!.versionId;
  if (!seats.every(isKnown) || (rated && !voided && !isPair))
    throw new StoreError("invalid", "the seats of the match are wrong");
}

const isRanked = ({ mode }: FinishedMatch): boolean => mode === "ranked";

function matchesOf(facts: Facts, botId: BotId): FinishedMatch[] {
  return [...facts.matches.values()].filter((match) => hasSeat(match, botId));
}

function hasSeat({ seats }: FinishedMatch, botId: BotId): boolean {
  return seats.some((seat) => seat.botId === botId);
}

function listMatches(facts: Facts, query: MatchQuery): MatchRow[] | null {
  const { ladderId, season, botId, before, after, limit, withStats } = query;
  const named = before ?? after;
  const cursor = named === undefined ? undefined : facts.matches.get(named);
  if (named !== undefined && cursor === undefined) return null;
  const isNewer = (match: FinishedMatch, other: FinishedMatch) => ageKey(match) > ageKey(other);
  return [...facts.matches.values()]
    .filter((match) => isRanked(match) && match.ladderId === ladderId)
    .filter((match) => season === undefined || match.season === season)
    .filter((match) => botId === undefined || isSought(match, botId, query))
    .filter((match) => before === undefined || (cursor && isNewer(cursor, match)))
    .filter((match) => after === undefined || (cursor && isNewer(match, cursor)))
    .toSorted((a, b) => (isNewer(b, a) ? 1 : -1))
    .slice(...(after === undefined ? [0, limit] : [-limit]))
    .map((match) => ({ ...toRow(facts, match), ...(withStats && { stats: match.stats }) }));
}

function isSought(match: FinishedMatch, botId: BotId, query: MatchQuery): boolean {
  const { versionId, opponentId, map, result } = query;
  const own = match.seats.find((seat) => seat.botId === botId);
  return (
    own !== undefined &&
    (versionId === undefined || own.versionId === versionId) &&
    (opponentId === undefined || (opponentId !== botId && hasSeat(match, opponentId))) &&
    (map === undefined || match.map === map) &&
    (result === undefined || (!match.voided && resultFor(match, botId) === result))
  );
}

function resultFor({ winnerSeat, seats }: FinishedMatch, botId: BotId): ResultLetter {
  if (winnerSeat === null) return "D";
  return seats[winnerSeat]?.botId === botId ? "W" : "L";
}

function ageKey({ ended, id }: FinishedMatch): string {
  return `${ended} ${id}`;
}

function toRow(facts: Facts, match: FinishedMatch): MatchRow {
  const { seats, pairing: _, stats: _stats, settled: _settled, ...row } = match;
  return { ...row, seats: seats.map((seat) => ({ ...seat, ...seatNow(facts, seat) })) };
}

function seatNow({ bots }: Facts, { botId, name }: SeatRecord) {
  const bot = bots.get(botId ?? "");
  return { name: bot?.name ?? name, house: bot?.house ?? false, avatar: bot?.avatar ?? null };
}

function auditMethods(facts: Facts): Store["audit"] {
  return {
    add: async (entries) => {
      for (const entry of entries) note(facts, entry);
    },
    sweep: async ({ throttled, all }, most) => {
      const isPast = ({ kind, at }: AuditEntry) =>
        at < all || (kind === "bot.throttled" && at < throttled);
      const past = [...facts.audit.values()].filter(isPast).slice(0, most);
      for (const { id } of past) facts.audit.delete(id);
      return past.length;
    },
    list: async ({ kind, accountId, limit }) =>
      [...facts.audit.values()]
        .filter(
          ({ actor, subject }) =>
            accountId === undefined ||
            [actor, subject].some((one) => one?.kind === "account" && one.id === accountId),
        )
        .filter((entry) => kind === undefined || entry.kind === kind)
        .toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? 1 : -1))
        .slice(0, limit),
  };
}

function byAge<T extends { id: string; created: string }>(items: Iterable<T>): T[] {
  return [...items]
    .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
    .map((item) => ({ ...item }));
}
