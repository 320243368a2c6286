// Ids of the ladder's nouns. All are text; each kind is a type of its own, so that a version's id
// is never taken for a bot's. Plain text may be given where an id is asked for: what comes from a
// database, a message or a test needs no ceremony, and two kinds still never mix.

declare const kind: unique symbol;

type Id<Kind extends string> = string & { readonly [kind]?: Kind };

/** UUIDv7 text; it survives renames. */
export type BotId = Id<"bot">;
/** UUIDv7 text. */
export type VersionId = Id<"version">;
/** UUIDv7 text, so that ids sort by the instant at which matches were made. */
export type MatchId = Id<"match">;
/** A slug; `public` is always there. */
export type LadderId = Id<"ladder">;
/** A month of the public ladder as `2026-01`, or `preseason`. */
export type SeasonId = Id<"season">;
/** UUIDv7 text. */
export type AccountId = Id<"account">;
/** Whose a bot is: an account's id, `anon:` and the fold of the owner's text, or `house`. */
export type OwnerId = Id<"owner">;
