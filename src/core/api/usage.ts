import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable } from "#core/protocol/schema-fight.ts";

import { PolicySchema } from "./api-index.ts";
import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";

const usageCounts = {
  running: Type.Integer({ minimum: 0, description: "Matches running now." }),
  hour: Type.Integer({ minimum: 0, description: "Matches started in the last hour." }),
  day: Type.Integer({ minimum: 0, description: "Matches started in the last 24 hours." }),
};

export const UsageSchema = Type.Object({
  limits: PolicySchema,
  capacity: Type.Object({ running: CountSchema, max: CountSchema }),
  bots: Type.Array(
    Type.Object({
      id: IdSchema,
      name: Type.String(),
      owner: Type.String(),
      house: Type.Boolean(),
      ...usageCounts,
    }),
    { description: "Bots that started a match in the last 24 hours, most matches first." },
  ),
  owners: Type.Array(
    Type.Object({
      owner: Type.String(),
      account_id: Nullable(IdSchema),
      bots: Type.Integer({ minimum: 0, description: "Number of the owner's bots in `bots`." }),
      ...usageCounts,
    }),
    { description: "Owners of these bots, most matches first. The house counts as one owner." },
  ),
  floods: Type.Array(
    Type.Object({
      id: IdSchema,
      name: Type.String(),
      owner: Type.String(),
      hour: Type.Integer({ minimum: 0, description: "Disconnections in the last hour." }),
      suspended_until: Nullable(InstantSchema),
    }),
    {
      description:
        "Bots disconnected for sending too many messages (4009), most disconnections first.",
    },
  ),
});
export type UsageReport = Static<typeof UsageSchema>;

export const ReplayTrimSchema = Type.Object({
  removed: Type.Integer({ minimum: 0, description: "Number of replay files removed." }),
  bytes: Type.Integer({ minimum: 0, description: "Bytes freed." }),
});
