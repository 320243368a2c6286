// Decides why a request in an event is refused. Returns the first reason that applies.

export type OpponentRequestFacts = {
  isMember: boolean;
  /** Whether games on the event's ladder currently count. */
  isEarning: boolean;
  hasRequest: boolean;
  /** Whether the bot is in the queue or in a match on the event's ladder. */
  isPlaying: boolean;
  isAvailable: boolean;
  /** Whether the previous requested game started too recently. */
  isTooSoon: boolean;
};

export const REQUEST_REFUSALS = [
  ["enrollment_required", ({ isMember }: OpponentRequestFacts) => !isMember],
  ["event_closed", ({ isEarning }: OpponentRequestFacts) => !isEarning],
  ["request_exists", ({ hasRequest }: OpponentRequestFacts) => hasRequest],
  ["bot_offline", ({ isPlaying }: OpponentRequestFacts) => !isPlaying],
  ["opponent_unavailable", ({ isAvailable }: OpponentRequestFacts) => !isAvailable],
  ["rate_limited", ({ isTooSoon }: OpponentRequestFacts) => isTooSoon],
] as const;
export type RequestRefusal = (typeof REQUEST_REFUSALS)[number][0];

export const requestRefusal = (facts: OpponentRequestFacts): RequestRefusal | null =>
  REQUEST_REFUSALS.find(([, applies]) => applies(facts))?.[0] ?? null;

export type RevealFacts = {
  isMember: boolean;
  /** Null if the achievement isn't earned. */
  award: { revokedAt: string | null } | null;
  hasFlag: boolean;
};

export const REVEAL_REFUSALS = [
  ["enrollment_required", ({ isMember }: RevealFacts) => !isMember],
  ["achievement_revoked", ({ award }: RevealFacts) => award !== null && award.revokedAt !== null],
  ["achievement_locked", ({ award }: RevealFacts) => award === null],
  ["flag_unavailable", ({ hasFlag }: RevealFacts) => !hasFlag],
] as const;
export type RevealRefusal = (typeof REVEAL_REFUSALS)[number][0];

export const revealRefusal = (facts: RevealFacts): RevealRefusal | null =>
  REVEAL_REFUSALS.find(([, applies]) => applies(facts))?.[0] ?? null;
