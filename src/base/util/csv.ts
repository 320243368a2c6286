// Formats tables as CSV (RFC 4180) that is safe to open in a spreadsheet.

export type CsvCell = string | number | boolean | null;

export type CsvColumn<Row> = { title: string; value: (row: Row) => CsvCell };

/**
 * Spreadsheets run text that begins with one of these characters as a formula (OWASP, CSV
 * injection).
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const NEEDS_QUOTES = /[",\r\n]/;

function cellText(cell: CsvCell): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly CsvCell[]): string =>
  `${cells.map(cellText).join(",")}\r\n`;

export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  csvLine(columns.map(({ title }) => title));

export const csvRows = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => csvLine(columns.map(({ value }) => value(row)))).join("");
