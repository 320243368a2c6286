import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { PageAssets } from "#site/shell/data.ts";

/** The build's `manifest.json`. Paths are relative to the manifest's folder. */
export type BuildManifest = {
  site: BuiltSite | null;
  /** Module that renders emails. Null if not built. */
  emails: string | null;
  /** npm package with the author commands, in the folder `package`. Null if not built. */
  package: BuiltFile | null;
  simulator: readonly BuiltFile[];
  starters: readonly BuiltFile[];
};

type BuiltSite = {
  server: string;
  assets: string;
  entries: PageAssets;
};

export type BuiltFile = {
  name: string;
  /** Media type without a charset. */
  type: string;
  about: string;
};

export type Build = BuildManifest & { site: BuiltSite; folder: string };

/** Reads a manifest. Throws if the site hasn't been built. */
export async function readBuild(manifest: string): Promise<Build> {
  const text = await readFile(manifest, "utf8").catch(nullIfMissing);
  const parsedManifest = text === null ? null : (JSON.parse(text) as BuildManifest);
  if (parsedManifest === null || parsedManifest.site === null)
    throw new Error("the site is not built: run `npm run build`");
  return { ...parsedManifest, site: parsedManifest.site, folder: dirname(manifest) };
}

export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
