// State of a folder's bot, stored in a file that only the file's owner can read.

import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Type } from "typebox";
import type { Static } from "typebox";
import { Compile } from "typebox/compile";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { OnboardError } from "./onboard-error.ts";

export const LANGUAGES = ["ts", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

const NullableText = Nullable(Type.String());
const StateSchema = Type.Object({
  url: Type.String(),
  name: Type.String(),
  lang: OneOf(LANGUAGES),
  /** The account's email address. The password is never stored. */
  email: NullableText,
  agent_key: NullableText,
  token: NullableText,
  practice: NullableText,
  /** SHA-256 of the program that passed its practice match. */
  passed: NullableText,
});
export type OnboardState = Static<typeof StateSchema>;

const StateValidator = Compile(StateSchema);
export const STATE_FILE = "onboard.json";
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Returns null if the folder has no state yet. */
export async function readState(folder: string): Promise<OnboardState | null> {
  const path = join(folder, STATE_FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new OnboardError(`${path} can't be read: ${(error as Error).message}.`);
  }
  const state = parse(text);
  if (state === null) throw new OnboardError(`${path} is damaged. Delete it to start over.`);
  return state;
}

function parse(text: string): OnboardState | null {
  try {
    const value: unknown = JSON.parse(text);
    return StateValidator.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** Replaces the file atomically, so that a crash leaves the previous state intact. */
export async function writeState(folder: string, state: OnboardState): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  await writeSecretFile(join(folder, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`);
}

export async function writeSecretFile(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.new`;
  await writeFile(temporaryPath, text, { mode: OWNER_ONLY_FILE });
  // A temporary file left by a crash would otherwise keep its old mode.
  await chmod(temporaryPath, OWNER_ONLY_FILE);
  await rename(temporaryPath, path);
}
