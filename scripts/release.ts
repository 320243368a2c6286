// Moves the unreleased changes into a release's section of the changelog and updates every file
// that states the version. Doesn't commit or tag. Usage: node scripts/release.ts X.Y.Z

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { assertDefined } from "#base/util/assert-defined.ts";

const USAGE = "usage: node scripts/release.ts X.Y.Z";
const EXIT_REFUSED = 2;
const RELEASE = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = "## Unreleased\n";

/**
 * Where each file states the version, and how often. The Python package has the engine's version
 * instead.
 */
const VERSION_LOCATIONS: readonly [file: string, places: RegExp, times: number][] = [
  ["package.json", /(?<=^ {2}"version": ")[^"]+/gm, 1],
  ["package-lock.json", /(?<="name": "bout",\n(?: {2}| {6})"version": ")[^"]+/g, 2],
  ["docs/api-server.md", /(?<="release": "|\/download\/bout-)\d[\d.]+(?="|\.tgz")/g, 2],
  ["docs/api-documents.md", /(?<="release": ")\d[\d.]+(?=")/g, 1],
];

class ReleaseError extends Error {}

/**
 * Writes the release into the files below `root`. `day` is YYYY-MM-DD. Throws a ReleaseError,
 * before writing, if the version isn't newer or a file doesn't state the current one.
 */
export async function writeRelease(root: string, nextVersion: string, day: string): Promise<void> {
  const read = (file: string) => readFile(join(root, file), "utf8");
  const manifest = JSON.parse(await read("package.json")) as { version: string };
  requireNewerVersion(nextVersion, manifest.version);
  const changes = addReleaseSection(await read("CHANGELOG.md"), nextVersion, day);
  const updatedFiles: [file: string, text: string][] = [["CHANGELOG.md", changes]];
  for (const [file, places, times] of VERSION_LOCATIONS) {
    const text = await read(file);
    const statedVersions = text.match(places) ?? [];
    if (
      statedVersions.length !== times ||
      statedVersions.some((version) => version !== manifest.version)
    )
      throw new ReleaseError(
        `${file} states ${statedVersions.join(", ")}, not ${manifest.version} ${times}x`,
      );
    updatedFiles.push([file, text.replace(places, nextVersion)]);
  }
  for (const [file, text] of updatedFiles) await writeFile(join(root, file), text);
}

function requireNewerVersion(nextVersion: string, runningVersion: string): void {
  const [nextParts, runningParts] = [nextVersion, runningVersion].map((text) =>
    RELEASE.exec(text)?.slice(1).map(Number),
  );
  if (nextParts === undefined || runningParts === undefined) throw new ReleaseError(USAGE);
  const firstDifference = nextParts.findIndex((part, index) => part !== runningParts[index]);
  if (
    firstDifference === -1 ||
    assertDefined(nextParts[firstDifference], "part") <
      assertDefined(runningParts[firstDifference], "part")
  )
    throw new ReleaseError(`${nextVersion} does not follow ${runningVersion}`);
}

/**
 * Returns the changelog with the unreleased changes under the new release, below an empty
 * "Unreleased" section.
 */
function addReleaseSection(changelog: string, nextVersion: string, day: string): string {
  const [before, after] = changelog.split(UNRELEASED);
  if (after === undefined) throw new ReleaseError(`CHANGELOG.md has no ${UNRELEASED.trim()}`);
  if (/^\s*(?:## |$)/.test(after)) throw new ReleaseError("CHANGELOG.md has no unreleased changes");
  return `${before}${UNRELEASED}\n## ${nextVersion}, ${day}\n${after}`;
}

if (import.meta.main) {
  const today = new Date().toISOString().slice(0, "YYYY-MM-DD".length);
  try {
    await writeRelease(join(import.meta.dirname, ".."), process.argv[2] ?? "", today);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_REFUSED;
  }
}
