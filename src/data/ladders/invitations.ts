import type { Selectable } from "kysely";

import type { InvitationId, LadderId } from "#core/ids/ids.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { InvitationListItem, InvitationRecord } from "#data/store/invitation.ts";
import type { MembershipChange, MembershipOutcome } from "#data/store/member.ts";

import type { InvitationTable } from "./ladder-tables.ts";
import { enrollMember } from "./members.ts";

export async function addInvitation(
  tx: OpenTransaction,
  invitation: InvitationRecord,
  hash: string,
): Promise<void> {
  const { id, created } = invitation;
  const row = {
    id,
    ladder_id: invitation.ladderId,
    hash,
    account_id: invitation.accountId,
    created,
    created_by: invitation.createdBy,
    expires_at: invitation.expiresAt,
    used_at: invitation.usedAt,
    used_by: invitation.usedBy,
    revoked_at: invitation.revokedAt,
    label: invitation.label,
  };
  await tx.insertInto("invitations").values(row).execute();
}

export async function listInvitations(
  database: Database,
  ladderId: LadderId,
): Promise<InvitationListItem[]> {
  const rows = await database
    .selectFrom("invitations as i")
    .leftJoin("accounts as own", "own.id", "i.account_id")
    .leftJoin("accounts as maker", "maker.id", "i.created_by")
    .leftJoin("accounts as guest", "guest.id", "i.used_by")
    .selectAll("i")
    .select(["own.handle", "maker.handle as maker_handle", "guest.handle as guest_handle"])
    .where("i.ladder_id", "=", ladderId)
    .orderBy("i.created", "desc")
    .orderBy("i.id", "desc")
    .execute();
  return rows.map(({ handle, maker_handle, guest_handle, ...row }) => ({
    ...toInvitation(row),
    handle,
    createdByHandle: maker_handle,
    usedByHandle: guest_handle,
  }));
}

/** `id` is null unless the invitation was redeemed. */
type InvitationUse = { outcome: MembershipOutcome | "invalid_invitation"; id: InvitationId | null };

const INVALID_INVITATION: InvitationUse = { outcome: "invalid_invitation", id: null };

/**
 * Must run under the lock of the ladder's invitations, so that only one of two concurrent requests
 * succeeds.
 */
export async function redeemInvitation(
  tx: OpenTransaction,
  hash: string,
  change: MembershipChange,
): Promise<InvitationUse> {
  const query = tx.selectFrom("invitations").selectAll();
  const row = await query.where("hash", "=", hash).executeTakeFirst();
  if (row === undefined || !isUsable(row, change)) return INVALID_INVITATION;
  const outcome = await enrollMember(tx, change, "active");
  if (outcome === null) return INVALID_INVITATION;
  if (!outcome.isChanged) return { outcome, id: null };
  await markUsed(tx, row.id, change);
  return { outcome, id: row.id };
}

function isUsable(row: Selectable<InvitationTable>, { ladderId, accountId, at }: MembershipChange) {
  const isForAccount = row.account_id === null || row.account_id === accountId;
  const isOpen = row.used_at === null && row.revoked_at === null && row.expires_at > at;
  return row.ladder_id === ladderId && isForAccount && isOpen;
}

async function markUsed(
  tx: OpenTransaction,
  id: InvitationId,
  { at, accountId }: MembershipChange,
) {
  const columns = { used_at: at, used_by: accountId };
  await tx.updateTable("invitations").set(columns).where("id", "=", id).execute();
}

export async function revokeInvitation(
  tx: OpenTransaction,
  ladderId: LadderId,
  id: InvitationId,
  revoked_at: string,
): Promise<{ isChanged: boolean } | "invitation_used" | null> {
  const query = tx.selectFrom("invitations").selectAll().where("ladder_id", "=", ladderId);
  const row = await query.where("id", "=", id).executeTakeFirst();
  if (row === undefined) return null;
  if (row.used_at !== null) return "invitation_used";
  if (row.revoked_at !== null) return { isChanged: false };
  await tx.updateTable("invitations").set({ revoked_at }).where("id", "=", id).execute();
  return { isChanged: true };
}

function toInvitation(row: Selectable<InvitationTable>): InvitationRecord {
  const { id, created, expires_at, used_at, used_by, revoked_at, label } = row;
  return {
    id,
    ladderId: row.ladder_id,
    accountId: row.account_id,
    created,
    createdBy: row.created_by,
    expiresAt: expires_at,
    usedAt: used_at,
    usedBy: used_by,
    revokedAt: revoked_at,
    label,
  };
}
