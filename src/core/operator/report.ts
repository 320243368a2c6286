// Tables that operators read and export.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";

const Handle = Nullable(Type.String({ description: "null until chosen" }));
const MEMBERSHIPS = ["pending", "active", "revoked"] as const;

export const MemberRowSchema = Type.Object({
  account_id: Id,
  handle: Handle,
  membership: OneOf(MEMBERSHIPS),
  since: Instant,
  reason: Nullable(Type.String({ description: "what an operator gave as the reason" })),
});
export type MemberRow = Static<typeof MemberRowSchema>;

export const AwardRowSchema = Type.Object({
  account_id: Id,
  handle: Handle,
  achievement_id: Type.String(),
  achievement: Nullable(Type.String({ description: "its name; null if it was removed" })),
  bot_id: Id,
  bot: Nullable(Type.String({ description: "name of the bot; null if it was deleted" })),
  match_id: Nullable(Type.String({ description: "the deciding match" })),
  earned_at: Instant,
  revoked_at: Nullable(Instant),
  reason: Nullable(Type.String({ description: "why it was revoked" })),
});
export type AwardRow = Static<typeof AwardRowSchema>;

const EventStandingSchema = Type.Object({
  rank: Type.Integer({
    minimum: 1,
    description: "by achievements earned, then by when the last one was; equal ones share a rank",
  }),
  account_id: Id,
  handle: Handle,
  membership: Nullable(OneOf(MEMBERSHIPS, "null for former members, and on public")),
  earned: Count,
  last_earned_at: Nullable(Instant),
  achievements: Type.Array(
    Type.Object({
      id: Type.String(),
      earned_at: Nullable(Instant),
      revoked_at: Nullable(Instant),
    }),
    { description: "in the order of the event's achievements" },
  ),
});
export type EventStanding = Static<typeof EventStandingSchema>;

export const EventStandingsSchema = Type.Object({
  event: Type.Object({ id: Type.String(), name: Type.String() }),
  achievements: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  accounts: Type.Array(EventStandingSchema, {
    description: "members of the ladder, and accounts with an award; best first",
  }),
});
export type EventStandings = Static<typeof EventStandingsSchema>;
