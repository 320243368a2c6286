import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { AdminTime } from "./admin-time.tsx";

type CellValue = string | number | boolean | null;

/**
 * `accessor` returns the value to sort by and display. `render` overrides how the value is
 * displayed.
 */
export type TableColumn<Row> = {
  title: string;
  accessor: (row: Row) => CellValue;
  /** Omit for short text. */
  kind?: "number" | "instant" | "long";
  render?: (row: Row) => ComponentChildren;
};

type AdminTableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]];
  keyOf: (row: Row) => string;
  empty: string;
  /** Row actions, shown in the last column. */
  actions?: (row: Row) => ComponentChildren;
  /** Adds a search field. Short lists don't need one. */
  isSearchable?: boolean;
};

type SortOrder = { column: number; isAscending: boolean };

/**
 * Shows rows in response order, and sorts them by heading. The first column stays visible when the
 * table scrolls horizontally.
 */
export function AdminTable<Row>(props: AdminTableProps<Row>) {
  const { caption, rows, columns, keyOf, empty, actions, isSearchable = false } = props;
  const [sortOrder, setSortOrder] = useState<SortOrder | null>(null);
  const [searchText, setSearchText] = useState("");
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const visibleRows = sortRows(filterRows(rows, columns, searchText), columns, sortOrder);
  const [firstColumn, ...otherColumns] = columns;
  return (
    <div class="console-table">
      {isSearchable && (
        <TableSearch {...{ caption, searchText, setSearchText }} count={visibleRows.length} />
      )}
      <div class="console-table-frame scroll" tabIndex={0} role="group" aria-label={caption}>
        <table>
          <caption class="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <SortableHeading
                  key={column.title}
                  {...{ column, index, sortOrder, setSortOrder }}
                />
              ))}
              {actions !== undefined && (
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {visibleRows.map((row) => (
              <tr key={keyOf(row)}>
                <th scope="row">{renderCell(firstColumn, row)}</th>
                {otherColumns.map((column) => (
                  <td key={column.title} class={columnClass(column)}>
                    {renderCell(column, row)}
                  </td>
                ))}
                {actions !== undefined && <td class="console-actions">{actions(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {visibleRows.length === 0 && <p class="empty">No results for “{searchText}”.</p>}
    </div>
  );
}

type TableSearchProps = {
  caption: string;
  searchText: string;
  setSearchText: (text: string) => void;
  count: number;
};

function TableSearch({ caption, searchText, setSearchText, count }: TableSearchProps) {
  return (
    <div class="console-search">
      <label>
        <span>Search</span>
        <input
          type="search"
          value={searchText}
          aria-label={`Search in: ${caption}`}
          onInput={({ currentTarget }) => setSearchText(currentTarget.value)}
        />
      </label>
      <span class="sub" role="status">
        {searchText !== "" && `${count} found`}
      </span>
    </div>
  );
}

type SortableHeadingProps<Row> = {
  column: TableColumn<Row>;
  index: number;
  sortOrder: SortOrder | null;
  setSortOrder: (sortOrder: SortOrder | null) => void;
};

/** Clicks cycle through ascending, descending and original order. */
function SortableHeading<Row>({
  column,
  index,
  sortOrder,
  setSortOrder,
}: SortableHeadingProps<Row>) {
  const activeOrder = sortOrder?.column === index ? sortOrder : null;
  const nextOrder =
    activeOrder === null
      ? { column: index, isAscending: true }
      : activeOrder.isAscending
        ? { ...activeOrder, isAscending: false }
        : null;
  const direction =
    activeOrder === null ? undefined : activeOrder.isAscending ? "ascending" : "descending";
  return (
    <th scope="col" class={columnClass(column)} aria-sort={direction}>
      <button type="button" class="console-sort" onClick={() => setSortOrder(nextOrder)}>
        {column.title}
        <span aria-hidden="true">
          {activeOrder === null ? "" : activeOrder.isAscending ? " ↑" : " ↓"}
        </span>
      </button>
    </th>
  );
}

const columnClass = ({ kind }: { kind?: string }) =>
  kind === "number" || kind === "long" ? kind : undefined;

function renderCell<Row>(
  { accessor, kind, render }: TableColumn<Row>,
  row: Row,
): ComponentChildren {
  if (render !== undefined) return render(row);
  const cell = accessor(row);
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (kind === "instant") return <AdminTime instant={String(cell)} />;
  return kind === "number" ? <>{cell}</> : <bdi>{cell}</bdi>;
}

function filterRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  searchText: string,
): readonly Row[] {
  const text = searchText.trim().toLowerCase();
  if (text === "") return rows;
  return rows.filter((row) =>
    columns.some(({ accessor }) =>
      String(accessor(row) ?? "")
        .toLowerCase()
        .includes(text),
    ),
  );
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sortOrder: SortOrder | null,
): readonly Row[] {
  const column = sortOrder === null ? undefined : columns[sortOrder.column];
  if (sortOrder === null || column === undefined) return rows;
  const sign = sortOrder.isAscending ? 1 : -1;
  return rows.toSorted((a, b) => sign * compareCells(column.accessor(a), column.accessor(b)));
}

/** Sorts missing values last in ascending order. */
function compareCells(a: CellValue, b: CellValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true, sensitivity: "base" });
}
