// Awards earned in events. An award is permanent: only an operator can revoke or restore it.

import type { AccountId, BotId, EventId, MatchId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import type { NewDelivery } from "./delivery.ts";
import { readsUncached, reads, writes } from "./method.ts";

/** At most one award each. */
export type AwardKey = { eventId: EventId; accountId: AccountId; achievementId: string };

export type NewAward = AwardKey & {
  botId: BotId;
  /** When the deciding match ended. */
  earnedAt: string;
  /** The deciding match last. */
  evidence: readonly MatchId[];
};

export type AwardGrant = { award: NewAward; audit: AuditEntry; email?: NewDelivery };

export type AwardRecord = NewAward & {
  /** When the award was stored. */
  awardedAt: string;
  revokedAt: string | null;
  revokedReason: string | null;
};

/** How often an achievement was earned, and how many of these awards were revoked. */
export type AwardTally = {
  eventId: EventId;
  achievementId: string;
  earned: number;
  revoked: number;
};

/** An operator's change to an award, and whether it changed anything. */
export type AwardOutcome = { award: AwardRecord; isChanged: boolean };

const awardsSubject = (eventId: EventId) => `awards:${eventId}`;

const changedSubjects = (
  outcome: AwardOutcome | null | undefined,
  { eventId }: AwardKey,
): string[] =>
  outcome === null || outcome?.isChanged === false ? [] : [awardsSubject(eventId), "audit"];

export const AWARDS = {
  /**
   * Adds new awards, each with its audit entry, which carries the time. An existing award stays
   * unchanged. Deleted accounts and deleted events get no awards. The email is queued in the same
   * transaction.
   */
  add: writes<(grants: readonly AwardGrant[]) => Promise<NewAward[]>>((newAwards, grants) =>
    newAwards?.length === 0
      ? []
      : ["audit", ...new Set(grants.map(({ award }) => awardsSubject(award.eventId)))],
  ),
  /** With the reason and time of the audit entry. Null if it wasn't earned. */
  revoke:
    writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changedSubjects),
  restore:
    writes<(key: AwardKey, audit: AuditEntry) => Promise<AwardOutcome | null>>(changedSubjects),
  /** In one event or in all, by the time they were earned. */
  listByAccount:
    readsUncached<(accountId: AccountId, eventId?: EventId) => Promise<AwardRecord[]>>(),
  /** By the time they were earned. */
  listByEvent: readsUncached<(eventId: EventId) => Promise<AwardRecord[]>>(),
  tallies: reads<(eventIds: readonly EventId[]) => Promise<AwardTally[]>>((_, eventIds) =>
    eventIds.map(awardsSubject),
  ),
};
