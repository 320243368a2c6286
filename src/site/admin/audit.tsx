import { useState } from "preact/hooks";

import type { AuditView } from "#core/resources/account.ts";
import { AUDIT_KINDS } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import { Downloads } from "#site/admin-ladders/download.tsx";

import { Acts } from "./act.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { Chooser } from "./finder.tsx";
import type { PartProps } from "./part.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";

const PAGE = FIXED.audit_list_default;

/** What several kinds have in common: `bot.` of `bot.banned`. */
const FAMILIES = [...new Set(AUDIT_KINDS.map((kind) => kind.slice(0, kind.indexOf(".") + 1)))];
const CHOICES = [
  { value: "", words: "everything" },
  ...FAMILIES.flatMap((family) => [
    { value: family, words: `${family.slice(0, -1)}: all` },
    ...AUDIT_KINDS.filter((kind) => kind.startsWith(family)).map((kind) => ({
      value: kind,
      words: kind,
    })),
  ]),
];

type Filter = Partial<Record<"actor" | "subject" | "since" | "until", string>>;

const FIELDS = [
  { name: "actor", label: "Actor", type: "search" },
  { name: "subject", label: "Subject or person", type: "search" },
  { name: "since", label: "From", type: "datetime-local" },
  { name: "until", label: "Until", type: "datetime-local" },
] as const;

/** Filters by who acted, what was changed or who is affected, and when. */
const Filters = ({ onChange }: { onChange: (filter: Filter) => void }) => (
  <form
    class="console-finder"
    role="search"
    onSubmit={(event) => {
      event.preventDefault();
      onChange(filterIn(new FormData(event.currentTarget)));
    }}
  >
    {FIELDS.map(({ name, label, type }) => (
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

/** Times are typed in the browser's zone. */
function filterIn(form: FormData): Filter {
  const filter: Filter = {};
  for (const { name, type } of FIELDS) {
    const value = form.get(name);
    if (typeof value !== "string" || value.trim() === "") continue;
    filter[name] = type === "search" ? value.trim() : new Date(value).toISOString();
  }
  return filter;
}

/** What was done here, by whom and why: the newest first, some at a time. */
export function Audit({ desk, of, look }: PartProps) {
  const kind = of ?? "";
  /** The last entries of the pages before this one. */
  const [turned, setTurned] = useState<readonly string[]>([]);
  const before = turned.at(-1);
  const [filter, setFilter] = useState<Filter>({});
  const selection = { ...(kind !== "" && { kind }), ...filter };
  const query = new URLSearchParams({
    ...selection,
    ...(before !== undefined && { before }),
    limit: String(PAGE),
  });
  const read = useRead<AuditView[]>(desk, `/api/admin/audit?${query.toString()}`);
  return (
    <>
      <Chooser
        label="Show"
        choices={CHOICES}
        chosen={kind}
        onChoose={(next) => look(next === "" ? null : next)}
      />
      <Filters
        onChange={(next) => {
          setTurned([]);
          setFilter(next);
        }}
      />
      <Downloads
        desk={desk}
        path={`/api/admin/audit/export?${new URLSearchParams(selection).toString()}`}
        name="audit"
      />
      <Readable read={read}>
        {(entries) => (
          <>
            <Table
              key={before ?? ""}
              caption="What was done"
              rows={entries}
              columns={AUDIT_COLUMNS}
              keyOf={({ id }) => id}
              empty={before === undefined ? "Nothing of this was done." : "There is nothing older."}
              isSearched
            />
            <Acts>
              {turned.length > 0 && (
                <button
                  type="button"
                  class="button quiet"
                  onClick={() => setTurned(turned.slice(0, -1))}
                >
                  Newer
                </button>
              )}
              {entries.length === PAGE && (
                <button
                  type="button"
                  class="button quiet"
                  onClick={() => setTurned([...turned, entries.at(-1)?.id ?? ""])}
                >
                  Older
                </button>
              )}
            </Acts>
          </>
        )}
      </Readable>
    </>
  );
}
