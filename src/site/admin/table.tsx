import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { Moment } from "./moment.tsx";

type Cell = string | number | boolean | null;

/** A column, as data. `of` reads what is compared and shown; `show` draws it otherwise. */
export type TableColumn<Row> = {
  title: string;
  of: (row: Row) => Cell;
  /** What it holds, if that is more than a text. */
  kind?: "number" | "instant" | "long";
  show?: (row: Row) => ComponentChildren;
};

type TableProps<Row> = {
  /** What it lists, for readers who hear it. */
  caption: string;
  rows: readonly Row[];
  columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]];
  keyOf: (row: Row) => string;
  /** Said where there is no row. */
  empty: string;
  /** What may be done about a row, in a last column. */
  actions?: (row: Row) => ComponentChildren;
  /** Whether rows can be looked for by a text; many lists are too short for it. */
  isSearched?: boolean;
};

type Order = { column: number; isUp: boolean };

/**
 * Rows of a route's answer, in its order until a heading is pressed. The first column stays in sight
 * where the table is wider than the window.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, columns, keyOf, empty, actions, isSearched = false } = props;
  const [order, setOrder] = useState<Order | null>(null);
  const [sought, setSought] = useState("");
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const shown = sorted(found(rows, columns, sought), columns, order);
  const [first, ...rest] = columns;
  return (
    <div class="console-table">
      {isSearched && <Search {...{ caption, sought, setSought }} count={shown.length} />}
      <div class="console-table-frame scroll" tabIndex={0} role="group" aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <Heading key={column.title} {...{ column, at, order, setOrder }} />
              ))}
              {actions !== undefined && (
                <th scope="col">
                  <span class="visually-hidden">What to do</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                <th scope="row">{shownIn(first, row)}</th>
                {rest.map((column) => (
                  <td key={column.title} class={classOf(column)}>
                    {shownIn(column, row)}
                  </td>
                ))}
                {actions !== undefined && <td class="console-actions">{actions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p class="empty">Nothing matches “{sought}”.</p>}
    </div>
  );
}

type SearchProps = {
  caption: string;
  sought: string;
  setSought: (text: string) => void;
  count: number;
};

function Search({ caption, sought, setSought, count }: SearchProps) {
  return (
    <div class="console-search">
      <label>
        <span>Look for</span>
        <input
          type="search"
          value={sought}
          aria-label={`Look for in: ${caption}`}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
      </label>
      <span class="sub" role="status">
        {sought !== "" && `${count} found`}
      </span>
    </div>
  );
}

type HeadingProps<Row> = {
  column: TableColumn<Row>;
  at: number;
  order: Order | null;
  setOrder: (order: Order | null) => void;
};

/** Pressed once it sorts up, then down, then the answer's own order is back. */
function Heading<Row>({ column, at, order, setOrder }: HeadingProps<Row>) {
  const own = order?.column === at ? order : null;
  const next =
    own === null ? { column: at, isUp: true } : own.isUp ? { ...own, isUp: false } : null;
  const direction = own === null ? undefined : own.isUp ? "ascending" : "descending";
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction}>
      <button type="button" class="console-sort" onClick={() => setOrder(next)}>
        {column.title}
        <span aria-hidden="true">{own === null ? "" : own.isUp ? " ↑" : " ↓"}</span>
      </button>
    </th>
  );
}

const classOf = ({ kind }: { kind?: string }) =>
  kind === "number" || kind === "long" ? kind : undefined;

function shownIn<Row>({ of, kind, show }: TableColumn<Row>, row: Row): ComponentChildren {
  if (show !== undefined) return show(row);
  const cell = of(row);
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (kind === "instant") return <Moment at={String(cell)} />;
  return kind === "number" ? <>{cell}</> : <bdi>{cell}</bdi>;
}

function found<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sought: string,
): readonly Row[] {
  const text = sought.trim().toLowerCase();
  if (text === "") return rows;
  return rows.filter((row) =>
    columns.some(({ of }) =>
      String(of(row) ?? "")
        .toLowerCase()
        .includes(text),
    ),
  );
}

function sorted<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  order: Order | null,
): readonly Row[] {
  const column = order === null ? undefined : columns[order.column];
  if (order === null || column === undefined) return rows;
  const sign = order.isUp ? 1 : -1;
  return rows.toSorted((a, b) => sign * compared(column.of(a), column.of(b)));
}

/** What is missing comes last going up. */
function compared(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true, sensitivity: "base" });
}
