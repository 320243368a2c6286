// Operators on accounts: the list, roles, bans, limits, sign-out, removal.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { SECOND_MS } from "#base/units/time.ts";
import { isAdmin, isConfiguredAdmin, ROLES } from "#core/accounts/account.ts";
import type { HttpRefusal } from "#core/protocol/errors.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import {
  AdminAccountSchema,
  AdminAccountsSchema,
  AdminSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/resources/admin.ts";
import type { AdminAccount } from "#core/resources/admin.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { FIXED, LIMIT_TABLE } from "#core/words/limits.ts";
import { STORABLE } from "#data/access/storable.ts";
import type { AccountLine, AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { removeAccount } from "#web/account/leave.ts";
import { adminEmails, admitted } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import { tellHolder } from "#web/auth/tell.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import {
  AccountParams,
  accountSought,
  CLOSED,
  credentials,
  mayHaveReason,
  missingAccount,
  operatorHooks,
  ReasonSchema,
} from "./operator.ts";

/** Steps that depend on who is an admin or banned come one after another: each sees the one before it. */
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
      pattern: STORABLE,
      description: "part of a handle or of a bot's name, a whole id, or a whole address",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.accounts_list_max,
      description: `${FIXED.accounts_list_default} if absent`,
    }),
  ),
});

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { querystring: ListQuery, response: answers(AdminAccountsSchema) };
  const config = { endpoint: "admin_accounts", about: "Accounts, newest first", credentials };
  app.get("/api/admin/accounts", { schema, config, ...operatorHooks(deps) }, async ({ query }) => {
    const { q = "", limit = FIXED.accounts_list_default } = query;
    const list = await deps.store.accounts.list({ text: q === "" ? null : q, limit });
    return { ...list, accounts: await shown(deps, list.accounts) };
  });
}

/** Accounts as operators see them: never with an address. */
async function shown(deps: ApiDeps, lines: readonly AccountLine[]): Promise<AdminAccount[]> {
  const emails = adminEmails(deps);
  const online = deps.arena.onlineIds();
  const bots = await deps.store.bots.ofOwners(lines.map(({ id }) => id));
  const byOwner = Map.groupBy(bots, ({ ownerId }) => ownerId);
  return lines.map((line) => ({
    id: line.id,
    handle: line.handle,
    created: line.created,
    admin: isAdmin(line, emails),
    configured: isConfiguredAdmin(line, emails),
    banned: line.bannedAt,
    max_bots: line.maxBots ?? deps.limits().bots_per_owner,
    bots: (byOwner.get(line.id) ?? []).map(({ id, name, status }) => {
      return { name, status, online: online.has(id) };
    }),
    keys: line.keys,
    key_last_used: line.keyLastUsed,
  }));
}

async function shownAs(deps: ApiDeps, reply: FastifyReply, { id }: AccountRecord) {
  const { accounts } = await deps.store.accounts.list({ text: id, limit: 1 });
  const [account] = await shown(deps, accounts);
  return account ?? missing(reply, "account");
}

function adminsRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(Type.Array(AdminSchema)) };
  const config = { endpoint: "admin_admins", about: "Who is an admin", credentials };
  app.get("/api/admin/admins", { schema, config, ...operatorHooks(deps) }, () => adminsOf(deps));
}

/** By age. */
export async function adminsOf(deps: ApiDeps) {
  const emails = adminEmails(deps);
  const known = await deps.store.accounts.admins([...emails]);
  return known
    .filter((account) => isAdmin(account, emails))
    .map((account) => ({
      handle: account.handle,
      configured: isConfiguredAdmin(account, emails),
    }));
}

const noteOf = (
  deps: ApiDeps,
  caller: Caller | null,
  kind: AuditKind,
  account: AccountRecord,
  more: Partial<Pick<AuditEntry, "reason" | "detail">>,
) => entryOf(deps, actorOf(admitted(caller)), kind, aboutAccount(account), more);

function roleRoute(app: App, deps: LadderDeps): void {
  const body = Type.Object({ role: OneOf(ROLES), ...mayHaveReason }, CLOSED);
  const schema = { params: AccountParams, body, response: answers(RoleSchema) };
  const config = {
    endpoint: "admin_account_role",
    about: "Makes an account an admin, or a player again",
    credentials,
    refuses: [404, "own_role", "configured_admin", ["account_banned", 409], "last_admin"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/accounts/:account/role", options, async ({ params, body, caller }, reply) =>
    deps.door.inTurn(async () => {
      const account = await accountSought(deps, params.account);
      if (account === null) return missingAccount(reply, params.account);
      const refusal = roleRefusal(deps, admitted(caller), account);
      if (refusal !== null) return refuse(reply, refusal);
      const { role, reason = null } = body;
      const emails = adminEmails(deps);
      if (account.role !== role) {
        const detail = { from: account.role, to: role };
        const note = noteOf(deps, caller, "account.role", account, { reason, detail });
        const changed = await deps.store.accounts.setRole(account.id, role, [...emails], note);
        if (changed === "last_admin") return refuse(reply, "last_admin");
        if (changed === null) return missing(reply, "account");
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
    response: answers(AdminAccountSchema),
  };
  const isBan = verb === "ban";
  const config = {
    endpoint: `admin_account_${verb}`,
    about: isBan ? "Bans an account, and with it its bots" : "Lifts the ban of an account",
    credentials,
    refuses: isBan ? ([404, "admin_account"] as const) : ([404] as const),
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = `/api/admin/accounts/:account/${verb}` as const;
  app.post(url, options, async ({ params, body, caller }, reply) =>
    deps.door.inTurn(async () => {
      const account = await accountSought(deps, params.account);
      if (account === null) return missingAccount(reply, params.account);
      if (isBan && isAdmin(account, adminEmails(deps))) return refuse(reply, "admin_account");
      const { reason = null } = body;
      const detail = { from: account.bannedAt, to: isBan ? "banned" : null };
      const note = noteOf(deps, caller, `account.${verb}`, account, { reason, detail });
      const ban = isBan ? { at: note.at, reason } : null;
      const outcome = await deps.store.accounts.setBan(account.id, ban, note);
      const type = isBan ? "account_banned" : "account_unbanned";
      if (outcome?.isChanged === true)
        tellHolder(deps, outcome.account, { type, reason, at: note.at });
      for (const bot of await deps.store.bots.ofOwners([account.id])) deps.arena.botChanged(bot);
      return shownAs(deps, reply, account);
    }),
  );
}

const { most: MOST_BOTS } = LIMIT_TABLE.bots_per_owner;

function limitRoute(app: App, deps: ApiDeps): void {
  const max_bots = Nullable(
    Type.Integer({ minimum: 0, maximum: MOST_BOTS, description: "null for what the settings say" }),
  );
  const body = Type.Object({ max_bots, ...mayHaveReason }, CLOSED);
  const schema = { params: AccountParams, body, response: answers(AdminAccountSchema) };
  const config = {
    endpoint: "admin_account_max_bots",
    about: "Sets how many bots an account may have",
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/max-bots";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const account = await accountSought(deps, params.account);
    if (account === null) return missingAccount(reply, params.account);
    const { max_bots: most, reason = null } = body;
    const detail = { from: account.maxBots, to: most };
    const note = noteOf(deps, caller, "account.max_bots", account, { reason, detail });
    await deps.store.accounts.setMaxBots(account.id, most, note);
    return shownAs(deps, reply, account);
  });
}

function signOutRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: AccountParams,
    body: ReasonSchema,
    response: answers(AdminAccountSchema),
  };
  const config = {
    endpoint: "admin_account_sign_out",
    about: "Ends an account's sessions, keys and programs; its bots go on",
    credentials,
    refuses: [404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/accounts/:account/sign-out";
  app.post(url, options, async ({ params, body, caller }, reply) => {
    const account = await accountSought(deps, params.account);
    if (account === null) return missingAccount(reply, params.account);
    const { reason = null } = body;
    const note = noteOf(deps, caller, "account.sign_out", account, { reason });
    const second = Math.floor(deps.clock().getTime() / SECOND_MS);
    await deps.store.accounts.signOut(account.id, second, note);
    return shownAs(deps, reply, account);
  });
}

function removalRoute(app: App, deps: LadderDeps): void {
  const querystring = Type.Object(mayHaveReason);
  const schema = { params: AccountParams, querystring, response: answers(RemovedAccountSchema) };
  const config = {
    endpoint: "admin_account_removal",
    about: "Removes an account for good, and bans its bots that have played",
    credentials,
    refuses: [404, "admin_account"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/accounts/:account", options, async ({ params, query, caller }, reply) =>
    deps.door.inTurn(async () => {
      const account = await accountSought(deps, params.account);
      if (account === null) return missingAccount(reply, params.account);
      if (isAdmin(account, adminEmails(deps))) return refuse(reply, "admin_account");
      const { reason = null } = query;
      const note = noteOf(deps, caller, "account.deleted", account, { reason });
      const left = await removeAccount(deps, account, { reason }, note);
      if (left === null) return missing(reply, "account");
      tellHolder(deps, left.account, { type: "account_removed", reason, at: note.at });
      const banned = left.keptBots.filter(({ status }) => status === "banned");
      const banned_bots = banned.map(({ name }) => name);
      return { deleted: account.id, handle: account.handle, banned_bots };
    }),
  );
}
