import { Type } from "typebox";

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { isAdmin } from "#core/accounts/account.ts";
import { AccountExportSchema, AccountDeletionSchema } from "#core/api/account.ts";
import type { AccountExport } from "#core/api/account.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { Nullable } from "#core/protocol/schema-fight.ts";
import type {
  AccountRecord,
  AccountDeletionResult,
  AccountDeletionOptions,
} from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { MeDeps } from "#web/api/me.ts";
import type { BrowserSession, Caller } from "#web/auth/account-lookup.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { adminEmails, requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";
import { auditViews } from "#web/reports/audit-view.ts";

import { accountView } from "./account-view.ts";
import { formerNameReservation } from "./account.ts";

const credentials = ["Browser"] as const;

const DeletionSchema = Type.Object({
  handle: Nullable(Type.String({ description: "the account's own handle; null if it has none" })),
});

export function accountDeletionRoutes(app: App, deps: MeDeps & LadderDeps): void {
  deletionRoute(app, deps);
  exportRoute(app, deps);
}

function deletionRoute(app: App, deps: LadderDeps): void {
  const schema = { body: DeletionSchema, response: okResponses(AccountDeletionSchema) };
  const config = {
    endpoint: "account_leave",
    summary: "Deletes the account",
    credentials,
    errorCodes: [400, "admin_account", "recent_sign_in_required", 404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account", options, async ({ body, caller }, reply) => {
    const person = assertSignedIn(caller);
    const { account, session } = person;
    if (body.handle !== account.handle) return refuseWithStatus(reply, 400, HANDLE_MISMATCH);
    if (isAdmin(account, adminEmails(deps))) return refuseWithCode(reply, "admin_account");
    if (!isRecent(deps, session)) return refuseWithCode(reply, "recent_sign_in_required");
    const auditEntry = newAuditEntry(
      deps,
      auditActor(person),
      "account.left",
      accountSubject(account),
    );
    const deletedAccount = await deps.mutex.run(async () => {
      const currentAccount = await deps.store.accounts.byId(account.id);
      if (currentAccount !== null && isAdmin(currentAccount, adminEmails(deps))) return "admin";
      return deleteAccount(deps, account, null, auditEntry);
    });
    if (deletedAccount === "admin") return refuseWithCode(reply, "admin_account");
    if (deletedAccount === null) return refuseNotFound(reply, "account");
    return {
      deleted: account.id,
      deleted_bots: deletedAccount.deletedBots.map(({ name }) => name),
      retired_bots: deletedAccount.retainedBots.flatMap(({ name, status }) =>
        status === "retired" ? name : [],
      ),
      identity: deletedAccount.identityDeleted ? ("deleted" as const) : ("kept" as const),
    };
  });
}

const HANDLE_MISMATCH =
  "The handle doesn't match this account. Enter it exactly as shown, including case.";

/** Compares whole seconds, because the sign-in time has no fraction. The limit is inclusive. */
function isRecent({ clock }: ApiDeps, { claims }: BrowserSession): boolean {
  return toSeconds(clock()) - claims.signedInAt <= FIXED_LIMITS.recent_sign_in_s;
}

const toSeconds = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);

/**
 * Deletes an account and updates its bots in the arena. None of the account's bots starts a match
 * before the outcome is known. With `ban`, bots that have played are banned instead of retired.
 */
export async function deleteAccount(
  deps: ApiDeps,
  { id }: AccountRecord,
  ban: AccountDeletionOptions["ban"],
  auditEntry: AuditEntry,
): Promise<AccountDeletionResult | null> {
  const { store, arena, clock } = deps;
  const bots = await store.bots.listByOwners([id]);
  const holds = bots.map((bot) => ({ id: bot.id, letGo: arena.holdFromPairing(bot.id) }));
  const inMatch = holds.flatMap((hold) => (hold.letGo === null ? hold.id : []));
  const deletion = { ...formerNameReservation(deps), second: toSeconds(clock()), ban, inMatch };
  const release = () => {
    for (const hold of holds) hold.letGo?.();
  };
  try {
    const deletedAccount = await store.accounts.delete(id, deletion, auditEntry);
    if (deletedAccount !== null) await announceDeletion(deps, id, deletedAccount);
    release();
    return deletedAccount;
  } catch (error) {
    arena.reconcile(async () => {
      if ((await store.accounts.byId(id)) === null)
        await announceDeletion(deps, id, await findBotsAfterDeletion(deps, bots));
      release();
    });
    throw error;
  }
}

type BotsAfterDeletion = Pick<AccountDeletionResult, "deletedBots" | "retainedBots">;

async function announceDeletion(
  deps: ApiDeps,
  id: AccountId,
  { deletedBots, retainedBots }: BotsAfterDeletion,
) {
  const { arena, ladders } = deps;
  for (const bot of deletedBots) arena.onBotDeleted(bot.id);
  for (const bot of retainedBots) arena.onBotChanged(bot);
  for (const ladder of ladders.list()) ladders.removeMember(id, ladder.id);
  await recordDeletion(deps, id);
}

async function findBotsAfterDeletion(
  { store }: ApiDeps,
  bots: readonly BotRecord[],
): Promise<BotsAfterDeletion> {
  const keptBots = await store.bots.byIds(bots.map((bot) => bot.id));
  const remainingIds = new Set(keptBots.map((bot) => bot.id));
  return { retainedBots: keptBots, deletedBots: bots.filter((bot) => !remainingIds.has(bot.id)) };
}

/**
 * Logs a failure instead of throwing: the deletion is final even if a restored backup can't repeat
 * it.
 */
async function recordDeletion({ accounts, log }: ApiDeps, id: AccountId): Promise<void> {
  try {
    await accounts?.recordDeletion(id);
  } catch (error) {
    log.error({ err: error, account: id }, "could not record account deletion");
  }
}

function exportRoute(app: App, deps: MeDeps): void {
  const schema = { response: okResponses(AccountExportSchema) };
  const summary = "Exports all data about the account";
  const errorCodes = ["rate_limited"] as const;
  const config = {
    endpoint: "account_export",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  const lastExportAt = new Map<AccountId, number>();
  app.get("/api/account/export", options, async ({ caller }, reply) => {
    const person = assertSignedIn(caller);
    const now = deps.clock().getTime();
    for (const [id, at] of lastExportAt) if (at <= now - MINUTE_MS) lastExportAt.delete(id);
    const last = lastExportAt.get(person.account.id);
    if (last !== undefined) {
      reply.header("Retry-After", Math.ceil((last + MINUTE_MS - now) / SECOND_MS));
      const refusal = refuseWithCode(
        reply,
        "rate_limited",
        "You can export your data once a minute. Try again in a moment.",
      );
      return { ...refusal, limit: "account_export" };
    }
    lastExportAt.set(person.account.id, now);
    reply.header("Content-Disposition", 'attachment; filename="account.json"');
    return exportAccount(deps, person);
  });
}

/** Maximum number of audit entries and of emails in an export. */
const MAX_EXPORTED_ENTRIES = 10_000;

async function awardsForExport(
  { store, events }: MeDeps,
  accountId: AccountId,
): Promise<AccountExport["awards"]> {
  const awards = await Promise.all(
    events.list().map(({ id }) => store.awards.listByAccount(accountId, id)),
  );
  return awards.flat().map((award) => ({
    event_id: award.eventId,
    achievement_id: award.achievementId,
    earned_at: award.earnedAt,
    revoked_at: award.revokedAt,
  }));
}

async function exportAccount(
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
    memberships: (await store.members.listByAccount(account.id)).map((row) => ({
      ladder_id: row.ladderId,
      membership: row.state,
      from: row.since,
      until: row.until,
    })),
    awards: await awardsForExport(deps, account.id),
    starred_matches: await store.replays.listStarred(account.id),
    mails: (await store.deliveries.listByAccount(account.id, MAX_EXPORTED_ENTRIES)).map((row) => ({
      category: row.category,
      state: row.state,
      created: row.created,
      finished: row.ended,
    })),
    audit: await auditViews(
      store,
      await store.audit.list({ accountId: account.id, limit: MAX_EXPORTED_ENTRIES }),
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
