// Paths of the project's own files.

import { join } from "node:path";

/** The folder with `docs`, `dist` and the changelog. */
export const PROJECT_ROOT = join(import.meta.dirname, "..", "..", "..");

/** Manifest written by `npm run build`, see web/docs/build-manifest.ts. */
export const BUILD_MANIFEST = join(PROJECT_ROOT, "dist", "manifest.json");
