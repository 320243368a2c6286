// Everything that is served as a text, read once at start: an address can only name what is here.

import { readdir, readFile } from "node:fs/promises";

import type { Settings } from "#core/words/settings.ts";

import { readDownloads } from "./downloads.ts";
import type { DownloadFile } from "./downloads.ts";
import { errorsPage } from "./errors-page.ts";
import { guidesOf } from "./guides.ts";
import type { Guide } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";
import { readSimulator } from "./simulator.ts";
import type { SimulatorDownload } from "./simulator.ts";

export type Documents = {
  /**
   * Markdown by name, the name without its extension. To be read at the moment of use: the page of
   * limits moves with them.
   */
  readonly docs: ReadonlyMap<string, string>;
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

/** Reads the guides; the page of limits is made of those in force. */
export async function openDocuments(
  settings: Pick<Settings, "current" | "revision">,
  isPerAddress: boolean,
): Promise<Documents> {
  const limitsNow = () => limitsPage(settings.current(), isPerAddress);
  let revision = settings.revision();
  let docs = new Map([
    ...[...(await readFolder(MARKDOWN))].map(
      ([file, text]) => [file.slice(0, -MARKDOWN.length), text] as const,
    ),
    ["limits", limitsNow()],
    ["errors", errorsPage()],
  ]);
  const [changelog, downloads] = [await readIfThere(CHANGELOG), await readDownloads(docs)];
  const [drawings, simulator] = [await readFolder(DRAWING), await readSimulator()];
  return {
    get docs() {
      if (revision !== settings.revision()) docs = new Map(docs).set("limits", limitsNow());
      revision = settings.revision();
      return docs;
    },
    drawings,
    guides: guidesOf(docs),
    changelog,
    downloads,
    simulator,
  };
}

/** Texts by file name. */
async function readFolder(extension: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(extension)).toSorted();
  const texts = files.map((file) => readFile(new URL(file, FOLDER), "utf8"));
  return new Map((await Promise.all(texts)).map((text, at) => [files[at], text]));
}

async function readIfThere(file: URL): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
