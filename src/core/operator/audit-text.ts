// Audit entries in words, the same in the console and in the terminal.

import type { AuditView } from "#core/resources/account.ts";

type Actor = AuditView["actor"];

/** "ada", "ada (agent key ops)", "owner key 7", "system". */
export function actorText({ kind, id, name, account }: Actor): string {
  const called = name ?? id;
  const who = account === null ? null : (account.handle ?? account.id);
  if (kind === "agent_key") return `${who === null ? "" : `${who} `}(agent key ${called})`.trim();
  if (who !== null) return who;
  if (called === null) return kind;
  return kind === "owner_key" ? `owner key ${called}` : called;
}

/** The account affected; null if the entry is about none. */
export const personText = ({ person }: Pick<AuditView, "person">): string | null =>
  person && (person.handle ?? person.id);

/** Fields that other columns show. */
const SHOWN_ELSEWHERE = new Set(["account"]);

/** What changed: old and new values first. Null without a detail. */
export function changeText({ detail }: Pick<AuditView, "detail">): string | null {
  if (detail === null) return null;
  const fields: Record<string, unknown> = { ...detail };
  const words: string[] = [];
  if (isChange(fields)) words.push(arrow(fields));
  for (const [name, value] of Object.entries(fields)) {
    if (SHOWN_ELSEWHERE.has(name) || (isChange(fields) && (name === "from" || name === "to")))
      continue;
    if (Array.isArray(value) && value.every(isChange)) words.push(...value.map(listedChange));
    else words.push(`${name}: ${isChange(value) ? arrow(value) : valueText(value)}`);
  }
  return words.join(", ");
}

type Change = { from: unknown; to: unknown };

const isChange = (value: unknown): value is Change =>
  typeof value === "object" && value !== null && "from" in value && "to" in value;

const arrow = ({ from, to }: Change): string => `${valueText(from)} → ${valueText(to)}`;

function listedChange(change: Change & { field?: unknown; ladder_id?: unknown }): string {
  const { field, ladder_id: ladder = null } = change;
  const of = typeof ladder === "string" ? ` of ${ladder}` : "";
  return `${valueText(field ?? "change")}${of}: ${arrow(change)}`;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}
