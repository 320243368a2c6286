// What `npm run build` left to be served, according to its manifest.

import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { Assets } from "#site/public/data.ts";

/** The file `manifest.json` of a build. Its paths are relative to its own folder. */
export type BuildManifest = {
  /** Null if it could not be built. */
  site: BuiltSite | null;
  /** The module that puts letters in words; null if it could not be built. */
  letters: string | null;
  /** The author commands, in the folder `package`; null if they could not be built. */
  package: BuiltFile | null;
  /** In the folder `simulator`; empty if it could not be built. */
  simulator: readonly BuiltFile[];
  /** In the folder `starters`. */
  starters: readonly BuiltFile[];
};

type BuiltSite = {
  /** The module that renders pages. */
  server: string;
  /** The folder that is served as /assets/. */
  assets: string;
  /** URLs of the files that every page loads. */
  entries: Assets;
};

export type BuiltFile = {
  name: string;
  /** Media type without a character set. */
  type: string;
  about: string;
};

/** A build that can be served, and its folder. */
export type Build = BuildManifest & { site: BuiltSite; folder: string };

/** Reads a manifest. Throws if there is no site to serve. */
export async function readBuild(manifest: string): Promise<Build> {
  const text = await readFile(manifest, "utf8").catch(nothingIfAbsent);
  const built = text === null ? null : (JSON.parse(text) as BuildManifest);
  if (built === null || built.site === null)
    throw new Error("the site is not built: run `npm run build`");
  return { ...built, site: built.site, folder: dirname(manifest) };
}

/** For a file that may be missing. */
export function nothingIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
