// node bench/outside/container.ts [--base FILE]: the steps of deploy/Dockerfile, without Docker, in
// a bare Debian that mmdebstrap makes; then its server as Docker would run it: as the image's user,
// with nothing to write but its data. It needs root, mmdebstrap and unshare, which are not part of
// this project. `--base` keeps the bare Debian in a file for the next run.

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { instructionsOf } from "#testing/fixtures/dockerfile.ts";

import { makeBase, missingTools } from "./container-base.ts";
import { buildImage } from "./container-build.ts";
import { tryImage } from "./container-run.ts";

const DEPLOY = join(import.meta.dirname, "..", "..", "deploy");
const read = (name: string) => readFile(join(DEPLOY, name), "utf8");

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { base: { type: "string" } } });
  const missing = await missingTools();
  if (missing !== null) {
    console.error(missing);
    process.exitCode = 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "bout-container-"));
  try {
    const base = values.base ?? join(folder, "base.tar");
    if (!existsSync(base)) await makeBase(base);
    const instructions = instructionsOf(await read("Dockerfile"));
    const ignored = (await read("Dockerfile.dockerignore")).split("\n");
    const image = await buildImage({ folder, base, instructions, ignored });
    await tryImage(image, join(folder, "data"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
