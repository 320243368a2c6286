// The bot's program in its folder: written once, never overwritten, started as a process of its own.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { access, cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { typescriptProblem } from "#tools/local/node-support.ts";
import { isPackaged } from "#tools/local/packaged.ts";

import { Halt } from "./halt.ts";
import type { OpenLadder } from "./ladder.ts";
import type { Language, State } from "./state.ts";
import { writeSecret } from "./state.ts";
import { fetchText } from "./web.ts";

const FILES = { ts: "starter.ts", python: "starter.py" } as const;

const programFile = (lang: Language): string => FILES[lang];

/** Writes what is missing: the starter as the ladder serves it, its one package, and the token. */
export async function writeProgram(
  folder: string,
  ladder: OpenLadder,
  state: State,
): Promise<void> {
  const file = programFile(state.lang);
  if (!(await exists(join(folder, file)))) {
    const text = await fetchText(`${ladder.url}/download/bots/${file}`);
    if (text === null) throw new Halt(`${ladder.url} has no starter in this language.`);
    await writeFile(join(folder, file), text);
  }
  if (state.lang === "ts") await addSocketPackage(folder);
  // The starter finds it there when it is started by hand.
  await writeSecret(join(folder, `${state.name}.token`), state.token ?? "");
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Fails early if nothing here can run the bot. */
export function checkRuntime(folder: string, lang: Language): void {
  if (lang === "python") findPython(folder);
  const problem = lang === "ts" ? typescriptProblem() : null;
  if (problem !== null) throw new Halt(`${problem}. Use a newer Node, or --lang python.`);
}

/** A copy of ours, so that nothing need be downloaded. */
async function addSocketPackage(folder: string): Promise<void> {
  const place = join(folder, "node_modules", "ws");
  const manifest = join(folder, "package.json");
  const source = socketPackage();
  if (!(await exists(place))) await cp(source, place, { recursive: true, dereference: true });
  if (await exists(manifest)) return;
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
    version: string;
  };
  const contents = { private: true, type: "module", dependencies: { ws: version } };
  await writeFile(manifest, `${JSON.stringify(contents, null, 2)}\n`);
}

/** The folder of the package `ws`; the built package has a copy. */
function socketPackage(): string {
  if (isPackaged) return fileURLToPath(new URL("ws", import.meta.url));
  return dirname(createRequire(import.meta.url).resolve("ws/package.json"));
}

/** Tells a changed program from the one that passed. */
export async function hashOf(folder: string, lang: Language): Promise<string> {
  const bytes = await readFile(join(folder, programFile(lang)));
  return createHash("sha256").update(bytes).digest("hex");
}

export type Running = {
  /** The exit code, 0 if it was stopped; null if a signal ended it that was not ours. */
  ended: Promise<number | null>;
  stop(): void;
  /** Whether it was stopped, by us or by a signal to us. */
  wasStopped(): boolean;
};

/** Secrets of the person: a bot needs no more than its token. */
const NOT_FOR_BOTS = {
  BOUT_PASSWORD: undefined,
  BOUT_AGENT_KEY: undefined,
  BOUT_REGISTRATION_KEY: undefined,
};

/** What ends the command ends the program first. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Its lines go where ours go, or with `isQuiet` to stderr. */
export function startProgram(
  folder: string,
  { url, name, lang, token }: State,
  { games, isQuiet }: { games: number; isQuiet: boolean },
): Running {
  const flags = ["--url", url, "--name", name, "--games", String(games)];
  const command = lang === "ts" ? process.execPath : findPython(folder);
  const output = isQuiet ? 2 : 1;
  const child = spawn(command, [programFile(lang), ...flags], {
    cwd: folder,
    env: { ...process.env, ...NOT_FOR_BOTS, BOUT_TOKEN: token ?? "" },
    stdio: ["ignore", output, 2],
  });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const ended = Promise.race([
    once(child, "exit").then(([code]) => (isStopped ? 0 : (code as number | null))),
    once(child, "error").then(([error]) => {
      throw new Halt(`${command} cannot be started: ${(error as Error).message}.`);
    }),
  ]).finally(() => {
    for (const signal of SIGNALS) process.off(signal, stop);
  });
  return { ended, stop, wasStopped: () => isStopped };
}

/** Of the folder's own, if somebody has made one there, and then of the machine. */
const PYTHONS = [join(".venv", "bin", "python"), "python3", "python"];
const NEEDS = "import sys, websockets.asyncio.client; assert sys.version_info >= (3, 11)";

/** One that has what the starter needs. */
function findPython(folder: string): string {
  const found = PYTHONS.find((command) => {
    return spawnSync(command, ["-c", NEEDS], { cwd: folder }).status === 0;
  });
  if (found !== undefined) return found;
  throw new Halt(
    "The bot needs Python 3.11 or newer with the package websockets. " +
      `Install it (pip install websockets), make a .venv with it in ${folder}, or use --lang ts.`,
  );
}

const quoted = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `'${path}'`);

/** How the bot is started by hand, in its folder: with the Node of this command, new enough for it. */
export function startLine(folder: string, { url, name, lang }: State): string {
  const command = lang === "ts" ? process.execPath : findPython(folder);
  return `${quoted(command)} ${programFile(lang)} --url ${url} --name ${name}`;
}
