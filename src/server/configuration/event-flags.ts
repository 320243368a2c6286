// Where the flags of events come from. They are read at the start and stay in memory: nothing writes
// them anywhere, and no message repeats them.

import { createHmac } from "node:crypto";

import { Type } from "typebox";
import { Value } from "typebox/value";

import type { EventDefinition } from "#core/events/event.ts";
import { FLAG_PREFIX, flagVariable, sharedVariables } from "#core/events/flag.ts";
import type { Flags } from "#core/events/flag.ts";

import { UsageError } from "./flag-values.ts";
import { readPrivateJson, wrong } from "./private-file.ts";

const FileSchema = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.String({ minLength: 1 })),
);

/** By event and achievement. */
export type FlagTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type FlagSources = {
  /** Variables of the environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /** What is in the file of `--flags`. */
  texts: FlagTexts;
  /** A secret of this server: flags to try things out are made from it. */
  secret: Buffer;
};

/** Throws a UsageError if two achievements share a variable. */
export function openFlags(
  { environment, texts, secret }: FlagSources,
  events: readonly Pick<EventDefinition, "id" | "achievements">[],
): Flags {
  const [shared] = sharedVariables(events);
  if (shared !== undefined)
    throw new UsageError(`two achievements have their flag in ${shared}: rename one of them`);
  // A copy: later changes of the environment are none of this server's.
  const variables = new Map(
    Object.entries(environment).filter(([name]) => name.startsWith(FLAG_PREFIX)),
  );
  return {
    of: ({ id, flagMode }, achievementId) => {
      if (flagMode === "testing") return testFlag(secret, id, achievementId);
      const given = variables.get(flagVariable(id, achievementId));
      if (given !== undefined && given !== "") return given;
      return own(own(texts, id) ?? {}, achievementId);
    },
  };
}

/** Ids come from requests: a name that every object has is no flag. */
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null;

/** The file of `--flags`; nothing without one. Rejects with a UsageError if it is not right. */
export async function readFlags(path: string | null): Promise<FlagTexts> {
  if (path === null) return {};
  const value = await readPrivateJson("flags", path);
  if (!Value.Check(FileSchema, value))
    throw wrong("flags", path, 'it is no JSON object {"<event>": {"<achievement>": "<text>"}}');
  return value;
}

/** As many characters as nobody guesses. */
const TEST_LENGTH = 24;

function testFlag(secret: Buffer, eventId: string, achievementId: string): string {
  const digest = createHmac("sha256", secret).update(`${eventId} ${achievementId}`).digest("hex");
  return `TEST-${digest.slice(0, TEST_LENGTH)}`;
}
