import type { AuditView } from "#core/api/account.ts";
import type { AuditAccount, AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";

type NamedAccount = { id: string | null; name: string | null };

const toAccount = ({ id, name }: AuditAccount) => ({ id, handle: name });

const accountOrNull = ({ id, name }: NamedAccount) => (id === null ? null : { id, handle: name });

/**
 * Returns entries as operators see them. Adds the current handle of accounts that had no handle
 * when the entry was written.
 */
export async function auditViews(
  { accounts }: Pick<Store, "accounts">,
  entries: readonly AuditEntry[],
): Promise<AuditView[]> {
  const views = entries.map(auditView);
  const accountsWithoutHandle = views.flatMap((view) =>
    accountsIn(view).filter(({ handle }) => handle === null),
  );
  const ids = [...new Set(accountsWithoutHandle.map(({ id }) => id))];
  const records = await Promise.all(ids.map((id) => accounts.byId(id)));
  const handles = new Map(records.map((account, index) => [ids[index], account?.handle ?? null]));
  for (const account of accountsWithoutHandle) account.handle = handles.get(account.id) ?? null;
  for (const { actor, subject } of views) {
    if (actor.kind === "account") actor.name ??= handles.get(actor.id ?? "") ?? null;
    if (subject?.kind === "account") subject.name ??= handles.get(subject.id ?? "") ?? null;
  }
  return views;
}

const accountsIn = ({ actor: { account }, person }: AuditView) =>
  [account, person].filter((account) => account !== null);

function auditView({ actor, person, ...entry }: AuditEntry): AuditView {
  const { account, ...actorFields } = actor;
  return {
    ...entry,
    subject: entry.subject && { ...entry.subject },
    actor: { ...actorFields, account: account ? toAccount(account) : actorAccount(actorFields) },
    person: person ? toAccount(person) : affectedAccount(entry),
  };
}

const actorAccount = ({
  kind,
  ...actorFields
}: Pick<AuditEntry["actor"], "kind" | "id" | "name">) =>
  kind === "account" ? accountOrNull(actorFields) : null;

/** Releases before 0.54 stored the account's id only in the detail. */
function affectedAccount({ subject, detail }: Pick<AuditEntry, "subject" | "detail">) {
  if (subject?.kind === "account") return accountOrNull(subject);
  const id: unknown = detail !== null && "account" in detail ? detail.account : null;
  return typeof id === "string" ? { id, handle: null } : null;
}
