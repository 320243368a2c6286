// node bench/outside/nginx.ts: deploy/nginx.conf in front of a ladder, and everything that has to
// pass through it. It needs nginx (Debian: apt-get install nginx) and openssl, which are not part
// of this project. It ends with 1 when something does not hold.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { nginxVersion, openFront } from "./nginx-server.ts";
import { STEPS } from "./nginx-steps.ts";

const STEP_MS = 120_000;

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done in ${STEP_MS / 1000} s`)), STEP_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** True when all hold. */
async function walkThrough(folder: string): Promise<boolean> {
  const front = await openFront(folder);
  let isWhole = true;
  try {
    for (const [name, step] of STEPS) {
      try {
        await withinTime(step(front));
        console.log(`holds   ${name}`);
      } catch (error) {
        isWhole = false;
        console.log(`FAILS   ${name}:`, error);
      }
    }
  } finally {
    await front.close();
    const said = front.said.join("").split("\n");
    for (const line of said.filter((text) => text !== "" && !text.includes("too large body")))
      console.log(`nginx   ${line}`);
  }
  return isWhole;
}

async function main(): Promise<void> {
  const version = await nginxVersion();
  if (version === null) {
    console.error("there is no nginx: install it, on Debian with apt-get install nginx");
    process.exitCode = 2;
    return;
  }
  console.log(version);
  const folder = await mkdtemp(join(tmpdir(), "bout-nginx-"));
  try {
    if (!(await walkThrough(folder))) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
process.exit();
