// Ladders, their members and invitations, over plain maps.

import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { InvitationRecord, NewInvitation } from "#data/store/invitation.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { MatchRow } from "#data/store/match.ts";
import type { MemberRecord, MemberState, MemberStep, StepOutcome } from "#data/store/member.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";

import { placeNow } from "./memory-seasons.ts";

type KeptLadder = LadderRecord & { passwordHash: string | null };

export type LadderFacts = {
  ladders: Map<string, KeptLadder>;
  finals: Map<string, FinalStanding[]>;
  members: Map<string, MemberRecord>;
  /** By hash. */
  invitations: Map<string, InvitationRecord>;
};

export function noLadders(): LadderFacts {
  return { ladders: new Map(), finals: new Map(), members: new Map(), invitations: new Map() };
}

/** What ladders need of everything else. */
type AroundLadders = LadderFacts & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  matches: Map<string, Pick<MatchRow, "ladderId" | "mode">>;
  events: Map<string, { event: { ladderId: string } }>;
  /** What settings say of ladders. */
  bounds: Map<string, unknown>;
  note: (entry: AuditEntry | undefined) => void;
};

function bare(row: KeptLadder): LadderRecord {
  const { passwordHash: _, ...ladder } = row;
  return structuredClone(ladder);
}

const byAge = <T extends { id: string }>(rows: Iterable<T>, at: (row: T) => string): T[] =>
  [...rows].toSorted((a, b) => (`${at(a)} ${a.id}` < `${at(b)} ${b.id}` ? -1 : 1));

export function ladderMethods(facts: AroundLadders): Store["ladders"] {
  const { ladders, finals, note } = facts;
  return {
    list: async () => byAge(ladders.values(), ({ created }) => created).map(bare),
    byId: async (id) => {
      const ladder = ladders.get(id);
      return ladder ? bare(ladder) : null;
    },
    passwordHash: async (id) => ladders.get(id)?.passwordHash ?? null,
    add: async (ladder, passwordHash, audit) => {
      if (ladders.has(ladder.id)) return false;
      const passwordSet = passwordHash !== null;
      const own = { created: audit.at, passwordSet, passwordHash, finishedAt: null, archive: null };
      ladders.set(ladder.id, structuredClone({ ...ladder, ...own }));
      note(audit);
      return true;
    },
    change: async (id, change, audit) => {
      const ladder = ladders.get(id);
      if (ladder === undefined) return null;
      Object.assign(ladder, structuredClone(change));
      ladder.passwordSet = ladder.passwordHash !== null;
      note(audit);
      return bare(ladder);
    },
    delete: async (id, audit) => {
      if (!ladders.has(id)) return null;
      const isPlayed = ({ ladderId, mode }: { ladderId: string; mode: string }) =>
        ladderId === id && mode === "ranked";
      const hasEvent = facts.events.values().some(({ event }) => event.ladderId === id);
      if (hasEvent || facts.matches.values().some(isPlayed)) return "used";
      ladders.delete(id);
      finals.delete(id);
      facts.bounds.delete(id);
      dropWhere(facts.members, ({ ladderId }) => ladderId === id);
      dropWhere(facts.invitations, ({ ladderId }) => ladderId === id);
      note(audit);
      return "deleted";
    },
    finish: async (id, finishedAt, places) => {
      const ladder = ladders.get(id);
      if (ladder === undefined || ladder.finishedAt !== null) return false;
      ladder.finishedAt = finishedAt;
      finals.set(id, structuredClone(places.toSorted((a, b) => a.rank - b.rank)));
      return true;
    },
    standings: async (id) => (finals.get(id) ?? []).map((place) => placeNow(facts, place)),
    noteArchive: async (id, archive) => {
      Object.assign(ladders.get(id) ?? {}, { archive });
      return ladders.has(id);
    },
  };
}

function dropWhere<V>(map: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}

/** What goes with an account. */
export function dropMemberships({ members, invitations }: LadderFacts, id: string): void {
  dropWhere(members, ({ accountId }) => accountId === id);
  dropWhere(invitations, ({ accountId }) => accountId === id);
}

type Place = Pick<MemberStep, "ladderId" | "accountId">;

const presentOf = ({ members }: LadderFacts, { ladderId, accountId }: Place) =>
  members
    .values()
    .find((row) => row.until === null && row.ladderId === ladderId && row.accountId === accountId);

const wasThere = ({ members }: LadderFacts, { ladderId, accountId }: Place) =>
  members.values().some((row) => row.ladderId === ladderId && row.accountId === accountId);

function move(facts: LadderFacts, step: MemberStep, state: MemberState, reason?: string | null) {
  const { id, ladderId, accountId, at } = step;
  Object.assign(presentOf(facts, step) ?? {}, { until: at });
  const next = { id, ladderId, accountId, state, since: at, until: null };
  facts.members.set(id, { ...next, reason: reason ?? null });
  return { state, isChanged: true };
}

function enroll(facts: AroundLadders, step: MemberStep, to: MemberState): StepOutcome | null {
  const state = presentOf(facts, step)?.state;
  if (state === "revoked" || state === "active" || state === to) return { state, isChanged: false };
  const hasBoth = facts.ladders.has(step.ladderId) && facts.accounts.has(step.accountId);
  return hasBoth ? move(facts, step, to) : null;
}

export function memberMethods(facts: AroundLadders): Store["members"] {
  const { accounts, note } = facts;
  const now = () => [...facts.members.values()].filter(({ until }) => until === null);
  const noting = <O extends StepOutcome | null>(outcome: O, audit: AuditEntry): O => {
    if (outcome?.isChanged === true) note(audit);
    return outcome;
  };
  return {
    active: async () =>
      now()
        .filter(({ state }) => state === "active")
        .map(({ accountId, ladderId }) => ({ accountId, ladderId })),
    of: async (id) =>
      byAge(
        now().filter(({ ladderId }) => ladderId === id),
        ({ since }) => since,
      ).map((row) => ({ ...row, handle: accounts.get(row.accountId)?.handle ?? null })),
    counts: async () =>
      [...Map.groupBy(now(), ({ ladderId, state }) => `${ladderId} ${state}`).values()].map(
        (own) => ({ ladderId: own[0]!.ladderId, state: own[0]!.state, accounts: own.length }),
      ),
    ofAccount: async (id) =>
      byAge(
        facts.members.values().filter(({ accountId }) => accountId === id),
        ({ since }) => since,
      ).map((row) => ({ ...row })),
    enroll: async (step, to, audit) => noting(enroll(facts, step, to), audit),
    withdraw: async (step, audit) => {
      const row = presentOf(facts, step);
      if (row === undefined) return null;
      const isChanged = row.state !== "revoked";
      if (isChanged) row.until = step.at;
      return noting({ state: row.state, isChanged }, audit);
    },
    approve: async (step, audit) => {
      const row = presentOf(facts, step);
      if (row === undefined) return null;
      const { bannedAt = null } = accounts.get(step.accountId) ?? {};
      if (bannedAt !== null) return "account_banned";
      if (row.state === "active") return { state: row.state, isChanged: false };
      return noting(move(facts, step, "active"), audit);
    },
    revoke: async (step, audit) => {
      const state = presentOf(facts, step)?.state;
      if (state === undefined && !wasThere(facts, step)) return null;
      if (state === "revoked") return { state, isChanged: false };
      return noting(move(facts, step, "revoked", audit.reason), audit);
    },
  };
}

export function invitationMethods(facts: AroundLadders): Store["invitations"] {
  const { accounts, ladders, invitations, note } = facts;
  const handleOf = (id: string | null) => accounts.get(id ?? "")?.handle ?? null;
  return {
    add: async (batch) => {
      const hasBoth = ({ invitation: { ladderId, accountId } }: NewInvitation) =>
        ladders.has(ladderId) && (accountId === null || accounts.has(accountId));
      if (!batch.every(hasBoth)) return false;
      const hashes = new Set([...invitations.keys(), ...batch.map(({ hash }) => hash)]);
      if (hashes.size < invitations.size + batch.length)
        throw new StoreError("invalid", "the hash of an invitation is not unique");
      for (const { invitation, hash, audit } of batch) {
        invitations.set(hash, { ...invitation });
        note(audit);
      }
      return true;
    },
    list: async (id) =>
      byAge(
        invitations.values().filter(({ ladderId }) => ladderId === id),
        ({ created }) => created,
      )
        .toReversed()
        .map((row) => ({
          ...row,
          handle: handleOf(row.accountId),
          createdByHandle: handleOf(row.createdBy),
          usedByHandle: handleOf(row.usedBy),
        })),
    use: async (hash, step, audit) => {
      const row = invitations.get(hash);
      if (row === undefined || !isGood(row, step)) return "invalid_invitation";
      const outcome = enroll(facts, step, "active");
      if (outcome === null) return "invalid_invitation";
      if (!outcome.isChanged) return outcome;
      Object.assign(row, { usedAt: step.at, usedBy: step.accountId });
      note({ ...audit.used, subject: { kind: "invitation", id: row.id, name: step.ladderId } });
      note(audit.enrolled);
      return outcome;
    },
    revoke: async (ladderId, id, at, audit) => {
      const row = invitations.values().find((one) => one.id === id && one.ladderId === ladderId);
      if (row === undefined) return null;
      if (row.usedAt !== null) return "invitation_used";
      if (row.revokedAt !== null) return { isChanged: false };
      row.revokedAt = at;
      note(audit);
      return { isChanged: true };
    },
  };
}

function isGood(row: InvitationRecord, { ladderId, accountId, at }: MemberStep): boolean {
  const isTheirs = row.accountId === null || row.accountId === accountId;
  const isOpen = row.usedAt === null && row.revokedAt === null && row.expiresAt > at;
  return row.ladderId === ladderId && isTheirs && isOpen;
}
