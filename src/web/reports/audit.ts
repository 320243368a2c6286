// What was done on the ladder, by whom and to what.

import { Readable } from "node:stream";

import { Type } from "typebox";

import { csvHead, csvRows } from "#base/units/csv.ts";
import type { CsvColumn } from "#base/units/csv.ts";
import { AuditEntrySchema } from "#core/resources/account.ts";
import type { AuditView } from "#core/resources/account.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AuditEntry, AuditQuery } from "#data/store/audit.ts";
import { credentials, operatorHooks } from "#web/admin/operator.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuseWith } from "#web/http/errors.ts";
import { answers, idOf } from "#web/http/query.ts";

import { auditQuery, auditSelection } from "./audit-query.ts";
import { auditViews } from "./audit-view.ts";
import { asFile, TABLE_TYPES, tableFormat } from "./table-answer.ts";
import type { TableFormat } from "./table-answer.ts";

const ListQuery = Type.Object({
  ...auditSelection,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.audit_list_max,
      description: `${FIXED.audit_list_default} if absent`,
    }),
  ),
  before: Type.Optional(Type.String({ description: "id of an entry; the list has older ones" })),
});

export function auditRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  exportRoute(app, deps);
}

const notInstant = (field: string) =>
  `The field '${field}' of the query must be an instant with its offset from UTC, such as 2027-03-04T18:00:00Z.`;

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { querystring: ListQuery, response: answers(Type.Array(AuditEntrySchema)) };
  const about = "What was done, by whom and to what, newest first";
  const config = { endpoint: "admin_audit", about, credentials, refuses: [400, 404] as const };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/audit", options, async ({ query }, reply) => {
    const { before, limit = FIXED.audit_list_default, ...selection } = query;
    const selected = await auditQuery(deps, selection);
    if (typeof selected === "string") return refuseWith(reply, 400, notInstant(selected));
    const place = before === undefined ? undefined : await entrySought(deps, before);
    if (place === null) return missing(reply, "audit entry");
    const entries = await deps.store.audit.list({
      ...selected,
      limit,
      ...(place !== undefined && { before: place }),
    });
    return auditViews(deps.store, entries);
  });
}

async function entrySought({ store }: ApiDeps, text: string) {
  const id = idOf(text);
  return id === null ? null : store.audit.byId(id);
}

function exportRoute(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ ...auditSelection, format: tableFormat });
  const response = answers(Type.Unsafe<unknown>(Type.Array(AuditEntrySchema)));
  const config = {
    endpoint: "admin_audit_export",
    about: "All audit entries that match, newest first, as a file",
    credentials,
    types: TABLE_TYPES,
    refuses: [400] as const,
  };
  const options = { schema: { querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/audit/export", options, async ({ query, method }, reply) => {
    const { format = "json", ...selection } = query;
    const selected = await auditQuery(deps, selection);
    if (typeof selected === "string") return refuseWith(reply, 400, notInstant(selected));
    asFile(reply, "audit", format);
    return reply.send(
      Readable.from(method === "HEAD" ? [] : textOf(pagesOf(deps, selected), format)),
    );
  });
}

/** Reads a page at a time, so that a long audit is neither held in memory nor blocks matches. */
async function* pagesOf(
  { store }: ApiDeps,
  query: Omit<AuditQuery, "limit" | "before">,
): AsyncGenerator<AuditView[]> {
  const limit = FIXED.audit_list_max;
  let page: AuditEntry[] = await store.audit.list({ ...query, limit });
  while (page.length > 0) {
    yield await auditViews(store, page);
    const before = page.at(-1);
    if (page.length < limit || before === undefined) return;
    page = await store.audit.list({ ...query, limit, before });
  }
}

async function* textOf(pages: AsyncIterable<AuditView[]>, format: TableFormat) {
  let separator = "[";
  if (format === "csv") yield csvHead(COLUMNS);
  for await (const page of pages) {
    if (format === "csv") yield csvRows(COLUMNS, page);
    else
      for (const entry of page) {
        yield `${separator}\n${JSON.stringify(entry)}`;
        separator = ",";
      }
  }
  if (format === "json") yield separator === "[" ? "[]\n" : "\n]\n";
}

const COLUMNS: readonly CsvColumn<AuditView>[] = [
  { title: "id", of: ({ id }) => id },
  { title: "at", of: ({ at }) => at },
  { title: "kind", of: ({ kind }) => kind },
  { title: "actor_kind", of: ({ actor }) => actor.kind },
  { title: "actor_id", of: ({ actor }) => actor.id },
  { title: "actor_name", of: ({ actor }) => actor.name },
  { title: "actor_account_id", of: ({ actor }) => actor.account?.id ?? null },
  { title: "actor_handle", of: ({ actor }) => actor.account?.handle ?? null },
  { title: "subject_kind", of: ({ subject }) => subject?.kind ?? null },
  { title: "subject_id", of: ({ subject }) => subject?.id ?? null },
  { title: "subject_name", of: ({ subject }) => subject?.name ?? null },
  { title: "person_id", of: ({ person }) => person?.id ?? null },
  { title: "person_handle", of: ({ person }) => person?.handle ?? null },
  { title: "reason", of: ({ reason }) => reason },
  { title: "detail", of: ({ detail }) => detail && JSON.stringify(detail) },
];
