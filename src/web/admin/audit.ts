// What was done on the ladder, by whom and to what.

import { Type } from "typebox";

import { AuditEntrySchema } from "#core/resources/account.ts";
import { AUDIT_KINDS } from "#core/words/audit.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import { credentials, operatorHooks } from "./operator.ts";

const AuditQuery = Type.Object({
  kind: Type.Optional(
    Type.String({ description: "a kind, or the beginning of several up to their `.`, as `bot.`" }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.audit_list_max,
      description: `${FIXED.audit_list_default} if absent`,
    }),
  ),
  before: Type.Optional(Type.String({ description: "id of an entry; the list has older ones" })),
});

export function auditRoutes(app: App, deps: ApiDeps): void {
  const schema = { querystring: AuditQuery, response: answers(Type.Array(AuditEntrySchema)) };
  const about = "What was done, by whom and to what, newest first";
  const config = { endpoint: "admin_audit", about, credentials, refuses: [404] as const };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/audit", options, async ({ query }, reply) => {
    const { kind, before, limit = FIXED.audit_list_default } = query;
    const place = before === undefined ? undefined : await entrySought(deps, before);
    if (place === null) return missing(reply, "audit entry");
    return deps.store.audit.list({
      limit,
      ...(kind !== undefined && { kind: kindsOf(kind) }),
      ...(place !== undefined && { before: place }),
    });
  });
}

async function entrySought({ store }: ApiDeps, text: string) {
  const id = idOf(text);
  return id === null ? null : store.audit.byId(id);
}

/** None for a kind that there is not. */
const kindsOf = (text: string): AuditKind[] =>
  AUDIT_KINDS.filter((kind) => (text.endsWith(".") ? kind.startsWith(text) : kind === text));
