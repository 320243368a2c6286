// Holds every message on the bot socket against the schema that is published for it.

import assert from "node:assert/strict";

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { CLIENT_MESSAGES, SERVER_MESSAGES } from "#protocol/schemas.ts";

export type Heard = { type: string } & Record<string, unknown>;

type Check = (message: Heard) => void;

/** Asserts that a bot was sent what its type promises, and no field beyond that. */
export const checkServerMessage = checker(SERVER_MESSAGES);

/** The same for what a bot sends. */
export const checkClientMessage = checker(CLIENT_MESSAGES);

function checker(schemas: Record<string, TSchema>): Check {
  const compiled = new Map(Object.entries(schemas).map(([type, schema]) => [type, check(schema)]));
  return (message) => {
    const checked = compiled.get(message.type);
    assert.ok(checked, `no message is called ${JSON.stringify(message.type)}`);
    checked(message);
  };
}

function check(schema: TSchema): Check {
  const compiled = Compile(schema);
  const known = Object.keys((schema as { properties?: object }).properties ?? {});
  return (message) => {
    const faults = compiled
      .Errors(message)
      .map((fault) => `${fault.instancePath} ${fault.message}`);
    const unknown = Object.keys(message).filter((key) => !known.includes(key));
    assert.deepEqual([...faults, ...unknown], [], JSON.stringify(message));
  };
}
