// Agent keys: what programs use in the name of an account.

import { Type } from "typebox";

import { isKeyLabel } from "#core/accounts/key.ts";
import { NewKeySchema, RevokedSchema } from "#core/resources/account.ts";
import { FIXED } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { requireAccount, signedIn } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import { tellHolder } from "#web/auth/tell.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refusals, refuse, refuseWith } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import { dailyLimit, refuseDaily } from "./daily-limit.ts";

/** For every route here. */
const credentials = ["Browser"] as const;

const LabelSchema = Type.Object({
  label: Type.String({
    description: `1-${FIXED.agent_key_label_max} printable characters, for people`,
  }),
});

const BAD_LABEL = `The field 'label' of the body must have 1-${FIXED.agent_key_label_max} printable characters, without space at its ends.`;
const NOTE =
  "Keep the key: it is shown this once. It registers and deletes the account's bots: send it as 'Authorization: Bearer <key>'.";

export function agentKeyRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  revocationRoute(app, deps);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: LabelSchema, response: { 201: NewKeySchema, ...refusals } };
  const about = "Makes an agent key";
  const refuses = ["key_limit", "rate_limited"] as const;
  const config = { endpoint: "account_keys", about, credentials, refuses };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/keys", options, async ({ body, caller }, reply) => {
    const { label } = body;
    if (!isKeyLabel(label)) return refuseWith(reply, 400, BAD_LABEL);
    const person = signedIn(caller);
    const { id: accountId } = person.account;
    const id = deps.newId();
    const key = deps.newSecret("agent_key");
    const detail = { key: id, label };
    const about = aboutAccount(person.account);
    const note = entryOf(deps, actorOf(person), "key.created", about, { detail });
    const record = { id, accountId, label, created: note.at, lastUsed: null };
    const outcome = await deps.store.keys.add(
      record,
      hashToken(key),
      FIXED.agent_keys,
      note,
      person.session.claims,
    );
    if (outcome === "daily_limit")
      return refuseDaily(reply, dailyLimit("agent_keys_per_day", new Date(note.at)));
    if (outcome !== "added")
      return refuse(reply, outcome === "no_account" ? "invalid_session" : outcome);
    tellHolder(deps, person.account, { type: "new_key", label, at: note.at });
    reply.code(201);
    return { id, label, created: record.created, key, note: NOTE };
  });
}

function revocationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ id: Type.String({ description: "id of the key" }) }),
    response: answers(RevokedSchema),
  };
  const about = "Revokes an agent key";
  const config = { endpoint: "account_key", about, credentials, refuses: [404] as const };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/keys/:id", options, async ({ params, caller }, reply) => {
    const person = signedIn(caller);
    const { account } = person;
    const key = (await deps.store.keys.list(account.id)).find(({ id }) => id === idOf(params.id));
    if (key === undefined) return missing(reply, "key");
    const detail = { key: key.id, label: key.label };
    const note = entryOf(deps, actorOf(person), "key.revoked", aboutAccount(account), { detail });
    const revoked = await deps.store.keys.revoke(account.id, key.id, note);
    return revoked === null ? missing(reply, "key") : { revoked: true as const };
  });
}
