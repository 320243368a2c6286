import { Type } from "typebox";

import { ATTACKS } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { PercentSchema } from "./common-schemas.ts";

export const averageSchema = (description: string) =>
  Type.Number({ minimum: 0, description: `${description}; two decimals.` });

export const styleProperties = {
  style: OneOf([
    "duellist",
    "marksman",
    "grappler",
    "bouncer",
    "bomber",
    "arsonist",
    "all-rounder",
    "pacifist",
  ]),
  manner: OneOf(
    ["aggressive", "patient", "nimble", "steady", "even"],
    "More or fewer attacks, or more or fewer steps, than the season's average bot.",
  ),
  games: Type.Integer({ minimum: 1, description: "Number of games with statistics." }),
  favourite: Nullable(OneOf(ATTACKS, "The attack that deals most of its damage.")),
  favourite_share: PercentSchema,
  accuracy: PercentSchema,
  attacks_per_100_ticks: averageSchema("Attacks used per 100 ticks"),
  steps_per_100_ticks: averageSchema("Moves and dashes per 100 ticks"),
  damage_dealt: averageSchema("Points per game"),
  damage_taken: averageSchema("Points per game"),
  healed: averageSchema("Points per game"),
  wall_slams: averageSchema("Wall slams caused per game"),
  zone_damage: averageSchema("Zone damage taken per game"),
  idles: averageSchema("Turns without a valid reply per game"),
};
