import type { AccountId, BotId, EventId, MatchId } from "#core/ids/ids.ts";

import type { AchievementProgress } from "./account-progress.ts";
import type { EventDefinition } from "./event.ts";
import type { StoredRatedMatch } from "./stored-match.ts";

export type EarnedAward = {
  accountId: AccountId;
  achievementId: string;
  botId: BotId;
  /** End of the deciding match. */
  earnedAt: string;
  evidence: readonly MatchId[];
};

export type AwardService = {
  /**
   * Grants the awards earned in a stored match. Runs shortly after the match is stored, and retries
   * until it succeeds.
   */
  handleMatchStored(game: StoredRatedMatch): void;
  /** Grants awards for a new or changed event, for which stored matches may now count. */
  handleEventChanged(eventId: EventId): void;
  /** One per achievement, in the event's order. */
  getAccountProgress(event: EventDefinition, accountId: AccountId): Promise<AchievementProgress[]>;
  /** Recomputes an event's awards from its stored matches, sorted by when they were earned. */
  recomputeAwards(event: EventDefinition): Promise<EarnedAward[]>;
  /** Grants and returns the missing awards. */
  grantAwards(event: EventDefinition, earnedAwards: readonly EarnedAward[]): Promise<EarnedAward[]>;
};
