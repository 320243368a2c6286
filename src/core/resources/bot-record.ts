// What the record of a bot is made of: maps, opponents, style, lost games, and one version next to
// another.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ATTACKS, DAMAGE_SOURCES } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Count, Instant, knownBot, Label, Percent, record } from "./common.ts";
import { styleFigures } from "./style.ts";

const results = { games: Count, ...record, win_rate: Percent };

export const MapRecordSchema = Type.Object({ map: Type.String(), ...results });
export type RecordOnMap = Static<typeof MapRecordSchema>;

export const OpponentRecordSchema = Type.Object({
  opponent: Type.Object(knownBot),
  ...results,
  last_played: Instant,
});
export type OpponentRecord = Static<typeof OpponentRecordSchema>;

const competition = {
  ladder_id: Type.String(),
  season: Nullable(Type.String({ description: "null on a ladder without seasons" })),
};

export const LossesSchema = Type.Object({
  version: Label,
  ...competition,
  games: Type.Integer({ minimum: 0, description: "lost games that are added up here" }),
  damage: Type.Array(
    Type.Object({
      source: OneOf(DAMAGE_SOURCES),
      dealt: Type.Integer({ minimum: 0, description: "points by the version, in all" }),
      taken: Type.Integer({ minimum: 0, description: "points by the winners, in all" }),
    }),
    { description: "every source, the one that took most first" },
  ),
  opponents: Type.Array(
    Type.Object({ name: Type.String(), display_name: Type.String(), games: Count }),
    { description: "who won them, the most games first" },
  ),
  maps: Type.Array(
    Type.Object({
      map: Type.String(),
      games: Type.Integer({ minimum: 0, description: "of the version since the oldest of these" }),
      lost: Count,
    }),
    { description: "the most lost games first" },
  ),
});
export type Losses = Static<typeof LossesSchema>;

export const BotStyleSchema = Type.Object({
  ...competition,
  fights: Nullable(
    Type.Object(styleFigures, { description: "null before its first game with statistics" }),
  ),
  attacks: Type.Array(
    Type.Object({
      attack: OneOf(ATTACKS),
      uses: Count,
      hits: Type.Integer({ minimum: 0, description: "an area that hurts twice hits twice" }),
      damage: Type.Integer({ minimum: 0, description: "points, in all" }),
      share: Percent,
    }),
    { description: "those that it used; the one that did most damage first" },
  ),
});
export type BotStyle = Static<typeof BotStyleSchema>;

export const ComparisonSchema = Type.Object({
  a: Label,
  b: Label,
  ...competition,
  difference: Nullable(
    Type.Number({ description: "rating of a minus that of b; two decimals, as the next" }),
  ),
  deviation: Nullable(
    Type.Number({ minimum: 0, description: "standard error of the difference, in points" }),
  ),
  games: Type.Tuple([Count, Count], { description: "rated games of a and of b" }),
  chance_better: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: "that a is better than b; four decimals" }),
  ),
});
export type Comparison = Static<typeof ComparisonSchema>;
