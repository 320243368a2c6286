// The guides that are served, read once at start: an address can only name what is in this map.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = new URL("../../docs", import.meta.url).pathname;
const EXTENSION = ".md";

/** Markdown by name, the name without its extension. */
export async function readDocs(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(EXTENSION)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(FOLDER, file), "utf8")));
  return new Map(files.map((file, at) => [file.slice(0, -EXTENSION.length), texts[at]]));
}
