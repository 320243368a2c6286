// node bench/outside/gotrue.ts --url URL --key KEY --secret-key KEY --base-url URL: takes the ladder's
// side of sign-up, sign-in, recovery and consent through a running GoTrue or Supabase project. It
// makes one user there.

import { exec } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";

import { systemClock } from "#base/clock/clock.ts";
import { openGotrue } from "#outside/identity/gotrue.ts";

import { walkThrough } from "./gotrue-steps.ts";
import type { StepResult } from "./gotrue-steps.ts";

const USAGE = `usage: node bench/outside/gotrue.ts --url URL --key KEY --secret-key KEY
  --base-url URL   the ladder's address: programs' tokens must be for its /mcp
  --rotate COMMAND makes the provider sign with a new key
URL is a project's, or with --bare the root of a GoTrue server without a gateway.`;

function print({ step, outcome, text }: StepResult): void {
  console.log(`${outcome.padEnd(7)} ${step}${text === undefined ? "" : `: ${text}`}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: "string" },
      key: { type: "string" },
      "secret-key": { type: "string" },
      "base-url": { type: "string", default: "http://localhost:7777" },
      rotate: { type: "string" },
      bare: { type: "boolean", default: false },
    },
  });
  const { url, key, "secret-key": secretKey, "base-url": baseUrl, rotate, bare } = values;
  if (url === undefined || key === undefined || secretKey === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const root = bare ? url : `${url}/auth/v1`;
  const provider = openGotrue({
    projectUrl: () => url,
    root: () => root,
    resource: () => `${baseUrl}/mcp`,
    publishableKey: key,
    fetch,
    clock: systemClock,
    advise: (text) => console.log(`advice  ${text}`),
  });
  const isWhole = await walkThrough(
    {
      root,
      baseUrl,
      key,
      secretKey,
      email: `bout-check-${randomBytes(6).toString("hex")}@example.com`,
      fetch,
      provider,
      rotate: rotate === undefined ? null : async () => void (await promisify(exec)(rotate)),
      wait: (ms) => pause(ms),
    },
    print,
  );
  if (!isWhole) process.exitCode = 1;
}

await main();
