// What accounts have earned in events. An award is a fact: it is added once, and taken back or given
// again by an operator alone.

import type { AccountId, BotId, EventId, MatchId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import type { NewDelivery } from "./delivery.ts";
import { looks, reads, writes } from "./method.ts";

/** At most one award each. */
export type AwardKey = { eventId: EventId; accountId: AccountId; achievementId: string };

export type NewAward = AwardKey & {
  botId: BotId;
  /** When the deciding match ended. */
  earnedAt: string;
  /** The deciding match last. */
  evidence: readonly MatchId[];
};

export type GivenAward = { award: NewAward; audit: AuditEntry; letter?: NewDelivery };

export type AwardRecord = NewAward & {
  /** When it was written down. */
  awardedAt: string;
  revokedAt: string | null;
  revokedReason: string | null;
};

/** How often an achievement was earned, and how many of these awards were taken back. */
export type AwardTally = {
  eventId: EventId;
  achievementId: string;
  earned: number;
  revoked: number;
};

/** What an operator did to an award, and whether that changed it. */
export type AwardOutcome = { award: AwardRecord; isChanged: boolean };

const tallied = (eventId: EventId) => `awards:${eventId}`;

const changed = (outcome: AwardOutcome | null | undefined, { eventId }: AwardKey): string[] =>
  outcome === null || outcome?.isChanged === false ? [] : [tallied(eventId), "audit"];

export const AWARDS = {
  /**
   * Those that are new, each with its audit entry, which says when. One that is there stays as it
   * is, and nobody earns anything who has left, or in an event that is gone. The letter goes with
   * the award, in the same transaction.
   */
  add: writes<(awards: readonly GivenAward[]) => Promise<NewAward[]>>((added, awards) =>
    added?.length === 0
      ? []
      : ["audit", ...new Set(awards.map(({ award }) => tallied(award.eventId)))],
  ),
  /** With the reason and the instant of the entry. Null when it was not earned. */
  revoke: writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changed),
  restore: writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changed),
  /** In one event, or in all of them; by when they were earned. */
  ofAccount: looks<(accountId: AccountId, eventId?: EventId) => Promise<AwardRecord[]>>(),
  /** By when they were earned. */
  ofEvent: looks<(eventId: EventId) => Promise<AwardRecord[]>>(),
  tallies: reads<(eventIds: readonly EventId[]) => Promise<AwardTally[]>>((_, eventIds) =>
    eventIds.map(tallied),
  ),
};
