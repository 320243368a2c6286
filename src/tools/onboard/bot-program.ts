// The bot's program in its folder. It is written once, never overwritten, and runs as a child
// process.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { access, cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { typescriptProblem } from "#tools/local-match/node-support.ts";
import { isPackaged } from "#tools/local-match/packaged.ts";

import { fetchText } from "./http-client.ts";
import type { LadderClient } from "./ladder.ts";
import { OnboardError } from "./onboard-error.ts";
import type { Language, OnboardState } from "./state.ts";
import { writeSecretFile } from "./state.ts";

const STARTER_FILES = { ts: "starter.ts", python: "starter.py" } as const;

const programFile = (lang: Language): string => STARTER_FILES[lang];

/** Writes missing files: the ladder's starter, the package it needs, and the token. */
export async function writeProgram(
  folder: string,
  ladder: LadderClient,
  state: OnboardState,
): Promise<void> {
  const file = programFile(state.lang);
  if (!(await fileExists(join(folder, file)))) {
    const text = await fetchText(`${ladder.url}/download/bots/${file}`);
    if (text === null) throw new OnboardError(`${ladder.url} has no starter in this language.`);
    await writeFile(join(folder, file), text);
  }
  if (state.lang === "ts") await addSocketPackage(folder);
  // If started by hand, the starter reads its token from this file.
  await writeSecretFile(join(folder, `${state.name}.token`), state.token ?? "");
}

export const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Throws OnboardError if this machine can't run the bot. */
export function checkRuntime(folder: string, lang: Language): void {
  if (lang === "python") findPython(folder);
  const problem = lang === "ts" ? typescriptProblem() : null;
  if (problem !== null) throw new OnboardError(`${problem}. Use a newer Node, or --lang python.`);
}

/** Copies the package from this installation, so that nothing needs to be downloaded. */
async function addSocketPackage(folder: string): Promise<void> {
  const packageFolder = join(folder, "node_modules", "ws");
  const manifest = join(folder, "package.json");
  const source = findSocketPackage();
  if (!(await fileExists(packageFolder)))
    await cp(source, packageFolder, { recursive: true, dereference: true });
  if (await fileExists(manifest)) return;
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
    version: string;
  };
  const contents = { private: true, type: "module", dependencies: { ws: version } };
  await writeFile(manifest, `${JSON.stringify(contents, null, 2)}\n`);
}

/** Returns the folder of the `ws` package. The built package contains a copy. */
function findSocketPackage(): string {
  if (isPackaged) return fileURLToPath(new URL("ws", import.meta.url));
  return dirname(createRequire(import.meta.url).resolve("ws/package.json"));
}

export async function hashProgram(folder: string, lang: Language): Promise<string> {
  const bytes = await readFile(join(folder, programFile(lang)));
  return createHash("sha256").update(bytes).digest("hex");
}

export type RunningProgram = {
  /**
   * The exit code: 0 if we stopped the program, null if another process killed it with a signal.
   */
  exitCode: Promise<number | null>;
  stop(): void;
  /** Whether we stopped the program, on our own or after receiving a signal. */
  wasStopped(): boolean;
};

/** The user's secrets. The bot needs only its token, so they are hidden from it. */
const SECRET_VARIABLES = {
  BOUT_PASSWORD: undefined,
  BOUT_AGENT_KEY: undefined,
  BOUT_REGISTRATION_KEY: undefined,
};

/** On any of these signals, the command stops the program first. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** With `isQuiet`, the program's stdout goes to stderr. */
export function startBotProgram(
  folder: string,
  { url, name, lang, token }: OnboardState,
  { games, isQuiet }: { games: number; isQuiet: boolean },
): RunningProgram {
  const flags = ["--url", url, "--name", name, "--games", String(games)];
  const command = lang === "ts" ? process.execPath : findPython(folder);
  const output = isQuiet ? 2 : 1;
  const child = spawn(command, [programFile(lang), ...flags], {
    cwd: folder,
    env: { ...process.env, ...SECRET_VARIABLES, BOUT_TOKEN: token ?? "" },
    stdio: ["ignore", output, 2],
  });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const exitCode = Promise.race([
    once(child, "exit").then(([code]) => (isStopped ? 0 : (code as number | null))),
    once(child, "error").then(([error]) => {
      throw new OnboardError(`${command} can't be started: ${(error as Error).message}.`);
    }),
  ]).finally(() => {
    for (const signal of SIGNALS) process.off(signal, stop);
  });
  return { exitCode, stop, wasStopped: () => isStopped };
}

/** Prefers the folder's virtual environment to the system's Python. */
const PYTHON_COMMANDS = [join(".venv", "bin", "python"), "python3", "python"];
const PYTHON_CHECK = "import sys, websockets.asyncio.client; assert sys.version_info >= (3, 11)";

/** Returns a Python that has everything the starter needs. Throws if there is no such Python. */
function findPython(folder: string): string {
  const pythonCommand = PYTHON_COMMANDS.find((command) => {
    return spawnSync(command, ["-c", PYTHON_CHECK], { cwd: folder }).status === 0;
  });
  if (pythonCommand !== undefined) return pythonCommand;
  throw new OnboardError(
    "The bot needs Python 3.11 or newer and the websockets package. " +
      `Install it (pip install websockets), create a .venv with it in ${folder}, or use --lang ts.`,
  );
}

const shellQuote = (path: string): string => (/^[\w./:-]+$/.test(path) ? path : `'${path}'`);

/**
 * Returns the command for starting the bot by hand in its folder, with the Node that runs this
 * process.
 */
export function startCommandLine(folder: string, { url, name, lang }: OnboardState): string {
  const command = lang === "ts" ? process.execPath : findPython(folder);
  return `${shellQuote(command)} ${programFile(lang)} --url ${url} --name ${name}`;
}
