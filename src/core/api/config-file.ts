// Configuration file: ladders and events of a deployment.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ConfiguredLadderSchema } from "./admin-ladder.ts";
import { NewEventSchema } from "./event.ts";

/** Entries that already exist in the database stay unchanged. */
export const ConfigSchema = Type.Object(
  {
    ladders: Type.Optional(Type.Array(ConfiguredLadderSchema)),
    events: Type.Optional(Type.Array(NewEventSchema)),
  },
  { additionalProperties: false },
);
export type ConfigBody = Static<typeof ConfigSchema>;
