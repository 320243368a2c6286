// Memberships: each step closes the present interval and begins the next one.

import type { Selectable } from "kysely";

import type { AccountId, LadderId } from "#core/words/ids.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  MemberCount,
  MemberLine,
  MemberRecord,
  MemberState,
  MemberStep,
  StepOutcome,
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

/** By age. */
export async function membersOf(database: Database, ladderId: LadderId): Promise<MemberLine[]> {
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

export async function memberCounts(database: Database): Promise<MemberCount[]> {
  const rows = await database
    .selectFrom("ladder_members")
    .select((eb) => ["ladder_id as ladderId", "state", eb.fn.countAll<number>().as("accounts")])
    .where("until", "is", null)
    .groupBy(["ladder_id", "state"])
    .execute();
  return rows.map((row) => ({ ...row }));
}

/** By age. */
export async function membershipsOf(
  database: Database,
  accountId: AccountId,
): Promise<MemberRecord[]> {
  const all = database.selectFrom("ladder_members").selectAll();
  const own = all.where("account_id", "=", accountId).orderBy("since").orderBy("id");
  return (await own.execute()).map(toMember);
}

type Place = Pick<MemberStep, "ladderId" | "accountId">;

async function presentState(
  open: OpenTransaction,
  { ladderId, accountId }: Place,
): Promise<MemberState | null> {
  const row = await open
    .selectFrom("ladder_members")
    .select("state")
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .where("until", "is", null)
    .executeTakeFirst();
  return row?.state ?? null;
}

/** Whether the account has ever asked to enter. */
async function wasThere(open: OpenTransaction, { ladderId, accountId }: Place): Promise<boolean> {
  const row = await open
    .selectFrom("ladder_members")
    .select("id")
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the present interval, if there is one. */
async function close(open: OpenTransaction, { ladderId, accountId, at }: Omit<MemberStep, "id">) {
  await open
    .updateTable("ladder_members")
    .set({ until: at })
    .where("ladder_id", "=", ladderId)
    .where("account_id", "=", accountId)
    .where("until", "is", null)
    .execute();
}

async function move(
  open: OpenTransaction,
  step: MemberStep,
  state: MemberState,
  reason: string | null = null,
): Promise<StepOutcome> {
  const { id, ladderId: ladder_id, accountId: account_id, at: since } = step;
  await close(open, step);
  const row = { id, ladder_id, account_id, state, since, until: null, reason };
  await open.insertInto("ladder_members").values(row).execute();
  return { state, isChanged: true };
}

export async function enroll(
  open: OpenTransaction,
  step: MemberStep,
  to: "pending" | "active",
): Promise<StepOutcome | null> {
  const state = await presentState(open, step);
  if (state === "revoked" || state === "active" || state === to) return { state, isChanged: false };
  return (await hasBoth(open, step)) ? move(open, step, to) : null;
}

/** Whether the ladder and the account are still there. */
export async function hasBoth(
  open: OpenTransaction,
  { ladderId, accountId }: { ladderId: LadderId; accountId: AccountId | null },
): Promise<boolean> {
  const ladder = open.selectFrom("ladders").select("id").where("id", "=", ladderId);
  if ((await ladder.executeTakeFirst()) === undefined) return false;
  if (accountId === null) return true;
  const account = open.selectFrom("accounts").select("id").where("id", "=", accountId);
  return (await account.executeTakeFirst()) !== undefined;
}

export async function withdraw(
  open: OpenTransaction,
  step: Omit<MemberStep, "id">,
): Promise<StepOutcome | null> {
  const state = await presentState(open, step);
  if (state === null || state === "revoked") return state && { state, isChanged: false };
  await close(open, step);
  return { state, isChanged: true };
}

export async function approve(
  open: OpenTransaction,
  step: MemberStep,
): Promise<StepOutcome | "account_banned" | null> {
  const state = await presentState(open, step);
  if (state === null) return null;
  const account = open.selectFrom("accounts").select("banned_at").where("id", "=", step.accountId);
  const { banned_at = null } = (await account.executeTakeFirst()) ?? {};
  if (banned_at !== null) return "account_banned";
  return state === "active" ? { state, isChanged: false } : move(open, step, "active");
}

export async function revoke(
  open: OpenTransaction,
  step: MemberStep,
  reason: string | null,
): Promise<StepOutcome | null> {
  const state = await presentState(open, step);
  if (state === null && !(await wasThere(open, step))) return null;
  return state === "revoked" ? { state, isChanged: false } : move(open, step, "revoked", reason);
}

function toMember(row: Selectable<MemberTable>): MemberRecord {
  const { id, ladder_id, account_id, state, since, until, reason } = row;
  return { id, ladderId: ladder_id, accountId: account_id, state, since, until, reason };
}
