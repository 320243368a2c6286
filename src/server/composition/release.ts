// The release, as package.json states it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { PROJECT } from "./project.ts";

const PACKAGE = join(PROJECT, "package.json");

export const RELEASE = (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;
