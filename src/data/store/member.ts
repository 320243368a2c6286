// Who belongs to which ladder. A membership is an interval: when it becomes another one, or ends, it
// is closed and stays. At most one of an account on a ladder is open.

import type { AccountId, LadderId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

export type MemberState = "pending" | "active" | "revoked";

export type MemberRecord = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  state: MemberState;
  since: string;
  /** Null for the present one. */
  until: string | null;
  /** What an operator gave as the reason. */
  reason: string | null;
};

export type MemberLine = MemberRecord & { handle: string | null };

/** Who enters or is moved, and the id of the interval that begins if something changes. */
export type MemberStep = {
  id: string;
  ladderId: LadderId;
  accountId: AccountId;
  at: string;
};

/** What the membership is now, and whether that is new. */
export type StepOutcome = { state: MemberState; isChanged: boolean };

export type MemberCount = { ladderId: LadderId; state: MemberState; accounts: number };

/** A step that changed something, or that failed and may have. */
export const audited = (outcome: { isChanged: boolean } | string | null | undefined): string[] =>
  outcome === undefined || (typeof outcome === "object" && outcome?.isChanged === true)
    ? ["audit"]
    : [];

/** Nothing here is announced: who plays where is asked of memory (#core/ladder/ladders.ts). */
export const MEMBERS = {
  /** The active ones of all ladders. */
  active: looks<() => Promise<{ accountId: AccountId; ladderId: LadderId }[]>>(),
  /** The present ones of a ladder, by age. */
  of: looks<(ladderId: LadderId) => Promise<MemberLine[]>>(),
  /** How many of each state there are at present. */
  counts: looks<() => Promise<MemberCount[]>>(),
  /** All of an account on all ladders, former ones too, by age. */
  ofAccount: looks<(accountId: AccountId) => Promise<MemberRecord[]>>(),
  /**
   * Enters a ladder as asked. Who is revoked stays so, and who is active is never made pending.
   * Null when there is no such ladder or account.
   */
  enroll:
    writes<
      (step: MemberStep, to: "pending" | "active", audit: AuditEntry) => Promise<StepOutcome | null>
    >(audited),
  /** Ends a membership that is pending or active; what it was, or null when there is none. */
  withdraw:
    writes<(step: Omit<MemberStep, "id">, audit: AuditEntry) => Promise<StepOutcome | null>>(
      audited,
    ),
  /** Null when the account never asked to enter, or has withdrawn. */
  approve:
    writes<(step: MemberStep, audit: AuditEntry) => Promise<StepOutcome | "account_banned" | null>>(
      audited,
    ),
  /**
   * With the reason of the entry; also of an account that has withdrawn. Null when the account
   * never asked to enter.
   */
  revoke: writes<(step: MemberStep, audit: AuditEntry) => Promise<StepOutcome | null>>(audited),
};
