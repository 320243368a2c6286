import { useState } from "preact/hooks";

import type { AuditView } from "#core/api/account.ts";
import { AUDIT_KINDS } from "#core/ids/audit-kinds.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { DownloadButtons } from "#site/admin-ladders/download-buttons.tsx";

import { ActionBar } from "./action-form.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { ResourceView } from "./resource-view.tsx";
import { SelectFilter } from "./search-form.tsx";
import { useResource } from "./use-resource.ts";

const PAGE_SIZE = FIXED_LIMITS.audit_list_default;

/** Prefixes that match several kinds: `bot.` matches `bot.banned`. */
const KIND_PREFIXES = [...new Set(AUDIT_KINDS.map((kind) => kind.slice(0, kind.indexOf(".") + 1)))];
const KIND_OPTIONS = [
  { value: "", text: "everything" },
  ...KIND_PREFIXES.flatMap((prefix) => [
    { value: prefix, text: `${prefix.slice(0, -1)}: all` },
    ...AUDIT_KINDS.filter((kind) => kind.startsWith(prefix)).map((kind) => ({
      value: kind,
      text: kind,
    })),
  ]),
];

type Filter = Partial<Record<"actor" | "subject" | "since" | "until", string>>;

const FILTER_FIELDS = [
  { name: "actor", label: "Actor", type: "search" },
  { name: "subject", label: "Subject or person", type: "search" },
  { name: "since", label: "From", type: "datetime-local" },
  { name: "until", label: "Until", type: "datetime-local" },
] as const;

const Filters = ({ onChange }: { onChange: (filter: Filter) => void }) => (
  <form
    class="console-finder"
    role="search"
    onSubmit={(event) => {
      event.preventDefault();
      onChange(parseFilter(new FormData(event.currentTarget)));
    }}
  >
    {FILTER_FIELDS.map(({ name, label, type }) => (
      <label key={name}>
        <span>{label}</span>
        {type === "search" ? (
          <input type="search" name={name} autocomplete="off" spellcheck={false} />
        ) : (
          <input type="datetime-local" name={name} />
        )}
      </label>
    ))}
    <button type="submit" class="button quiet">
      Filter
    </button>
  </form>
);

/** The form's times are in the browser's time zone. */
function parseFilter(form: FormData): Filter {
  const filter: Filter = {};
  for (const { name, type } of FILTER_FIELDS) {
    const value = form.get(name);
    if (typeof value !== "string" || value.trim() === "") continue;
    filter[name] = type === "search" ? value.trim() : new Date(value).toISOString();
  }
  return filter;
}

export function AuditPanel({ auth, selectedId, onSelect }: AdminPanelProps) {
  const kind = selectedId ?? "";
  /** Cursors of the pages already visited, for going back. */
  const [pageCursors, setPageCursors] = useState<readonly string[]>([]);
  const cursor = pageCursors.at(-1);
  const [filter, setFilter] = useState<Filter>({});
  const selection = { ...(kind !== "" && { kind }), ...filter };
  const query = new URLSearchParams({
    ...selection,
    ...(cursor !== undefined && { before: cursor }),
    limit: String(PAGE_SIZE),
  });
  const resource = useResource<AuditView[]>(auth, `/api/admin/audit?${query.toString()}`);
  return (
    <>
      <SelectFilter
        label="Show"
        options={KIND_OPTIONS}
        selectedValue={kind}
        onSelect={(nextFilter) => onSelect(nextFilter === "" ? null : nextFilter)}
      />
      <Filters
        onChange={(nextFilter) => {
          setPageCursors([]);
          setFilter(nextFilter);
        }}
      />
      <DownloadButtons
        auth={auth}
        path={`/api/admin/audit/export?${new URLSearchParams(selection).toString()}`}
        name="audit"
      />
      <ResourceView resource={resource}>
        {(entries) => (
          <>
            <AdminTable
              key={cursor ?? ""}
              caption="Audit log"
              rows={entries}
              columns={AUDIT_COLUMNS}
              keyOf={({ id }) => id}
              empty={cursor === undefined ? "No matching entries." : "No older entries."}
              isSearchable
            />
            <ActionBar>
              {pageCursors.length > 0 && (
                <button
                  type="button"
                  class="button quiet"
                  onClick={() => setPageCursors(pageCursors.slice(0, -1))}
                >
                  Newer
                </button>
              )}
              {entries.length === PAGE_SIZE && (
                <button
                  type="button"
                  class="button quiet"
                  onClick={() => setPageCursors([...pageCursors, entries.at(-1)?.id ?? ""])}
                >
                  Older
                </button>
              )}
            </ActionBar>
          </>
        )}
      </ResourceView>
    </>
  );
}
