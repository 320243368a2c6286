// Schemas of the messages on the watch socket. Each is closed: a field that isn't listed here is
// never sent.

import { Type } from "typebox";

import { COOLDOWNS, END_REASONS, FIGHTER_IDS } from "#core/engine/types.ts";
import { MATCH_MODES } from "#core/ids/match-modes.ts";

import { AreaSchema, MatchEventSchema, Nullable, OneOf, PickupSchema } from "./schema-fight.ts";

const CLOSED = { additionalProperties: false } as const;
const MatchId = Type.String({ description: "Match id." });
const Count = Type.Integer({ minimum: 0 });

const FighterFrameSchema = Type.Object(
  {
    id: OneOf(FIGHTER_IDS),
    x: Count,
    y: Count,
    hp: Count,
    alive: Type.Boolean(),
    stun: Type.Integer({ minimum: 0, description: "Remaining turns of stun." }),
    power: Type.Integer({ minimum: 0, description: "Remaining ticks of power." }),
    cooldowns: Type.Object(Object.fromEntries(COOLDOWNS.map((name) => [name, Count])), CLOSED),
  },
  CLOSED,
);

const WatchFrameSchema = Type.Object(
  {
    tick: Type.Integer({ minimum: 0, description: "Number of ticks played so far." }),
    fighters: Type.Array(FighterFrameSchema, { description: "In seat order." }),
    areas: Type.Array(AreaSchema),
    pickups: Type.Array(PickupSchema),
    radius: Type.Integer({ minimum: 0, description: "Zone radius at the end of the next tick." }),
    events: Type.Array(MatchEventSchema, {
      description: "Events of the last tick, in order, without rejected actions.",
    }),
  },
  CLOSED,
);

export const WatchingSchema = Type.Object(
  {
    type: Type.Literal("watching"),
    match_id: MatchId,
    ladder_id: Type.String(),
    mode: OneOf(MATCH_MODES),
    map: Type.Object({ name: Type.String(), rows: Type.Array(Type.String()) }, CLOSED),
    fighters: Type.Array(
      Type.Object({ id: OneOf(FIGHTER_IDS), name: Type.String(), version: Type.String() }, CLOSED),
      { description: "In seat order." },
    ),
    delay_ticks: Type.Integer({ minimum: 0, description: "Minimum age of a frame in ticks." }),
    delay_ms: Type.Integer({ minimum: 0, description: "Minimum age of a frame in milliseconds." }),
  },
  CLOSED,
);

export const FramesSchema = Type.Object(
  {
    type: Type.Literal("frames"),
    match_id: MatchId,
    frames: Type.Array(WatchFrameSchema, { minItems: 1, description: "Oldest first." }),
  },
  CLOSED,
);

export const OverSchema = Type.Object({ type: Type.Literal("over"), match_id: MatchId }, CLOSED);

export const StoredSchema = Type.Object(
  {
    type: Type.Literal("stored"),
    match_id: MatchId,
    winner: Nullable(OneOf(FIGHTER_IDS)),
    reason: OneOf([...END_REASONS, "server_fault"]),
    voided: Type.Boolean({ description: "True if the match doesn't count." }),
  },
  CLOSED,
);

export const IdleSchema = Type.Object({ type: Type.Literal("idle") }, CLOSED);
