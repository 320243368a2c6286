// Audit entries of what people do over HTTP.

import { accountOf } from "#core/accounts/name.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditAccount, AuditEntry } from "#data/store/audit.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import type { Caller } from "./people.ts";

type Actor = AuditEntry["actor"];
type Subject = AuditEntry["subject"];

export type EntryDetails = Partial<Pick<AuditEntry, "reason" | "detail" | "person">>;

/** An entry of this moment. */
export function entryOf(
  { newId, clock }: Pick<ApiDeps, "newId" | "clock">,
  actor: Actor,
  kind: AuditKind,
  subject: Subject,
  { reason = null, detail = null, person }: EntryDetails = {},
): AuditEntry {
  const at = clock().toISOString();
  return { id: newId(), at, kind, actor, subject, ...(person && { person }), reason, detail };
}

/** A person, or the key that acts for one. */
export function actorOf({ account, key }: Caller): Actor {
  if (key !== null)
    return { kind: "agent_key", id: key.id, name: key.label, account: personOf(account) };
  return { kind: "account", id: account.id, name: account.handle };
}

/** An account as the one that an entry affects. */
export const personOf = ({ id, handle }: Pick<AccountRecord, "id" | "handle">): AuditAccount => ({
  id,
  name: handle,
});

/** The account that owns a bot, if one does, as the one that an entry affects. */
export function ownerOf({ owner, ownerId }: Pick<BotRecord, "owner" | "ownerId">) {
  const id = accountOf(ownerId);
  return id === null ? {} : { person: { id, name: owner } };
}

export const aboutBot = ({ id, name }: Pick<BotRecord, "id" | "name">) =>
  ({ kind: "bot", id, name }) as const;

export const aboutAccount = ({ id, handle }: Pick<AccountRecord, "id" | "handle">) =>
  ({ kind: "account", id, name: handle }) as const;
