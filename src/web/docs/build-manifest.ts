// Reads the manifest of `npm run build`.

import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { PageAssets } from "#site/shell/data.ts";

/** The build's `manifest.json`. Its paths are relative to its folder. */
export type BuildManifest = {
  /** Null if not built. */
  site: BuiltSite | null;
  /** The module that renders emails; null if not built. */
  letters: string | null;
  /** The author commands, in the folder `package`; null if not built. */
  package: BuiltFile | null;
  /** In the folder `simulator`; empty if not built. */
  simulator: readonly BuiltFile[];
  /** In the folder `starters`. */
  starters: readonly BuiltFile[];
};

type BuiltSite = {
  server: string;
  assets: string;
  /** URLs of the files that every page loads. */
  entries: PageAssets;
};

export type BuiltFile = {
  name: string;
  /** Media type without a charset. */
  type: string;
  about: string;
};

/** A complete build and its folder. */
export type Build = BuildManifest & { site: BuiltSite; folder: string };

/** Reads a manifest. Throws if there is no site to serve. */
export async function readBuild(manifest: string): Promise<Build> {
  const text = await readFile(manifest, "utf8").catch(nullIfMissing);
  const parsedManifest = text === null ? null : (JSON.parse(text) as BuildManifest);
  if (parsedManifest === null || parsedManifest.site === null)
    throw new Error("the site is not built: run `npm run build`");
  return { ...parsedManifest, site: parsedManifest.site, folder: dirname(manifest) };
}

/** Returns null for a missing file and rethrows other errors. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
