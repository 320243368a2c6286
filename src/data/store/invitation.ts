// Invitations to a ladder. Each admits one account; its code is never stored.

import type { AccountId, InvitationId, LadderId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { auditSubjects } from "./member.ts";
import type { MembershipChange, MembershipOutcome } from "./member.ts";
import { readsUncached, writes } from "./method.ts";

export type InvitationRecord = {
  id: InvitationId;
  ladderId: LadderId;
  /** The invited account; null if anyone may use it. */
  accountId: AccountId | null;
  created: string;
  createdBy: AccountId | null;
  expiresAt: string;
  usedAt: string | null;
  usedBy: AccountId | null;
  revokedAt: string | null;
  /** The team or person it is for, in the operator's words. It restricts nothing. */
  label: string | null;
};

export type InvitationListItem = InvitationRecord & {
  handle: string | null;
  createdByHandle: string | null;
  usedByHandle: string | null;
};

/** With the hash of its code, and the entry that records its creation. */
export type NewInvitation = { invitation: InvitationRecord; hash: string; audit: AuditEntry };

export const INVITATIONS = {
  /** Adds all or none. False when there is no such ladder or account. */
  add: writes<(invitations: readonly NewInvitation[]) => Promise<boolean>>((isAdded) =>
    isAdded === false ? [] : ["audit"],
  ),
  /** Newest first. */
  list: readsUncached<(ladderId: LadderId) => Promise<InvitationListItem[]>>(),
  /**
   * Joins the ladder and redeems the invitation, once. An invitation isn't used up if it changes
   * nothing: for active and revoked members.
   */
  redeem:
    writes<
      (
        hash: string,
        change: MembershipChange,
        audit: { usedEntry: AuditEntry; enrolledEntry: AuditEntry },
      ) => Promise<MembershipOutcome | "invalid_invitation">
    >(auditSubjects),
  /** Null if the ladder has no such invitation. */
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
