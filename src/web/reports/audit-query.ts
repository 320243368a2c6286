// How requests select audit entries.

import { Type } from "typebox";
import type { Static } from "typebox";

import { readInstant } from "#base/clock/instant.ts";
import { ACTOR_KINDS, AUDIT_KINDS } from "#core/words/audit.ts";
import type { AuditKind } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import { STORABLE } from "#data/access/storable.ts";
import type { AuditMatch, AuditQuery } from "#data/store/audit.ts";
import { accountNow } from "#web/admin/operator.ts";
import type { ApiDeps } from "#web/http/deps.ts";

const text = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FIXED.search_text_max,
      pattern: STORABLE,
      description,
    }),
  );

export const auditSelection = {
  kind: Type.Optional(
    Type.String({ description: "a kind, or the beginning of several up to their `.`, as `bot.`" }),
  ),
  actor: text(
    `who acted: a handle (through an agent key too), a key's label, a bot, an id, or ${ACTOR_KINDS.join(", ")}`,
  ),
  subject: text("what was changed, or the account affected: a handle, a name, or an id"),
  since: Type.Optional(Type.String({ description: "an instant with its offset; included" })),
  until: Type.Optional(Type.String({ description: "an instant with its offset; excluded" })),
};

const Selection = Type.Object(auditSelection);
type Selection = Static<typeof Selection>;

/** Returns the query, or the name of the field that is no instant. */
export async function auditQuery(
  deps: ApiDeps,
  { kind, actor, subject, since, until }: Selection,
): Promise<Omit<AuditQuery, "limit" | "before"> | "since" | "until"> {
  const from = since === undefined ? undefined : readInstant(since);
  const to = until === undefined ? undefined : readInstant(until);
  if (from === null) return "since";
  if (to === null) return "until";
  return {
    ...(kind !== undefined && { kind: kindsOf(kind) }),
    ...(actor !== undefined && { actor: await matchOf(deps, actor) }),
    ...(subject !== undefined && { subject: await matchOf(deps, subject) }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  };
}

/** A handle finds the account's entries under all its handles. */
async function matchOf(deps: ApiDeps, name: string): Promise<AuditMatch> {
  const account = await accountNow(deps, name);
  return { name, ids: [name.toLowerCase(), name, ...(account === null ? [] : [account.id])] };
}

/** None for a kind that there is not. */
const kindsOf = (text: string): AuditKind[] =>
  AUDIT_KINDS.filter((kind) => (text.endsWith(".") ? kind.startsWith(text) : kind === text));
