// Invitations to a ladder. Each lets one account in; its code is never stored.

import type { AccountId, InvitationId, LadderId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { audited } from "./member.ts";
import type { MemberStep, StepOutcome } from "./member.ts";
import { looks, writes } from "./method.ts";

export type InvitationRecord = {
  id: InvitationId;
  ladderId: LadderId;
  /** Whose it is; null for anybody's. */
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

export type InvitationLine = InvitationRecord & {
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
  list: looks<(ladderId: LadderId) => Promise<InvitationLine[]>>(),
  /**
   * Enters the ladder and uses the invitation up, once. It is kept where it changes nothing: for an
   * active member, and for one who is revoked.
   */
  use: writes<
    (
      hash: string,
      step: MemberStep,
      audit: { used: AuditEntry; enrolled: AuditEntry },
    ) => Promise<StepOutcome | "invalid_invitation">
  >(audited),
  /** Null when the ladder has no such invitation. */
  revoke:
    writes<
      (
        ladderId: LadderId,
        id: InvitationId,
        at: string,
        audit: AuditEntry,
      ) => Promise<{ isChanged: boolean } | "invitation_used" | null>
    >(audited),
};
