// node bench/integration/container.ts [--base FILE]: runs the steps of deploy/Dockerfile without
// Docker, in a minimal Debian created by mmdebstrap. Then runs the server as Docker would: as the
// image's user, with only the data folder writable. Requires root, mmdebstrap and unshare, which
// aren't part of this project. `--base` caches the minimal Debian in a file.

import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { parseInstructions } from "#testing/fixtures/dockerfile.ts";

import { makeBase, missingTools } from "./container-base.ts";
import { buildImage } from "./container-build.ts";
import { checkImage } from "./container-run.ts";

const DEPLOY = join(import.meta.dirname, "..", "..", "deploy");
const readDeployFile = (name: string) => readFile(join(DEPLOY, name), "utf8");

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { base: { type: "string" } } });
  const missingToolsMessage = await missingTools();
  if (missingToolsMessage !== null) {
    console.error(missingToolsMessage);
    process.exitCode = 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "bout-container-"));
  try {
    const base = values.base ?? join(folder, "base.tar");
    if (!existsSync(base)) await makeBase(base);
    const instructions = parseInstructions(await readDeployFile("Dockerfile"));
    const ignored = (await readDeployFile("Dockerfile.dockerignore")).split("\n");
    const image = await buildImage({ folder, base, instructions, ignored });
    await checkImage(image, join(folder, "data"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
