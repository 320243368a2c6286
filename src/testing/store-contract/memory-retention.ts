import type { BotId, LadderId, MatchId, VersionId } from "#core/ids/ids.ts";
import { parseSeatStats } from "#core/ladder/seat-stats.ts";
import { sumTurnStats } from "#core/ladder/version-health.ts";
import type { AuditEntry, AuditPartyFilter, AuditCursor } from "#data/store/audit.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { recordAudit } from "./memory-owned-bots.ts";
import { pinMethods } from "./memory-pins.ts";
import type { PinMemory } from "./memory-pins.ts";

export type RetentionMemory = {
  /** `<match ID> <keeper>` for each replay that a keeper has released. */
  released: Set<string>;
  retainingLadders: Set<LadderId>;
};

type RetentionContext = RetentionMemory &
  PinMemory & { accounts: ReadonlyMap<string, unknown>; matches: Map<string, FinishedMatch> };

export function turnMethods(
  memory: RetentionContext,
): Pick<Store["stats"], "turns" | "backfillTurns"> {
  return {
    turns: async (versionIds, window) =>
      versionIds.flatMap((versionId) => {
        const turnSum = sumTurnStats(turnsOf(memory, versionId).slice(0, window));
        return turnSum === null ? [] : [{ versionId, ...turnSum }];
      }),
    backfillTurns: async () => 0,
  };
}

export function replayMethods(memory: RetentionContext): Store["replays"] {
  const has = (id: MatchId) => isRetained(memory, id);
  return {
    has: async (id) => has(id),
    ids: async () => [...memory.matches.keys()].filter(has),
    listExcess: async (query) => {
      const ids =
        "casual" in query
          ? excessReplays(memory, CASUAL_KEEPER, query.casual)
          : "held" in query
            ? [...memory.retainingLadders].flatMap((ladderId) => {
                const retention = query.held.find(
                  (ladderRetention) => ladderRetention.ladderId === ladderId,
                );
                return excessReplays(memory, ladderId, retention?.keep ?? 0);
              })
            : query.botIds.flatMap((botId) => excessReplays(memory, botId, query.keep));
      return ids.map((matchId) => ({ matchId, keepers: countKeepers(memory, matchId) }));
    },
    release: async (botIds, retainCount, limit) => {
      const beyond = botIds.map((botId) => releaseReplays(memory, botId, retainCount, limit));
      const isDone = beyond.every((ids) => ids.length < limit);
      return { removedIds: [...new Set(beyond.flat())].filter((id) => !has(id)), isDone };
    },
    retainForLadders: async (retentions, limit) => {
      const countByLadder = new Map(
        retentions.map(({ ladderId, keep: retainCount }) => [ladderId, retainCount]),
      );
      for (const ladderId of countByLadder.keys())
        if (!memory.retainingLadders.has(ladderId)) startRetention(memory, ladderId);
      const beyond = [...memory.retainingLadders].map((ladderId) => {
        const ids = releaseReplays(memory, ladderId, countByLadder.get(ladderId) ?? 0, limit);
        if (!countByLadder.has(ladderId) && ids.length < limit) endRetention(memory, ladderId);
        return ids;
      });
      const isDone = beyond.every((ids) => ids.length < limit);
      return { removedIds: beyond.flat().filter((id) => !has(id)), isDone };
    },
    releaseCasual: async (retainCount, limit) => {
      const gone = releaseReplays(memory, CASUAL_KEEPER, retainCount, limit);
      return { removedIds: gone.filter((id) => !has(id)), isDone: gone.length < limit };
    },
    ...pinMethods(memory, has),
  };
}

const ageKey = ({ ended, id }: FinishedMatch) => `${ended} ${id}`;

function newestFirst(matches: Iterable<FinishedMatch>): FinishedMatch[] {
  return [...matches].toSorted((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function turnsOf({ matches }: RetentionContext, versionId: VersionId) {
  return newestFirst(matches.values())
    .flatMap(({ stats, mode, voided, seats }) => {
      const seat = seats.findIndex((candidate) => candidate.versionId === versionId);
      return mode !== "ranked" || voided || seat === -1
        ? []
        : parseSeatStats(stats).slice(seat, seat + 1);
    })
    .map(({ turns }) => turns);
}

const CASUAL_KEEPER = "casual";

function keepersOf(
  { retainingLadders }: RetentionContext,
  { mode, seats, ladderId }: FinishedMatch,
) {
  if (mode !== "ranked") return [CASUAL_KEEPER];
  return [
    ...seats.map(({ botId }) => botId),
    ...(retainingLadders.has(ladderId) ? [ladderId] : []),
  ];
}

function isRetained(memory: RetentionContext, id: string): boolean {
  const match = memory.matches.get(id);
  if (match === undefined) return false;
  if (memory.pins.some(({ matchId }) => matchId === id)) return true;
  return keepersOf(memory, match).some((keeper) => !memory.released.has(`${id} ${keeper}`));
}

/**
 * Starts retaining a ladder's replays, except for matches that are older than the newest match
 * without a replay.
 */
function startRetention(memory: RetentionContext, ladderId: LadderId): void {
  const played = newestFirst(memory.matches.values()).filter(
    (match) => match.ladderId === ladderId,
  );
  const firstRemoved = played.findIndex(
    ({ id, mode }) => mode === "ranked" && !isRetained(memory, id),
  );
  memory.retainingLadders.add(ladderId);
  for (const { id } of firstRemoved === -1 ? [] : played.slice(firstRemoved))
    memory.released.add(`${id} ${ladderId}`);
}

function endRetention(
  { matches, released, retainingLadders }: RetentionContext,
  ladderId: LadderId,
): void {
  retainingLadders.delete(ladderId);
  for (const id of matches.keys()) released.delete(`${id} ${ladderId}`);
}

/** Releases the keeper's oldest excess replays. `keeper` is a bot, a ladder or `CASUAL_KEEPER`. */
function releaseReplays(
  memory: RetentionContext,
  keeper: BotId | LadderId,
  retainCount: number,
  limit: number,
) {
  const ids = excessReplays(memory, keeper, retainCount).slice(0, limit);
  for (const id of ids) memory.released.add(`${id} ${keeper}`);
  return ids;
}

function excessReplays(
  memory: RetentionContext,
  keeper: BotId | LadderId,
  retainCount: number,
): MatchId[] {
  const query = newestFirst(memory.matches.values())
    .filter((match) => keepersOf(memory, match).includes(keeper))
    .filter(({ id }) => !memory.released.has(`${id} ${keeper}`));
  const oldest = query.slice(retainCount).toReversed();
  return oldest.map(({ id }) => id);
}

function countKeepers(memory: RetentionContext, id: MatchId): number {
  const match = memory.matches.get(id);
  const keepers = match === undefined ? [] : keepersOf(memory, match);
  const pinned = memory.pins.some(({ matchId }) => matchId === id);
  return (
    keepers.filter((keeper) => !memory.released.has(`${id} ${keeper}`)).length + Number(pinned)
  );
}

const cursorKey = ({ at, id }: AuditCursor) => `${at} ${id}`;

type AuditMemory = {
  audit: Map<string, AuditEntry>;
  keys: Map<string, { accountId: string }>;
  bots: Map<string, { ownerId: string }>;
};

const concernsAccount =
  ({ keys, bots }: AuditMemory, accountId: string) =>
  ({ actor, subject, person }: AuditEntry): boolean =>
    person?.id === accountId ||
    [actor, subject].some((party) => party?.kind === "account" && party.id === accountId) ||
    (actor.kind === "agent_key" && keys.get(actor.id ?? "")?.accountId === accountId) ||
    (subject?.kind === "bot" && bots.get(subject.id ?? "")?.ownerId === accountId);

type AuditParty = { id: string | null; name: string | null } | null | undefined;

const matchesParty = ({ ids, name }: AuditPartyFilter, party: AuditParty): boolean =>
  ids.includes(party?.id ?? "") || party?.name?.toLowerCase() === name.toLowerCase();

const hasActor = (filter: AuditPartyFilter, { actor }: AuditEntry): boolean =>
  matchesParty(filter, actor) || matchesParty(filter, actor.account) || actor.kind === filter.name;

const hasSubject = (filter: AuditPartyFilter, { subject, person }: AuditEntry): boolean =>
  matchesParty(filter, subject) || matchesParty(filter, person);

export function auditMethods(memory: AuditMemory): Store["audit"] {
  return {
    add: async (entries) => {
      for (const entry of entries) recordAudit(memory, entry);
    },
    sweep: async ({ throttled, all }, limit) => {
      const isExpired = ({ kind, at }: AuditEntry) =>
        at < all || (kind === "bot.throttled" && at < throttled);
      const expiredEntries = [...memory.audit.values()].filter(isExpired).slice(0, limit);
      for (const { id } of expiredEntries) memory.audit.delete(id);
      return expiredEntries.length;
    },
    byId: async (id) => memory.audit.get(id) ?? null,
    list: async ({ kind, accountId, actor, subject, since, until, before, limit }) =>
      [...memory.audit.values()]
        .filter((entry) => accountId === undefined || concernsAccount(memory, accountId)(entry))
        .filter((entry) => kind === undefined || [kind].flat().includes(entry.kind))
        .filter((entry) => actor === undefined || hasActor(actor, entry))
        .filter((entry) => subject === undefined || hasSubject(subject, entry))
        .filter(
          ({ at }) => (since === undefined || at >= since) && (until === undefined || at < until),
        )
        .filter((entry) => before === undefined || cursorKey(entry) < cursorKey(before))
        .toSorted((a, b) => (cursorKey(a) < cursorKey(b) ? 1 : -1))
        .slice(0, limit),
  };
}
