// `bout demo`: a living ladder on this machine, with house bots and sample bots over real sockets.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { readServeOptions } from "#server/configuration/flags.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { askedForHelp, runServer } from "./serve.ts";

const STARTER = fileURLToPath(new URL("../starters/starter.ts", import.meta.url));
const END_WITH_PARENT = new URL("end-with-parent.ts", import.meta.url).href;
/** House bots take this long for each turn, so that there is always a fight to watch. */
const HOUSE_PACE_MS = 25;

/** Sample bots: all run the same starter file, each with its own temper. */
const SAMPLES = [
  { name: "steady-eddie", temper: "steady" },
  { name: "rush-hour", temper: "rush" },
  { name: "long-kite", temper: "kite" },
  { name: "no-mans-land", temper: "zone" },
  { name: "pickup-artist", temper: "denier" },
  { name: "second-wind", temper: "steady" },
] as const;

export async function runDemo(args: readonly string[]): Promise<void> {
  if (askedForHelp("demo", args)) return;
  const options = readDemoOptions(args);
  const samples: ChildProcess[] = [];
  await runServer(
    "demo",
    options,
    async (baseUrl) => {
      console.log(
        `Open ${baseUrl} in a browser. Ranks appear after 30 games, in about two minutes.`,
      );
      if ("error" in options) return;
      const folder = resolve(join(options.data, "samples"));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const { name, temper } of SAMPLES)
        samples.push(startSample(baseUrl, folder, name, temper));
    },
    HOUSE_PACE_MS,
  );
  for (const sample of samples) sample.kill();
  process.exit();
}

function readDemoOptions(args: readonly string[]): ServeOptions | { error: string } {
  const options = readServeOptions(args, process.env, "demo");
  if ("error" in options) return options;
  if (options["registration-key"] !== null)
    return { error: "the sample bots know no registration key" };
  return options.anonymous ? options : { error: "the sample bots register: --anonymous stays on" };
}

/** A sample keeps its token in the folder, so that the next demo reuses the same bots. */
function startSample(url: string, folder: string, name: string, temper: string): ChildProcess {
  const flags = ["--url", url, "--name", name, "--temper", temper];
  const args = ["--import", END_WITH_PARENT, STARTER, ...flags];
  return spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "ignore", "ignore"] });
}
