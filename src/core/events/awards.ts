// Grants awards from stored matches.

import type { AccountId, BotId, EventId, MatchId } from "#core/ids/ids.ts";

import type { AchievementProgress } from "./account-progress.ts";
import type { EventDefinition } from "./event.ts";
import type { StoredRatedMatch } from "./stored-match.ts";

/** An award earned by the stored matches of an event. */
export type EarnedAward = {
  accountId: AccountId;
  achievementId: string;
  botId: BotId;
  /** When the deciding match ended. */
  earnedAt: string;
  evidence: readonly MatchId[];
};

export type AwardService = {
  /**
   * Handles a stored match: grants what it earns soon afterwards, and retries until that succeeds.
   */
  handleMatchStored(game: StoredRatedMatch): void;
  /** Handles a new or changed event, for which stored matches may now count. */
  handleEventChanged(eventId: EventId): void;
  /** One per achievement, in the order of the event. */
  getAccountProgress(event: EventDefinition, accountId: AccountId): Promise<AchievementProgress[]>;
  /** Recomputes the awards of an event from its stored matches, sorted by when they were earned. */
  recomputeAwards(event: EventDefinition): Promise<EarnedAward[]>;
  /** Grants the missing awards and returns them. */
  grantAwards(event: EventDefinition, earnedAwards: readonly EarnedAward[]): Promise<EarnedAward[]>;
};
