import type { Selectable } from "kysely";

import type { IncidentScope, NewIncident } from "#core/mail/incident.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { IncidentRecord } from "#data/store/delivery.ts";

import type { IncidentTable } from "./mail-tables.ts";

export async function openIncidentScopes(database: Database): Promise<IncidentScope[]> {
  const openQuery = database
    .selectFrom("mail_incidents")
    .select("scope")
    .where("resolved", "is", null);
  return (await openQuery.execute()).map(({ scope }) => scope);
}

export async function openIncident(
  tx: OpenTransaction,
  { scope, cause }: NewIncident,
  audit: AuditEntry,
): Promise<boolean> {
  if ((await openIncidentScopes(tx)).includes(scope)) return false;
  const { id, at } = audit;
  const row = { id, scope, opened: at, cause, resolved: null, resolved_by: null, resolution: null };
  await tx.insertInto("mail_incidents").values(row).execute();
  const subject = { kind: "incident", id, name: scope } as const;
  await addAudit(tx, [{ ...audit, subject, detail: { scope, cause } }]);
  return true;
}

export async function listIncidents(database: Database, limit: number): Promise<IncidentRecord[]> {
  const rows = database
    .selectFrom("mail_incidents")
    .selectAll()
    .orderBy("opened", "desc")
    .orderBy("id", "desc");
  return (await rows.limit(limit).execute()).map(toIncident);
}

export async function resolveIncident(
  tx: OpenTransaction,
  scope: IncidentScope,
  resolvedBy: string | null,
  audit: AuditEntry,
): Promise<IncidentRecord | null> {
  const row = await tx
    .selectFrom("mail_incidents")
    .selectAll()
    .where("scope", "=", scope)
    .where("resolved", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const columns = { resolved: audit.at, resolved_by: resolvedBy, resolution: audit.reason };
  await tx.updateTable("mail_incidents").set(columns).where("id", "=", row.id).execute();
  const subject = { kind: "incident", id: row.id, name: scope } as const;
  await addAudit(tx, [{ ...audit, subject }]);
  return toIncident({ ...row, ...columns });
}

function toIncident(row: Selectable<IncidentTable>): IncidentRecord {
  const { id, scope, opened, cause, resolved, resolution } = row;
  return { id, scope, opened, cause, resolved, resolvedBy: row.resolved_by, resolution };
}
