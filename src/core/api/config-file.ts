import { Type } from "typebox";
import type { Static } from "typebox";

import { ConfiguredLadderSchema } from "./admin-ladder.ts";
import { NewEventSchema } from "./event.ts";

/** Entries that already exist in the database aren't updated. */
export const ConfigSchema = Type.Object(
  {
    ladders: Type.Optional(Type.Array(ConfiguredLadderSchema)),
    events: Type.Optional(Type.Array(NewEventSchema)),
  },
  { additionalProperties: false },
);
export type ConfigBody = Static<typeof ConfigSchema>;
