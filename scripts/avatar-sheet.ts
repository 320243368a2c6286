// Writes one sheet with every avatar at 20, 40 and 200 pixels in both themes, to be looked at.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { AVATARS } from "#core/words/avatars.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import { avatarShapes, hueOf } from "#site/look/avatar-picture.ts";
import type { Face } from "#site/look/avatar-picture.ts";

const LOOK = join(import.meta.dirname, "..", "src", "site", "look");
const SIZES = [20, 40, 200];

/** Everything that is drawn, each with a name that gives it a hue of its own. */
const FACES: readonly Face[] = [
  ...AVATARS.map((avatar) => ({ name: `${avatar}-bot`, avatar })),
  ...HOUSE_BOTS.map(({ name }) => ({ name, house: true })),
  ...["an-orb", "another-orb"].map((name) => ({ name, avatar: null })),
];

/** The whole sheet as a document of its own. */
async function avatarSheet(): Promise<string> {
  const read = (name: string) => readFile(join(LOOK, name), "utf8");
  const [tokens, faces] = await Promise.all([read("tokens.css"), read("faces.css")]);
  const figures = FACES.map(figure).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Avatars of Bout</title>
<style>${bothThemes(tokens)}${faces}${LAYOUT}</style>
<main>
<h1>Avatars</h1>
<section class="light"><h2>Light</h2>${figures}</section>
<section class="dark"><h2>Dark</h2>${figures}</section>
</main>
</html>
`;
}

const LAYOUT = `
body { margin: 0; font: 14px var(--sans); }
h1 { margin: 0; padding: 16px; }
section { display: flex; flex-wrap: wrap; gap: 16px; padding: 16px; }
.light, .dark { background: var(--paper); color: var(--ink); }
h2 { width: 100%; margin: 0; }
figure { display: flex; flex-wrap: wrap; align-items: end; gap: 8px; width: 290px; margin: 0; }
figcaption { width: 100%; }
`;

/** The tokens as two classes, because a page as a whole has one theme alone. */
function bothThemes(tokens: string): string {
  const [light = "", dark = ""] = tokens.split(/^@media screen.*$/m);
  return `${light.replace(":root", ":root, .light")}${dark
    .replace(":root", ".dark")
    .replace(/\}\s*$/, "")}`;
}

function figure(face: Face): string {
  const pictures = SIZES.map((size) => picture(face, size)).join("");
  return `<figure>${pictures}<figcaption>${face.avatar ?? face.name}</figcaption></figure>`;
}

function picture(face: Face, size: number): string {
  const kind = face.house === true ? "house" : `hue-${hueOf(face.name)}`;
  const frame = `class="avatar ${kind}" viewBox="0 0 40 40" width="${size}" height="${size}"`;
  return `<svg ${frame} aria-hidden="true">${avatarShapes(face)}</svg>`;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: node scripts/avatar-sheet.ts FILE.html");
await writeFile(file, await avatarSheet());
