// The store port over plain maps, for tests of everything above it.

import { accountOf, ownerFold } from "#core/accounts/name.ts";
import type { BotId } from "#core/words/ids.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { AddBotOutcome, BotRecord, FoundBots } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import { around as wrapped } from "#data/store/store.ts";
import type { Nouns, Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

import {
  accountMethods,
  isTakenHandle,
  keyMethods,
  noAccounts,
  programMethods,
} from "./memory-accounts.ts";
import type { AccountFacts, AroundAccounts } from "./memory-accounts.ts";
import { analyticsMethods, countingDays } from "./memory-analytics.ts";
import type { DayFacts } from "./memory-analytics.ts";
import { announcementMethods, noAnnouncements } from "./memory-announcements.ts";
import type { AnnouncementFacts } from "./memory-announcements.ts";
import {
  awardMethods,
  dropAwards,
  eventMethods,
  noEvents,
  progressMethods,
} from "./memory-events.ts";
import type { EventFacts } from "./memory-events.ts";
import { grantMethods } from "./memory-grants.ts";
import {
  dropUser,
  endSessions,
  identityMethods,
  nobody,
  revokeConsents,
} from "./memory-identity.ts";
import type { IdentityFacts } from "./memory-identity.ts";
import {
  dropMemberships,
  invitationMethods,
  ladderMethods,
  memberMethods,
  noLadders,
} from "./memory-ladders.ts";
import type { LadderFacts } from "./memory-ladders.ts";
import { deliveryMethods, forgetMail, incidentMethods, noMail, queueMail } from "./memory-mail.ts";
import type { MailFacts } from "./memory-mail.ts";
import { isRanked, matchesOf, matchMethods } from "./memory-matches.ts";
import { botNamed, countOf, note, ownedBotMethods, shown } from "./memory-owned.ts";
import { ownerMethods } from "./memory-owners.ts";
import type { PinFacts } from "./memory-pins.ts";
import { readerMethods } from "./memory-readers.ts";
import { recordMethods } from "./memory-records.ts";
import { forgetRequests, requestMethods } from "./memory-requests.ts";
import type { RequestFacts } from "./memory-requests.ts";
import { countMethods, firstSeasons, seasonMethods, standingMethods } from "./memory-seasons.ts";
import type { SeasonFacts } from "./memory-seasons.ts";
import { noSettings, settingsMethods } from "./memory-settings.ts";
import type { SettingsFacts } from "./memory-settings.ts";
import { auditMethods, replayMethods, turnMethods } from "./memory-upkeep.ts";
import type { UpkeepFacts } from "./memory-upkeep.ts";
import { countCreation, versionMethods } from "./memory-versions.ts";

type Facts = SeasonFacts &
  IdentityFacts &
  AccountFacts &
  LadderFacts &
  UpkeepFacts &
  PinFacts &
  DayFacts &
  SettingsFacts &
  AnnouncementFacts &
  MailFacts &
  RequestFacts &
  EventFacts & {
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
    ...noLadders(),
    ...noEvents(),
    ...noSettings(),
    ...noAnnouncements(),
    ...noMail(),
    bots: new Map(),
    tokens: new Map(),
    versions: new Map(),
    matches: new Map(),
    audit: new Map(),
    released: new Set(),
    requests: new Map(),
    held: new Set(),
    pins: [],
    counted: new Map(),
  };
}

/** Each method is one step, so calls never interleave. Stores over the same facts share them. */
export function memoryStore(facts: Facts = noFacts(MADE)): Store {
  let isClosed = false;
  const around = aroundAccounts(facts);
  const noting = {
    ...facts,
    note: (entry: AuditEntry | undefined) => note(facts, entry),
    queueMail: (letter: NewDelivery) => void queueMail(facts, letter),
    hasPlayed: (botId: BotId) => matchesOf(facts, botId).some(isRanked),
    dropRequests: (id: string) => forgetRequests(facts, ({ eventId }) => eventId === id),
  };
  const nouns: Nouns = {
    accounts: accountMethods(around),
    keys: keyMethods(around),
    programs: programMethods(around),
    owners: ownerMethods(around),
    bots: botMethods(facts),
    versions: versionMethods(facts),
    matches: matchMethods(facts),
    figures: {
      ...countMethods(facts),
      ...recordMethods(facts),
      ...turnMethods(facts),
      ...analyticsMethods(facts),
    },
    replays: replayMethods(facts),
    seasons: seasonMethods(facts),
    standings: standingMethods(facts),
    ladders: ladderMethods(noting),
    members: memberMethods(noting),
    invitations: invitationMethods(noting),
    events: eventMethods(noting),
    awards: awardMethods(noting),
    progress: progressMethods(facts),
    requests: requestMethods(facts),
    settings: settingsMethods(noting),
    announcements: announcementMethods(noting),
    deliveries: deliveryMethods(noting),
    incidents: incidentMethods(noting),
    readers: readerMethods(facts),
    audit: auditMethods(facts),
    identity: identityOf(facts),
    grants: grantMethods(facts),
    database: { schema: async () => NEWEST_SCHEMA, faults: async () => [] },
  };
  return {
    ...wrapped(nouns, (method, name) => async (...values) => {
      if (isClosed) throw new StoreError("unavailable", "the store is closed");
      return countingDays(facts, name, method)(...values);
    }),
    close: async () => {
      isClosed = true;
    },
  };
}

/** Who uses a link or a code of an email shows that the mailbox works. */
function identityOf(facts: Facts): Store["identity"] {
  const methods = identityMethods(facts);
  const clearRefusals = (userId: string | undefined) => {
    for (const { id, issuer, subject } of facts.accounts.values())
      if (issuer === EMBEDDED_ISSUER && subject === userId) facts.refusals.delete(id);
  };
  return {
    ...methods,
    redeem: async (...given) => {
      const redeemed = await methods.redeem(...given);
      clearRefusals(redeemed?.user?.id);
      return redeemed;
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
  if (accountId !== null && !countCreation(facts, accountId, "bot", bot.created))
    return "daily_limit";
  facts.bots.set(bot.id, { ...bot, owner });
  facts.tokens.set(tokenHash, { botId: bot.id, stale: false });
  return "added";
}

function aroundAccounts(facts: Facts): AroundAccounts {
  return {
    ...facts,
    hasPlayed: (botId) => matchesOf(facts, botId).some(isRanked),
    deleteBot: (botId) => void deleteBot(facts, botId),
    forgetRequests: (accountId) =>
      forgetRequests(facts, (request) => request.accountId === accountId),
    deleteUser: (id) => dropUser(facts, (user) => user.id === id),
    hasUser: (id) => facts.users.has(id),
    hasSession: ({ issuer }, id) => issuer !== EMBEDDED_ISSUER || facts.sessions.has(id),
    endSessions: (userId) => endSessions(facts, userId, "all"),
    dropMemberships: (id) => {
      dropMemberships(facts, id);
      facts.pins = facts.pins.filter(({ keeper }) => keeper !== id);
      forgetMail(facts, id);
      dropAwards(facts, id);
    },
    revokeConsents: (userId) => revokeConsents(facts, userId),
    queueMail: (letter) => void queueMail(facts, letter),
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
  forgetRequests(facts, (request) => request.botId === botId);
  return "deleted";
}

function forget<V>(map: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}

function byAge<T extends { id: string; created: string }>(items: Iterable<T>): T[] {
  return [...items]
    .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
    .map((item) => ({ ...item }));
}
