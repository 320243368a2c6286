// How a bot fights, as figures of its games that have statistics.

import { Type } from "typebox";

import { ATTACKS } from "#core/engine/types.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { Percent } from "./common.ts";

export const Average = (description: string) =>
  Type.Number({ minimum: 0, description: `${description}; two decimals` });

export const styleFigures = {
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
    "more or fewer attacks, more or fewer steps than the bots of the season on average",
  ),
  games: Type.Integer({ minimum: 1, description: "those with statistics" }),
  favourite: Nullable(OneOf(ATTACKS, "the attack that does most of its damage")),
  favourite_share: Percent,
  accuracy: Percent,
  attacks_per_100_ticks: Average("attacks used"),
  steps_per_100_ticks: Average("moves and dashes"),
  damage_dealt: Average("points a game"),
  damage_taken: Average("points a game"),
  healed: Average("points a game"),
  wall_slams: Average("slams into walls that it caused, a game"),
  zone_damage: Average("points that the zone took, a game"),
  idles: Average("turns without a valid answer, a game"),
};
