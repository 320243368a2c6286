// Answers that are a table: JSON, or CSV to open in a spreadsheet.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { csvHead, csvRows } from "#base/units/csv.ts";
import type { CsvColumn } from "#base/units/csv.ts";

/** Media types of such a route. */
export const TABLE_TYPES = ["application/json", "text/csv"];

const FORMATS = ["json", "csv"] as const;
export type TableFormat = (typeof FORMATS)[number];

export const tableFormat = Type.Optional(
  Type.Enum([...FORMATS], { description: "json if absent; csv has a header row" }),
);

/** Makes the answer a file to save. `name` has no extension. */
export function asFile(reply: FastifyReply, name: string, format: TableFormat): void {
  const type = format === "csv" ? "text/csv" : "application/json";
  reply.type(`${type}; charset=utf-8`);
  reply.header("Content-Disposition", `attachment; filename="${name}.${format}"`);
}

/** Returns the rows, or all of them as CSV. */
export function tableAnswer<Row>(
  reply: FastifyReply,
  { format = "json" }: { format?: TableFormat },
  { name, columns, rows }: { name: string; columns: readonly CsvColumn<Row>[]; rows: Row[] },
): Row[] | string {
  if (format === "json") return rows;
  asFile(reply, name, format);
  return csvHead(columns) + csvRows(columns, rows);
}
