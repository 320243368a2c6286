// Parts that several resources of the HTTP API share.

import { Type } from "typebox";
import type { Static } from "typebox";

import { ERROR_CODES } from "#core/protocol/errors.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { AVATARS } from "#core/words/avatars.ts";

export const Count = Type.Integer({ minimum: 0 });
export const Id = Type.String({ description: "an opaque id" });
export const Instant = Type.String({ format: "date-time", description: "UTC, ISO 8601" });
export const Path = (description: string) => Type.String({ pattern: "^/", description });
export const Link = (description: string) =>
  Type.String({ pattern: "^(http|ws)s?://", description });
export const Avatar = Nullable(OneOf(AVATARS, "null is a plain orb"));
export const Label = Type.String({ description: "a version label of 1-32 characters" });

/** Characters that show nothing: white space, joiners, marks of direction, fillers, selectors. */
const UNSEEN =
  "\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e" +
  "\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";
/** The start of a pattern after `^`: there is something to see, on whichever line. */
export const SEEN = `(?=[\\s\\S]*[^${UNSEEN}])`;

/** Identifies a bot wherever a list shows it in full. */
export const botIdentity = {
  name: Type.String({ description: "canonical name, for identifiers and links" }),
  display_name: Type.String({ description: "for people; differs for house bots alone" }),
  owner: Type.String(),
  owner_url: Nullable(Path("the owner's profile; null for an owner without an account")),
  house: Type.Boolean(),
  online: Type.Boolean({ description: "has an open socket" }),
};

/** And with what hardly ever changes about it. */
export const knownBot = { id: Id, ...botIdentity, created: Instant, avatar: Avatar };

export const Percent = Type.Number({ minimum: 0, maximum: 100, description: "two decimals" });

/** Whole points. */
export const ratingFigures = {
  rating: Type.Integer(),
  rating_deviation: Type.Integer({ minimum: 0, description: "standard error of the rating" }),
  leaderboard_score: Type.Integer({ description: "rating - 2 * max(rating_deviation, 25)" }),
};

export const record = { wins: Count, losses: Count, draws: Count };

export const ErrorBodySchema = Type.Object({
  error: Type.String({ description: "for people" }),
  code: Type.Optional(OneOf(ERROR_CODES, "see /docs/errors; a newer server may have more")),
  account_url: Type.Optional(Link("where accounts and their keys are made")),
  limit: Type.Optional(Type.String({ description: "the name of the limit that is used up" })),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
