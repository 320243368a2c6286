// Append-only lists in the data folder, one JSON value per line.

import { open } from "node:fs/promises";

import { FILE_MODE } from "./atomic-files.ts";

/** Appends text and syncs it to disk. Creates the file if it is missing. */
export async function appendDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "a", FILE_MODE);
  try {
    await file.write(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

export type ParsedLines<T> = {
  items: T[];
  /** Numbers of unreadable lines, counted from 1. */
  unreadable: number[];
};

/** Parses each line with `parse`, which returns null or throws for an invalid line. */
export function parseLines<T>(text: string, parse: (value: unknown) => T | null): ParsedLines<T> {
  const parsed: ParsedLines<T> = { items: [], unreadable: [] };
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue;
    const item = readLine(line, parse);
    if (item === null) parsed.unreadable.push(index + 1);
    else parsed.items.push(item);
  }
  return parsed;
}

function readLine<T>(line: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(line));
  } catch {
    return null;
  }
}
