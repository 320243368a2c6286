// In-memory store for testing the layers above the store.

import { accountIdOfOwner, normalizeOwner } from "#core/accounts/name-rules.ts";
import type { BotId } from "#core/ids/ids.ts";
import { NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { AddBotOutcome, BotRecord, BotSearchResult } from "#data/store/bot.ts";
import type { NewDelivery } from "#data/store/delivery.ts";
import { StoreError } from "#data/store/errors.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import { wrapRepositories as wrapped } from "#data/store/store.ts";
import type { Repositories, Store } from "#data/store/store.ts";
import type { VersionRecord } from "#data/store/version.ts";

import {
  accountMethods,
  isHandleTaken,
  keyMethods,
  emptyAccountMemory,
  appMethods,
} from "./memory-accounts.ts";
import type { AccountMemory, AccountContext } from "./memory-accounts.ts";
import { analyticsMethods, withDayCounts } from "./memory-analytics.ts";
import type { DayCountMemory } from "./memory-analytics.ts";
import { announcementMethods, emptyAnnouncementMemory } from "./memory-announcements.ts";
import type { AnnouncementMemory } from "./memory-announcements.ts";
import {
  awardMethods,
  deleteAwards,
  eventMethods,
  emptyEventMemory,
  progressMethods,
} from "./memory-events.ts";
import type { EventMemory } from "./memory-events.ts";
import { grantMethods } from "./memory-grants.ts";
import {
  deleteUserWhere,
  removeSessions,
  identityMethods,
  emptyIdentityMemory,
  removeConsents,
} from "./memory-identity.ts";
import type { IdentityMemory } from "./memory-identity.ts";
import {
  deleteMemberships,
  invitationMethods,
  ladderMethods,
  memberMethods,
  emptyLadderMemory,
} from "./memory-ladders.ts";
import type { LadderMemory } from "./memory-ladders.ts";
import {
  deliveryMethods,
  deleteMail,
  incidentMethods,
  emptyMailMemory,
  queueMail,
} from "./memory-mail.ts";
import type { MailMemory } from "./memory-mail.ts";
import { isRankedMatch, matchesOf, matchMethods } from "./memory-matches.ts";
import { deleteRequests, requestMethods } from "./memory-opponent-requests.ts";
import type { RequestMemory } from "./memory-opponent-requests.ts";
import {
  botNamed,
  countOf,
  recordAudit,
  botOwnershipMethods,
  withOwnerStatus,
} from "./memory-owned-bots.ts";
import { ownerMethods } from "./memory-owners.ts";
import type { PinMemory } from "./memory-pins.ts";
import { recipientMethods } from "./memory-recipients.ts";
import { recordMethods } from "./memory-records.ts";
import { auditMethods, replayMethods, turnMethods } from "./memory-retention.ts";
import type { RetentionMemory } from "./memory-retention.ts";
import {
  statsMethods,
  initialSeasonMemory,
  seasonMethods,
  standingMethods,
} from "./memory-seasons.ts";
import type { SeasonMemory } from "./memory-seasons.ts";
import { emptySettingsMemory, settingsMethods } from "./memory-settings.ts";
import type { SettingsMemory } from "./memory-settings.ts";
import { countCreationInMemory, versionMethods } from "./memory-versions.ts";

type StoreMemory = SeasonMemory &
  IdentityMemory &
  AccountMemory &
  LadderMemory &
  RetentionMemory &
  PinMemory &
  DayCountMemory &
  SettingsMemory &
  AnnouncementMemory &
  MailMemory &
  RequestMemory &
  EventMemory & {
    bots: Map<string, BotRecord>;
    tokens: Map<string, { botId: BotId; stale: boolean }>;
    versions: Map<string, VersionRecord>;
    matches: Map<string, FinishedMatch>;
    audit: Map<string, AuditEntry>;
  };

const DEFAULT_NOW = "2026-01-05T12:00:00.000Z";

function emptyMemory(now: string): StoreMemory {
  return {
    ...initialSeasonMemory(now),
    ...emptyIdentityMemory(),
    ...emptyAccountMemory(),
    ...emptyLadderMemory(),
    ...emptyEventMemory(),
    ...emptySettingsMemory(),
    ...emptyAnnouncementMemory(),
    ...emptyMailMemory(),
    bots: new Map(),
    tokens: new Map(),
    versions: new Map(),
    matches: new Map(),
    audit: new Map(),
    released: new Set(),
    requests: new Map(),
    retainingLadders: new Set(),
    pins: [],
    countedFacts: new Map(),
  };
}

/**
 * Creates a store. Each method runs in a single synchronous step, so calls never interleave. Stores
 * with the same `memory` share their data.
 */
export function memoryStore(memory: StoreMemory = emptyMemory(DEFAULT_NOW)): Store {
  let isClosed = false;
  const accountContext = createAccountContext(memory);
  const withAudit = {
    ...memory,
    recordAudit: (auditEntry: AuditEntry | undefined) => recordAudit(memory, auditEntry),
    queueMail: (email: NewDelivery) => void queueMail(memory, email),
    hasPlayed: (botId: BotId) => matchesOf(memory, botId).some(isRankedMatch),
    deleteRequests: (id: string) => deleteRequests(memory, ({ eventId }) => eventId === id),
  };
  const repositories: Repositories = {
    accounts: accountMethods(accountContext),
    keys: keyMethods(accountContext),
    apps: appMethods(accountContext),
    owners: ownerMethods(accountContext),
    bots: botMethods(memory),
    versions: versionMethods(memory),
    matches: matchMethods(memory),
    stats: {
      ...statsMethods(memory),
      ...recordMethods(memory),
      ...turnMethods(memory),
      ...analyticsMethods(memory),
    },
    replays: replayMethods(memory),
    seasons: seasonMethods(memory),
    standings: standingMethods(memory),
    ladders: ladderMethods(withAudit),
    members: memberMethods(withAudit),
    invitations: invitationMethods(withAudit),
    events: eventMethods(withAudit),
    awards: awardMethods(withAudit),
    progress: progressMethods(memory),
    requests: requestMethods(memory),
    settings: settingsMethods(withAudit),
    announcements: announcementMethods(withAudit),
    deliveries: deliveryMethods(withAudit),
    incidents: incidentMethods(withAudit),
    recipients: recipientMethods(memory),
    audit: auditMethods(memory),
    identity: identityMethodsWithMail(memory),
    grants: grantMethods(memory),
    database: { schema: async () => NEWEST_SCHEMA, faults: async () => [] },
  };
  return {
    ...wrapped(repositories, (method, name) => async (...args) => {
      if (isClosed) throw new StoreError("unavailable", "the store is closed");
      return withDayCounts(memory, name, method)(...args);
    }),
    close: async () => {
      isClosed = true;
    },
  };
}

/**
 * Redeeming a link or code from an email proves that the mailbox works, which clears its refusals.
 */
function identityMethodsWithMail(memory: StoreMemory): Store["identity"] {
  const methods = identityMethods(memory);
  const clearRefusals = (userId: string | undefined) => {
    for (const { id, issuer, subject } of memory.accounts.values())
      if (issuer === EMBEDDED_ISSUER && subject === userId) memory.refusals.delete(id);
  };
  return {
    ...methods,
    redeem: async (...args) => {
      const redeemedToken = await methods.redeem(...args);
      clearRefusals(redeemedToken?.user?.id);
      return redeemedToken;
    },
  };
}

/**
 * Returns a function that opens stores over the same data, like a database file created at `now`.
 */
export function memoryStores(now: string = DEFAULT_NOW): () => Store {
  const memory = emptyMemory(now);
  return () => memoryStore(memory);
}

function botMethods(memory: StoreMemory): Store["bots"] {
  return {
    add: async (bot, tokenHash, limit, audit) => {
      const outcome = addBot(memory, bot, tokenHash, limit);
      if (outcome === "added") recordAudit(memory, audit);
      return outcome;
    },
    byName: async (name) => withOwnerStatus(memory, botNamed(memory, name)),
    byFormerName: async (name, now) => {
      const former = memory.formerNames.get(nameKey(name));
      return former && former.until > now
        ? withOwnerStatus(memory, memory.bots.get(former.id))
        : null;
    },
    byId: async (id) => withOwnerStatus(memory, memory.bots.get(id)),
    byToken: async (hash) => {
      const token = memory.tokens.get(hash);
      const bot = token && withOwnerStatus(memory, memory.bots.get(token.botId));
      return bot ? { bot, stale: token.stale } : null;
    },
    byIds: async (ids) =>
      [...new Set(ids)].flatMap((id) => withOwnerStatus(memory, memory.bots.get(id)) ?? []),
    listByOwners: async (ownerIds) =>
      byAge(memory.bots.values().filter(({ ownerId }) => ownerIds.includes(ownerId))).flatMap(
        (bot) => withOwnerStatus(memory, bot) ?? [],
      ),
    filterPlayed: async (ids) => ids.filter((id) => matchesOf(memory, id).some(isRankedMatch)),
    search: async (text, limit) => search(memory, text, limit),
    listModerated: async (limit) =>
      [...memory.bots.values()]
        .filter(({ status }) => status === "suspended" || status === "banned")
        .toSorted((a, b) => (statusSinceKey(a) < statusSinceKey(b) ? 1 : -1))
        .flatMap((bot) => withOwnerStatus(memory, bot) ?? [])
        .slice(0, limit),
    house: async () => byAge(memory.bots.values().filter(({ house }) => house)),
    ids: async (afterId, limit) =>
      [...memory.bots.keys()]
        .filter((id) => id > (afterId ?? ""))
        .toSorted()
        .slice(0, limit),
    rotateToken: async (botId, tokenHash, { former, audit } = {}) => {
      const token = memory.tokens.get(former ?? "");
      if (former !== undefined && (token?.botId !== botId || token.stale)) return false;
      rotateToken(memory, botId, tokenHash);
      recordAudit(memory, audit);
      return true;
    },
    setStatus: async (botId, { from: allowedStatuses, to: newStatus, reason, at }, audit) => {
      const bot = memory.bots.get(botId);
      if (bot === undefined) return null;
      const isChanged = allowedStatuses.includes(bot.status);
      if (isChanged) {
        Object.assign(bot, { status: newStatus, statusReason: reason, statusSince: at });
        recordAudit(memory, audit);
      }
      return { isChanged, bot: withOwnerStatus(memory, bot) ?? bot };
    },
    ...botOwnershipMethods(memory),
    delete: async (botId, audit) => {
      const outcome = deleteBot(memory, botId);
      if (outcome === "deleted") recordAudit(memory, audit);
      return outcome;
    },
  };
}

const statusSinceKey = ({ statusSince, id }: BotRecord) => `${statusSince ?? ""} ${id}`;

function search(memory: StoreMemory, text: string, limit: number): BotSearchResult {
  const visibleBots = [...memory.bots.values()].filter(
    (bot) => bot.status !== "banned" && withOwnerStatus(memory, bot)?.ownerBanned === false,
  );
  const searchBy = <T>(rows: readonly T[], searchKey: (row: T) => string) =>
    rows
      .filter((row) => searchKey(row).includes(text))
      .map((row) => [Number(!searchKey(row).startsWith(text)) + searchKey(row), row] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
      .slice(0, limit);
  const names = visibleBots.toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  const owners = new Map(
    names
      .toReversed()
      .map(({ ownerId, owner }) => [ownerId, { ownerId, owner, ownerBanned: false }] as const),
  );
  return {
    bots: searchBy(visibleBots, ({ name }) => nameKey(name)).map((bot) => ({ ...bot })),
    owners: searchBy([...owners.values()], ({ owner }) => normalizeOwner(owner)),
  };
}

function addBot(
  memory: StoreMemory,
  bot: BotRecord,
  tokenHash: string,
  limit: number | null,
): AddBotOutcome {
  const holder = botNamed(memory, bot.name);
  if (holder) return holder.id === bot.id ? "added" : "name_taken";
  const former = memory.formerNames.get(nameKey(bot.name));
  if (former && former.until > bot.created) return "name_taken";
  const accountId = accountIdOfOwner(bot.ownerId);
  const owner = accountId === null ? bot.owner : (memory.accounts.get(accountId)?.handle ?? null);
  if (owner === null) return "no_handle";
  if (accountId === null && !bot.house && isHandleTaken(memory, owner, bot.created))
    return "owner_taken";
  if (limit !== null && countOf(memory, bot.ownerId) >= limit) return "bot_limit";
  if (accountId !== null && !countCreationInMemory(memory, accountId, "bot", bot.created))
    return "daily_limit";
  memory.bots.set(bot.id, { ...bot, owner });
  memory.tokens.set(tokenHash, { botId: bot.id, stale: false });
  return "added";
}

function createAccountContext(memory: StoreMemory): AccountContext {
  return {
    ...memory,
    hasPlayed: (botId) => matchesOf(memory, botId).some(isRankedMatch),
    deleteBot: (botId) => void deleteBot(memory, botId),
    deleteRequests: (accountId) =>
      deleteRequests(memory, (request) => request.accountId === accountId),
    deleteUser: (id) => deleteUserWhere(memory, (user) => user.id === id),
    hasUser: (id) => memory.users.has(id),
    hasSession: ({ issuer }, id) => issuer !== EMBEDDED_ISSUER || memory.sessions.has(id),
    endSessions: (userId) => removeSessions(memory, userId, "all"),
    deleteMemberships: (id) => {
      deleteMemberships(memory, id);
      memory.pins = memory.pins.filter(({ keeper }) => keeper !== id);
      deleteMail(memory, id);
      deleteAwards(memory, id);
    },
    revokeConsents: (userId) => removeConsents(memory, userId),
    queueMail: (email) => void queueMail(memory, email),
    recordAudit: (auditEntry) => recordAudit(memory, auditEntry),
  };
}

/**
 * Keeps the replaced hash only for banned bots, so that they still receive the reason when they
 * connect.
 */
function rotateToken({ bots, tokens }: StoreMemory, botId: BotId, tokenHash: string): void {
  const isBanned = bots.get(botId)?.status === "banned";
  for (const [hash, token] of tokens) {
    if (token.botId !== botId) continue;
    if (isBanned && !token.stale) token.stale = true;
    else tokens.delete(hash);
  }
  tokens.set(tokenHash, { botId, stale: false });
}

function deleteBot(memory: StoreMemory, botId: BotId): "deleted" | "played" | "unknown" {
  const ownMatches = matchesOf(memory, botId);
  if (ownMatches.some(isRankedMatch)) return "played";
  for (const { id } of ownMatches) memory.matches.delete(id);
  if (!memory.bots.delete(botId)) return "unknown";
  deleteWhere(memory.tokens, (token) => token.botId === botId);
  deleteWhere(memory.versions, (version) => version.botId === botId);
  deleteWhere(memory.formerNames, ({ id }) => id === botId);
  deleteRequests(memory, (request) => request.botId === botId);
  return "deleted";
}

function deleteWhere<V>(map: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}

function byAge<T extends { id: string; created: string }>(items: Iterable<T>): T[] {
  return [...items]
    .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1))
    .map((item) => ({ ...item }));
}
