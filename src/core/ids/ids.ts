// Id types. All ids are strings, but each kind has its own type, so that a version's id can't be
// passed as a bot's. Plain strings are accepted as ids: values from a database, message or test
// need no cast, and two kinds still never mix.

declare const idKind: unique symbol;

type Id<Kind extends string> = string & { readonly [idKind]?: Kind };

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
/** Owner of a bot: an account's id, `anon:` and the normalized owner name, or `house`. */
export type OwnerId = Id<"owner"> | AccountId;
/** A slug. */
export type EventId = Id<"event">;
/** UUIDv7 text. */
export type AnnouncementId = Id<"announcement">;
/** UUIDv7 text. */
export type InvitationId = Id<"invitation">;
/** UUIDv7 text. */
export type RequestId = Id<"request">;
