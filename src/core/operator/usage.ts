// What operators see of who plays how much, and of replays that are gone.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";
import { PolicySchema } from "#core/resources/api.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";

const counts = {
  running: Type.Integer({ minimum: 0, description: "matches now" }),
  hour: Type.Integer({ minimum: 0, description: "matches started in the last hour" }),
  day: Type.Integer({ minimum: 0, description: "matches started in the last 24 hours" }),
};

export const UsageSchema = Type.Object({
  limits: PolicySchema,
  capacity: Type.Object({ running: Count, max: Count }),
  bots: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      owner: Type.String(),
      house: Type.Boolean(),
      ...counts,
    }),
    { description: "that started a match in the last day, most matches first" },
  ),
  owners: Type.Array(
    Type.Object({
      owner: Type.String(),
      account_id: Nullable(Id),
      bots: Type.Integer({ minimum: 0, description: "of those in `bots`" }),
      ...counts,
    }),
    { description: "of these bots, most matches first; the house is one" },
  ),
  floods: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      owner: Type.String(),
      hour: Type.Integer({ minimum: 0, description: "disconnections in the last hour" }),
      suspended_until: Nullable(Instant),
    }),
    { description: "bots disconnected for too many messages (4009), most often first" },
  ),
});
export type Usage = Static<typeof UsageSchema>;

export const TrimmedSchema = Type.Object({
  removed: Type.Integer({ minimum: 0, description: "replay files" }),
  bytes: Type.Integer({ minimum: 0, description: "that are free again" }),
});
