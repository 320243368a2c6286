// node bench/integration/gotrue.ts --url URL --key KEY --secret-key KEY --base-url URL: runs the
// ladder's side of sign-up, sign-in, recovery and consent against a running GoTrue server or
// Supabase project. Creates one user in that project.

import { exec } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";

import { openGotrue } from "#adapters/identity/gotrue.ts";
import { systemClock } from "#base/clock/clock.ts";

import { runProviderSteps } from "./gotrue-steps.ts";
import type { StepResult } from "./gotrue-steps.ts";

const USAGE = `usage: node bench/integration/gotrue.ts --url URL --key KEY --secret-key KEY
  --base-url URL   base URL of the ladder: app tokens must be for its /mcp
  --rotate COMMAND command that rotates the provider's signing key
URL is the project's, or with --bare the root of a GoTrue server without a gateway.`;

function printResult({ step, outcome, text }: StepResult): void {
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
  const { url, key, "secret-key": secretKey, "base-url": baseUrl, rotate, bare: isBare } = values;
  if (url === undefined || key === undefined || secretKey === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const root = isBare ? url : `${url}/auth/v1`;
  const provider = openGotrue({
    projectUrl: () => url,
    root: () => root,
    resource: () => `${baseUrl}/mcp`,
    publishableKey: key,
    fetch,
    clock: systemClock,
    logAdvice: (text) => console.log(`advice  ${text}`),
  });
  const isComplete = await runProviderSteps(
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
    printResult,
  );
  if (!isComplete) process.exitCode = 1;
}

await main();
