import { Type } from "typebox";
import type { Static } from "typebox";

import { parseIsoInstant } from "#base/clock/parse-instant.ts";
import { ACTOR_KINDS, AUDIT_KINDS } from "#core/ids/audit-kinds.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { STORABLE_PATTERN } from "#data/credentials/storable-text.ts";
import type { AuditPartyFilter, AuditQuery } from "#data/store/audit.ts";
import { findAccountByAnyHandle } from "#web/admin/admin-route.ts";
import type { ApiDeps } from "#web/http/deps.ts";

const text = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FIXED_LIMITS.search_text_max,
      pattern: STORABLE_PATTERN,
      description,
    }),
  );

export const auditSelection = {
  kind: Type.Optional(
    Type.String({ description: "a kind, or a prefix that ends with `.`, such as `bot.`" }),
  ),
  actor: text(
    `the actor: a handle (also when acting through an agent key), a key's label, a bot, an id, or ${ACTOR_KINDS.join(", ")}`,
  ),
  subject: text("the changed object or affected account: a handle, a name, or an id"),
  since: Type.Optional(Type.String({ description: "an instant with its UTC offset; inclusive" })),
  until: Type.Optional(Type.String({ description: "an instant with its UTC offset; exclusive" })),
};

const AuditSelection = Type.Object(auditSelection);
type AuditSelection = Static<typeof AuditSelection>;

/** Returns the query, or the name of the field with a malformed instant. */
export async function auditQuery(
  deps: ApiDeps,
  { kind, actor, subject, since, until }: AuditSelection,
): Promise<Omit<AuditQuery, "limit" | "before"> | "since" | "until"> {
  const from = since === undefined ? undefined : parseIsoInstant(since);
  const to = until === undefined ? undefined : parseIsoInstant(until);
  if (from === null) return "since";
  if (to === null) return "until";
  return {
    ...(kind !== undefined && { kind: kindsOf(kind) }),
    ...(actor !== undefined && { actor: await auditMatch(deps, actor) }),
    ...(subject !== undefined && { subject: await auditMatch(deps, subject) }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

/** A handle matches the account's entries under all of its handles. */
async function auditMatch(deps: ApiDeps, name: string): Promise<AuditPartyFilter> {
  const account = await findAccountByAnyHandle(deps, name);
  return { name, ids: [name.toLowerCase(), name, ...(account === null ? [] : [account.id])] };
}

/** Returns an empty list for an unknown kind, which then matches no entries. */
const kindsOf = (text: string): AuditKind[] =>
  AUDIT_KINDS.filter((kind) => (text.endsWith(".") ? kind.startsWith(text) : kind === text));
