// Generates the files in docs/ that come from tables in the source. `limits.md` shows the default
// limits; a server's own page shows the configured ones. Usage: node scripts/write-docs.ts

import { writeFileSync } from "node:fs";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { avatarPlate } from "#testing/fixtures/avatar-sheet.ts";
import { drawLayers } from "#testing/tidy/layer-diagram.ts";
import { errorsPage } from "#web/docs/errors-page.ts";
import { limitsPage } from "#web/docs/limits-page.ts";

const FOLDER = new URL("../docs/", import.meta.url);

writeFileSync(new URL("errors.md", FOLDER), errorsPage());
writeFileSync(new URL("limits.md", FOLDER), limitsPage(DEFAULT_LIMITS, true));
writeFileSync(new URL("avatars.svg", FOLDER), await avatarPlate());
writeFileSync(new URL("development/layers.svg", FOLDER), drawLayers());
