// Id types. All ids are strings, but each kind has its own type, so that a version id can't be
// passed as a bot id. Plain strings can be assigned to any id type, so values from databases,
// messages and tests need no cast. Ids are UUIDv7 unless noted otherwise.

declare const idKind: unique symbol;

type Id<Kind extends string> = string & { readonly [idKind]?: Kind };

/** UUIDv7. Stays the same when the bot is renamed. */
export type BotId = Id<"bot">;
export type VersionId = Id<"version">;
/** UUIDv7, so that ids sort by creation time. */
export type MatchId = Id<"match">;
export type PracticeId = Id<"practice">;
/** Slug. `public` always exists. */
export type LadderId = Id<"ladder">;
/** Month of the public ladder, such as `2026-01`, or `preseason`. */
export type SeasonId = Id<"season">;
export type AccountId = Id<"account">;
/** Owner of a bot: an account id, `anon:` followed by the normalized owner name, or `house`. */
export type OwnerId = Id<"owner"> | AccountId;
/** Slug. */
export type EventId = Id<"event">;
export type AnnouncementId = Id<"announcement">;
export type InvitationId = Id<"invitation">;
export type RequestId = Id<"request">;
