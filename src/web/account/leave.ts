// Leaving for good, and taking along what the ladder knows.

import { Type } from "typebox";

import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import { isAdmin } from "#core/accounts/account.ts";
import { Nullable } from "#core/protocol/schema-fight.ts";
import { AccountExportSchema, LeftSchema } from "#core/resources/account.ts";
import type { AccountExport } from "#core/resources/account.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord, Left, Leaving } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { MeDeps } from "#web/api/me.ts";
import { adminEmails, requireAccount, signedIn } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { BrowserSession, Caller } from "#web/auth/people.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";
import { auditViews } from "#web/reports/audit-view.ts";

import { accountView } from "./account-view.ts";
import { givenUpNow } from "./account.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

const LeaveSchema = Type.Object({
  handle: Nullable(Type.String({ description: "the account's own handle; null if it has none" })),
});

export function leavingRoutes(app: App, deps: MeDeps & LadderDeps): void {
  leaveRoute(app, deps);
  exportRoute(app, deps);
}

function leaveRoute(app: App, deps: LadderDeps): void {
  const schema = { body: LeaveSchema, response: answers(LeftSchema) };
  const config = {
    endpoint: "account_leave",
    about: "Leaves for good",
    credentials,
    refuses: [400, "admin_account", "recent_sign_in_required", 404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account", options, async ({ body, caller }, reply) => {
    const person = signedIn(caller);
    const { account, session } = person;
    if (body.handle !== account.handle) return refuseWith(reply, 400, OTHER_HANDLE);
    if (isAdmin(account, adminEmails(deps))) return refuse(reply, "admin_account");
    if (!isRecent(deps, session)) return refuse(reply, "recent_sign_in_required");
    const note = entryOf(deps, actorOf(person), "account.left", aboutAccount(account));
    const left = await deps.door.inTurn(async () => {
      const now = await deps.store.accounts.byId(account.id);
      if (now !== null && isAdmin(now, adminEmails(deps))) return "admin";
      return removeAccount(deps, account, null, note);
    });
    if (left === "admin") return refuse(reply, "admin_account");
    if (left === null) return missing(reply, "account");
    return {
      deleted: account.id,
      deleted_bots: left.deletedBots.map(({ name }) => name),
      retired_bots: left.keptBots.flatMap(({ name, status }) => (status === "retired" ? name : [])),
      identity: left.identityDeleted ? ("deleted" as const) : ("kept" as const),
    };
  });
}

const OTHER_HANDLE = "This is not the handle of the account. Type it letter by letter as it is.";

/** In whole seconds; the same second counts. */
function isRecent({ clock }: ApiDeps, { claims }: BrowserSession): boolean {
  return secondOf(clock()) - claims.signedInAt <= FIXED.recent_sign_in_s;
}

const secondOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

/**
 * Removes an account and tells the arena of its bots, none of which starts a match until it is
 * known what became of them. With `ban`, those that have played are banned rather than retired.
 */
export async function removeAccount(
  deps: ApiDeps,
  { id }: AccountRecord,
  ban: Leaving["ban"],
  note: AuditEntry,
): Promise<Left | null> {
  const { store, arena, clock } = deps;
  const bots = await store.bots.ofOwners([id]);
  const holds = bots.map((bot) => ({ id: bot.id, letGo: arena.withhold(bot.id) }));
  const inMatch = holds.flatMap((hold) => (hold.letGo === null ? hold.id : []));
  const leaving = { ...givenUpNow(deps), second: secondOf(clock()), ban, inMatch };
  const letGo = () => {
    for (const hold of holds) hold.letGo?.();
  };
  try {
    const left = await store.accounts.leave(id, leaving, note);
    if (left !== null) await tellLeft(deps, id, left);
    letGo();
    return left;
  } catch (error) {
    arena.inDoubt(async () => {
      if ((await store.accounts.byId(id)) === null)
        await tellLeft(deps, id, await endOf(deps, bots));
      letGo();
    });
    throw error;
  }
}

type Ended = Pick<Left, "deletedBots" | "keptBots">;

async function tellLeft(deps: ApiDeps, id: AccountId, { deletedBots, keptBots }: Ended) {
  const { arena, ladders } = deps;
  for (const bot of deletedBots) arena.botDeleted(bot.id);
  for (const bot of keptBots) arena.botChanged(bot);
  for (const ladder of ladders.all()) ladders.dismiss(id, ladder.id);
  await noteLeft(deps, id);
}

/** What the store has of the bots of an account that is gone. */
async function endOf({ store }: ApiDeps, bots: readonly BotRecord[]): Promise<Ended> {
  const keptBots = await store.bots.byIds(bots.map((bot) => bot.id));
  const kept = new Set(keptBots.map((bot) => bot.id));
  return { keptBots, deletedBots: bots.filter((bot) => !kept.has(bot.id)) };
}

/** The account is gone whether or not the note can be written. */
async function noteLeft({ accounts, log }: ApiDeps, id: AccountId): Promise<void> {
  try {
    await accounts?.noteLeft(id);
  } catch (error) {
    log.error({ err: error, account: id }, "an account that left could not be noted");
  }
}

function exportRoute(app: App, deps: MeDeps): void {
  const schema = { response: answers(AccountExportSchema) };
  const about = "Everything that the ladder knows of the account";
  const refuses = ["rate_limited"] as const;
  const config = { endpoint: "account_export", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const latest = new Map<AccountId, number>();
  app.get("/api/account/export", options, async ({ caller }, reply) => {
    const person = signedIn(caller);
    const now = deps.clock().getTime();
    for (const [id, at] of latest) if (at <= now - MINUTE_MS) latest.delete(id);
    const last = latest.get(person.account.id);
    if (last !== undefined) {
      reply.header("Retry-After", Math.ceil((last + MINUTE_MS - now) / SECOND_MS));
      const refusal = refuse(reply, "rate_limited", "Once a minute. Try again in a moment.");
      return { ...refusal, limit: "account_export" };
    }
    latest.set(person.account.id, now);
    reply.header("Content-Disposition", 'attachment; filename="account.json"');
    return exported(deps, person);
  });
}

/** Of the audit, and letters. */
const ENTRIES_EXPORTED = 10_000;

async function awardsOf(
  { store, events }: MeDeps,
  accountId: AccountId,
): Promise<AccountExport["awards"]> {
  const given = await Promise.all(
    events.all().map(({ id }) => store.awards.ofAccount(accountId, id)),
  );
  return given.flat().map((award) => ({
    event_id: award.eventId,
    achievement_id: award.achievementId,
    earned_at: award.earnedAt,
    revoked_at: award.revokedAt,
  }));
}

async function exported(
  deps: MeDeps,
  { account, session }: Caller & { session: BrowserSession },
): Promise<AccountExport> {
  const { store, clock } = deps;
  const generated = clock().toISOString();
  const { user } = session;
  const view = await accountView(deps, account, session);
  return {
    generated,
    account: view,
    former_handles: await store.accounts.formerHandles(account.id, generated),
    memberships: (await store.members.ofAccount(account.id)).map((row) => ({
      ladder_id: row.ladderId,
      membership: row.state,
      from: row.since,
      until: row.until,
    })),
    awards: await awardsOf(deps, account.id),
    starred_matches: await store.replays.starred(account.id),
    mails: (await store.deliveries.ofAccount(account.id, ENTRIES_EXPORTED)).map((row) => ({
      category: row.category,
      state: row.state,
      created: row.created,
      finished: row.ended,
    })),
    audit: await auditViews(
      store,
      await store.audit.list({ accountId: account.id, limit: ENTRIES_EXPORTED }),
    ),
    identity: {
      id: user.id,
      email: user.email,
      providers: [...user.providers],
      created: user.createdAt,
      last_sign_in: user.lastSignInAt,
    },
    matches_urls: view.bots.map(({ name }) => `/api/matches?bot=${name}`),
  };
}
