// Everything that is served as a text, read once at start: an address can only name what is here.

import { readdir, readFile } from "node:fs/promises";

import type { Limits } from "#core/words/limits.ts";

import { readDownloads } from "./downloads.ts";
import type { DownloadFile } from "./downloads.ts";
import { errorsPage } from "./errors-page.ts";
import { guidesOf } from "./guides.ts";
import type { Guide } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";
import { readSimulator } from "./simulator.ts";
import type { SimulatorDownload } from "./simulator.ts";

export type Documents = {
  /** Markdown by name, the name without its extension. */
  docs: ReadonlyMap<string, string>;
  /** SVG by file name. */
  drawings: ReadonlyMap<string, string>;
  /** In reading order. */
  guides: readonly Guide[];
  /** Markdown; null when there is none. */
  changelog: string | null;
  /** By path below /download/bots/. */
  downloads: ReadonlyMap<string, DownloadFile>;
  /** By name below /download/simulator/. */
  simulator: ReadonlyMap<string, SimulatorDownload>;
};

const FOLDER = new URL("../../../docs/", import.meta.url);
const CHANGELOG = new URL("../../../CHANGELOG.md", import.meta.url);
const MARKDOWN = ".md";
const DRAWING = ".svg";

/** Reads the guides; the pages of limits and errors say what is in force. */
export async function openDocuments(limits: Limits, isPerAddress: boolean): Promise<Documents> {
  const docs = new Map([
    ...[...(await readFolder(MARKDOWN))].map(
      ([file, text]) => [file.slice(0, -MARKDOWN.length), text] as const,
    ),
    ["limits", limitsPage(limits, isPerAddress)],
    ["errors", errorsPage()],
  ]);
  const [changelog, downloads] = [await readIfThere(CHANGELOG), await readDownloads(docs)];
  const [drawings, simulator] = [await readFolder(DRAWING), await readSimulator()];
  return { docs, drawings, guides: guidesOf(docs), changelog, downloads, simulator };
}

/** Texts by file name. */
async function readFolder(extension: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(extension)).toSorted();
  const texts = files.map(
    async (file) => [file, await readFile(new URL(file, FOLDER), "utf8")] as const,
  );
  return new Map(await Promise.all(texts));
}

async function readIfThere(file: URL): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
