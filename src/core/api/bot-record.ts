import { Type } from "typebox";
import type { Static } from "typebox";

import { ATTACKS, DAMAGE_SOURCES } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import {
  CountSchema,
  InstantSchema,
  botProperties,
  LabelSchema,
  PercentSchema,
  recordProperties,
} from "./common-schemas.ts";
import { styleProperties } from "./style-schemas.ts";

const results = { games: CountSchema, ...recordProperties, win_rate: PercentSchema };

export const MapRecordSchema = Type.Object({ map: Type.String(), ...results });
export type BotMapRecord = Static<typeof MapRecordSchema>;

export const OpponentRecordSchema = Type.Object({
  opponent: Type.Object(botProperties),
  ...results,
  last_played: InstantSchema,
});
export type OpponentRecord = Static<typeof OpponentRecordSchema>;

const competitionProperties = {
  ladder_id: Type.String(),
  season: Nullable(Type.String({ description: "Null on a ladder without seasons." })),
};

export const LossesSchema = Type.Object({
  version: LabelSchema,
  ...competitionProperties,
  games: Type.Integer({ minimum: 0, description: "Number of lost games counted." }),
  damage: Type.Array(
    Type.Object({
      source: OneOf(DAMAGE_SOURCES),
      dealt: Type.Integer({ minimum: 0, description: "Total damage dealt by the version." }),
      taken: Type.Integer({ minimum: 0, description: "Total damage dealt by the winners." }),
    }),
    { description: "Damage by source, highest first." },
  ),
  opponents: Type.Array(
    Type.Object({ name: Type.String(), display_name: Type.String(), games: CountSchema }),
    { description: "Winners of these games, most wins first." },
  ),
  maps: Type.Array(
    Type.Object({
      map: Type.String(),
      games: Type.Integer({
        minimum: 0,
        description: "Games that the version has played since the oldest lost game.",
      }),
      lost: CountSchema,
    }),
    { description: "Maps, most losses first." },
  ),
});
export type Losses = Static<typeof LossesSchema>;

export const BotStyleSchema = Type.Object({
  ...competitionProperties,
  fights: Nullable(
    Type.Object(styleProperties, { description: "Null until a game has statistics." }),
  ),
  attacks: Type.Array(
    Type.Object({
      attack: OneOf(ATTACKS),
      uses: CountSchema,
      hits: Type.Integer({
        minimum: 0,
        description: "An area that deals damage twice counts as two hits.",
      }),
      damage: Type.Integer({ minimum: 0, description: "Total damage." }),
      share: PercentSchema,
    }),
    { description: "Attacks used, highest damage first." },
  ),
});
export type BotStyle = Static<typeof BotStyleSchema>;

export const ComparisonSchema = Type.Object({
  a: LabelSchema,
  b: LabelSchema,
  ...competitionProperties,
  difference: Nullable(
    Type.Number({ description: "Rating of a minus rating of b, to two decimal places." }),
  ),
  deviation: Nullable(
    Type.Number({
      minimum: 0,
      description: "Standard error of the difference, in points, to two decimal places.",
    }),
  ),
  games: Type.Tuple([CountSchema, CountSchema], { description: "Rated games of a, then of b." }),
  chance_better: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Probability that a is better than b, to four decimal places.",
    }),
  ),
});
export type VersionComparison = Static<typeof ComparisonSchema>;
