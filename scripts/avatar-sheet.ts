// Writes a sheet with all avatars. Review it after changing a drawing.
import { writeFile } from "node:fs/promises";

import { avatarSheet } from "#testing/fixtures/avatar-sheet.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/avatar-sheet.ts FILE.html");
await writeFile(file, await avatarSheet());
