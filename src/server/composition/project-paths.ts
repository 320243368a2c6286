import { join } from "node:path";

export const PROJECT_ROOT = join(import.meta.dirname, "..", "..", "..");

/** Written by `npm run build`. See web/docs/build-manifest.ts. */
export const BUILD_MANIFEST = join(PROJECT_ROOT, "dist", "manifest.json");
