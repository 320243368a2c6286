import type { Selectable } from "kysely";

import type { InvitationId, LadderId } from "#core/words/ids.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { InvitationLine, InvitationRecord } from "#data/store/invitation.ts";
import type { MemberStep, StepOutcome } from "#data/store/member.ts";

import type { InvitationTable } from "./ladder-tables.ts";
import { enroll } from "./members.ts";

export async function addInvitation(
  open: OpenTransaction,
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
  await open.insertInto("invitations").values(row).execute();
}

/** Newest first. */
export async function invitationsOf(
  database: Database,
  ladderId: LadderId,
): Promise<InvitationLine[]> {
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

/** With the id of the invitation if it is used up. */
type Used = { outcome: StepOutcome | "invalid_invitation"; id: InvitationId | null };

const INVALID: Used = { outcome: "invalid_invitation", id: null };

/** Under the lock of the ladder's invitations, so that of two at once one gets in. */
export async function useInvitation(
  open: OpenTransaction,
  hash: string,
  step: MemberStep,
): Promise<Used> {
  const all = open.selectFrom("invitations").selectAll();
  const row = await all.where("hash", "=", hash).executeTakeFirst();
  if (row === undefined || !isGood(row, step)) return INVALID;
  const outcome = await enroll(open, step, "active");
  if (outcome === null) return INVALID;
  if (!outcome.isChanged) return { outcome, id: null };
  await markUsed(open, row.id, step);
  return { outcome, id: row.id };
}

function isGood(row: Selectable<InvitationTable>, { ladderId, accountId, at }: MemberStep) {
  const isTheirs = row.account_id === null || row.account_id === accountId;
  const isOpen = row.used_at === null && row.revoked_at === null && row.expires_at > at;
  return row.ladder_id === ladderId && isTheirs && isOpen;
}

async function markUsed(open: OpenTransaction, id: InvitationId, { at, accountId }: MemberStep) {
  const columns = { used_at: at, used_by: accountId };
  await open.updateTable("invitations").set(columns).where("id", "=", id).execute();
}

export async function revokeInvitation(
  open: OpenTransaction,
  ladderId: LadderId,
  id: InvitationId,
  revoked_at: string,
): Promise<{ isChanged: boolean } | "invitation_used" | null> {
  const all = open.selectFrom("invitations").selectAll().where("ladder_id", "=", ladderId);
  const row = await all.where("id", "=", id).executeTakeFirst();
  if (row === undefined) return null;
  if (row.used_at !== null) return "invitation_used";
  if (row.revoked_at !== null) return { isChanged: false };
  await open.updateTable("invitations").set({ revoked_at }).where("id", "=", id).execute();
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
