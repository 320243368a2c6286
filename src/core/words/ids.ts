// Ids of the ladder's nouns. All are text, but each kind is its own type, so that a version's id is
// never taken for a bot's. Plain text is accepted as an id: what comes from a database, a message
// or a test needs no cast, and two kinds still never mix.

declare const kind: unique symbol;

type Id<Kind extends string> = string & { readonly [kind]?: Kind };

/** A UUIDv7 that survives renames. */
export type BotId = Id<"bot">;
/** A UUIDv7. */
export type VersionId = Id<"version">;
/** A UUIDv7, so that ids sort by when matches were created. */
export type MatchId = Id<"match">;
/** UUIDv7 text. */
export type PracticeId = Id<"practice">;
/** A slug; `public` always exists. */
export type LadderId = Id<"ladder">;
/** A month of the public ladder as `2026-01`, or `preseason`. */
export type SeasonId = Id<"season">;
/** UUIDv7 text. */
export type AccountId = Id<"account">;
/** Whose a bot is: an account's id, `anon:` and the fold of the owner's text, or `house`. */
export type OwnerId = Id<"owner"> | AccountId;
/** A slug. */
export type EventId = Id<"event">;
/** UUIDv7 text. */
export type AnnouncementId = Id<"announcement">;
/** UUIDv7 text. */
export type InvitationId = Id<"invitation">;
/** UUIDv7 text. */
export type RequestId = Id<"request">;
