// What turns stored matches into awards, as the rest of a server sees it.

import type { AccountId, BotId, EventId, MatchId } from "#core/words/ids.ts";

import type { CardProgress } from "./account-progress.ts";
import type { EventDefinition } from "./event.ts";
import type { StoredGame } from "./stored-game.ts";

/** What the stored matches of an event earn. */
export type AwardFact = {
  accountId: AccountId;
  achievementId: string;
  botId: BotId;
  /** When the deciding match ended. */
  earnedAt: string;
  evidence: readonly MatchId[];
};

export type Awards = {
  /** A match is stored: what it earns is given soon, and again after a failure until it is given. */
  stored(game: StoredGame): void;
  /** An event was made or changed, so that matches that are stored already may count for it now. */
  changed(eventId: EventId): void;
  /** For each achievement, in their order. */
  progressOf(event: EventDefinition, accountId: AccountId): Promise<CardProgress[]>;
  /** From the stored matches alone, by when it was earned. */
  recount(event: EventDefinition): Promise<AwardFact[]>;
  /** Gives what is not given yet, and resolves with that. */
  give(event: EventDefinition, facts: readonly AwardFact[]): Promise<AwardFact[]>;
};
