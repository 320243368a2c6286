// node scripts/release.ts X.Y.Z: the unreleased changes become the section of a release, and every
// file that states the release is updated. It neither commits nor tags.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { sure } from "#base/units/sure.ts";

const USAGE = "usage: node scripts/release.ts X.Y.Z";
const EXIT_REFUSED = 2;
const RELEASE = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = "## Unreleased\n";

/** How each file states the release. The Python package has the engine's version instead. */
const STATED: readonly [file: string, places: RegExp, times: number][] = [
  ["package.json", /(?<=^ {2}"version": ")[^"]+/gm, 1],
  ["package-lock.json", /(?<="name": "bout",\n(?: {2}| {6})"version": ")[^"]+/g, 2],
  ["docs/api.md", /(?<="release": "|\/download\/bout-)\d[\d.]+(?="|\.tgz")/g, 3],
];

/** A release that cannot be made as requested. */
class Refusal extends Error {}

/** Writes the release into the files under `root`; `day` is YYYY-MM-DD. */
export async function release(root: string, next: string, day: string): Promise<void> {
  const read = (file: string) => readFile(join(root, file), "utf8");
  const manifest = JSON.parse(await read("package.json")) as { version: string };
  requireNewer(next, manifest.version);
  const changes = withSection(await read("CHANGELOG.md"), next, day);
  const written: [file: string, text: string][] = [["CHANGELOG.md", changes]];
  for (const [file, places, times] of STATED) {
    const text = await read(file);
    const stated = text.match(places) ?? [];
    if (stated.length !== times || stated.some((one) => one !== manifest.version))
      throw new Refusal(`${file} states ${stated.join(", ")}, not ${manifest.version} ${times}x`);
    written.push([file, text.replace(places, next)]);
  }
  for (const [file, text] of written) await writeFile(join(root, file), text);
}

function requireNewer(next: string, running: string): void {
  const [wanted, last] = [next, running].map((text) => RELEASE.exec(text)?.slice(1).map(Number));
  if (wanted === undefined || last === undefined) throw new Refusal(USAGE);
  const at = wanted.findIndex((part, index) => part !== last[index]);
  if (at === -1 || sure(wanted[at], "part") < sure(last[at], "part"))
    throw new Refusal(`${next} does not follow ${running}`);
}

/** The changelog with an empty list of unreleased changes above those of the new release. */
function withSection(changelog: string, next: string, day: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (after === undefined) throw new Refusal(`CHANGELOG.md has no ${UNRELEASED.trim()}`);
  if (/^\s*(?:## |$)/.test(after)) throw new Refusal("nothing is unreleased in CHANGELOG.md");
  return `${before}${UNRELEASED}\n## ${next}, ${day}\n${after}`;
}

if (import.meta.main) {
  const today = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
  try {
    await release(join(import.meta.dirname, ".."), process.argv[2] ?? "", today);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_REFUSED;
  }
}
