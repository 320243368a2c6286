// Awards earned in events. Awards are permanent: only operators can revoke and restore them.

import type { AccountId, BotId, EventId, MatchId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import type { NewDelivery } from "./delivery.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

/** Identifies an award: each account earns an achievement at most once per event. */
export type AwardKey = { eventId: EventId; accountId: AccountId; achievementId: string };

export type NewAward = AwardKey & {
  botId: BotId;
  /** End of the deciding match. */
  earnedAt: string;
  /** Matches that earned the award. The deciding match is the last one. */
  evidence: readonly MatchId[];
};

export type AwardGrant = { award: NewAward; audit: AuditEntry; email?: NewDelivery };

export type AwardRecord = NewAward & {
  awardedAt: string;
  revokedAt: string | null;
  revokedReason: string | null;
};

export type AwardTally = {
  eventId: EventId;
  achievementId: string;
  earned: number;
  revoked: number;
};

export type AwardOutcome = { award: AwardRecord; isChanged: boolean };

const awardsSubject = (eventId: EventId) => `awards:${eventId}`;

const changedSubjects = (
  outcome: AwardOutcome | null | undefined,
  { eventId }: AwardKey,
): string[] =>
  outcome === null || outcome?.isChanged === false ? [] : [awardsSubject(eventId), "audit"];

export const AWARDS = {
  /**
   * Adds new awards, each with its audit entry, which sets the time. Existing awards stay
   * unchanged. Skips deleted accounts and events. Queues the emails in the same transaction.
   */
  add: writes<(grants: readonly AwardGrant[]) => Promise<NewAward[]>>((newAwards, grants) =>
    newAwards?.length === 0
      ? []
      : ["audit", ...new Set(grants.map(({ award }) => awardsSubject(award.eventId)))],
  ),
  /** Takes reason and time from the audit entry. Returns null if the award doesn't exist. */
  revoke:
    writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changedSubjects),
  restore:
    writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changedSubjects),
  /**
   * Returns an account's awards in one event or in all events, ordered by when they were earned.
   */
  listByAccount:
    readsUncached<(accountId: AccountId, eventId?: EventId) => Promise<AwardRecord[]>>(),
  listByEvent: readsUncached<(eventId: EventId) => Promise<AwardRecord[]>>(),
  tallies: reads<(eventIds: readonly EventId[]) => Promise<AwardTally[]>>((_, eventIds) =>
    eventIds.map(awardsSubject),
  ),
};
