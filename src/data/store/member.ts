// Ladder memberships. A membership is an interval: every change closes it and opens another. Closed
// intervals are kept; an account has at most one open interval per ladder.

import type { AccountId, LadderId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./method.ts";

export type MemberState = "pending" | "active" | "revoked";

export type MemberRecord = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  state: MemberState;
  since: string;
  /** Null for the current interval. */
  until: string | null;
  /** Reason given by an operator. */
  reason: string | null;
};

export type MemberListItem = MemberRecord & { handle: string | null };

/** The account that joins or changes, and the ID of the interval to open if something changes. */
export type MembershipChange = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  at: string;
};

/** The resulting state, and whether it changed. */
export type MembershipOutcome = { state: MemberState; isChanged: boolean };

export type MembershipCount = { ladderId: LadderId; state: MemberState; accounts: number };

/** Subjects of a step that changed something, or that failed and may have. */
export const auditSubjects = (
  outcome: { isChanged: boolean } | string | null | undefined,
): string[] =>
  outcome === undefined || (typeof outcome === "object" && outcome?.isChanged === true)
    ? ["audit"]
    : [];

/**
 * These methods have no invalidation subjects: memberships are read from memory
 * (#core/ladder/live-ladders.ts).
 */
export const MEMBERS = {
  /** Active members of all ladders. */
  active: readsUncached<() => Promise<{ accountId: AccountId; ladderId: LadderId }[]>>(),
  /** Current members of a ladder, oldest first. */
  list: readsUncached<(ladderId: LadderId) => Promise<MemberListItem[]>>(),
  /** Current number of members in each state. */
  counts: readsUncached<() => Promise<MembershipCount[]>>(),
  /** All memberships of an account, closed ones too, oldest first. */
  listByAccount: readsUncached<(accountId: AccountId) => Promise<MemberRecord[]>>(),
  /**
   * Joins a ladder in the requested state. Revoked members stay revoked; active members never
   * become pending. Null if the ladder or account doesn't exist.
   */
  enroll:
    writes<
      (
        change: MembershipChange,
        targetState: "pending" | "active",
        audit: AuditEntry,
      ) => Promise<MembershipOutcome | null>
    >(auditSubjects),
  /** Ends a pending or active membership. Returns its former state, or null if there is none. */
  withdraw:
    writes<
      (change: Omit<MembershipChange, "id">, audit: AuditEntry) => Promise<MembershipOutcome | null>
    >(auditSubjects),
  /** Null if the account never asked to join, or has withdrawn. */
  approve:
    writes<
      (
        change: MembershipChange,
        audit: AuditEntry,
      ) => Promise<MembershipOutcome | "account_banned" | null>
    >(auditSubjects),
  /**
   * Stores the reason of the audit entry. Also applies to an account that has withdrawn. Null if
   * the account never asked to join.
   */
  revoke:
    writes<(change: MembershipChange, audit: AuditEntry) => Promise<MembershipOutcome | null>>(
      auditSubjects,
    ),
};
