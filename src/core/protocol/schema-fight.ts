// Schemas of what a fighter sees and does: the types of #core/engine/types.ts, published.

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

/** One of a tuple of words, as a JSON Schema enum. */
export function OneOf<const T extends string>(words: readonly T[], description?: string) {
  return Type.Unsafe<T>(Type.Enum([...words], description ? { description } : {}));
}

/** An object with the same kind of value under each of the given words, all required. */
export function Each<const K extends string, S extends TSchema>(words: readonly K[], value: S) {
  const properties = Object.fromEntries(words.map((word) => [word, value])) as Record<K, S>;
  return Type.Object(properties, { additionalProperties: false });
}

/** The same with every word optional: an absent word means zero. */
export function Counts(words: readonly string[], description: string) {
  const count = Type.Optional(Type.Integer({ minimum: 1 }));
  const properties = Object.fromEntries(words.map((word) => [word, count]));
  return Type.Object(properties, { additionalProperties: false, description });
}

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const Count = Type.Integer({ minimum: 0 });
const Coordinate = Type.Integer({ minimum: 0 });
export const DirectionSchema = OneOf(DIRECTIONS, "x grows to the right, y downwards: n is (0,-1)");
export const FighterIdSchema = OneOf(FIGHTER_IDS, "fighter id, in seat order");
export const TileSchema = Type.Tuple([Type.Integer(), Type.Integer()], { description: "[x, y]" });
export const TargetSchema = Type.Union([DirectionSchema, TileSchema]);

const CooldownsSchema = Each(COOLDOWNS, Count);
const SeenCooldowns = Each(
  COOLDOWNS.filter((name) => name !== "shout"),
  Count,
);

export const SelfSchema = Type.Object({
  id: FighterIdSchema,
  x: Coordinate,
  y: Coordinate,
  hp: Count,
  stun: Type.Integer({ minimum: 0, description: "turns still lost" }),
  power: Type.Integer({ minimum: 0, description: "ticks of power left" }),
  cooldowns: CooldownsSchema,
});

const VisibleFighter = Type.Object({
  id: FighterIdSchema,
  hp: Count,
  power: Count,
  visible: Type.Literal(true),
  x: Coordinate,
  y: Coordinate,
  stun: Count,
  cooldowns: SeenCooldowns,
});
const HiddenFighter = Type.Object({
  id: FighterIdSchema,
  hp: Count,
  power: Count,
  visible: Type.Literal(false),
  last_seen: Nullable(Type.Object({ x: Coordinate, y: Coordinate, tick: Count })),
});
const FallenFighter = Type.Object({
  id: FighterIdSchema,
  hp: Type.Literal(0),
  alive: Type.Literal(false),
});

const position = { x: Coordinate, y: Coordinate };
const AreaNames = OneOf(AREAS);
const AttackNames = OneOf(ATTACKS);

export const AreaSchema = Type.Object({
  name: AreaNames,
  by: FighterIdSchema,
  ...position,
  radius: Count,
  in: Type.Optional(Type.Integer({ description: "blast: 1 = explodes at the end of this tick" })),
  left: Type.Optional(Type.Integer({ description: "scorch: burns left, this tick's included" })),
  damage: Count,
});

export const PickupSchema = Type.Object({
  kind: OneOf(PICKUPS),
  ...position,
  in: Type.Integer({ description: "0 = lies there; 1 = collectable at the end of this tick" }),
});

export const ZoneSchema = Type.Object({
  radius: Count,
  shrinks_in: Nullable(Count),
  damage: Count,
});

const event = <T extends string, P extends Record<string, TSchema>>(type: T, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties });
const thrown = {
  by: FighterIdSchema,
  target: FighterIdSchema,
  direction: DirectionSchema,
  tiles: Count,
};

export const EventSchema = Type.Union([
  event("shout", { by: FighterIdSchema, text: Type.String() }),
  event("rejected", {
    part: OneOf(TURN_PARTS),
    reason: OneOf([...REFUSALS, ...IDLE_REASONS]),
    message: Type.String({ description: "for people; never recorded" }),
    field: Type.Optional(Type.Literal("shout")),
  }),
  event("attack", {
    by: FighterIdSchema,
    name: AttackNames,
    x: Type.Optional(Coordinate),
    y: Type.Optional(Coordinate),
    target: Type.Optional(Nullable(TargetSchema)),
  }),
  event("hit", {
    by: FighterIdSchema,
    target: FighterIdSchema,
    name: OneOf([...ATTACKS, "wall_slam", "collision"]),
    damage: Count,
    ricochet: Type.Optional(Type.Literal(true)),
    ...position,
  }),
  event("repulse", { ...thrown, slam: Type.Boolean(), ...position }),
  event("pull", { ...thrown, ...position }),
  event("area_spawn", {
    by: FighterIdSchema,
    name: AreaNames,
    ...position,
    radius: Count,
    damage: Count,
    in: Type.Optional(Count),
    left: Type.Optional(Count),
  }),
  event("area_explode", { by: FighterIdSchema, name: AreaNames, ...position, radius: Count }),
  event("pickup", { by: FighterIdSchema, kind: OneOf(PICKUPS), healed: Type.Optional(Count) }),
  event("zone_damage", { target: FighterIdSchema, damage: Count, ...position }),
  event("pickup_spawn", { kind: OneOf(PICKUPS), ...position, in: Count }),
  event("death", { target: FighterIdSchema, ...position }),
]);

export const FighterViewSchema = Type.Union([VisibleFighter, HiddenFighter, FallenFighter]);

const dash = Type.Optional(Type.Integer({ minimum: 1, maximum: 3 }));
export const DashesSchema = Type.Object(
  Object.fromEntries(DIRECTIONS.map((direction) => [direction, dash])),
  { additionalProperties: false, description: "direction -> free tiles" },
);

export const DangerSchema = Type.Array(
  Type.Tuple([Type.Integer(), Type.Integer(), Type.Integer(), Type.Integer()]),
  { description: "[x, y, in, damage]: floor tiles within 3 that a running area will hurt" },
);

export const TurnParts = {
  move: Type.Optional(Nullable(DirectionSchema)),
  dash: Type.Optional(Nullable(DirectionSchema)),
  attack: Type.Optional(
    Nullable(
      Type.Object({
        name: Type.String({ description: "a key of hello.rules.attacks" }),
        target: Type.Optional(
          Type.Unknown({
            description: "a direction, a tile [x, y], or absent, as the attack takes",
          }),
        ),
      }),
    ),
  ),
  shout: Type.Optional(
    Nullable(
      Type.String({
        description:
          "1-40 code points after cleaning: what does not print and space at the ends go",
      }),
    ),
  ),
};
