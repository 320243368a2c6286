// Ladder memberships, stored as intervals. Every change closes the current interval and opens a new
// one. Closed intervals are kept. An account has at most one open interval per ladder.

import type { AccountId, LadderId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./store-method.ts";

export type MemberState = "pending" | "active" | "revoked";

export type MemberRecord = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  state: MemberState;
  since: string;
  /** Null for the current interval. */
  until: string | null;
  reason: string | null;
};

export type MemberListItem = MemberRecord & { handle: string | null };

/** A change to the membership of `accountId`. `id` is the ID of the new interval, if one opens. */
export type MembershipChange = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  at: string;
};

export type MembershipOutcome = { state: MemberState; isChanged: boolean };

export type MembershipCount = { ladderId: LadderId; state: MemberState; accounts: number };

/**
 * Returns the audit subject if a write changed something, or if it failed but may have been stored.
 */
export const auditSubjects = (
  outcome: { isChanged: boolean } | string | null | undefined,
): string[] =>
  outcome === undefined || (typeof outcome === "object" && outcome?.isChanged === true)
    ? ["audit"]
    : [];

/** Never cached: memberships are read from memory (#core/ladder/live-ladders.ts). */
export const MEMBERS = {
  active: readsUncached<() => Promise<{ accountId: AccountId; ladderId: LadderId }[]>>(),
  /** Returns the current members of a ladder, oldest first. */
  list: readsUncached<(ladderId: LadderId) => Promise<MemberListItem[]>>(),
  counts: readsUncached<() => Promise<MembershipCount[]>>(),
  /** Returns all memberships of an account, including closed ones, oldest first. */
  listByAccount: readsUncached<(accountId: AccountId) => Promise<MemberRecord[]>>(),
  /**
   * Joins a ladder in the given state. Revoked members stay revoked, and active members never
   * become pending. Returns null if the ladder or account doesn't exist.
   */
  enroll:
    writes<
      (
        change: MembershipChange,
        targetState: "pending" | "active",
        audit: AuditEntry,
      ) => Promise<MembershipOutcome | null>
    >(auditSubjects),
  /**
   * Ends a pending or active membership. Returns the state before, or null if the account isn't a
   * member.
   */
  withdraw:
    writes<
      (change: Omit<MembershipChange, "id">, audit: AuditEntry) => Promise<MembershipOutcome | null>
    >(auditSubjects),
  /** Returns null if the account never asked to join, or has withdrawn. */
  approve:
    writes<
      (
        change: MembershipChange,
        audit: AuditEntry,
      ) => Promise<MembershipOutcome | "account_banned" | null>
    >(auditSubjects),
  /**
   * Stores the reason from the audit entry. Also works for accounts that have withdrawn. Returns
   * null if the account never asked to join.
   */
  revoke:
    writes<(change: MembershipChange, audit: AuditEntry) => Promise<MembershipOutcome | null>>(
      auditSubjects,
    ),
};
