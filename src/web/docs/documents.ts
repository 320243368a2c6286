// Everything that is served as text, read once at startup: an address can only name what is here.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Settings } from "#core/words/settings.ts";
import type { Guide } from "#site/guide/data.ts";

import { nothingIfAbsent } from "./build.ts";
import type { Build } from "./build.ts";
import { readDownloads } from "./downloads.ts";
import type { DownloadFile } from "./downloads.ts";
import { errorsPage } from "./errors-page.ts";
import { guidesOf } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";
import { withCommandsOf } from "./links.ts";
import { readCommands, readSimulator } from "./simulator.ts";
import type { CommandsDownload, SimulatorDownload } from "./simulator.ts";

export type Documents = {
  /**
   * Markdown by name without extension. Read it at the moment of use: the page of limits changes
   * with them.
   */
  readonly docs: ReadonlyMap<string, string>;
  /** Changes whenever one of the texts does. */
  revision(): number;
  /** SVG by file name. */
  drawings: ReadonlyMap<string, string>;
  /** JSON by file name. */
  examples: ReadonlyMap<string, string>;
  /** In reading order. */
  guides: readonly Guide[];
  /** Markdown, or null if there is none. */
  changelog: string | null;
  /** By path below /download/bots/. */
  downloads: ReadonlyMap<string, DownloadFile>;
  /** The package of author commands; null if it was not built. */
  commands: CommandsDownload | null;
  /** By name below /download/simulator/. */
  simulator: ReadonlyMap<string, SimulatorDownload>;
};

/** Where the texts come from, and what the pages of limits and errors report as being in force. */
export type DocumentSources = {
  /** The project's own folder, with `docs` and the changelog. */
  root: string;
  build: Build;
  settings: Pick<Settings, "current" | "revision">;
  isPerAddress: boolean;
};

const MARKDOWN = ".md";
const DRAWING = ".svg";
const EXAMPLE = ".json";

export async function openDocuments(sources: DocumentSources): Promise<Documents> {
  const { root, build, settings, isPerAddress } = sources;
  const folder = join(root, "docs");
  const limitsNow = () => limitsPage(settings.current(), isPerAddress);
  const commands = await readCommands(build);
  let revision = settings.revision();
  let docs = new Map([
    ...[...(await readFolder(folder, MARKDOWN))].map(
      ([file, text]) => [file.slice(0, -MARKDOWN.length), withCommandsOf(text, commands)] as const,
    ),
    ["limits", limitsNow()],
    ["errors", errorsPage()],
  ]);
  return {
    get docs() {
      if (revision !== settings.revision()) docs = new Map(docs).set("limits", limitsNow());
      revision = settings.revision();
      return docs;
    },
    revision: () => settings.revision(),
    drawings: await readFolder(folder, DRAWING),
    examples: await readFolder(join(folder, "examples"), EXAMPLE),
    guides: guidesOf(docs),
    changelog: await readFile(join(root, "CHANGELOG.md"), "utf8").catch(nothingIfAbsent),
    downloads: await readDownloads(build, docs),
    commands,
    simulator: await readSimulator(build),
  };
}

/** Texts by file name. */
async function readFolder(folder: string, extension: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension)).toSorted();
  const texts = files.map(
    async (file) => [file, await readFile(join(folder, file), "utf8")] as const,
  );
  return new Map(await Promise.all(texts));
}
