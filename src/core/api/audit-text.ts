// Formats audit entries. The console and the terminal show the same text.

import type { AuditView } from "./account.ts";

type Actor = AuditView["actor"];

/** Returns text such as "ada", "ada (agent key ops)", "owner key 7" or "system". */
export function auditActorText({ kind, id, name, account }: Actor): string {
  const actorName = name ?? id;
  const accountName = account === null ? null : (account.handle ?? account.id);
  if (kind === "agent_key")
    return `${accountName === null ? "" : `${accountName} `}(agent key ${actorName})`.trim();
  if (accountName !== null) return accountName;
  if (actorName === null) return kind;
  return kind === "owner_key" ? `owner key ${actorName}` : actorName;
}

/** Returns the handle or id of the affected account, or null if the entry affects no account. */
export const auditPersonText = ({ person }: Pick<AuditView, "person">): string | null =>
  person && (person.handle ?? person.id);

const FIELDS_IN_OTHER_COLUMNS = new Set(["account"]);

/** Returns what changed, with old and new values first, or null if the entry has no detail. */
export function auditChangeText({ detail }: Pick<AuditView, "detail">): string | null {
  if (detail === null) return null;
  const fields: Record<string, unknown> = { ...detail };
  const parts: string[] = [];
  if (isChange(fields)) parts.push(changeArrow(fields));
  for (const [name, value] of Object.entries(fields)) {
    if (
      FIELDS_IN_OTHER_COLUMNS.has(name) ||
      (isChange(fields) && (name === "from" || name === "to"))
    )
      continue;
    if (Array.isArray(value) && value.every(isChange)) parts.push(...value.map(listedChangeText));
    else parts.push(`${name}: ${isChange(value) ? changeArrow(value) : valueText(value)}`);
  }
  return parts.join(", ");
}

type Change = { from: unknown; to: unknown };

const isChange = (value: unknown): value is Change =>
  typeof value === "object" && value !== null && "from" in value && "to" in value;

const changeArrow = ({ from, to }: Change): string => `${valueText(from)} → ${valueText(to)}`;

function listedChangeText(change: Change & { field?: unknown; ladder_id?: unknown }): string {
  const { field, ladder_id: ladder = null } = change;
  const ladderText = typeof ladder === "string" ? ` of ${ladder}` : "";
  return `${valueText(field ?? "change")}${ladderText}: ${changeArrow(change)}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
