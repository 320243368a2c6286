// Ladder invitations. Each invitation admits one account. Only a hash of its code is stored.

import type { AccountId, InvitationId, LadderId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { auditSubjects } from "./member.ts";
import type { MembershipChange, MembershipOutcome } from "./member.ts";
import { readsUncached, writes } from "./store-method.ts";

export type InvitationRecord = {
  id: InvitationId;
  ladderId: LadderId;
  /** Null if any account may use the invitation. */
  accountId: AccountId | null;
  created: string;
  createdBy: AccountId | null;
  expiresAt: string;
  usedAt: string | null;
  usedBy: AccountId | null;
  revokedAt: string | null;
  /** Team or person the invitation is for, as entered by the operator. Not checked on use. */
  label: string | null;
};

export type InvitationListItem = InvitationRecord & {
  handle: string | null;
  createdByHandle: string | null;
  usedByHandle: string | null;
};

/** `hash` is the hash of the code. `audit` records the creation. */
export type NewInvitation = { invitation: InvitationRecord; hash: string; audit: AuditEntry };

export const INVITATIONS = {
  /** Adds all invitations or none. Returns false if the ladder or an account doesn't exist. */
  add: writes<(invitations: readonly NewInvitation[]) => Promise<boolean>>((isAdded) =>
    isAdded === false ? [] : ["audit"],
  ),
  /** Returns invitations, newest first. */
  list: readsUncached<(ladderId: LadderId) => Promise<InvitationListItem[]>>(),
  /**
   * Joins the ladder and uses up the invitation. The invitation remains usable if nothing changes,
   * because the account is already active or has been revoked.
   */
  redeem:
    writes<
      (
        hash: string,
        change: MembershipChange,
        audit: { usedEntry: AuditEntry; enrolledEntry: AuditEntry },
      ) => Promise<MembershipOutcome | "invalid_invitation">
    >(auditSubjects),
  /** Returns null if the ladder has no such invitation. */
  revoke:
    writes<
      (
        ladderId: LadderId,
        id: InvitationId,
        at: string,
        audit: AuditEntry,
      ) => Promise<{ isChanged: boolean } | "invitation_used" | null>
    >(auditSubjects),
};
