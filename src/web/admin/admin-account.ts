import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { SECOND_MS } from "#base/util/time.ts";
import { isAdmin, isConfiguredAdmin, ROLES } from "#core/accounts/account.ts";
import {
  AdminAccountSchema,
  AdminAccountsSchema,
  AdminSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/api/admin.ts";
import type { AdminAccount } from "#core/api/admin.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS, LIMIT_TABLE } from "#core/limits/limits.ts";
import type { HttpRefusal } from "#core/protocol/errors.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { STORABLE_PATTERN } from "#data/credentials/storable-text.ts";
import type { AccountListItem, AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { deleteAccount } from "#web/account/account-deletion.ts";
import { sendAccountEmail } from "#web/auth/account-email.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { adminEmails, assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import {
  AccountParams,
  findAccountByIdOrHandle,
  CLOSED_OBJECT,
  credentials,
  optionalReason,
  refuseMissingAccount,
  operatorHooks,
  ReasonSchema,
} from "./admin-route.ts";

/**
 * Registers the routes. Changes that depend on admin or ban status run one at a time, so that each
 * sees the previous result.
 */
export function adminAccountRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  adminsRoute(app, deps);
  roleRoute(app, deps);
  for (const verb of ["ban", "unban"] as const) banRoute(app, deps, verb);
  limitRoute(app, deps);
  signOutRoute(app, deps);
  removalRoute(app, deps);
}

const ListQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 320,
      pattern: STORABLE_PATTERN,
      description: "part of a handle or bot name, a complete id, or a complete email address",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.accounts_list_max,
      description: `default: ${FIXED_LIMITS.accounts_list_default}`,
    }),
  ),
});

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { querystring: ListQuery, response: okResponses(AdminAccountsSchema) };
  const config = { endpoint: "admin_accounts", summary: "Accounts, newest first", credentials };
  app.get("/api/admin/accounts", { schema, config, ...operatorHooks(deps) }, async ({ query }) => {
    const { q = "", limit = FIXED_LIMITS.accounts_list_default } = query;
    const list = await deps.store.accounts.list({ text: q === "" ? null : q, limit });
    return { ...list, accounts: await adminAccountViews(deps, list.accounts) };
  });
}

async function adminAccountViews(
  deps: ApiDeps,
  rows: readonly AccountListItem[],
): Promise<AdminAccount[]> {
  const emails = adminEmails(deps);
  const online = deps.arena.onlineIds();
  const bots = await deps.store.bots.listByOwners(rows.map(({ id }) => id));
  const byOwner = Map.groupBy(bots, ({ ownerId }) => ownerId);
  return rows.map((row) => ({
    id: row.id,
    handle: row.handle,
    created: row.created,
    admin: isAdmin(row, emails),
    configured: isConfiguredAdmin(row, emails),
    banned: row.bannedAt,
    max_bots: row.maxBots ?? deps.limits().bots_per_owner,
    bots: (byOwner.get(row.id) ?? []).map(({ id, name, status }) => {
      return { name, status, online: online.has(id) };
    }),
    keys: row.keys,
    key_last_used: row.keyLastUsed,
  }));
}

async function replyWithAccount(deps: ApiDeps, reply: FastifyReply, { id }: AccountRecord) {
  const { accounts } = await deps.store.accounts.list({ text: id, limit: 1 });
  const [account] = await adminAccountViews(deps, accounts);
  return account ?? refuseNotFound(reply, "account");
}

function adminsRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(Type.Array(AdminSchema)) };
  const config = { endpoint: "admin_admins", summary: "Accounts with admin rights", credentials };
  app.get("/api/admin/admins", { schema, config, ...operatorHooks(deps) }, () => adminsOf(deps));
}

export async function adminsOf(deps: ApiDeps) {
  const emails = adminEmails(deps);
  const candidates = await deps.store.accounts.admins([...emails]);
  return candidates
    .filter((account) => isAdmin(account, emails))
    .map((account) => ({
      handle: account.handle,
      configured: isConfiguredAdmin(account, emails),
    }));
}

const accountAuditEntry = (
  deps: ApiDeps,
  caller: Caller | null,
  kind: AuditKind,
  account: AccountRecord,
  details: Partial<Pick<AuditEntry, "reason" | "detail">>,
) =>
  newAuditEntry(
    deps,
    auditActor(assertAuthenticated(caller)),
    kind,
    accountSubject(account),
    details,
  );

function roleRoute(app: App, deps: LadderDeps): void {
  const body = Type.Object({ role: OneOf(ROLES), ...optionalReason }, CLOSED_OBJECT);
  const schema = { params: AccountParams, body, response: okResponses(RoleSchema) };
  const config = {
    endpoint: "admin_account_role",
    summary: "Grants or removes the admin role",
    credentials,
    errorCodes: [
      404,
      "own_role",
      "configured_admin",
      ["account_banned", 409],
      "last_admin",
    ] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/accounts/:account/role", options, async ({ params, body, caller }, reply) =>
    deps.mutex.run(async () => {
      const account = await findAccountByIdOrHandle(deps, params.account);
      if (account === null) return refuseMissingAccount(reply, params.account);
      const refusal = roleRefusal(deps, assertAuthenticated(caller), account);
      if (refusal !== null) return refuseWithCode(reply, refusal);
      const { role, reason = null } = body;
      const emails = adminEmails(deps);
      if (account.role !== role) {
        const detail = { from: account.role, to: role };
        const auditEntry = accountAuditEntry(deps, caller, "account.role", account, {
          reason,
          detail,
        });
        const changed = await deps.store.accounts.setRole(
          account.id,
          role,
          [...emails],
          auditEntry,
        );
        if (changed === "last_admin") return refuseWithCode(reply, "last_admin");
        if (changed === null) return refuseNotFound(reply, "account");
      }
      const admin = isAdmin({ ...account, role }, emails);
      return { handle: account.handle, role, admin };
    }),
  );
}

function roleRefusal(deps: ApiDeps, caller: Caller, account: AccountRecord): HttpRefusal | null {
  if (account.id === caller.account.id) return "own_role";
  if (isConfiguredAdmin(account, adminEmails(deps))) return "configured_admin";
  return account.bannedAt === null ? null : ["account_banned", 409];
}

function banRoute(app: App, deps: LadderDeps, verb: "ban" | "unban"): void {
  const schema = {
    params: AccountParams,
    body: ReasonSchema,
    response: okResponses(AdminAccountSchema),
  };
  const isBan = verb === "ban";
  const config = {
    endpoint: `admin_account_${verb}`,
    summary: isBan ? "Bans an account and its bots" : "Lifts an account's ban",
    credentials,
    errorCodes: isBan ? ([404, "admin_account"] as const) : ([404] as const),
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = `/api/admin/accounts/:account/${verb}` as const;
  app.post(url, options, async ({ params, body, caller }, reply) =>
    deps.mutex.run(async () => {
      const account = await findAccountByIdOrHandle(deps, params.account);
      if (account === null) return refuseMissingAccount(reply, params.account);
      if (isBan && isAdmin(account, adminEmails(deps)))
        return refuseWithCode(reply, "admin_account");
      const { reason = null } = body;
      const detail = { from: account.bannedAt, to: isBan ? "banned" : null };
      const auditEntry = accountAuditEntry(deps, caller, `account.${verb}`, account, {
        reason,
        detail,
      });
      const ban = isBan ? { at: auditEntry.at, reason } : null;
      const outcome = await deps.store.accounts.setBan(account.id, ban, auditEntry);
      const type = isBan ? "account_banned" : "account_unbanned";
      if (outcome?.isChanged === true)
        sendAccountEmail(deps, outcome.account, { type, reason, at: auditEntry.at });
      for (const bot of await deps.store.bots.listByOwners([account.id]))
        deps.arena.onBotChanged(bot);
      return replyWithAccount(deps, reply, account);
    }),
  );
}

const { most: MAX_BOTS_LIMIT } = LIMIT_TABLE.bots_per_owner;

function limitRoute(app: App, deps: ApiDeps): void {
  const max_bots = Nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_BOTS_LIMIT,
      description: "null for the server's setting",
    }),
  );
  const body = Type.Object({ max_bots, ...optionalReason }, CLOSED_OBJECT);
  const schema = { params: AccountParams, body, response: okResponses(AdminAccountSchema) };
  const config = {
    endpoint: "admin_account_max_bots",
    summary: "Sets how many bots an account may own",
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/max-bots";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const account = await findAccountByIdOrHandle(deps, params.account);
    if (account === null) return refuseMissingAccount(reply, params.account);
    const { max_bots: maxBots, reason = null } = body;
    const detail = { from: account.maxBots, to: maxBots };
    const auditEntry = accountAuditEntry(deps, caller, "account.max_bots", account, {
      reason,
      detail,
    });
    await deps.store.accounts.setMaxBots(account.id, maxBots, auditEntry);
    return replyWithAccount(deps, reply, account);
  });
}

function signOutRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: AccountParams,
    body: ReasonSchema,
    response: okResponses(AdminAccountSchema),
  };
  const config = {
    endpoint: "admin_account_sign_out",
    summary: "Ends an account's sessions, agent keys and app access; its bots stay connected",
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/sign-out";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const account = await findAccountByIdOrHandle(deps, params.account);
    if (account === null) return refuseMissingAccount(reply, params.account);
    const { reason = null } = body;
    const auditEntry = accountAuditEntry(deps, caller, "account.sign_out", account, { reason });
    const second = Math.floor(deps.clock().getTime() / SECOND_MS);
    await deps.store.accounts.signOut(account.id, second, auditEntry);
    return replyWithAccount(deps, reply, account);
  });
}

function removalRoute(app: App, deps: LadderDeps): void {
  const querystring = Type.Object(optionalReason);
  const schema = {
    params: AccountParams,
    querystring,
    response: okResponses(RemovedAccountSchema),
  };
  const config = {
    endpoint: "admin_account_removal",
    summary: "Permanently removes an account and bans its bots that have played",
    credentials,
    errorCodes: [404, "admin_account"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/accounts/:account", options, async ({ params, query, caller }, reply) =>
    deps.mutex.run(async () => {
      const account = await findAccountByIdOrHandle(deps, params.account);
      if (account === null) return refuseMissingAccount(reply, params.account);
      if (isAdmin(account, adminEmails(deps))) return refuseWithCode(reply, "admin_account");
      const { reason = null } = query;
      const auditEntry = accountAuditEntry(deps, caller, "account.deleted", account, { reason });
      const deletedAccount = await deleteAccount(deps, account, { reason }, auditEntry);
      if (deletedAccount === null) return refuseNotFound(reply, "account");
      sendAccountEmail(deps, deletedAccount.account, {
        type: "account_removed",
        reason,
        at: auditEntry.at,
      });
      const bannedBots = deletedAccount.retainedBots.filter(({ status }) => status === "banned");
      const banned_bots = bannedBots.map(({ name }) => name);
      return { deleted: account.id, handle: account.handle, banned_bots };
    }),
  );
}
