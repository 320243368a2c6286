// Owners without an account to whom an operator gives a key, for anonymous ladders.

import { Type } from "typebox";

import { ownerFault, ownerFold, ownerIdOf } from "#core/accounts/name.ts";
import { NewOwnerSchema, OwnerSchema } from "#core/resources/admin.ts";
import { LIMIT_TABLE } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refusals, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { CLOSED, credentials, operatorHooks } from "./operator.ts";

const NewOwner = Type.Object(
  {
    name: Type.String({ description: "what the bots show as their owner" }),
    max_bots: Type.Integer({ minimum: 0, maximum: LIMIT_TABLE.bots_per_owner.most }),
  },
  CLOSED,
);

export function ownerRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  listRoute(app, deps);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: NewOwner, response: { 201: NewOwnerSchema, ...refusals } };
  const config = {
    endpoint: "admin_owner",
    about: "Makes an owner without an account, and its key",
    credentials,
    refuses: ["invalid_handle", "handle_taken"] as const,
    fieldCodes: { name: "invalid_handle" } as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/owners", options, async ({ body, caller }, reply) => {
    const { name, max_bots } = body;
    if (ownerFault(name) !== null) return refuse(reply, "invalid_handle");
    const key = deps.newSecret("owner_key");
    const detail = { owner: name, max_bots };
    const note = entryOf(deps, actorOf(admitted(caller)), "owner.created", null, { detail });
    const owner = { name, maxBots: max_bots, created: note.at };
    const isAdded = await deps.store.owners.add(owner, hashToken(key), note.at, note);
    if (!isAdded) return refuse(reply, "handle_taken");
    reply.code(201);
    return { name, max_bots, owner_key: key };
  });
}

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { response: answers(Type.Array(OwnerSchema)) };
  const about = "Owners with a key, and their bots";
  const config = { endpoint: "admin_owners", about, credentials };
  app.get("/api/admin/owners", { schema, config, ...operatorHooks(deps) }, async () => {
    const owners = await deps.store.owners.list();
    const online = deps.arena.onlineIds();
    const idOf = (name: string) => ownerIdOf({ house: false, owner: name, accountId: null });
    const bots = await deps.store.bots.ofOwners(owners.map(({ name }) => idOf(name)));
    return owners.map(({ name, maxBots, created }) => ({
      name,
      max_bots: maxBots,
      created,
      bots: bots
        .filter((bot) => ownerFold(bot.owner) === ownerFold(name))
        .map((bot) => ({ name: bot.name, status: bot.status, online: online.has(bot.id) })),
    }));
  });
}
