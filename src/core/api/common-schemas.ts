import { Type } from "typebox";
import type { Static } from "typebox";

import { AVATARS } from "#core/ids/avatars.ts";
import { ERROR_CODES } from "#core/protocol/errors.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

export const CountSchema = Type.Integer({ minimum: 0 });
export const IdSchema = Type.String({ description: "Opaque id." });
export const InstantSchema = Type.String({
  format: "date-time",
  description: "UTC instant in ISO 8601.",
});
export const PathSchema = (description: string) => Type.String({ pattern: "^/", description });
export const UrlSchema = (description: string) =>
  Type.String({ pattern: "^(http|ws)s?://", description });
export const AvatarSchema = Nullable(
  OneOf(AVATARS, "Null is an avatar generated from the bot's name."),
);
export const LabelSchema = Type.String({ description: "Version label of 1-32 characters." });

/** White space, joiners, directional marks, fillers and variation selectors. */
const INVISIBLE_CHARACTERS =
  "\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";
/** Put this after `^`. It requires at least one visible character, on any line. */
export const VISIBLE_CHARACTER_PATTERN = `(?=[\\s\\S]*[^${INVISIBLE_CHARACTERS}])`;

export const botIdentityProperties = {
  name: Type.String({ description: "Canonical name, for identifiers and links." }),
  display_name: Type.String({
    description: "Display name. Differs from the canonical name only for house bots.",
  }),
  owner: Type.String(),
  owner_url: Nullable(
    PathSchema("Path of the owner's profile; null for an owner without an account."),
  ),
  house: Type.Boolean(),
  online: Type.Boolean({ description: "Whether the bot has an open socket." }),
};

export const botProperties = {
  id: IdSchema,
  ...botIdentityProperties,
  created: InstantSchema,
  avatar: AvatarSchema,
};

export const PercentSchema = Type.Number({
  minimum: 0,
  maximum: 100,
  description: "Two decimals.",
});

/** In whole points. */
export const ratingProperties = {
  rating: Type.Integer(),
  rating_deviation: Type.Integer({ minimum: 0, description: "Standard error of the rating." }),
  leaderboard_score: Type.Integer({ description: "rating - 2 * max(rating_deviation, 25)." }),
};

export const recordProperties = { wins: CountSchema, losses: CountSchema, draws: CountSchema };

export const ErrorBodySchema = Type.Object({
  error: Type.String({ description: "Text for display." }),
  code: Type.Optional(
    OneOf(ERROR_CODES, "Error code, see /docs/errors; newer servers may have more."),
  ),
  account_url: Type.Optional(UrlSchema("URL for creating accounts and keys.")),
  limit: Type.Optional(Type.String({ description: "Name of the limit that was reached." })),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
