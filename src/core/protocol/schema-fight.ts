// Schemas of observations and turns. They match the types in #core/engine/types.ts.

import { Type } from "typebox";
import type { TSchema } from "typebox";

import {
  AREAS,
  ATTACKS,
  COOLDOWNS,
  DIRECTIONS,
  FIGHTER_IDS,
  IDLE_REASONS,
  PICKUPS,
  REFUSALS,
  TURN_PARTS,
} from "#core/engine/types.ts";

export function OneOf<const T extends string>(keys: readonly T[], description?: string) {
  return Type.Unsafe<T>(Type.Enum([...keys], description ? { description } : {}));
}

/**
 * Returns an object schema that requires all of the keys and has the same value schema for each.
 */
export function RecordOf<const K extends string, S extends TSchema>(keys: readonly K[], value: S) {
  const properties = Object.fromEntries(keys.map((word) => [word, value])) as Record<K, S>;
  return Type.Object(properties, { additionalProperties: false });
}

/** Returns an object schema of counts. A missing key means zero. */
export function CountsOf(keys: readonly string[], description: string) {
  const count = Type.Optional(Type.Integer({ minimum: 1 }));
  const properties = Object.fromEntries(keys.map((word) => [word, count]));
  return Type.Object(properties, { additionalProperties: false, description });
}

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const CountField = Type.Integer({ minimum: 0 });
const CoordinateField = Type.Integer({ minimum: 0 });
export const DirectionSchema = OneOf(
  DIRECTIONS,
  "Direction; x grows to the right, y downwards, so n is (0,-1).",
);
export const FighterIdSchema = OneOf(FIGHTER_IDS, "Fighter id, in seat order.");
export const TileSchema = Type.Tuple([Type.Integer(), Type.Integer()], { description: "[x, y]" });
export const TargetSchema = Type.Union([DirectionSchema, TileSchema]);

const CooldownsSchema = RecordOf(COOLDOWNS, CountField);
const VisibleCooldowns = RecordOf(
  COOLDOWNS.filter((name) => name !== "shout"),
  CountField,
);

export const SelfSchema = Type.Object({
  id: FighterIdSchema,
  x: CoordinateField,
  y: CoordinateField,
  hp: CountField,
  stun: Type.Integer({ minimum: 0, description: "Remaining turns of stun." }),
  power: Type.Integer({ minimum: 0, description: "Remaining ticks of power." }),
  cooldowns: CooldownsSchema,
});

const VisibleFighter = Type.Object({
  id: FighterIdSchema,
  hp: CountField,
  power: CountField,
  visible: Type.Literal(true),
  x: CoordinateField,
  y: CoordinateField,
  stun: CountField,
  cooldowns: VisibleCooldowns,
});
const HiddenFighter = Type.Object({
  id: FighterIdSchema,
  hp: CountField,
  power: CountField,
  visible: Type.Literal(false),
  last_seen: Nullable(Type.Object({ x: CoordinateField, y: CoordinateField, tick: CountField })),
});
const FallenFighter = Type.Object({
  id: FighterIdSchema,
  hp: Type.Literal(0),
  alive: Type.Literal(false),
});

const position = { x: CoordinateField, y: CoordinateField };
const AreaNames = OneOf(AREAS);
const AttackNames = OneOf(ATTACKS);

export const AreaSchema = Type.Object({
  name: AreaNames,
  by: FighterIdSchema,
  ...position,
  radius: CountField,
  in: Type.Optional(
    Type.Integer({
      description: "Ticks until the blast explodes; 1 means at the end of this tick.",
    }),
  ),
  left: Type.Optional(
    Type.Integer({ description: "Remaining burns of the scorch, including this tick's." }),
  ),
  damage: CountField,
});

export const PickupSchema = Type.Object({
  kind: OneOf(PICKUPS),
  ...position,
  in: Type.Integer({
    description:
      "Ticks until the pickup lands. 0 means that it has landed, 1 that it can be collected at the end of this tick.",
  }),
});

export const ZoneSchema = Type.Object({
  radius: CountField,
  shrinks_in: Nullable(CountField),
  damage: CountField,
});

const eventSchema = <T extends string, P extends Record<string, TSchema>>(type: T, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties });
const throwProperties = {
  by: FighterIdSchema,
  target: FighterIdSchema,
  direction: DirectionSchema,
  tiles: CountField,
};

export const MatchEventSchema = Type.Union([
  eventSchema("shout", { by: FighterIdSchema, text: Type.String() }),
  eventSchema("rejected", {
    part: OneOf(TURN_PARTS),
    reason: OneOf([...REFUSALS, ...IDLE_REASONS]),
    message: Type.String({ description: "Text for display. It isn't recorded." }),
    field: Type.Optional(Type.Literal("shout")),
  }),
  eventSchema("attack", {
    by: FighterIdSchema,
    name: AttackNames,
    x: Type.Optional(CoordinateField),
    y: Type.Optional(CoordinateField),
    target: Type.Optional(Nullable(TargetSchema)),
  }),
  eventSchema("hit", {
    by: FighterIdSchema,
    target: FighterIdSchema,
    name: OneOf([...ATTACKS, "wall_slam", "collision"]),
    damage: CountField,
    ricochet: Type.Optional(Type.Literal(true)),
    ...position,
  }),
  eventSchema("repulse", { ...throwProperties, slam: Type.Boolean(), ...position }),
  eventSchema("pull", { ...throwProperties, ...position }),
  eventSchema("area_spawn", {
    by: FighterIdSchema,
    name: AreaNames,
    ...position,
    radius: CountField,
    damage: CountField,
    in: Type.Optional(CountField),
    left: Type.Optional(CountField),
  }),
  eventSchema("area_explode", {
    by: FighterIdSchema,
    name: AreaNames,
    ...position,
    radius: CountField,
  }),
  eventSchema("pickup", {
    by: FighterIdSchema,
    kind: OneOf(PICKUPS),
    healed: Type.Optional(CountField),
  }),
  eventSchema("zone_damage", { target: FighterIdSchema, damage: CountField, ...position }),
  eventSchema("pickup_spawn", { kind: OneOf(PICKUPS), ...position, in: CountField }),
  eventSchema("death", { target: FighterIdSchema, ...position }),
]);

export const FighterViewSchema = Type.Union([VisibleFighter, HiddenFighter, FallenFighter]);

const dash = Type.Optional(Type.Integer({ minimum: 1, maximum: 3 }));
export const DashesSchema = Type.Object(
  Object.fromEntries(DIRECTIONS.map((direction) => [direction, dash])),
  { additionalProperties: false, description: "Number of free tiles in each direction." },
);

export const DangerSchema = Type.Array(
  Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]),
  {
    description:
      "[x, y, in, damage] of floor tiles within 3 tiles that an active area will damage.",
  },
);

export const turnProperties = {
  move: Type.Optional(Nullable(DirectionSchema)),
  dash: Type.Optional(Nullable(DirectionSchema)),
  attack: Type.Optional(
    Nullable(
      Type.Object({
        name: Type.String({ description: "A key of hello.rules.attacks." }),
        target: Type.Optional(
          Type.Unknown({
            description: "A direction, a tile [x, y], or absent, depending on the attack.",
          }),
        ),
      }),
    ),
  ),
  shout: Type.Optional(
    Nullable(
      Type.String({
        description:
          "1-40 code points after removing unprintable characters and surrounding spaces.",
      }),
    ),
  ),
};
