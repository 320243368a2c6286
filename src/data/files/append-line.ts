// Append-only lists in the data folder, one JSON value a line.

import { open } from "node:fs/promises";

import { FILE_MODE } from "./whole-file.ts";

/** Appends text and syncs it to disk. Creates the file if necessary. */
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
  /** Numbers of the lines that could not be read, counted from 1. */
  unreadable: number[];
};

/** Reads each line with `read`, which returns null or throws for an invalid one. */
export function parseLines<T>(text: string, read: (value: unknown) => T | null): ParsedLines<T> {
  const parsed: ParsedLines<T> = { items: [], unreadable: [] };
  for (const [index, line] of text.split("\n").entries()) {
    if (line === "") continue;
    const item = readLine(line, read);
    if (item === null) parsed.unreadable.push(index + 1);
    else parsed.items.push(item);
  }
  return parsed;
}

function readLine<T>(line: string, read: (value: unknown) => T | null): T | null {
  try {
    return read(JSON.parse(line));
  } catch {
    return null;
  }
}
