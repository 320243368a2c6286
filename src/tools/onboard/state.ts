// What one folder knows of its bot, in one file that nobody else can read.

import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Type } from "typebox";
import type { Static } from "typebox";
import { Compile } from "typebox/compile";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Halt } from "./halt.ts";

export const LANGUAGES = ["ts", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

const Text = Nullable(Type.String());
const StateSchema = Type.Object({
  url: Type.String(),
  name: Type.String(),
  lang: OneOf(LANGUAGES),
  /** The address of the account; the password is kept nowhere. */
  email: Text,
  agent_key: Text,
  token: Text,
  /** The practice game that was asked for last. */
  practice: Text,
  /** SHA-256 of the program that passed its practice game. */
  passed: Text,
});
export type State = Static<typeof StateSchema>;

const Shape = Compile(StateSchema);
export const STATE_FILE = "onboard.json";
const ONLY_OWNER = 0o600;
const ONLY_OWNERS_FOLDER = 0o700;

/** Null in a folder where nothing was begun. */
export async function readState(folder: string): Promise<State | null> {
  const path = join(folder, STATE_FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Halt(`${path} cannot be read: ${(error as Error).message}.`);
  }
  const state = parse(text);
  if (state === null) throw new Halt(`${path} is damaged. Remove it to begin again.`);
  return state;
}

function parse(text: string): State | null {
  try {
    const value: unknown = JSON.parse(text);
    return Shape.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** Replaces the file in one step, so that a crash leaves the former one. */
export async function writeState(folder: string, state: State): Promise<void> {
  await mkdir(folder, { recursive: true, mode: ONLY_OWNERS_FOLDER });
  await writeSecret(join(folder, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

export async function writeSecret(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode: ONLY_OWNER });
  // A draft of an earlier crash keeps its mode.
  await chmod(draft, ONLY_OWNER);
  await rename(draft, path);
}
