// node scripts/write-docs.ts: writes the pages in docs/ that are generated from tables in the
// source, so that they can be read in the repository too. A server serves its own limits.

import { writeFileSync } from "node:fs";

import { LIMITS } from "#core/words/limits.ts";
import { avatarPlate } from "#testing/fixtures/avatar-sheet.ts";
import { errorsPage } from "#web/docs/errors-page.ts";
import { limitsPage } from "#web/docs/limits-page.ts";

const FOLDER = new URL("../docs/", import.meta.url);

writeFileSync(new URL("errors.md", FOLDER), errorsPage());
writeFileSync(new URL("limits.md", FOLDER), limitsPage(LIMITS, true));
writeFileSync(new URL("avatars.svg", FOLDER), await avatarPlate());
