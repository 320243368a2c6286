// Audit entries of what people do over HTTP.

import type { AuditKind } from "#core/words/audit.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import type { Caller } from "./people.ts";

type Actor = AuditEntry["actor"];
type Subject = AuditEntry["subject"];

/** An entry of this moment. */
export function entryOf(
  { newId, clock }: Pick<ApiDeps, "newId" | "clock">,
  actor: Actor,
  kind: AuditKind,
  subject: Subject,
  { reason = null, detail = null }: Partial<Pick<AuditEntry, "reason" | "detail">> = {},
): AuditEntry {
  return { id: newId(), at: clock().toISOString(), kind, actor, subject, reason, detail };
}

/** A person, or the key that acts for one. */
export function actorOf({ account, key }: Caller): Actor {
  if (key !== null) return { kind: "agent_key", id: key.id, name: key.label };
  return { kind: "account", id: account.id, name: account.handle };
}

export const aboutBot = ({ id, name }: Pick<BotRecord, "id" | "name">) =>
  ({ kind: "bot", id, name }) as const;

export const aboutAccount = ({ id, handle }: Pick<AccountRecord, "id" | "handle">) =>
  ({ kind: "account", id, name: handle }) as const;
