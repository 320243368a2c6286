// node src/testing/write-docs-process.ts: writes the pages in docs/ that are made of tables in the
// source, so that they can be read in the repository too. A server serves its own limits.

import { writeFileSync } from "node:fs";

import { errorsPage } from "#documents/errors-page.ts";
import { limitsPage } from "#documents/limits-page.ts";
import { LIMITS } from "#protocol/limits.ts";

const FOLDER = new URL("../../docs/", import.meta.url);

writeFileSync(new URL("errors.md", FOLDER), errorsPage());
writeFileSync(new URL("limits.md", FOLDER), limitsPage(LIMITS, true));
