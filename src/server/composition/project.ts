// Where the project's own files are.

import { join } from "node:path";

/** The folder with `docs`, `dist` and the changelog in it. */
export const PROJECT = join(import.meta.dirname, "..", "..", "..");

/** What `npm run build` left, see web/docs/build.ts. */
export const MANIFEST = join(PROJECT, "dist", "manifest.json");
