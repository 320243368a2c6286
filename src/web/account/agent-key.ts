import { Type } from "typebox";

import { isAgentKeyLabel } from "#core/accounts/agent-key-label.ts";
import { NewKeySchema, RevokedKeySchema } from "#core/api/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { sendAccountEmail } from "#web/auth/account-email.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { requireAccount, assertSignedIn } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import {
  refuseNotFound,
  errorResponses,
  refuseWithCode,
  refuseWithStatus,
} from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import { dailyLimit, refuseDailyLimit } from "./daily-limit.ts";

const credentials = ["Browser"] as const;

const LabelSchema = Type.Object({
  label: Type.String({
    description: `1-${FIXED_LIMITS.agent_key_label_max} printable characters`,
  }),
});

const INVALID_LABEL = `The field 'label' of the body must have 1-${FIXED_LIMITS.agent_key_label_max} printable characters, without leading or trailing spaces.`;
const KEEP_KEY_NOTE =
  "Save the key now: it won't be shown again. It can register and delete the account's bots. Send it as 'Authorization: Bearer <key>'.";

export function agentKeyRoutes(app: App, deps: ApiDeps): void {
  creationRoute(app, deps);
  revocationRoute(app, deps);
}

function creationRoute(app: App, deps: ApiDeps): void {
  const schema = { body: LabelSchema, response: { 201: NewKeySchema, ...errorResponses } };
  const about = "Creates an agent key";
  const errorCodes = ["key_limit", "rate_limited"] as const;
  const config = { endpoint: "account_keys", summary: about, credentials, errorCodes: errorCodes };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.post("/api/account/keys", options, async ({ body, caller }, reply) => {
    const { label } = body;
    if (!isAgentKeyLabel(label)) return refuseWithStatus(reply, 400, INVALID_LABEL);
    const person = assertSignedIn(caller);
    const { id: accountId } = person.account;
    const id = deps.newId();
    const key = deps.newSecret("agent_key");
    const detail = { key: id, label };
    const summary = accountSubject(person.account);
    const auditEntry = newAuditEntry(deps, auditActor(person), "key.created", summary, { detail });
    const record = { id, accountId, label, created: auditEntry.at, lastUsed: null };
    const outcome = await deps.store.keys.add(
      record,
      hashToken(key),
      FIXED_LIMITS.agent_keys,
      auditEntry,
      person.session.claims,
    );
    if (outcome === "daily_limit")
      return refuseDailyLimit(reply, dailyLimit("agent_keys_per_day", new Date(auditEntry.at)));
    if (outcome !== "added")
      return refuseWithCode(reply, outcome === "no_account" ? "invalid_session" : outcome);
    sendAccountEmail(deps, person.account, { type: "new_key", label, at: auditEntry.at });
    reply.code(201);
    return { id, label, created: record.created, key, note: KEEP_KEY_NOTE };
  });
}

function revocationRoute(app: App, deps: ApiDeps): void {
  const schema = {
    params: Type.Object({ id: Type.String({ description: "id of the key" }) }),
    response: okResponses(RevokedKeySchema),
  };
  const summary = "Revokes an agent key";
  const config = {
    endpoint: "account_key",
    summary: summary,
    credentials,
    errorCodes: [404] as const,
  };
  const options = { schema, config, onRequest: requireAccount(deps) };
  app.delete("/api/account/keys/:id", options, async ({ params, caller }, reply) => {
    const person = assertSignedIn(caller);
    const { account } = person;
    const key = (await deps.store.keys.list(account.id)).find(
      ({ id }) => id === parseId(params.id),
    );
    if (key === undefined) return refuseNotFound(reply, "key");
    const detail = { key: key.id, label: key.label };
    const auditEntry = newAuditEntry(
      deps,
      auditActor(person),
      "key.revoked",
      accountSubject(account),
      { detail },
    );
    const revokedKey = await deps.store.keys.revoke(account.id, key.id, auditEntry);
    return revokedKey === null ? refuseNotFound(reply, "key") : { revoked: true as const };
  });
}
