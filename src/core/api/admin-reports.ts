import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";

const Handle = Nullable(Type.String({ description: "Null until chosen." }));
const MEMBERSHIPS = ["pending", "active", "revoked"] as const;

export const MemberRowSchema = Type.Object({
  account_id: IdSchema,
  handle: Handle,
  membership: OneOf(MEMBERSHIPS),
  since: InstantSchema,
  reason: Nullable(Type.String({ description: "Reason given by an operator." })),
});
export type MemberRow = Static<typeof MemberRowSchema>;

export const AwardRowSchema = Type.Object({
  account_id: IdSchema,
  handle: Handle,
  achievement_id: Type.String(),
  achievement: Nullable(Type.String({ description: "Achievement name; null if removed." })),
  bot_id: IdSchema,
  bot: Nullable(Type.String({ description: "Bot name; null if deleted." })),
  match_id: Nullable(Type.String({ description: "Match that decided the award." })),
  earned_at: InstantSchema,
  revoked_at: Nullable(InstantSchema),
  reason: Nullable(Type.String({ description: "Reason for revoking it." })),
});
export type AwardRow = Static<typeof AwardRowSchema>;

const EventStandingSchema = Type.Object({
  rank: Type.Integer({
    minimum: 1,
    description:
      "Rank by number of achievements, then by the time of the last one. Ties share a rank.",
  }),
  account_id: IdSchema,
  handle: Handle,
  membership: Nullable(OneOf(MEMBERSHIPS, "Null for former members and on the public ladder.")),
  earned: CountSchema,
  last_earned_at: Nullable(InstantSchema),
  achievements: Type.Array(
    Type.Object({
      id: Type.String(),
      earned_at: Nullable(InstantSchema),
      revoked_at: Nullable(InstantSchema),
    }),
    { description: "In the event's order." },
  ),
});
export type EventStanding = Static<typeof EventStandingSchema>;

export const EventStandingsSchema = Type.Object({
  event: Type.Object({ id: Type.String(), name: Type.String() }),
  achievements: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  accounts: Type.Array(EventStandingSchema, {
    description: "Ladder members and accounts with an award, best first.",
  }),
});
export type EventStandings = Static<typeof EventStandingsSchema>;
