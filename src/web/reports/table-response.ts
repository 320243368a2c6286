import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { csvHead, csvRows } from "#base/util/csv.ts";
import type { CsvColumn } from "#base/util/csv.ts";

export const TABLE_TYPES = ["application/json", "text/csv"];

const FORMATS = ["json", "csv"] as const;
export type TableFormat = (typeof FORMATS)[number];

export const tableFormat = Type.Optional(
  Type.Enum([...FORMATS], { description: "default: json; csv has a header row" }),
);

/** Makes the response a download. `name` has no extension. */
export function setDownloadHeaders(reply: FastifyReply, name: string, format: TableFormat): void {
  const type = format === "csv" ? "text/csv" : "application/json";
  reply.type(`${type}; charset=utf-8`);
  reply.header("Content-Disposition", `attachment; filename="${name}.${format}"`);
}

export function tableResponse<Row>(
  reply: FastifyReply,
  { format = "json" }: { format?: TableFormat },
  { name, columns, rows }: { name: string; columns: readonly CsvColumn<Row>[]; rows: Row[] },
): Row[] | string {
  if (format === "json") return rows;
  setDownloadHeaders(reply, name, format);
  return csvHead(columns) + csvRows(columns, rows);
}
