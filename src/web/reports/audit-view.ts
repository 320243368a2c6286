// Audit entries as the API shows them.

import type { AuditView } from "#core/resources/account.ts";
import type { AuditAccount, AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

type Named = { id: string | null; name: string | null };

const shown = ({ id, name }: AuditAccount) => ({ id, handle: name });

const accountIn = ({ id, name }: Named) => (id === null ? null : { id, handle: name });

/** An account that had no handle when an entry was written has its handle of now. */
export async function auditViews(
  { accounts }: Pick<Store, "accounts">,
  entries: readonly AuditEntry[],
): Promise<AuditView[]> {
  const views = entries.map(auditView);
  const unnamed = views.flatMap((view) => accountsIn(view).filter(({ handle }) => handle === null));
  const ids = [...new Set(unnamed.map(({ id }) => id))];
  const found = await Promise.all(ids.map((id) => accounts.byId(id)));
  const handles = new Map(found.map((one, at) => [ids[at], one?.handle ?? null]));
  for (const account of unnamed) account.handle = handles.get(account.id) ?? null;
  for (const { actor, subject } of views) {
    if (actor.kind === "account") actor.name ??= handles.get(actor.id ?? "") ?? null;
    if (subject?.kind === "account") subject.name ??= handles.get(subject.id ?? "") ?? null;
  }
  return views;
}

const accountsIn = ({ actor: { account }, person }: AuditView) =>
  [account, person].filter((one) => one !== null);

function auditView({ actor, person, ...entry }: AuditEntry): AuditView {
  const { account, ...who } = actor;
  return {
    ...entry,
    subject: entry.subject && { ...entry.subject },
    actor: { ...who, account: account ? shown(account) : actorAccount(who) },
    person: person ? shown(person) : affectedIn(entry),
  };
}

const actorAccount = ({ kind, ...named }: Pick<AuditEntry["actor"], "kind" | "id" | "name">) =>
  kind === "account" ? accountIn(named) : null;

/** Entries of releases before 0.54 have only the id of the account, in their detail. */
function affectedIn({ subject, detail }: Pick<AuditEntry, "subject" | "detail">) {
  if (subject?.kind === "account") return accountIn(subject);
  const id: unknown = detail !== null && "account" in detail ? detail.account : null;
  return typeof id === "string" ? { id, handle: null } : null;
}
