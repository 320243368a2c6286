import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import type { SourceFile } from "./wings.ts";

export const ROOT = join(import.meta.dirname, "..", "..", "..");

const FOLDERS = ["bin", "src", "scripts", "bench"];

export function readSources(): SourceFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, "utf8") })),
  );
}
