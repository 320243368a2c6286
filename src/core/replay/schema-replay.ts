import { Type } from "typebox";

import { END_REASONS, IDLE_REASONS } from "#core/engine/types.ts";
import {
  DirectionSchema,
  FighterIdSchema,
  Nullable,
  OneOf,
  TargetSchema,
} from "#core/protocol/schema-fight.ts";
import { MapSchema, RecordedDeadlinesSchema, RulesSchema } from "#core/protocol/schema-message.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{8}$" });

export const ReplayHeaderSchema = Type.Object({
  type: Type.Literal("replay"),
  replay_version: Type.Literal(1),
  match_id: Type.String(),
  ladder_id: Type.String(),
  mode: Type.String(),
  started: Type.String({ format: "date-time" }),
  versions: Type.Object({
    engine: Type.String(),
    protocol: Type.String(),
    rules: Type.String(),
    rules_hash: Type.String(),
  }),
  seed: Type.Integer({ minimum: 0, maximum: 4294967295 }),
  deadlines: RecordedDeadlinesSchema,
  map: MapSchema,
  rules: RulesSchema,
  fighters: Type.Array(
    Type.Object({
      id: FighterIdSchema,
      bot_id: Type.String(),
      name: Type.String(),
      version: Type.String(),
    }),
    { minItems: 2, maxItems: 4 },
  ),
});

const RecordedTurnSchema = Type.Object(
  {
    move: Type.Optional(DirectionSchema),
    dash: Type.Optional(DirectionSchema),
    attack: Type.Optional(
      Type.Object({ name: Type.String(), target: Type.Optional(TargetSchema) }),
    ),
    shout: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const IdleSchema = Type.Object({ idle: OneOf(IDLE_REASONS) }, { additionalProperties: false });

export const ReplayTickSchema = Type.Object({
  tick: Type.Integer({ minimum: 0 }),
  turns: Type.Array(Type.Union([RecordedTurnSchema, IdleSchema, Type.Null()])),
  reply_ms: Type.Array(Nullable(Type.Number({ minimum: 0 }))),
  budget_ms: Type.Array(Type.Number({ minimum: 0 })),
  hash: Hash,
});

export const ReplayResultSchema = Type.Object({
  type: Type.Literal("result"),
  winner: Nullable(FighterIdSchema),
  reason: OneOf([...END_REASONS, "server_fault"]),
  ticks: Type.Integer({ minimum: 0 }),
  hash: Hash,
});
