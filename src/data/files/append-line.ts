// Append-only files in the data folder with one JSON value per line.

import { open } from "node:fs/promises";

import { FILE_MODE } from "./atomic-files.ts";

/** Appends text and syncs the file to disk. Creates the file if it doesn't exist. */
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
  /** Line numbers of unreadable lines, starting at 1. */
  unreadable: number[];
};

/**
 * Parses each line as JSON and passes the value to `parse`. Lines for which `parse` throws or
 * returns null are reported as unreadable.
 */
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
