import { Type } from "typebox";

import { ownerNameError, normalizeOwner, ownerIdOf } from "#core/accounts/name-rules.ts";
import { NewOwnerSchema, KeyOwnerSchema } from "#core/api/admin.ts";
import { LIMIT_TABLE } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { errorResponses, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { CLOSED_OBJECT, credentials, operatorHooks } from "./admin-route.ts";

const NewOwner = Type.Object(
  {
    name: Type.String({ description: "owner name shown on the bots" }),
    max_bots: Type.Integer({ minimum: 0, maximum: LIMIT_TABLE.bots_per_owner.most }),
  },
  CLOSED_OBJECT,
);

export function ownerRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  listRoute(app, deps);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NewOwner, response: { 201: NewOwnerSchema, ...errorResponses } };
  const config = {
    endpoint: "admin_owner",
    summary: "Creates an owner without an account, and its key",
    credentials,
    errorCodes: ["invalid_handle", "handle_taken"] as const,
    fieldCodes: { name: "invalid_handle" } as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/owners", options, async ({ body, caller }, reply) => {
    const { name, max_bots } = body;
    if (ownerNameError(name) !== null) return refuseWithCode(reply, "invalid_handle");
    const key = deps.newSecret("owner_key");
    const detail = { owner: name, max_bots };
    const auditEntry = newAuditEntry(
      deps,
      auditActor(assertAuthenticated(caller)),
      "owner.created",
      null,
      { detail },
    );
    const owner = { name, maxBots: max_bots, created: auditEntry.at };
    const isAdded = await deps.store.owners.add(owner, hashToken(key), auditEntry.at, auditEntry);
    if (!isAdded) return refuseWithCode(reply, "handle_taken");
    reply.code(201);
    return { name, max_bots, owner_key: key };
  });
}

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(Type.Array(KeyOwnerSchema)) };
  const summary = "Owners with a key, and their bots";
  const config = { endpoint: "admin_owners", summary, credentials };
  app.get("/api/admin/owners", { schema, config, ...operatorHooks(deps) }, async () => {
    const owners = await deps.store.owners.list();
    const online = deps.arena.onlineIds();
    const toOwnerId = (name: string) => ownerIdOf({ house: false, owner: name, accountId: null });
    const bots = await deps.store.bots.listByOwners(owners.map(({ name }) => toOwnerId(name)));
    return owners.map(({ name, maxBots, created }) => ({
      name,
      max_bots: maxBots,
      created,
      bots: bots
        .filter((bot) => normalizeOwner(bot.owner) === normalizeOwner(name))
        .map((bot) => ({ name: bot.name, status: bot.status, online: online.has(bot.id) })),
    }));
  });
}
