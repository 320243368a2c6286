// Event flags are read at startup and kept in memory. They are never stored or included in
// messages.

import { createHmac } from "node:crypto";

import { Type } from "typebox";
import { Value } from "typebox/value";

import { FLAG_PREFIX, flagVariable, conflictingVariables } from "#core/events/achievement-flags.ts";
import type { Flags } from "#core/events/achievement-flags.ts";
import type { EventDefinition } from "#core/events/event.ts";

import { UsageError } from "./flag-values.ts";
import { readPrivateJson, invalidFile } from "./private-file.ts";

const FileSchema = Type.Record(
  Type.String(),
  Type.Record(Type.String(), Type.String({ minLength: 1 })),
);

/** Flag texts by event id and achievement id. */
export type FlagTexts = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type FlagSources = {
  environment: Readonly<Record<string, string | undefined>>;
  texts: FlagTexts;
  secret: Buffer;
};

/** Opens the flags. Throws a UsageError if two achievements share a variable. */
export function openEventFlags(
  { environment, texts, secret }: FlagSources,
  events: readonly Pick<EventDefinition, "id" | "achievements">[],
): Flags {
  const [sharedVariable] = conflictingVariables(events);
  if (sharedVariable !== undefined)
    throw new UsageError(`two achievements share the flag ${sharedVariable}: rename one of them`);
  // Copied, so that later environment changes have no effect.
  const variables = new Map(
    Object.entries(environment).filter(([name]) => name.startsWith(FLAG_PREFIX)),
  );
  return {
    get: ({ id, flagMode }, achievementId) => {
      if (flagMode === "testing") return testFlag(secret, id, achievementId);
      const environmentFlag = variables.get(flagVariable(id, achievementId));
      if (environmentFlag !== undefined && environmentFlag !== "") return environmentFlag;
      return ownValue(ownValue(texts, id) ?? {}, achievementId);
    },
  };
}

/** Ids come from requests, so inherited properties must not match. */
const ownValue = <T>(record: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(record, name) ? (record[name] ?? null) : null;

/**
 * Reads the `--flags` file. Returns no flags if `path` is null. Rejects with a UsageError if the
 * file is invalid.
 */
export async function readEventFlags(path: string | null): Promise<FlagTexts> {
  if (path === null) return {};
  const value = await readPrivateJson("flags", path);
  if (!Value.Check(FileSchema, value))
    throw invalidFile(
      "flags",
      path,
      'it is not a JSON object {"<event>": {"<achievement>": "<text>"}}',
    );
  return value;
}

/** Long enough to be unguessable. */
const TEST_LENGTH = 24;

function testFlag(secret: Buffer, eventId: string, achievementId: string): string {
  const digest = createHmac("sha256", secret).update(`${eventId} ${achievementId}`).digest("hex");
  return `TEST-${digest.slice(0, TEST_LENGTH)}`;
}
