import { readFileSync } from "node:fs";
import { join } from "node:path";

import { PROJECT_ROOT } from "./project-paths.ts";

const PACKAGE = join(PROJECT_ROOT, "package.json");

export const RELEASE = (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
