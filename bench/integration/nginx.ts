// node bench/integration/nginx.ts: runs deploy/nginx.conf in front of a ladder and checks every
// kind of traffic that must pass through. Requires nginx (Debian: apt-get install nginx) and
// openssl, which aren't part of this project. Exits with 1 if a check fails.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { nginxVersion, openNginxFront } from "./nginx-server.ts";
import { NGINX_STEPS } from "./nginx-steps.ts";

const STEP_MS = 120_000;

async function withTimeout(step: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${STEP_MS / 1000} s`)), STEP_MS);
  });
  await Promise.race([step, timeout]).finally(() => clearTimeout(timer));
}

async function runSteps(folder: string): Promise<boolean> {
  const nginxFront = await openNginxFront(folder);
  let isComplete = true;
  try {
    for (const [name, step] of NGINX_STEPS) {
      try {
        await withTimeout(step(nginxFront));
        console.log(`holds   ${name}`);
      } catch (error) {
        isComplete = false;
        console.log(`FAILS   ${name}:`, error);
      }
    }
  } finally {
    await nginxFront.close();
    const stderrLines = nginxFront.stderrChunks.join("").split("\n");
    for (const line of stderrLines.filter(
      (text) => text !== "" && !text.includes("body too large"),
    ))
      console.log(`nginx   ${line}`);
  }
  return isComplete;
}

async function main(): Promise<void> {
  const version = await nginxVersion();
  if (version === null) {
    console.error("nginx not found: install it, on Debian with apt-get install nginx");
    process.exitCode = 2;
    return;
  }
  console.log(version);
  const folder = await mkdtemp(join(tmpdir(), "bout-nginx-"));
  try {
    if (!(await runSteps(folder))) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
process.exit();
