import { Readable } from "node:stream";

import { Type } from "typebox";

import { csvHead, csvRows } from "#base/util/csv.ts";
import type { CsvColumn } from "#base/util/csv.ts";
import { AuditEntrySchema } from "#core/api/account.ts";
import type { AuditView } from "#core/api/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { AuditEntry, AuditQuery } from "#data/store/audit.ts";
import { credentials, operatorHooks } from "#web/admin/admin-route.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses, parseId } from "#web/http/route-params.ts";

import { auditQuery, auditSelection } from "./audit-query.ts";
import { auditViews } from "./audit-view.ts";
import { setDownloadHeaders, TABLE_TYPES, tableFormat } from "./table-response.ts";
import type { TableFormat } from "./table-response.ts";

const ListQuery = Type.Object({
  ...auditSelection,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.audit_list_max,
      description: `default: ${FIXED_LIMITS.audit_list_default}`,
    }),
  ),
  before: Type.Optional(Type.String({ description: "id of an entry; lists older entries only" })),
});

export function auditRoutes(app: App, deps: ApiDeps): void {
  listRoute(app, deps);
  exportRoute(app, deps);
}

const invalidInstantText = (field: string) =>
  `The query parameter '${field}' must be an instant with its UTC offset, such as 2027-03-04T18:00:00Z.`;

function listRoute(app: App, deps: ApiDeps): void {
  const schema = { querystring: ListQuery, response: okResponses(Type.Array(AuditEntrySchema)) };
  const summary = "Audit log, newest entries first";
  const config = {
    endpoint: "admin_audit",
    summary: summary,
    credentials,
    errorCodes: [400, 404] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.get("/api/admin/audit", options, async ({ query }, reply) => {
    const { before, limit = FIXED_LIMITS.audit_list_default, ...selection } = query;
    const filter = await auditQuery(deps, selection);
    if (typeof filter === "string") return refuseWithStatus(reply, 400, invalidInstantText(filter));
    const cursor = before === undefined ? undefined : await findEntry(deps, before);
    if (cursor === null) return refuseNotFound(reply, "audit entry");
    const entries = await deps.store.audit.list({
      ...filter,
      limit,
      ...(cursor !== undefined && { before: cursor }),
    });
    return auditViews(deps.store, entries);
  });
}

async function findEntry({ store }: ApiDeps, text: string) {
  const id = parseId(text);
  return id === null ? null : store.audit.byId(id);
}

function exportRoute(app: App, deps: ApiDeps): void {
  const querystring = Type.Object({ ...auditSelection, format: tableFormat });
  const response = okResponses(Type.Unsafe<unknown>(Type.Array(AuditEntrySchema)));
  const config = {
    endpoint: "admin_audit_export",
    summary: "Exports all matching audit entries as a file, newest first",
    credentials,
    types: TABLE_TYPES,
    errorCodes: [400] as const,
  };
  const options = { schema: { querystring, response }, config, ...operatorHooks(deps) };
  app.get("/api/admin/audit/export", options, async ({ query, method }, reply) => {
    const { format = "json", ...selection } = query;
    const filter = await auditQuery(deps, selection);
    if (typeof filter === "string") return refuseWithStatus(reply, 400, invalidInstantText(filter));
    setDownloadHeaders(reply, "audit", format);
    return reply.send(
      Readable.from(method === "HEAD" ? [] : exportText(auditPages(deps, filter), format)),
    );
  });
}

/** Reads page by page, so that a long audit log neither fills memory nor blocks matches. */
async function* auditPages(
  { store }: ApiDeps,
  query: Omit<AuditQuery, "limit" | "before">,
): AsyncGenerator<AuditView[]> {
  const limit = FIXED_LIMITS.audit_list_max;
  let page: AuditEntry[] = await store.audit.list({ ...query, limit });
  while (page.length > 0) {
    yield await auditViews(store, page);
    const before = page.at(-1);
    if (page.length < limit || before === undefined) return;
    page = await store.audit.list({ ...query, limit, before });
  }
}

async function* exportText(pages: AsyncIterable<AuditView[]>, format: TableFormat) {
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
  { title: "id", value: ({ id }) => id },
  { title: "at", value: ({ at }) => at },
  { title: "kind", value: ({ kind }) => kind },
  { title: "actor_kind", value: ({ actor }) => actor.kind },
  { title: "actor_id", value: ({ actor }) => actor.id },
  { title: "actor_name", value: ({ actor }) => actor.name },
  { title: "actor_account_id", value: ({ actor }) => actor.account?.id ?? null },
  { title: "actor_handle", value: ({ actor }) => actor.account?.handle ?? null },
  { title: "subject_kind", value: ({ subject }) => subject?.kind ?? null },
  { title: "subject_id", value: ({ subject }) => subject?.id ?? null },
  { title: "subject_name", value: ({ subject }) => subject?.name ?? null },
  { title: "person_id", value: ({ person }) => person?.id ?? null },
  { title: "person_handle", value: ({ person }) => person?.handle ?? null },
  { title: "reason", value: ({ reason }) => reason },
  { title: "detail", value: ({ detail }) => detail && JSON.stringify(detail) },
];
