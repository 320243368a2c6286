// Where the project's own files are.

import { join } from "node:path";

/** The folder with `docs`, `dist` and the changelog. */
export const PROJECT = join(import.meta.dirname, "..", "..", "..");

/** The manifest of `npm run build`, see web/docs/build.ts. */
export const MANIFEST = join(PROJECT, "dist", "manifest.json");
