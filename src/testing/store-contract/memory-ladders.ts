import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { InvitationRecord, NewInvitation } from "#data/store/invitation.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { MatchRow } from "#data/store/match.ts";
import type {
  MemberRecord,
  MemberState,
  MembershipChange,
  MembershipOutcome,
} from "#data/store/member.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { Store } from "#data/store/store.ts";

import { currentPlace } from "./memory-seasons.ts";

type StoredLadder = LadderRecord & { passwordHash: string | null };

export type LadderMemory = {
  ladders: Map<string, StoredLadder>;
  finalStandings: Map<string, FinalStanding[]>;
  members: Map<string, MemberRecord>;
  /** Keyed by token hash. */
  invitations: Map<string, InvitationRecord>;
};

export function emptyLadderMemory(): LadderMemory {
  return {
    ladders: new Map(),
    finalStandings: new Map(),
    members: new Map(),
    invitations: new Map(),
  };
}

type LadderContext = LadderMemory & {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  matches: Map<string, Pick<MatchRow, "ladderId" | "mode">>;
  events: Map<string, { event: { ladderId: string } }>;
  bounds: Map<string, unknown>;
  recordAudit: (entry: AuditEntry | undefined) => void;
};

function toLadderRecord(row: StoredLadder): LadderRecord {
  const { passwordHash: _, ...ladder } = row;
  return structuredClone(ladder);
}

const byAge = <T extends { id: string }>(rows: Iterable<T>, at: (row: T) => string): T[] =>
  [...rows].toSorted((a, b) => (`${at(a)} ${a.id}` < `${at(b)} ${b.id}` ? -1 : 1));

export function ladderMethods(memory: LadderContext): Store["ladders"] {
  const { ladders, finalStandings, recordAudit } = memory;
  return {
    list: async () => byAge(ladders.values(), ({ created }) => created).map(toLadderRecord),
    byId: async (id) => {
      const ladder = ladders.get(id);
      return ladder ? toLadderRecord(ladder) : null;
    },
    passwordHash: async (id) => ladders.get(id)?.passwordHash ?? null,
    add: async (ladder, passwordHash, audit) => {
      if (ladders.has(ladder.id)) return false;
      const passwordSet = passwordHash !== null;
      const initialFields = {
        created: audit.at,
        passwordSet,
        passwordHash,
        finishedAt: null,
        archive: null,
      };
      ladders.set(ladder.id, structuredClone({ ...ladder, ...initialFields }));
      recordAudit(audit);
      return true;
    },
    change: async (id, changes, audit) => {
      const ladder = ladders.get(id);
      if (ladder === undefined) return null;
      Object.assign(ladder, structuredClone(changes));
      ladder.passwordSet = ladder.passwordHash !== null;
      recordAudit(audit);
      return toLadderRecord(ladder);
    },
    delete: async (id, audit) => {
      if (!ladders.has(id)) return null;
      const isPlayed = ({ ladderId, mode }: { ladderId: string; mode: string }) =>
        ladderId === id && mode === "ranked";
      const hasEvent = memory.events.values().some(({ event }) => event.ladderId === id);
      if (hasEvent || memory.matches.values().some(isPlayed)) return "used";
      ladders.delete(id);
      finalStandings.delete(id);
      memory.bounds.delete(id);
      deleteWhere(memory.members, ({ ladderId }) => ladderId === id);
      deleteWhere(memory.invitations, ({ ladderId }) => ladderId === id);
      recordAudit(audit);
      return "deleted";
    },
    finish: async (id, finishedAt, places) => {
      const ladder = ladders.get(id);
      if (ladder === undefined || ladder.finishedAt !== null) return false;
      ladder.finishedAt = finishedAt;
      finalStandings.set(id, structuredClone(places.toSorted((a, b) => a.rank - b.rank)));
      return true;
    },
    standings: async (id) =>
      (finalStandings.get(id) ?? []).map((place) => currentPlace(memory, place)),
    setArchive: async (id, archive) => {
      Object.assign(ladders.get(id) ?? {}, { archive });
      return ladders.has(id);
    },
  };
}

function deleteWhere<V>(map: Map<string, V>, isGone: (value: V) => boolean): void {
  for (const [key, value] of map) if (isGone(value)) map.delete(key);
}

export function deleteMemberships({ members, invitations }: LadderMemory, id: string): void {
  deleteWhere(members, ({ accountId }) => accountId === id);
  deleteWhere(invitations, ({ accountId }) => accountId === id);
}

type MembershipKey = Pick<MembershipChange, "ladderId" | "accountId">;

const currentMembership = ({ members }: LadderMemory, { ladderId, accountId }: MembershipKey) =>
  members
    .values()
    .find((row) => row.until === null && row.ladderId === ladderId && row.accountId === accountId);

const hasMembershipHistory = ({ members }: LadderMemory, { ladderId, accountId }: MembershipKey) =>
  members.values().some((row) => row.ladderId === ladderId && row.accountId === accountId);

function startMembership(
  memory: LadderMemory,
  change: MembershipChange,
  state: MemberState,
  reason?: string | null,
) {
  const { id, ladderId, accountId, at } = change;
  Object.assign(currentMembership(memory, change) ?? {}, { until: at });
  const nextMembership = { id, ladderId, accountId, state, since: at, until: null };
  memory.members.set(id, { ...nextMembership, reason: reason ?? null });
  return { state, isChanged: true };
}

function enroll(
  memory: LadderContext,
  change: MembershipChange,
  targetState: MemberState,
): MembershipOutcome | null {
  const state = currentMembership(memory, change)?.state;
  if (state === "revoked" || state === "active" || state === targetState)
    return { state, isChanged: false };
  const ladderAndAccountExist =
    memory.ladders.has(change.ladderId) && memory.accounts.has(change.accountId);
  return ladderAndAccountExist ? startMembership(memory, change, targetState) : null;
}

export function memberMethods(memory: LadderContext): Store["members"] {
  const { accounts, recordAudit } = memory;
  const now = () => [...memory.members.values()].filter(({ until }) => until === null);
  const recordOutcome = <O extends MembershipOutcome | null>(outcome: O, audit: AuditEntry): O => {
    if (outcome?.isChanged === true) recordAudit(audit);
    return outcome;
  };
  return {
    active: async () =>
      now()
        .filter(({ state }) => state === "active")
        .map(({ accountId, ladderId }) => ({ accountId, ladderId })),
    list: async (id) =>
      byAge(
        now().filter(({ ladderId }) => ladderId === id),
        ({ since }) => since,
      ).map((row) => ({ ...row, handle: accounts.get(row.accountId)?.handle ?? null })),
    counts: async () =>
      [...Map.groupBy(now(), ({ ladderId, state }) => `${ladderId} ${state}`).values()].map(
        (members) => ({
          ladderId: members[0]!.ladderId,
          state: members[0]!.state,
          accounts: members.length,
        }),
      ),
    listByAccount: async (id) =>
      byAge(
        memory.members.values().filter(({ accountId }) => accountId === id),
        ({ since }) => since,
      ).map((row) => ({ ...row })),
    enroll: async (change, targetState, audit) =>
      recordOutcome(enroll(memory, change, targetState), audit),
    withdraw: async (change, audit) => {
      const row = currentMembership(memory, change);
      if (row === undefined) return null;
      const isChanged = row.state !== "revoked";
      if (isChanged) row.until = change.at;
      return recordOutcome({ state: row.state, isChanged }, audit);
    },
    approve: async (change, audit) => {
      const row = currentMembership(memory, change);
      if (row === undefined) return null;
      const { bannedAt = null } = accounts.get(change.accountId) ?? {};
      if (bannedAt !== null) return "account_banned";
      if (row.state === "active") return { state: row.state, isChanged: false };
      return recordOutcome(startMembership(memory, change, "active"), audit);
    },
    revoke: async (change, audit) => {
      const state = currentMembership(memory, change)?.state;
      if (state === undefined && !hasMembershipHistory(memory, change)) return null;
      if (state === "revoked") return { state, isChanged: false };
      return recordOutcome(startMembership(memory, change, "revoked", audit.reason), audit);
    },
  };
}

export function invitationMethods(memory: LadderContext): Store["invitations"] {
  const { accounts, ladders, invitations, recordAudit } = memory;
  const handleOf = (id: string | null) => accounts.get(id ?? "")?.handle ?? null;
  return {
    add: async (batch) => {
      const ladderAndAccountExist = ({ invitation: { ladderId, accountId } }: NewInvitation) =>
        ladders.has(ladderId) && (accountId === null || accounts.has(accountId));
      if (!batch.every(ladderAndAccountExist)) return false;
      const hashes = new Set([...invitations.keys(), ...batch.map(({ hash }) => hash)]);
      if (hashes.size < invitations.size + batch.length)
        throw new StoreError("invalid", "the hash of an invitation is not unique");
      for (const { invitation, hash, audit } of batch) {
        invitations.set(hash, { ...invitation });
        recordAudit(audit);
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
    redeem: async (hash, change, audit) => {
      const row = invitations.get(hash);
      if (row === undefined || !isUsable(row, change)) return "invalid_invitation";
      const outcome = enroll(memory, change, "active");
      if (outcome === null) return "invalid_invitation";
      if (!outcome.isChanged) return outcome;
      Object.assign(row, { usedAt: change.at, usedBy: change.accountId });
      recordAudit({
        ...audit.usedEntry,
        subject: { kind: "invitation", id: row.id, name: change.ladderId },
      });
      recordAudit(audit.enrolledEntry);
      return outcome;
    },
    revoke: async (ladderId, id, at, audit) => {
      const row = invitations
        .values()
        .find((invitation) => invitation.id === id && invitation.ladderId === ladderId);
      if (row === undefined) return null;
      if (row.usedAt !== null) return "invitation_used";
      if (row.revokedAt !== null) return { isChanged: false };
      row.revokedAt = at;
      recordAudit(audit);
      return { isChanged: true };
    },
  };
}

function isUsable(row: InvitationRecord, { ladderId, accountId, at }: MembershipChange): boolean {
  const isTheirs = row.accountId === null || row.accountId === accountId;
  const isOpen = row.usedAt === null && row.revokedAt === null && row.expiresAt > at;
  return row.ladderId === ladderId && isTheirs && isOpen;
}
