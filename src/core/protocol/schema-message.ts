// Schemas of all bot socket messages, each named after its `type`.

import { Type } from "typebox";

import { END_REASONS } from "#core/engine/types.ts";
import { MATCH_MODES, UNRATED_REASONS } from "#core/ids/match-modes.ts";

import {
  AreaSchema,
  DangerSchema,
  DashesSchema,
  DirectionSchema,
  MatchEventSchema,
  FighterIdSchema,
  FighterViewSchema,
  Nullable,
  OneOf,
  PickupSchema,
  SelfSchema,
  TileSchema,
  turnProperties,
  ZoneSchema,
} from "./schema-fight.ts";
import { MatchStatsSchema } from "./schema-stats.ts";

const type = <T extends string>(name: T) => Type.Literal(name);
const Milliseconds = Type.Number({ minimum: 0, description: "milliseconds" });
const Id = Type.String({ description: "Opaque id." });

// Sent by the bot.

export const QueueSchema = Type.Object({
  type: type("queue"),
  version: Type.String({
    description: "Version label of 1-32 characters. A new label is registered.",
  }),
  ladder_id: Type.Optional(
    Nullable(Type.String({ description: "Ladder id; defaults to public." })),
  ),
});
export const LeaveSchema = Type.Object({ type: type("leave") });
export const ReadySchema = Type.Object({ type: type("ready"), match_id: Type.Optional(Id) });
export const TurnSchema = Type.Object({
  type: type("turn"),
  tick: Type.Integer({ minimum: 0, description: "Tick of the observation that the turn answers." }),
  ...turnProperties,
});

// Sent to the bot.

export const QueuedSchema = Type.Object({
  type: type("queued"),
  version: Type.String(),
  estimated_wait_s: Type.Number({ minimum: 0, description: "An estimate, not a deadline." }),
  ladder_id: Type.String(),
});

const Opponent = Type.Object({
  bot_id: Id,
  name: Type.String(),
  version: Type.String(),
  fighter: FighterIdSchema,
});

const matchTimes = {
  startup_ms: Milliseconds,
  tick_ms: Milliseconds,
  budget_ms: Milliseconds,
  reconnect_ms: Milliseconds,
};
const FailedTicks = Type.Integer({
  minimum: 1,
  description: "Number of consecutive failed ticks that loses the match.",
});
const MessagesPerTick = Type.Integer({
  minimum: 1,
  description: "Maximum number of frames from a bot in one tick. One more closes its connection.",
});

const DeadlinesSchema = Type.Object({
  ...matchTimes,
  failed_ticks_to_disqualify: FailedTicks,
  messages_per_tick: MessagesPerTick,
});

/**
 * As in `hello`. Older replays contain only the times. In those replays, 10 failed ticks lose the
 * match.
 */
export const RecordedDeadlinesSchema = Type.Object({
  ...matchTimes,
  failed_ticks_to_disqualify: Type.Optional(FailedTicks),
  messages_per_tick: Type.Optional(MessagesPerTick),
});

export const MapSchema = Type.Object({
  name: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  center: TileSchema,
  rows: Type.Array(Type.String(), {
    description: "# is a wall, o is a low wall, everything else is floor.",
  }),
});

const Whole = Type.Integer({ minimum: 0 });
const AttackRule = Type.Object({
  target: OneOf(["direction", "tile", "none"]),
  acts: OneOf(["before_moves", "after_moves", "area"]),
  damage: Whole,
  cooldown: Whole,
  recovery: Whole,
});

/** The numbers of the rules in force. Later versions of the rules may add keys. */
export const RulesSchema = Type.Object({
  version: Type.String(),
  hp: Whole,
  max_ticks: Whole,
  directions: Type.Array(DirectionSchema),
  dash: Type.Object({ tiles: Whole, cooldown: Whole }),
  attacks: Type.Record(Type.String(), AttackRule),
  wall_slam: Type.Object({ damage: Whole, stun: Whole }),
  collision: Type.Object({ damage: Whole }),
  power: Type.Object({ ticks: Whole, times: Whole, over: Whole }),
  heal: Whole,
  zone: Type.Object({ start: Whole, every: Whole, min_radius: Whole, damage: Whole }),
  pickups: Type.Object({ first: Whole, every: Whole, lead: Whole }),
  shout: Type.Object({ max_length: Whole, cooldown: Whole }),
});

const ModeSchema = OneOf(MATCH_MODES, "`ranked` for ladder matches; `human` against a person.");

export const HelloSchema = Type.Object({
  type: type("hello"),
  protocol_version: Type.String(),
  match_id: Id,
  ladder_id: Type.String(),
  mode: ModeSchema,
  bot_id: Id,
  fighter: FighterIdSchema,
  opponent: Opponent,
  fighters: Type.Array(
    Type.Object({ id: FighterIdSchema, bot_id: Id, name: Type.String(), version: Type.String() }),
  ),
  deadlines: DeadlinesSchema,
  map: MapSchema,
  rules: RulesSchema,
});

export const ObservationSchema = Type.Object({
  type: type("observation"),
  match_id: Id,
  tick: Type.Integer({ minimum: 0, description: "Tick of the next turn." }),
  self: SelfSchema,
  fighters: Type.Array(FighterViewSchema, { description: "All other fighters, in seat order." }),
  moves: Type.Array(DirectionSchema, { description: "Directions in which a step is possible." }),
  dashes: DashesSchema,
  danger: DangerSchema,
  areas: Type.Array(AreaSchema),
  pickups: Type.Array(PickupSchema),
  zone: ZoneSchema,
  events: Type.Array(MatchEventSchema, {
    description: "Events of the previous tick, in order.",
  }),
  budget_ms: Type.Integer({
    minimum: 0,
    description: "Response time remaining in the match, in milliseconds.",
  }),
  last_reply_ms: Nullable(
    Type.Integer({
      minimum: 0,
      description: "Response time charged for the previous tick, in milliseconds.",
    }),
  ),
});

export const UnratedReasonSchema = Nullable(
  OneOf(UNRATED_REASONS, "The first reason that applies; null when rated."),
);

export const EndSchema = Type.Object({
  type: type("end"),
  match_id: Id,
  winner: Nullable(FighterIdSchema),
  reason: OneOf([...END_REASONS, "server_fault"]),
  voided: Type.Optional(Type.Literal(true)),
  rated: Type.Boolean(),
  unrated_reason: UnratedReasonSchema,
  watch_url: Type.String(),
  rating_change: Nullable(Type.Integer({ description: "In whole points; null when unrated." })),
  ladder_id: Type.String(),
  mode: ModeSchema,
  stats: Nullable(MatchStatsSchema),
});

export const ErrorSchema = Type.Object({
  type: type("error"),
  code: Type.String({ description: "Code from the error catalogue." }),
  message: Type.String({ description: "Text for display." }),
});
export const ServerDrainingSchema = Type.Object({
  type: type("server_draining"),
  drain_deadline: Type.String({ format: "date-time" }),
});
export const ReplacedSchema = Type.Object({
  type: type("replaced"),
  code: Type.Literal("replaced"),
  message: Type.String(),
});
