import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditAccount, AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import type { Caller } from "./account-lookup.ts";

type Actor = AuditEntry["actor"];
type Subject = AuditEntry["subject"];

export type AuditDetails = Partial<Pick<AuditEntry, "reason" | "detail" | "person">>;

export function newAuditEntry(
  { newId, clock }: Pick<ApiDeps, "newId" | "clock">,
  actor: Actor,
  kind: AuditKind,
  subject: Subject,
  { reason = null, detail = null, person }: AuditDetails = {},
): AuditEntry {
  const at = clock().toISOString();
  return { id: newId(), at, kind, actor, subject, ...(person && { person }), reason, detail };
}

/** Returns the actor of an audit entry: the account, or the agent key it used. */
export function auditActor({ account, key }: Caller): Actor {
  if (key !== null)
    return { kind: "agent_key", id: key.id, name: key.label, account: auditPerson(account) };
  return { kind: "account", id: account.id, name: account.handle };
}

export const auditPerson = ({
  id,
  handle,
}: Pick<AccountRecord, "id" | "handle">): AuditAccount => ({
  id,
  name: handle,
});

/**
 * Returns the account that owns a bot, for the `person` of an audit entry. Empty if the owner has
 * no account.
 */
export function auditOwner({ owner, ownerId }: Pick<BotRecord, "owner" | "ownerId">) {
  const id = accountIdOfOwner(ownerId);
  return id === null ? {} : { person: { id, name: owner } };
}

export const botSubject = ({ id, name }: Pick<BotRecord, "id" | "name">) =>
  ({ kind: "bot", id, name }) as const;

export const accountSubject = ({ id, handle }: Pick<AccountRecord, "id" | "handle">) =>
  ({ kind: "account", id, name: handle }) as const;
