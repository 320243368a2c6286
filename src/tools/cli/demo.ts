import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { readServeOptions } from "#server/configuration/flags.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { printHelpIfRequested, runServer } from "./serve.ts";

const STARTER = fileURLToPath(new URL("../starters/starter.ts", import.meta.url));
const EXIT_WITH_PARENT = new URL("exit-with-parent.ts", import.meta.url).href;
/** Slows down house bots, so that a match is always running. */
const HOUSE_PACE_MS = 25;

/** Sample bots all run the same starter file, each with a different temper. */
const SAMPLE_BOTS = [
  { name: "steady-eddie", temper: "steady" },
  { name: "rush-hour", temper: "rush" },
  { name: "long-kite", temper: "kite" },
  { name: "no-mans-land", temper: "zone" },
  { name: "pickup-artist", temper: "denier" },
  { name: "second-wind", temper: "steady" },
] as const;

export async function runDemo(args: readonly string[]): Promise<void> {
  if (printHelpIfRequested("demo", args)) return;
  const options = readDemoOptions(args);
  const sampleProcesses: ChildProcess[] = [];
  await runServer(
    "demo",
    options,
    async (baseUrl) => {
      console.log(
        `Open ${baseUrl} in a browser. Ranks appear after 30 rated games, in about two minutes.`,
      );
      if ("error" in options) return;
      const folder = resolve(join(options.data, "samples"));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { name, temper } of SAMPLE_BOTS)
        sampleProcesses.push(startSampleBot(baseUrl, folder, name, temper));
    },
    HOUSE_PACE_MS,
  );
  for (const sampleProcess of sampleProcesses) sampleProcess.kill();
  process.exit();
}

function readDemoOptions(args: readonly string[]): ServeOptions | { error: string } {
  const options = readServeOptions(args, process.env, "demo");
  if ("error" in options) return options;
  if (options["registration-key"] !== null)
    return { error: "the sample bots have no registration key" };
  return options.anonymous
    ? options
    : {
        error: "the sample bots must register without an account: --anonymous can't be turned off",
      };
}

/** Stores the token in the folder, so that the next demo reuses the bot. */
function startSampleBot(url: string, folder: string, name: string, temper: string): ChildProcess {
  const flags = ["--url", url, "--name", name, "--temper", temper];
  const args = ["--import", EXIT_WITH_PARENT, STARTER, ...flags];
  return spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "ignore", "ignore"] });
}
