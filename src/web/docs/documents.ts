// Loads all served documents at startup, so that requests can only reach loaded documents.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { LiveSettings } from "#core/limits/settings.ts";
import type { Guide } from "#site/guide/data.ts";

import { nullIfMissing } from "./build-manifest.ts";
import type { Build } from "./build-manifest.ts";
import { readDownloads } from "./downloads.ts";
import type { DownloadFile } from "./downloads.ts";
import { errorsPage } from "./errors-page.ts";
import { guidesOf } from "./guides.ts";
import { limitsPage } from "./limits-page.ts";
import { withCommandsAddress } from "./links.ts";
import { readCommands, readSimulator } from "./simulator.ts";
import type { CommandsDownload, SimulatorDownload } from "./simulator.ts";

export type Documents = {
  /**
   * Markdown by name without extension. Read it on each use, because the limits page changes with
   * the limits.
   */
  readonly docs: ReadonlyMap<string, string>;
  revision(): number;
  /** SVG by file name. */
  drawings: ReadonlyMap<string, string>;
  /** JSON by file name. */
  examples: ReadonlyMap<string, string>;
  /** In reading order. */
  guides: readonly Guide[];
  changelog: string | null;
  /** Keyed by path below /download/bots/. */
  downloads: ReadonlyMap<string, DownloadFile>;
  /** npm package with the author commands. Null if not built. */
  commands: CommandsDownload | null;
  /** Keyed by name below /download/simulator/. */
  simulator: ReadonlyMap<string, SimulatorDownload>;
};

export type DocumentSources = {
  /** The project folder, which contains `docs` and the changelog. */
  root: string;
  build: Build;
  settings: Pick<LiveSettings, "current" | "revision">;
  isPerAddress: boolean;
};

const MARKDOWN = ".md";
const DRAWING = ".svg";
const EXAMPLE = ".json";

export async function openDocuments(sources: DocumentSources): Promise<Documents> {
  const { root, build, settings, isPerAddress } = sources;
  const folder = join(root, "docs");
  const renderLimits = () => limitsPage(settings.current(), isPerAddress);
  const commands = await readCommands(build);
  let revision = settings.revision();
  let docs = new Map([
    ...[...(await readFolder(folder, MARKDOWN))].map(
      ([file, text]) =>
        [file.slice(0, -MARKDOWN.length), withCommandsAddress(text, commands)] as const,
    ),
    ["limits", renderLimits()],
    ["errors", errorsPage()],
  ]);
  return {
    get docs() {
      if (revision !== settings.revision()) docs = new Map(docs).set("limits", renderLimits());
      revision = settings.revision();
      return docs;
    },
    revision: () => settings.revision(),
    drawings: await readFolder(folder, DRAWING),
    examples: await readFolder(join(folder, "examples"), EXAMPLE),
    guides: guidesOf(docs),
    changelog: await readFile(join(root, "CHANGELOG.md"), "utf8").catch(nullIfMissing),
    downloads: await readDownloads(build, docs),
    commands,
    simulator: await readSimulator(build),
  };
}

async function readFolder(folder: string, extension: string): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(extension)).toSorted();
  const texts = files.map(
    async (file) => [file, await readFile(join(folder, file), "utf8")] as const,
  );
  return new Map(await Promise.all(texts));
}
