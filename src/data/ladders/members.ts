import type { Selectable } from "kysely";

import type { AccountId, LadderId } from "#core/ids/ids.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  MembershipCount,
  MemberListItem,
  MemberRecord,
  MemberState,
  MembershipChange,
  MembershipOutcome,
} from "#data/store/member.ts";

import type { MemberTable } from "./ladder-tables.ts";

export async function activeMembers(
  database: Database,
): Promise<{ accountId: AccountId; ladderId: LadderId }[]> {
  const rows = await database
    .selectFrom("ladder_members")
    .select(["account_id as accountId", "ladder_id as ladderId"])
    .where("until", "is", null)
    .where("state", "=", "active")
    .execute();
  return rows.map((row) => ({ ...row }));
}

export async function listMembers(
  database: Database,
  ladderId: LadderId,
): Promise<MemberListItem[]> {
  const rows = await database
    .selectFrom("ladder_members as m")
    .innerJoin("accounts as a", "a.id", "m.account_id")
    .selectAll("m")
    .select("a.handle")
    .where("m.ladder_id", "=", ladderId)
    .where("m.until", "is", null)
    .orderBy("m.since")
    .orderBy("m.id")
    .execute();
  return rows.map(({ handle, ...row }) => ({ ...toMember(row), handle }));
}

export async function memberCounts(database: Database): Promise<MembershipCount[]> {
  const rows = await database
    .selectFrom("ladder_members")
    .select((eb) => ["ladder_id as ladderId", "state", eb.fn.countAll<number>().as("accounts")])
    .where("until", "is", null)
    .groupBy(["ladder_id", "state"])
    .execute();
  return rows.map((row) => ({ ...row }));
}

export async function listMemberships(
  database: Database,
  accountId: AccountId,
): Promise<MemberRecord[]> {
  const query = database.selectFrom("ladder_members").selectAll();
  const memberships = query.where("account_id", "=", accountId).orderBy("since").orderBy("id");
  return (await memberships.execute()).map(toMember);
}

type MembershipKey = Pick<MembershipChange, "ladderId" | "accountId">;

async function currentState(
  tx: OpenTransaction,
  { ladderId, accountId }: MembershipKey,
): Promise<MemberState | null> {
  const row = await tx
    .selectFrom("ladder_members")
    .select("state")
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .where("until", "is", null)
    .executeTakeFirst();
  return row?.state ?? null;
}

async function hasMembershipHistory(
  tx: OpenTransaction,
  { ladderId, accountId }: MembershipKey,
): Promise<boolean> {
  const row = await tx
    .selectFrom("ladder_members")
    .select("id")
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function closeMembership(
  tx: OpenTransaction,
  { ladderId, accountId, at }: Omit<MembershipChange, "id">,
) {
  await tx
    .updateTable("ladder_members")
    .set({ until: at })
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .where("until", "is", null)
    .execute();
}

async function startMembership(
  tx: OpenTransaction,
  change: MembershipChange,
  state: MemberState,
  reason: string | null = null,
): Promise<MembershipOutcome> {
  const { id, ladderId: ladder_id, accountId: account_id, at: since } = change;
  await closeMembership(tx, change);
  const row = { id, ladder_id, account_id, state, since, until: null, reason };
  await tx.insertInto("ladder_members").values(row).execute();
  return { state, isChanged: true };
}

export async function enrollMember(
  tx: OpenTransaction,
  change: MembershipChange,
  targetState: "pending" | "active",
): Promise<MembershipOutcome | null> {
  const state = await currentState(tx, change);
  if (state === "revoked" || state === "active" || state === targetState)
    return { state, isChanged: false };
  return (await ladderAndAccountExist(tx, change))
    ? startMembership(tx, change, targetState)
    : null;
}

export async function ladderAndAccountExist(
  tx: OpenTransaction,
  { ladderId, accountId }: { ladderId: LadderId; accountId: AccountId | null },
): Promise<boolean> {
  const ladder = tx.selectFrom("ladders").select("id").where("id", "=", ladderId);
  if ((await ladder.executeTakeFirst()) === undefined) return false;
  if (accountId === null) return true;
  const account = tx.selectFrom("accounts").select("id").where("id", "=", accountId);
  return (await account.executeTakeFirst()) !== undefined;
}

export async function withdrawMember(
  tx: OpenTransaction,
  change: Omit<MembershipChange, "id">,
): Promise<MembershipOutcome | null> {
  const state = await currentState(tx, change);
  if (state === null || state === "revoked") return state && { state, isChanged: false };
  await closeMembership(tx, change);
  return { state, isChanged: true };
}

export async function approveMember(
  tx: OpenTransaction,
  change: MembershipChange,
): Promise<MembershipOutcome | "account_banned" | null> {
  const state = await currentState(tx, change);
  if (state === null) return null;
  const account = tx.selectFrom("accounts").select("banned_at").where("id", "=", change.accountId);
  const { banned_at = null } = (await account.executeTakeFirst()) ?? {};
  if (banned_at !== null) return "account_banned";
  return state === "active" ? { state, isChanged: false } : startMembership(tx, change, "active");
}

export async function revokeMember(
  tx: OpenTransaction,
  change: MembershipChange,
  reason: string | null,
): Promise<MembershipOutcome | null> {
  const state = await currentState(tx, change);
  if (state === null && !(await hasMembershipHistory(tx, change))) return null;
  return state === "revoked"
    ? { state, isChanged: false }
    : startMembership(tx, change, "revoked", reason);
}

function toMember(row: Selectable<MemberTable>): MemberRecord {
  const { id, ladder_id, account_id, state, since, until, reason } = row;
  return { id, ladderId: ladder_id, accountId: account_id, state, since, until, reason };
}
